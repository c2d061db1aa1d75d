//! Queries, made from a struct of terms or from text.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const iterate_ = @import("iterate.zig");
const terms = @import("terms.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const Id = handle.Id;
const Iterator = iterate_.Iterator;
const World = @import("world.zig").World;

/// How a query is made.
pub const Options = struct {
    /// A kept query remembers its matches at each refresh.
    kept: bool = false,
    /// Where kept queries want different orders of optimize, the higher priority decides.
    priority: i32 = 0,
    /// The component whose pool's order is to be followed.
    order: Id = .none,
    /// Parents before their children.
    cascade: bool = false,
    /// Only bases.
    bases: bool = false,
    /// What else matches have or don't have, behind the terms of the struct: pairs, dz.childOf(parent), dz.instanceOf(base), plain
    /// entities. Of none of them is a value handed out. Not for text.
    also: []const Also = &.{},
};

/// A term that is an id, without a field of the struct.
pub const Also = struct {
    id: Id,
    /// Of a relation: whose pair; .any yields a match for each, see Batch.target. Of other ids none.
    target: Entity = .none,
    ask: enum(i32) {
        with = @backingInt(c.dz_ask.DZ_WITH),
        without = @backingInt(c.dz_ask.DZ_WITHOUT),
        optional = @backingInt(c.dz_ask.DZ_OPTIONAL),
    } = .with,
};

/// A query whose terms are the fields of a struct; or `void`, for one that was made from text.
pub fn Query(comptime Terms: type) type {
    return struct {
        world: World,
        raw: c.dz_query,

        const Self = @This();

        /// A match: the struct itself.
        pub const Row = Terms;

        /// Ends the query; for defer. (The world's end ends it too.)
        pub fn deinit(self: Self) void {
            self.close() catch {};
        }

        /// Ends the query.
        pub fn close(self: Self) Error!void {
            try errors.check(c.dz_query_destroy(self.world.raw, self.raw));
        }

        /// Iterates the matches, from the iterator's first step on.
        pub inline fn iterate(self: Self) Iterator(Terms, .batches) {
            return .{ .state = .{ .query = self.raw }, .world = self.world };
        }

        /// As iterate, but by runs only: every field is a slice.
        pub inline fn iterateRuns(self: Self) Iterator(Terms, .runs) {
            return .{ .state = .{ .runs = self.raw }, .world = self.world };
        }

        /// As iterate, one of so many parts, for threads of yours.
        pub inline fn iteratePart(self: Self, part: u32, parts: u32) Iterator(Terms, .batches) {
            return .{ .state = .{ .part = .{ .query = self.raw, .part = part, .parts = parts } }, .world = self.world };
        }

        pub fn count(self: Self) Error!u32 {
            return errors.ask(c.dz_query_count, .{ self.world.raw, self.raw });
        }

        pub fn isEmpty(self: Self) Error!bool {
            // True is the answer that an error gives too.
            return (try errors.ask(c.dz_query_first, .{ self.world.raw, self.raw })) == c.DZ_NULL;
        }

        /// The match with the lowest index, if there is one, also of a query with an order; where pairs, the hierarchy or bases
        /// lead, the first that is found.
        pub fn first(self: Self) Error!?Entity {
            return handle.optional(try errors.ask(c.dz_query_first, .{ self.world.raw, self.raw }));
        }

        /// The only match; error.NotSingle if there is none, or more than one.
        pub fn single(self: Self) Error!Entity {
            return @import("entity.zig").made(c.dz_query_single(self.world.raw, self.raw));
        }

        pub fn matches(self: Self, entity: Entity) Error!bool {
            return errors.ask(c.dz_query_matches, .{ self.world.raw, self.raw, @backingInt(entity) });
        }

        /// Brings a kept query up to date.
        pub fn refresh(self: Self) Error!void {
            try errors.check(c.dz_query_refresh(self.world.raw, self.raw));
        }

        pub fn info(self: Self) Error!c.dz_query_details {
            var details: c.dz_query_details = undefined;
            try errors.check(c.dz_query_info(self.world.raw, self.raw, &details));
            return details;
        }
    };
}

/// Makes a query from a struct of terms: terms.zig says which. A component that isn't registered yet is.
pub fn query(world: World, comptime Terms: type, options: Options) Error!Query(Terms) {
    var all: [c.DZ_MAX_TERMS]c.dz_term = undefined;
    const own = try terms.describe(world, Terms);
    comptime if (own.len > all.len) @compileError("a query has up to 32 terms");
    all[0..own.len].* = own;
    if (options.also.len > all.len - own.len) return errors.refuse(error.Count, "query: {d} terms, of 32 at most", .{own.len + options.also.len});
    for (options.also, all[own.len..][0..options.also.len]) |term, *to| {
        to.* = std.mem.zeroes(c.dz_term);
        to.id = @backingInt(term.id);
        to.target = @backingInt(term.target);
        to.ask = @backingInt(term.ask);
        to.access = @backingInt(c.dz_access.DZ_NO_ACCESS);
    }
    return made(Query(Terms), world, all[0 .. own.len + options.also.len], null, options);
}

/// Makes a query from text: "Position, [in] Velocity, !Frozen".
pub fn parse(world: World, text: [:0]const u8, options: Options) Error!Query(void) {
    if (options.also.len > 0) return errors.refuse(error.Syntax, "parse: what else is asked for is to stand in the text", .{});
    if (handle.isCut(text)) return errors.refuse(error.Syntax, "parse: the text has a zero inside", .{});
    return made(Query(void), world, &.{}, text, options);
}

fn made(comptime Q: type, world: World, its: []const c.dz_term, text: ?[:0]const u8, options: Options) Error!Q {
    var desc = std.mem.zeroes(c.dz_query_desc);
    desc.size = @sizeOf(c.dz_query_desc);
    desc.term_count = @intCast(its.len);
    desc.terms = if (its.len == 0) null else its.ptr;
    desc.text = if (text) |t| t.ptr else null;
    desc.order = @backingInt(options.order);
    desc.kept = @intFromBool(options.kept);
    desc.priority = options.priority;
    desc.cascade = @intFromBool(options.cascade);
    desc.bases = @intFromBool(options.bases);
    const raw = c.dz_query_create(world.raw, &desc);
    return if (raw.bits == 0) errors.failure() else .{ .world = world, .raw = raw };
}

/// Puts pools into the order that makes runs long, with at most so many swaps; how many were made.
pub fn optimize(world: World, moves: u32) Error!u32 {
    var swaps: u32 = 0;
    try errors.check(c.dz_optimize(world.raw, moves, &swaps));
    return swaps;
}
