//! Iterators: over the matches of a query or group, batch by batch or row by row, and over one component's pool.
//! An iterator is the caller's, owns nothing and needs no deinit: leave a loop as you like.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const terms = @import("terms.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const World = @import("world.zig").World;

/// The order in which a pool or group is iterated.
pub const Direction = enum(i32) {
    /// From the last added to the first: what to use when the loop changes the pool.
    backward = @backingInt(c.dz_direction.DZ_BACKWARD),
    forward = @backingInt(c.dz_direction.DZ_FORWARD),
};

/// What an iterator hands out.
pub const Kind = enum {
    /// Runs and gathers.
    batches,
    /// Runs only: every field an array.
    runs,
};

/// The entity of element i of a batch.
pub inline fn entityOf(iter: *const c.dz_iter, i: usize) Entity {
    const at = if (iter.gather != 0) iter.picks[i] else i;
    if (iter.entity_size == 4) {
        const narrow: [*]const u32 = @ptrCast(@alignCast(iter.entities));
        return @fromBackingInt(narrow[at]);
    }
    const wide: [*]const u64 = @ptrCast(@alignCast(iter.entities));
    return @fromBackingInt(wide[at]);
}

/// The next element of a batch that is to be seen, whatever was changed since the last; null at its end.
inline fn each(iter: *c.dz_iter) ?u32 {
    if (iter.changes == null or iter.changes.* != iter.seen) {
        const found = c.dz_each_slow(iter);
        return if (found == std.math.maxInt(u32)) null else found;
    }
    var offset = iter.position - iter.first;
    if (iter.flags & 1 != 0) { // forward: position is the next one
        if (offset >= iter.count) return null;
        iter.position += 1;
    } else { // backward: position is one above the next one
        if (offset == 0) return null;
        iter.position -= 1;
        offset -= 1;
    }
    // Of a gather that follows no pool's order (4) only the index is needed: memory far off isn't read.
    const indexed = iter.gather != 0 and iter.flags & 4 == 0;
    iter.current = if (indexed) iter.picks[offset] else @backingInt(entityOf(iter, offset));
    return offset;
}

/// What the type of a field says: *T or *const T, or optional if the components may be absent.
fn pointerOf(comptime P: type) struct { T: type, constant: bool, optional: bool } {
    const optional = @typeInfo(P) == .optional;
    const info = @typeInfo(if (optional) @typeInfo(P).optional.child else P);
    if (info != .pointer or info.pointer.size != .one) @compileError("a field is *T, *const T, ?*T or ?*const T, not " ++ @typeName(P));
    return .{ .T = info.pointer.child, .constant = info.pointer.attrs.@"const", .optional = optional };
}

/// The components of one term in a batch. P is *T or *const T, or optional if they may be absent.
pub fn Column(comptime P: type) type {
    const pointer = pointerOf(P);
    const optional = pointer.optional;
    const T = pointer.T;
    const Array = if (pointer.constant) [*]const T else [*]T;
    return struct {
        gather: bool,
        /// How many elements it has.
        count: u32,
        /// Of a gather: an address for each element.
        rows: if (optional) ?[*]const ?*anyopaque else [*]const ?*anyopaque,
        /// Of a run: the first element.
        first: if (optional) ?Array else Array,

        const Self = @This();

        pub inline fn of(iter: *const c.dz_iter, term: u32, gather: bool) Self {
            var self: Self = .{
                .gather = gather,
                .count = iter.count,
                .rows = undefined,
                .first = undefined,
            };
            if (gather) {
                const offset = iter.offsets[term];
                if (optional and offset == std.math.maxInt(u16)) {
                    self.rows = null;
                } else {
                    self.rows = @ptrCast(&iter.rows[offset]);
                }
            } else {
                const first: ?Array = @ptrCast(@alignCast(iter.fields[term]));
                self.first = if (optional) first else first.?;
            }
            return self;
        }

        /// Of element i, which must be below the batch's count.
        pub inline fn at(self: Self, i: usize) P {
            std.debug.assert(i < self.count);
            if (optional) {
                if (!self.gather) return if (self.first) |first| &first[i] else null;
                const rows = self.rows orelse return null;
                return @ptrCast(@alignCast(rows[i]));
            }
            if (!self.gather) return &self.first[i];
            return @ptrCast(@alignCast(self.rows[i].?));
        }
    };
}

