//! Entities: made, ended, asked about, disabled.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const Id = handle.Id;
const World = @import("world.zig").World;

/// An entity without components.
pub fn create(world: World) Error!Entity {
    return made(c.dz_create(world.raw));
}

pub fn made(entity: u64) Error!Entity {
    return if (entity == c.DZ_NULL) errors.failure() else @fromBackingInt(entity);
}

/// The entity with exactly this handle, e.g. one of a saved game.
pub fn createAt(world: World, entity: Entity) Error!void {
    try errors.check(c.dz_create_at(world.raw, @backingInt(entity)));
}

/// A new entity with copies of all that this one has.
pub fn clone(world: World, entity: Entity) Error!Entity {
    return made(c.dz_clone(world.raw, @backingInt(entity)));
}

/// Ends an entity, and its children.
pub fn destroy(world: World, entity: Entity) Error!void {
    try errors.check(c.dz_destroy(world.raw, @backingInt(entity)));
}

/// Whether an entity lives in this world. No handle is an error.
pub fn isAlive(world: World, entity: Entity) bool {
    return c.dz_is_alive(world.raw, @backingInt(entity));
}

/// Returns the error that says why an entity doesn't live, if it doesn't.
pub fn check(world: World, entity: Entity) Error!void {
    try errors.check(c.dz_why(world.raw, @backingInt(entity)));
}

/// The generation that a slot is at.
pub fn generation(world: World, index: u32) Error!u32 {
    const at = c.dz_generation(world.raw, index);
    return if (at == 0) errors.failure() else at;
}

/// The living entities, components included, in the order of indices. Changes meanwhile are fine: who was destroyed doesn't
/// come any more, who was created may come or not.
pub fn entities(world: World) Entities {
    return .{ .world = world };
}

pub const Entities = struct {
    world: World,
    buffer: [32]Entity = undefined,
    at: u32 = 0,
    count: u32 = 0,
    first: u32 = 0,

    pub fn next(self: *Entities) Error!?Entity {
        while (true) {
            while (self.at < self.count) {
                defer self.at += 1;
                if (isAlive(self.world, self.buffer[self.at])) return self.buffer[self.at];
            }
            if (self.first == ~@as(u32, 0)) return null;
            try errors.check(c.dz_entities(self.world.raw, self.first, @ptrCast(&self.buffer), self.buffer.len, &self.count, &self.first));
            self.at = 0;
        }
    }
};

/// The ids of all that an entity has.
pub fn typeOf(world: World, entity: Entity, buffer: []Id) Error!handle.Listed(Id) {
    var total: u32 = undefined;
    try errors.check(c.dz_type(world.raw, @backingInt(entity), @ptrCast(buffer.ptr), try handle.length(buffer), &total));
    return .of(buffer, total);
}

/// Writes into a buffer what an id means, for logs and debuggers, as much as there is room for, less one byte for a zero;
/// `total` is its whole length. Never an error, and the last one stays what it was.
///
///     E:1-256[1] alive {Position, Velocity, (Likes, bob)} "sol.earth"
pub fn describe(world: World, id: anytype, buffer: []u8) handle.Listed(u8) {
    const capacity = std.math.lossyCast(u32, buffer.len);
    const total = c.dz_describe(world.raw, handle.idOf(id), buffer.ptr, capacity);
    return .{ .items = buffer[0..@min(total, capacity -| 1)], .total = total };
}

/// Hides an entity from queries, or shows it again; false if it is so already.
pub fn setEnabled(world: World, entity: Entity, enabled: bool) Error!bool {
    return errors.done(c.dz_set_enabled(world.raw, @backingInt(entity), enabled));
}

pub fn isEnabled(world: World, entity: Entity) Error!bool {
    return errors.ask(c.dz_is_enabled, .{ world.raw, @backingInt(entity) });
}

/// Hides one component of an entity from queries, or shows it again; false if it is so already.
pub fn setComponentEnabled(world: World, entity: Entity, id: anytype, enabled: bool) Error!bool {
    return errors.done(c.dz_set_component_enabled(world.raw, @backingInt(entity), handle.idOf(id), enabled));
}

/// Whether queries see a component of an entity.
pub fn isComponentEnabled(world: World, entity: Entity, id: anytype) Error!bool {
    return errors.ask(c.dz_is_component_enabled, .{ world.raw, @backingInt(entity), handle.idOf(id) });
}
