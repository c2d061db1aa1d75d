//! Instances: entities that read their base's components until they get their own.
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const World = @import("world.zig").World;

/// A new instance of a base, and of all below it.
pub fn instantiate(world: World, from: Entity) Error!Entity {
    return @import("entity.zig").made(c.dz_instantiate(world.raw, @backingInt(from)));
}

/// Gives an instance a component of its own, with a copy of its base's value; false if it has one.
pub fn override(world: World, entity: Entity, id: anytype) Error!bool {
    return errors.done(c.dz_override(world.raw, @backingInt(entity), handle.idOf(id)));
}

/// Whose component it is that an entity has: its own handle, or a base's; null if it hasn't got it.
pub fn source(world: World, entity: Entity, id: anytype) Error!?Entity {
    return handle.optional(try errors.ask(c.dz_source, .{ world.raw, @backingInt(entity), handle.idOf(id) }));
}

/// The base of an entity.
pub fn base(world: World, entity: Entity) Error!?Entity {
    return handle.optional(try errors.ask(c.dz_base, .{ world.raw, @backingInt(entity) }));
}

/// Makes an entity and all below it bases, which queries pass over, or not any longer; false if it is so already.
pub fn setBase(world: World, entity: Entity, is_base: bool) Error!bool {
    return errors.done(c.dz_set_base(world.raw, @backingInt(entity), is_base));
}

pub fn isBase(world: World, entity: Entity) Error!bool {
    return errors.ask(c.dz_is_base, .{ world.raw, @backingInt(entity) });
}