/// A batch of matches. For loops that only change values; the others take nextRow. Where the compiler checks, a row whose
/// components have gone or moved since the batch was handed out is a panic.
pub fn Batch(comptime Terms: type, comptime kind: Kind) type {
    return struct {
        iter: *c.dz_iter,
        /// How many elements it has.
        count: usize,
        /// Whether it is a gather: elements that lie apart. Else it is a run.
        gather: bool,
        columns: terms.Columns(Terms),

        const Self = @This();

        inline fn of(iter: *c.dz_iter) Self {
            const gather = kind == .batches and iter.gather != 0;
            return .{ .iter = iter, .count = iter.count, .gather = gather, .columns = terms.columns(Terms, iter, gather) };
        }

        /// Element i: the struct of the query's terms, with pointers to its components.
        pub inline fn row(self: Self, i: usize) Terms {
            if (Terms == void) @compileError("a query without a struct of terms has no rows: take a column of each term");
            std.debug.assert(i < self.count);
            const its = terms.row(Terms, self.iter, self.columns, i);
            // Values alone don't count, but what counts needn't be about this row: then it is looked at.
            const changes = self.iter.changes;
            if (std.debug.runtime_safety and changes != null and changes.* != self.iter.seen) terms.checkRow(Terms, self.iter, its, i);
            return its;
        }

        pub inline fn entity(self: Self, i: usize) Entity {
            std.debug.assert(i < self.count);
            return entityOf(self.iter, i);
        }

        /// The same batch as a run, whose fields are slices; null if it is a gather.
        pub inline fn asRun(self: Self) ?Batch(Terms, .runs) {
            return if (self.gather) null else .of(self.iter);
        }

        /// A field's components as a slice, of a run; null if an optional one is absent.
        pub inline fn slice(self: Self, comptime field: FieldOf(Terms)) Slice(terms.PointerOf(Terms, @backingInt(field))) {
            if (kind != .runs) @compileError("only runs have slices: iterateRuns, or asRun");
            const column_of = self.columns[@backingInt(field)];
            if (@typeInfo(@TypeOf(column_of.first)) == .optional) {
                return if (column_of.first) |first| first[0..self.count] else null;
            }
            return column_of.first[0..self.count];
        }

        /// The components of a term by its place, for queries made from text and groups: `try batch.column(*Position, 0)`.
        /// error.FieldType if the term's elements don't have that size; for a tag, or a term without a field, too.
        pub inline fn column(self: Self, comptime P: type, term: u32) Error!Column(P) {
            try fieldIs(self.iter, P, term);
            return .of(self.iter, term, self.gather);
        }

        /// The components of a term where they lie side by side: of a run, or in any batch of a group those of a component that
        /// it owns. Null if they lie apart, or nobody has it. P, and what is error.FieldType, as of column.
        pub inline fn array(self: Self, comptime P: type, term: u32) Error!?ArrayOf(P) {
            if (!self.gather) try fieldIs(self.iter, P, term) else try holds(self.iter, P, term);
            if (self.gather and self.iter.flags & 16 == 0) return null; // 16: a group's
            const first: ?[*]@typeInfo(ArrayOf(P)).pointer.child = @ptrCast(@alignCast(self.iter.fields[term]));
            return if (first) |items| items[0..self.count] else null;
        }

        /// The target of the pair by which element i was found, by a term that asks for one.
        pub fn target(self: Self, term: u32, i: usize) Error!?Entity {
            return handle.optional(try errors.ask(c.dz_iter_target, .{ self.iter, term, @as(u32, @intCast(i)) }));
        }
    };
}

