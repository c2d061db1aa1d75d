//! denizen, an entity component system, for Zig. A typed layer over the C library: docs/zig.md is the guide, and
//! include/denizen/denizen.h says of each function what it does, its errors and its cost.
//!
//! Nothing here allocates. Functions of one world at a time follow the library's rules for threads: those that read may run
//! together, those that write need the world for themselves.
const component = @import("component.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const iterate = @import("iterate.zig");
const listener = @import("listener.zig");
const pair = @import("pair.zig");
const query = @import("query.zig");
const terms = @import("terms.zig");
const world = @import("world.zig");

/// The C declarations, all of them. World.raw, Query.raw and the like are what they take.
pub const raw = @import("raw.zig");

pub const World = world.World;
pub const worlds = world.worlds;

pub const Entity = handle.Entity;
pub const Id = handle.Id;
pub const Component = handle.Component;
pub const Pair = handle.Pair;
pub const Listed = handle.Listed;
pub const childOf = handle.childOf;
pub const instanceOf = handle.instanceOf;
pub const role = handle.role;
pub const Policy = component.Policy;
pub const nameOf = component.nameOf;

pub const Error = errors.Error;
pub const Status = errors.Status;
pub const errorMessage = errors.errorMessage;
pub const lastError = errors.lastError;
pub const clearError = errors.clearError;
pub const errorOf = errors.errorOf;
pub const statusOf = errors.statusOf;

pub const Query = query.Query;
pub const Also = query.Also;
pub const With = terms.With;
pub const Without = terms.Without;
pub const AnyOf = terms.AnyOf;
pub const Parent = terms.Parent;
pub const Up = terms.Up;
pub const Inherited = terms.Inherited;
pub const WorldValue = terms.WorldValue;
pub const Iterator = iterate.Iterator;
pub const PoolIterator = iterate.PoolIterator;
pub const Batch = iterate.Batch;
pub const Column = iterate.Column;
pub const Row = iterate.Row;
pub const Direction = iterate.Direction;

pub const Accessor = @import("access.zig").Accessor;
pub const Event = listener.Event;
pub const Listener = listener.Listener;
pub const Traits = pair.Traits;
pub const Cleanup = pair.Cleanup;
pub const Group = @import("group.zig").Group;

/// The version of the library that is loaded: major << 16 | minor << 8 | patch.
pub fn version() u32 {
    return raw.dz_version();
}

test {
    _ = errors;
    _ = component;
    _ = @import("hooks.zig");
    _ = @import("abi_test.zig");
}

test "all declarations compile" {
    const testing = @import("std").testing;
    testing.refAllDecls(@This());
    testing.refAllDecls(World);
    testing.refAllDecls(Entity);
    testing.refAllDecls(Group);
    testing.refAllDecls(Query(struct { entity: Entity }));
    testing.refAllDecls(Iterator(void, .batches));
    testing.refAllDecls(Accessor(u32));
}
