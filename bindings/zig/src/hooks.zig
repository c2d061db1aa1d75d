//! What a component's elements need beyond bytes, from what their type declares:
//!
//!     pub fn init() T             or !T: what `add` makes. Without it: the default values of the fields if all of them
//!                                 have one, else zeros.
//!     pub fn deinit(self: *T) void            ends an element
//!     pub fn clone(self: *const T) T          or !T: copies one, for set, clone, instances and override
//!     pub fn relocate(to: *T, from: *T) void  moves one to where nothing is, for types that know their own address: also
//!                                             what init and clone return, and what set and emplace are given
//!
//! A type with deinit owns something, so nothing is made of zeros or copied as bytes behind its back. Without a clone, set
//! doesn't compile, and clone and the like fail with error.HookFailed; without init and defaults, add does. emplace moves a
//! value in. What init or clone return as error.OutOfMemory the call returns, too; their other errors are error.HookFailed,
//! and errorMessage ends with their names.
//!
//! An init with parameters is the type's own affair. A deinit or clone with more of them, as std.ArrayList's, is
//! nothing that the library could call: such a type's hooks are given to componentWith.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const declares = @import("component.zig").declares;

pub fn of(comptime T: type) c.dz_hooks {
    var its: c.dz_hooks = std.mem.zeroes(c.dz_hooks);
    if (@sizeOf(T) == 0) return its;
    if (comptime needsHooks(T)) @compileError(@typeName(T) ++ ".deinit is no `fn (*T) void`, or its clone no " ++
        "`fn (*const T) T`, so the library can't call it: let the element keep what it needs, or give the hooks to componentWith");
    if (comptime hasInit(T) or hasDefaults(T)) {
        if (hasInit(T) or !isZero(T)) its.construct = construct(T);
    } else if (hasDeinit(T)) {
        its.construct = refuse;
    }
    if (hasDeinit(T)) its.destruct = destruct(T);
    if (declares(T, "clone") or hasDeinit(T) or declares(T, "relocate")) its.copy = copy(T);
    if (declares(T, "relocate")) its.relocate = relocate(T);
    return its;
}

/// Whether a value may be copied, so that set can take it.
pub inline fn isCopyable(comptime T: type) bool {
    return comptime needsHooks(T) or declares(T, "clone") or !declares(T, "deinit");
}

/// Whether a type's deinit or clone takes more than the element, so that its hooks must be given to componentWith.
pub inline fn needsHooks(comptime T: type) bool {
    comptime {
        if (declares(T, "deinit")) {
            const info = @typeInfo(@TypeOf(T.deinit)).@"fn";
            if (info.param_types.len != 1 or info.return_type != void) return true;
        }
        return declares(T, "clone") and @typeInfo(@TypeOf(T.clone)).@"fn".param_types.len != 1;
    }
}

inline fn hasInit(comptime T: type) bool {
    comptime {
        if (!declares(T, "init")) return false;
        const info = @typeInfo(@TypeOf(T.init));
        return info == .@"fn" and info.@"fn".param_types.len == 0;
    }
}

pub inline fn hasDeinit(comptime T: type) bool {
    return comptime declares(T, "deinit") and !needsHooks(T);
}

/// Whether all fields have default values.
inline fn hasDefaults(comptime T: type) bool {
    comptime {
        const info = @typeInfo(T);
        if (info != .@"struct") return false;
        for (info.@"struct".field_attrs) |attrs| if (attrs.default_value_ptr == null) return false;
        return true;
    }
}

/// Refuses types of which add would make what is no value of theirs, or nothing at all. Types whose hooks must be given
/// are trusted to get them.
pub inline fn needNew(comptime T: type) void {
    comptime {
        if (@sizeOf(T) == 0 or needsHooks(T) or hasInit(T) or hasDefaults(T)) return;
        const instead = ": move one in with emplace, or set it; or give the type an init or defaults for all its fields";
        if (hasDeinit(T)) @compileError(@typeName(T) ++ " owns something (deinit), so none is made of zeros" ++ instead);
        if (!mayBeZeros(T)) @compileError("zeros are no value of " ++ @typeName(T) ++ instead);
    }
}

/// Whether zeros are a value of a type.
fn mayBeZeros(comptime T: type) bool {
    switch (@typeInfo(T)) {
        .pointer => |info| return info.size == .c or info.attrs.@"allowzero",
        .@"enum" => |info| {
            if (info.mode == .nonexhaustive) return true;
            for (info.field_values) |value| if (value == 0) return true;
            return false;
        },
        .array => |info| return info.len == 0 or mayBeZeros(info.child),
        .@"struct" => |info| {
            for (info.field_types, info.field_attrs) |F, attrs| if (!attrs.@"comptime" and !mayBeZeros(F)) return false;
            return true;
        },
        .@"union" => |info| {
            if (info.layout != .auto) {
                for (info.field_types) |F| if (mayBeZeros(F)) return true;
                return false;
            }
            // A tag of zeros, or the one that the compiler keeps where it checks, is the first field's, unless it is said.
            for (info.field_names, info.field_types, 0..) |name, F, i| {
                const tag = if (info.tag_type) |Tag| @backingInt(@field(Tag, name)) else i;
                if (tag == 0) return mayBeZeros(F);
            }
            return false;
        },
        .error_set, .noreturn => return false,
        .error_union => |info| return mayBeZeros(info.payload),
        else => return true,
    }
}