fn FieldOf(comptime Terms: type) type {
    if (Terms == void) @compileError("a query without a struct of terms has no field names: take the column or array of a term");
    return std.meta.FieldEnum(Terms);
}

/// Checks that a term's field holds such elements.
fn holds(iter: *const c.dz_iter, comptime P: type, term: u32) Error!void {
    const T = pointerOf(P).T;
    if (term >= iter.term_count) return errors.refuse(error.FieldType, "term {d} as {s}: there are {d}, from 0", .{ term, @typeName(P), iter.term_count });
    const size = iter.strides[term];
    if (size == 0) return errors.refuse(error.FieldType, "term {d} as {s}: it has no data", .{ term, @typeName(P) });
    if (size != @sizeOf(T)) return errors.refuse(
        error.FieldType,
        "term {d} as {s}: its elements have {d} bytes, those {d}",
        .{ term, @typeName(P), size, @sizeOf(T) },
    );
}

/// As holds, and that they are there unless P is optional.
fn fieldIs(iter: *const c.dz_iter, comptime P: type, term: u32) Error!void {
    try holds(iter, P, term);
    if (comptime pointerOf(P).optional) return;
    const there = if (iter.gather != 0) iter.offsets[term] != std.math.maxInt(u16) else iter.fields[term] != null;
    if (!there) return errors.refuse(error.FieldType, "term {d} as {s}: nobody of the batch has it, so it is optional", .{ term, @typeName(P) });
}

fn ArrayOf(comptime P: type) type {
    const pointer = pointerOf(P);
    return if (pointer.constant) []const pointer.T else []pointer.T;
}

fn Slice(comptime P: type) type {
    return if (pointerOf(P).optional) ?ArrayOf(P) else ArrayOf(P);
}

/// A match of a query without a struct of terms.
pub const Row = struct {
    iter: *c.dz_iter,
    i: u32,
    entity: Entity,

    /// The component of a term by its place.
    pub fn at(self: Row, comptime P: type, term: u32) Error!P {
        try fieldIs(self.iter, P, term);
        return Column(P).of(self.iter, term, self.iter.gather != 0).at(self.i);
    }

    /// The target of the pair by which it was found.
    pub fn target(self: Row, term: u32) Error!?Entity {
        return handle.optional(try errors.ask(c.dz_iter_target, .{ self.iter, term, self.i }));
    }
};

/// Where an iterator stands. It starts with its first step: returned by value, it could not be started in its place.
const State = union(enum) {
    query: c.dz_query,
    runs: c.dz_query,
    part: struct { query: c.dz_query, part: u32, parts: u32 },
    group: struct { group: c.dz_group, direction: Direction },
    pool: struct { id: u64, direction: Direction },
    /// Started, and on a batch.
    batch,
    /// Started, and going through a batch row by row.
    rows,
};

/// Starts an iteration. What that comes to is in raw.status, and dz_next returns false.
noinline fn start(state: State, world: World, iter: *c.dz_iter) void {
    _ = switch (state) {
        .query => |query| c.dz_iterate(world.raw, query, iter),
        .runs => |query| c.dz_iterate_runs(world.raw, query, iter),
        .part => |part| c.dz_iterate_part(world.raw, part.query, part.part, part.parts, iter),
        .group => |group| c.dz_iterate_group(world.raw, group.group, @backingInt(group.direction), iter),
        .pool => |pool| c.dz_iterate_pool(world.raw, pool.id, @backingInt(pool.direction), iter),
        .batch, .rows => unreachable,
    };
}

