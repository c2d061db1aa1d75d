//! What a query asks for, deduced from a struct: each field is a term, but for fields of type Entity, which get the
//! match itself. The struct is also what a row of the query's matches is.
//!
//!     *T                 has T, read and written          dz.With(T)        has T, which isn't looked at
//!     *const T           has T, only read                 dz.Without(T)     doesn't have it
//!     ?*T, ?*const T     null if it doesn't have it       dz.AnyOf(n, T)    has at least one of those with the same n
//!     dz.Parent(P)       of the parent, P as above        dz.Up(P)          of the nearest above that has it
//!     dz.Inherited(P)    its own or its base's, const     dz.WorldValue(P)  the world's
const std = @import("std");
const c = @import("raw.zig");
const component = @import("component.zig");
const handle = @import("handle.zig");
const iterate = @import("iterate.zig");
const Column = iterate.Column;
const Error = @import("errors.zig").Error;
const World = @import("world.zig").World;

pub fn With(comptime T: type) type {
    return Mark(T, @backingInt(c.dz_ask.DZ_WITH), 0);
}

pub fn Without(comptime T: type) type {
    return Mark(T, @backingInt(c.dz_ask.DZ_WITHOUT), 0);
}

pub fn AnyOf(comptime number: u8, comptime T: type) type {
    return Mark(T, @backingInt(c.dz_ask.DZ_ANY_OF), number);
}

/// A term that has no pointer: it only says who matches.
fn Mark(comptime T: type, comptime ask: i32, comptime any_of: u32) type {
    return struct {
        pub const asked_of: Asked = .{ .T = T, .ask = ask, .access = @backingInt(c.dz_access.DZ_NO_ACCESS), .any_of = any_of };
    };
}

pub fn Parent(comptime P: type) type {
    return From(P, c.DZ_PARENT);
}

pub fn Up(comptime P: type) type {
    return From(P, c.DZ_UP);
}

pub fn Inherited(comptime P: type) type {
    if (asked(P).access == @backingInt(c.dz_access.DZ_INOUT)) @compileError(@typeName(P) ++
        " would write to a base, and so to all its instances: what is inherited is only read, by *const T or ?*const T");
    return From(P, c.DZ_INHERIT);
}

pub fn WorldValue(comptime P: type) type {
    return From(P, c.DZ_WORLD_VALUE);
}

/// A term whose pointer, `value`, is to somebody else's component.
fn From(comptime P: type, comptime source: u64) type {
    return struct {
        value: P,

        pub const asked_of: Asked = blk: {
            var it = asked(P);
            if (it.source != c.DZ_NULL) @compileError(@typeName(P) ++ " is somebody else's already");
            it.source = source;
            break :blk it;
        };
    };
}

/// What a field asks for.
const Asked = struct {
    T: type,
    ask: i32,
    access: i32,
    any_of: u32 = 0,
    source: u64 = c.DZ_NULL,
    /// The pointer that a row has; void: none.
    P: type = void,
};

fn asked(comptime F: type) Asked {
    const optional = @typeInfo(F) == .optional;
    const P = if (optional) @typeInfo(F).optional.child else F;
    if (@typeInfo(P) == .pointer and @typeInfo(P).pointer.size == .one) {
        const pointer = @typeInfo(P).pointer;
        if (@sizeOf(pointer.child) == 0) @compileError(@typeName(pointer.child) ++ " has no data: ask by With, Without or AnyOf");
        return .{
            .T = pointer.child,
            .ask = if (optional) @backingInt(c.dz_ask.DZ_OPTIONAL) else @backingInt(c.dz_ask.DZ_WITH),
            .access = if (pointer.attrs.@"const") @backingInt(c.dz_access.DZ_IN) else @backingInt(c.dz_access.DZ_INOUT),
            .P = F,
        };
    }
    if (component.declares(F, "asked_of")) return F.asked_of;
    @compileError("a term is *T, *const T, ?*T, ?*const T, With(T) or the like, or an Entity; not " ++ @typeName(F));
}

/// A field of a struct of terms.
pub const Field = struct {
    name: [:0]const u8,
    F: type,
    /// Null: the field gets the entity.
    asked: ?Asked,
    /// Its place among the terms.
    term: u32,
};

