//! The hierarchy, and names.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const World = @import("world.zig").World;
const ask = errors.ask;
const optional = handle.optional;

/// Where a child comes among its siblings.
pub const Place = union(enum) {
    last,
    first,
    before: Entity,
    after: Entity,
};

/// In which order a subtree is visited.
pub const Order = enum(i32) {
    parents_first = @backingInt(c.dz_tree_order.DZ_PARENTS_FIRST),
    children_first = @backingInt(c.dz_tree_order.DZ_CHILDREN_FIRST),
};

/// Makes an entity the last child of another, or a root; what is below it comes along.
pub fn setParent(world: World, child: Entity, above: ?Entity) Error!void {
    try errors.check(c.dz_set_parent(world.raw, @backingInt(child), @backingInt(above orelse Entity.none)));
}

/// Puts a child at another place among its siblings.
pub fn moveChild(world: World, child: Entity, place: Place) Error!void {
    const where: i32, const sibling: Entity = switch (place) {
        .last => .{ @backingInt(c.dz_place.DZ_PLACE_LAST), .none },
        .first => .{ @backingInt(c.dz_place.DZ_PLACE_FIRST), .none },
        .before => |other| .{ @backingInt(c.dz_place.DZ_PLACE_BEFORE), other },
        .after => |other| .{ @backingInt(c.dz_place.DZ_PLACE_AFTER), other },
    };
    try errors.check(c.dz_move_child(world.raw, @backingInt(child), where, @backingInt(sibling)));
}

pub fn parent(world: World, entity: Entity) Error!?Entity {
    return optional(try ask(c.dz_parent, .{ world.raw, @backingInt(entity) }));
}

pub fn firstChild(world: World, entity: Entity) Error!?Entity {
    return optional(try ask(c.dz_first_child, .{ world.raw, @backingInt(entity) }));
}

pub fn lastChild(world: World, entity: Entity) Error!?Entity {
    return optional(try ask(c.dz_last_child, .{ world.raw, @backingInt(entity) }));
}

pub fn nextSibling(world: World, entity: Entity) Error!?Entity {
    return optional(try ask(c.dz_next_sibling, .{ world.raw, @backingInt(entity) }));
}

pub fn previousSibling(world: World, entity: Entity) Error!?Entity {
    return optional(try ask(c.dz_previous_sibling, .{ world.raw, @backingInt(entity) }));
}

pub fn childCount(world: World, entity: Entity) Error!u32 {
    return ask(c.dz_child_count, .{ world.raw, @backingInt(entity) });
}

/// How many entities are above one.
pub fn depth(world: World, entity: Entity) Error!u32 {
    return ask(c.dz_depth, .{ world.raw, @backingInt(entity) });
}

/// Those above an entity, its parent first.
pub fn ancestors(world: World, entity: Entity, buffer: []Entity) Error!handle.Listed(Entity) {
    const room = try handle.length(buffer);
    return .of(buffer, try ask(c.dz_ancestors, .{ world.raw, @backingInt(entity), @as([*]u64, @ptrCast(buffer.ptr)), room }));
}

/// The children of an entity, in order. The one that was handed out may be destroyed, get another parent, or move before those
/// that are still to come: behind them it would come again, and so on. Who destroys or moves others under way takes them from
/// firstChild and nextSibling.
pub fn children(world: World, entity: Entity) Walk {
    return .{ .world = world, .root = entity, .order = null };
}

/// An entity and all below it. As children; what goes with one that was handed out may still be handed out, but for
/// .children_first, where nothing of it comes later. If that takes out whom the walk stands at, it ends with error.Dead or
/// error.Sibling.
pub fn subtree(world: World, entity: Entity, order: Order) Walk {
    return .{ .world = world, .root = entity, .order = order };
}

pub const Walk = struct {
    world: World,
    root: Entity,
    order: ?Order,
    buffer: [32]Entity = undefined,
    at: u32 = 0,
    /// Null: nothing was asked for yet.
    count: ?u32 = null,

    /// The next one; null at the end. What fails changes nothing: asked again, it says so again.
    pub fn next(self: *Walk) Error!?Entity {
        if (self.count == null) try self.fill(.none);
        if (self.at == self.count.?) return null;
        const entity = self.buffer[self.at];
        if (self.at + 1 < self.buffer.len) {
            self.at += 1;
        } else {
            try self.fill(entity); // now: once it was handed out it may be gone
        }
        return entity;
    }

    fn fill(self: *Walk, after: Entity) Error!void {
        const to: [*]u64 = @ptrCast(&self.buffer);
        const world, const root, const last = .{ self.world.raw, @backingInt(self.root), @backingInt(after) };
        self.count = if (self.order) |order|
            try ask(c.dz_subtree, .{ world, root, @backingInt(order), last, to, self.buffer.len })
        else
            try ask(c.dz_children, .{ world, root, last, to, self.buffer.len });
        self.at = 0;
    }
};

/// Names an entity, or takes its name off; false if there was none to take off. Copied; 1 to 255 bytes of UTF-8.
pub fn setName(world: World, entity: Entity, text: ?[]const u8) Error!bool {
    var buffer: handle.Name = undefined;
    const its = if (text) |t| handle.terminated(&buffer, t) orelse
        return errors.refuse(error.Name, "setName: the name has a zero inside, or more than 255 bytes: {d}", .{t.len}) else null;
    return errors.done(c.dz_set_name(world.raw, @backingInt(entity), its));
}

/// The name of an entity or component. The library's: good until the name changes or the entity is destroyed.
pub fn name(world: World, entity: Entity) Error!?[:0]const u8 {
    const text: ?[*:0]const u8 = @ptrCast(try ask(c.dz_name, .{ world.raw, @backingInt(entity) }));
    return if (text) |t| std.mem.span(t) else null;
}

pub const PathOptions = struct {
    /// From here, whose own name is no part of it; null: from those without a parent.
    from: ?Entity = null,
    separator: [:0]const u8 = ".",
};

/// The entity at the end of a path of names, if there is one. error.Name if the path has more than 4095 bytes.
pub fn lookup(world: World, text: []const u8, options: PathOptions) Error!?Entity {
    if (handle.isCut(options.separator)) return errors.refuse(error.Name, "lookup: the separator has a zero inside", .{});
    var buffer: handle.Path = undefined;
    const its = handle.terminated(&buffer, text) orelse {
        if (text.len < buffer.len) return null; // no name is like that
        return errors.refuse(error.Name, "lookup: the path has {d} bytes, of 4095 at most", .{text.len});
    };
    return optional(try ask(c.dz_lookup, .{ world.raw, @backingInt(options.from orelse Entity.none), its, options.separator.ptr }));
}

/// Writes the path of an entity into a buffer, as much as there is room for, less one byte for a zero; `total` is its
/// whole length.
pub fn path(world: World, entity: Entity, buffer: []u8, options: PathOptions) Error!handle.Listed(u8) {
    if (handle.isCut(options.separator)) return errors.refuse(error.Name, "path: the separator has a zero inside", .{});
    const total = try ask(c.dz_path, .{
        world.raw,
        @backingInt(entity),
        @backingInt(options.from orelse Entity.none),
        options.separator.ptr,
        buffer.ptr,
        try handle.length(buffer),
    });
    return .{ .items = buffer[0..@min(total, buffer.len -| 1)], .total = total };
}