inline fn nextBatch(iter: *c.dz_iter, state: *State, world: World) Error!bool {
    if (state.* != .batch) {
        if (state.* != .rows) start(state.*, world, iter);
        state.* = .batch;
    }
    if (c.dz_next(iter)) return true;
    try errors.check(@fromBackingInt(iter.status));
    return false;
}

fn nextElement(iter: *c.dz_iter, state: *State, world: World) Error!?u32 {
    while (true) {
        if (state.* == .rows) if (each(iter)) |i| return i;
        if (!try nextBatch(iter, state, world)) return null;
        state.* = .rows;
    }
}

pub fn Iterator(comptime Terms: type, comptime kind: Kind) type {
    return struct {
        raw: c.dz_iter = undefined,
        state: State,
        world: World,

        const Self = @This();

        /// Goes to the next batch; null at the end. An error says why it couldn't begin, or ended early.
        pub inline fn next(self: *Self) Error!?Batch(Terms, kind) {
            return if (try nextBatch(&self.raw, &self.state, self.world)) Batch(Terms, kind).of(&self.raw) else null;
        }

        /// Begins again, with what matches now. Not of one part of several, nor of a group: error.Range.
        pub fn restart(self: *Self) Error!void {
            if (self.state != .batch and self.state != .rows) return; // it hasn't begun yet
            self.state = .batch;
            try errors.check(c.dz_restart(&self.raw));
        }

        /// Goes to the next match, whatever was created, destroyed, added or removed since the last one: each is seen at
        /// most once, and only if it matches at that moment. Take what you need of a row before you change what it has.
        pub fn nextRow(self: *Self) Error!?(if (Terms == void) Row else Terms) {
            const iter = &self.raw;
            const i = try nextElement(iter, &self.state, self.world) orelse return null;
            if (Terms == void) return .{ .iter = iter, .i = i, .entity = entityOf(iter, i) };
            return terms.row(Terms, iter, terms.columns(Terms, iter, iter.gather != 0), i);
        }
    };
}

/// Iterates the entities that have one component, from the first step on; error.FieldType if its values don't have the size
/// of the type.
pub inline fn iteratePool(world: World, id: anytype, direction: Direction) PoolIterator(@TypeOf(id).Value) {
    return .{ .state = .{ .pool = .{ .id = handle.idOf(id), .direction = direction } }, .world = world };
}

pub fn PoolIterator(comptime T: type) type {
    return struct {
        raw: c.dz_iter = undefined,
        state: State,
        world: World,

        const Self = @This();

        /// Elements that lie side by side.
        pub const Span = struct {
            iter: *const c.dz_iter,
            items: []T,

            pub inline fn entity(self: Span, i: usize) Entity {
                std.debug.assert(i < self.items.len);
                return entityOf(self.iter, i);
            }
        };

        pub const Element = struct { entity: Entity, value: if (@sizeOf(T) > 0) *T else void };

        /// Goes to the next span; null at the end. For loops that neither add nor remove this component.
        pub inline fn next(self: *Self) Error!?Span {
            if (!try nextBatch(&self.raw, &self.state, self.world)) return null;
            return .{ .iter = &self.raw, .items = (try items(&self.raw))[0..self.raw.count] };
        }

        /// Goes to the next element, whatever was changed since the last one.
        pub fn nextRow(self: *Self) Error!?Element {
            const i = try nextElement(&self.raw, &self.state, self.world) orelse return null;
            return .{ .entity = entityOf(&self.raw, i), .value = if (@sizeOf(T) > 0) &(try items(&self.raw))[i] else {} };
        }

        inline fn items(iter: *const c.dz_iter) Error![*]T {
            if (@sizeOf(T) == 0) return undefined;
            if (iter.stride != @sizeOf(T)) return errors.refuse(
                error.FieldType,
                "iteratePool as {s}: the pool's elements have {d} bytes, those {d}",
                .{ @typeName(T), iter.stride, @sizeOf(T) },
            );
            return @ptrCast(@alignCast(iter.data.?));
        }
    };
}