/// Whether the default values are zeros, which need no hook: adding is faster without. What is undefined counts as what it
/// happens to be, so this looks at memory.
fn isZero(comptime T: type) bool {
    const made: T = .{};
    const bytes: *const volatile [@sizeOf(T)]u8 = @ptrCast(&made);
    for (bytes) |*byte| if (byte.* != 0) return false;
    return true;
}

fn elementsOf(comptime T: type, pointer: ?*anyopaque, count: u32) []T {
    return @as([*]T, @ptrCast(@alignCast(pointer.?)))[0..count];
}

/// Ends the elements that were made before one failed, and notes why it did.
fn undo(comptime T: type, made: []T, why: anyerror) i32 {
    errors.hook_error = why;
    if (hasDeinit(T)) for (made) |*element| element.deinit();
    return 1;
}

/// What add makes.
inline fn new(comptime T: type) anyerror!T {
    return if (hasInit(T)) T.init() else T{};
}

/// A copy: by clone, or as bytes.
inline fn copied(comptime T: type, source: *const T) anyerror!T {
    return if (declares(T, "clone")) source.clone() else source.*;
}

/// Moves to its place what was put there as bytes.
inline fn settle(comptime T: type, element: *T) void {
    if (!declares(T, "relocate")) return;
    var from = element.*;
    element.relocate(&from);
}

fn construct(comptime T: type) *const fn (?*anyopaque, u32, ?*anyopaque) callconv(.c) i32 {
    return struct {
        fn hook(pointer: ?*anyopaque, count: u32, _: ?*anyopaque) callconv(.c) i32 {
            const elements = elementsOf(T, pointer, count);
            for (elements, 0..) |*element, i| {
                element.* = new(T) catch |err| return undo(T, elements[0..i], err);
                settle(T, element);
            }
            return 0;
        }
    }.hook;
}

fn destruct(comptime T: type) *const fn (?*anyopaque, u32, ?*anyopaque) callconv(.c) void {
    return struct {
        fn hook(pointer: ?*anyopaque, count: u32, _: ?*anyopaque) callconv(.c) void {
            for (elementsOf(T, pointer, count)) |*element| element.deinit();
        }
    }.hook;
}

fn copy(comptime T: type) *const fn (?*anyopaque, ?*const anyopaque, u32, ?*anyopaque) callconv(.c) i32 {
    return struct {
        fn hook(to: ?*anyopaque, from: ?*const anyopaque, count: u32, _: ?*anyopaque) callconv(.c) i32 {
            const targets = elementsOf(T, to, count);
            const sources = @as([*]const T, @ptrCast(@alignCast(from.?)))[0..count];
            const moves = from == moving;
            if (moves) moving = null else if (!isCopyable(T)) {
                errors.hook_error = error.NoClone;
                return 1;
            }
            for (targets, sources, 0..) |*target, *source, i| {
                target.* = if (moves) source.* else copied(T, source) catch |err| return undo(T, targets[0..i], err);
                settle(T, target);
            }
            return 0;
        }
    }.hook;
}

fn refuse(_: ?*anyopaque, _: u32, _: ?*anyopaque) callconv(.c) i32 {
    errors.hook_error = error.NoInit;
    return 1;
}

/// The value that emplace is moving in: the copy hook takes it as it is, and says so by null.
pub threadlocal var moving: ?*const anyopaque = null;

fn relocate(comptime T: type) *const fn (?*anyopaque, ?*anyopaque, u32, ?*anyopaque) callconv(.c) void {
    return struct {
        fn hook(to: ?*anyopaque, from: ?*anyopaque, count: u32, _: ?*anyopaque) callconv(.c) void {
            for (elementsOf(T, to, count), elementsOf(T, from, count)) |*target, *source| target.relocate(source);
        }
    }.hook;
}

test "defaults that are zeros need no hook" {
    const Zero = struct { a: i32 = 0, b: ?*u8 = null, c: [2]bool = .{ false, false }, d: struct { e: f32 = 0 } = .{} };
    const Full = struct { points: i32 = 100 };
    const Half = struct { a: i32, b: i32 = 1 };
    const Negative = struct { a: f32 = -0.0 };
    try std.testing.expect(of(Zero).construct == null);
    try std.testing.expect(of(Full).construct != null);
    try std.testing.expect(of(Half).construct == null);
    try std.testing.expect(of(Negative).construct != null);
}
