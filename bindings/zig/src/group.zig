//! Groups: pools kept in one common order, members first.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const iterate_ = @import("iterate.zig");
const sorting = @import("sort.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const Id = handle.Id;
const World = @import("world.zig").World;

/// What members have and don't have. Fields are numbered in this order, excluded ones have none.
pub const Options = struct {
    /// What members have, and the group puts in order.
    owned: []const Id = &.{},
    /// What members have.
    included: []const Id = &.{},
    /// What members don't have.
    excluded: []const Id = &.{},
};

pub fn group(world: World, options: Options) Error!Group {
    var desc = std.mem.zeroes(c.dz_group_desc);
    desc.size = @sizeOf(c.dz_group_desc);
    desc.owned_count = try handle.length(options.owned);
    desc.included_count = try handle.length(options.included);
    desc.excluded_count = try handle.length(options.excluded);
    if (options.owned.len > 0) desc.owned = @ptrCast(options.owned.ptr);
    if (options.included.len > 0) desc.included = @ptrCast(options.included.ptr);
    if (options.excluded.len > 0) desc.excluded = @ptrCast(options.excluded.ptr);
    const raw = c.dz_group_create(world.raw, &desc);
    return if (raw.bits == 0) errors.failure() else .{ .world = world, .raw = raw };
}

pub const Group = struct {
    world: World,
    raw: c.dz_group,

    /// Ends the group; for defer. Its members stay as they are.
    pub fn deinit(self: Group) void {
        self.close() catch {};
    }

    /// Ends the group.
    pub fn close(self: Group) Error!void {
        try errors.check(c.dz_group_destroy(self.world.raw, self.raw));
    }

    pub fn count(self: Group) Error!u32 {
        return errors.ask(c.dz_group_count, .{ self.world.raw, self.raw });
    }

    pub fn contains(self: Group, entity: Entity) Error!bool {
        return errors.ask(c.dz_group_contains, .{ self.world.raw, self.raw, @backingInt(entity) });
    }

    /// Iterates the members, from the iterator's first step on.
    pub inline fn iterate(self: Group, direction: iterate_.Direction) iterate_.Iterator(void, .batches) {
        return .{ .state = .{ .group = .{ .group = self.raw, .direction = direction } }, .world = self.world };
    }

    pub fn info(self: Group) Error!c.dz_group_details {
        var details: c.dz_group_details = undefined;
        try errors.check(c.dz_group_info(self.world.raw, self.raw, &details));
        return details;
    }

    /// Sorts the members by one of their components: as World.sort. By Id.none it is by their entities alone.
    pub fn sort(
        self: Group,
        by: anytype,
        mode: sorting.Mode,
        context: anytype,
        comptime compare: anytype,
    ) Error!void {
        try errors.check(c.dz_group_sort(
            self.world.raw,
            self.raw,
            handle.idOf(by),
            @ptrCast(sorting.comparison(@TypeOf(context), @TypeOf(by), compare)),
            sorting.user(context),
            @backingInt(mode),
        ));
    }

    /// Puts the members into the order of a component's pool.
    pub fn sortAs(self: Group, like: anytype, mode: sorting.Mode) Error!void {
        try errors.check(c.dz_group_sort_as(self.world.raw, self.raw, handle.idOf(like), @backingInt(mode)));
    }

    /// Restores the order that is kept; false if none is.
    pub fn sortRefresh(self: Group) Error!bool {
        return errors.done(c.dz_group_sort_refresh(self.world.raw, self.raw));
    }

    /// Keeps no order any longer; false if none was.
    pub fn sortRelease(self: Group) Error!bool {
        return errors.done(c.dz_group_sort_release(self.world.raw, self.raw));
    }
};