pub fn fieldsOf(comptime Terms: type) []const Field {
    comptime {
        if (Terms == void) return &.{};
        const info = @typeInfo(Terms);
        if (info != .@"struct") @compileError("a query's terms are a struct, not " ++ @typeName(Terms));
        var fields: []const Field = &.{};
        var term: u32 = 0;
        for (info.@"struct".field_names, info.@"struct".field_types) |name, F| {
            const its: ?Asked = if (F == handle.Entity) null else asked(F);
            fields = fields ++ .{Field{ .name = name, .F = F, .asked = its, .term = term }};
            if (its != null) term += 1;
        }
        return fields;
    }
}

/// The type of a field's pointer, which it is itself or has as `value`.
pub fn PointerOf(comptime Terms: type, comptime n: usize) type {
    const field = fieldsOf(Terms)[n];
    const P = if (field.asked) |its| its.P else void;
    if (P == void) @compileError("the field " ++ field.name ++ " has no components");
    return P;
}

fn countOf(comptime fields: []const Field) usize {
    var n: usize = 0;
    for (fields) |field| n += @intFromBool(field.asked != null);
    return n;
}

/// The terms for the library. Registers what isn't registered yet.
pub fn describe(world: World, comptime Terms: type) Error![countOf(fieldsOf(Terms))]c.dz_term {
    const fields = comptime fieldsOf(Terms);
    var terms: [countOf(fields)]c.dz_term = undefined;
    inline for (fields) |field| {
        const its = field.asked orelse continue;
        terms[field.term] = std.mem.zeroes(c.dz_term);
        terms[field.term].id = try component.known(world, its.T);
        terms[field.term].source = its.source;
        terms[field.term].ask = its.ask;
        terms[field.term].access = its.access;
        terms[field.term].any_of = its.any_of;
    }
    return terms;
}

/// One column for each field that has a pointer, void for the others.
pub fn Columns(comptime Terms: type) type {
    const fields = fieldsOf(Terms);
    var types: [fields.len]type = undefined;
    for (fields, &types) |field, *T| T.* = if (field.asked) |its| (if (its.P == void) void else Column(its.P)) else void;
    return @Tuple(&types);
}

pub inline fn columns(comptime Terms: type, iter: *const c.dz_iter, gather: bool) Columns(Terms) {
    @setEvalBranchQuota(1_000_000); // it counts for the whole function that has such loops
    const fields = comptime fieldsOf(Terms);
    var all: Columns(Terms) = undefined;
    inline for (fields, 0..) |field, n| {
        if (@TypeOf(all[n]) != void) all[n] = .of(iter, field.term, gather);
    }
    return all;
}

/// Element i of a batch, from its columns.
pub inline fn row(comptime Terms: type, iter: *const c.dz_iter, all: Columns(Terms), i: usize) Terms {
    @setEvalBranchQuota(1_000_000); // as above
    var its: Terms = undefined;
    inline for (comptime fieldsOf(Terms), 0..) |field, n| {
        if (field.asked) |a| {
            if (a.P == void) continue; // a mark, which has no bytes
            @field(its, field.name) = if (field.F == a.P) all[n].at(i) else .{ .value = all[n].at(i) };
        } else {
            @field(its, field.name) = iterate.entityOf(iter, i);
        }
    }
    return its;
}

/// Panics if a row of a batch points to where its components aren't any more.
pub noinline fn checkRow(comptime Terms: type, iter: *const c.dz_iter, its: Terms, i: usize) void {
    @setEvalBranchQuota(1_000_000); // as above
    const entity = @backingInt(iterate.entityOf(iter, i));
    inline for (comptime fieldsOf(Terms)) |field| {
        const a = field.asked orelse continue;
        if (a.P == void or a.source != c.DZ_NULL) continue;
        const there: ?*const anyopaque = c.dz_get(iter.world, entity, c.dz_component_find(iter.world, component.nameOf(a.T).ptr));
        if (there != @as(?*const anyopaque, @ptrCast(@field(its, field.name)))) @panic("a row is read whose " ++ component.nameOf(a.T) ++
            " has gone or moved since the batch was handed out: a loop whose body destroys, adds or removes takes nextRow");
    }
}
