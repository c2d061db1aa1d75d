//! Pairs: a relation and a target, which an entity can have like a component. Relations and targets are entities,
//! components included.
const c = @import("raw.zig");
const access = @import("access.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const hooks = @import("hooks.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const Id = handle.Id;
const World = @import("world.zig").World;
const done = errors.done;

/// What becomes of a pair whose target, or whose relation, is destroyed.
pub const Cleanup = enum(i32) {
    remove = @backingInt(c.dz_cleanup.DZ_CLEANUP_REMOVE),
    delete = @backingInt(c.dz_cleanup.DZ_CLEANUP_DELETE),
    refuse = @backingInt(c.dz_cleanup.DZ_CLEANUP_REFUSE),
};

/// What a relation promises of its pairs.
pub const Traits = struct {
    exclusive: bool = false,
    symmetric: bool = false,
    acyclic: bool = false,
    transitive: bool = false,
    reflexive: bool = false,
    on_target: Cleanup = .remove,
    on_relation: Cleanup = .remove,
    /// Another relation, which whoever gets (R, B) gets with B too.
    with: Id = .none,
};

fn TypeOf(comptime Half: type) type {
    return switch (Half) {
        Id, Entity => void,
        else => Half.Value,
    };
}

/// The type of a pair's values: the relation's if it has one, else the target's.
fn PairType(comptime Relation: type, comptime Target: type) type {
    const T = if (@sizeOf(TypeOf(Relation)) > 0) TypeOf(Relation) else TypeOf(Target);
    return if (@sizeOf(T) > 0) T else void;
}

fn Value(comptime Relation: type, comptime Target: type) type {
    return handle.ValueOf(handle.Pair(PairType(Relation, Target)));
}

/// The id of a pair. Good until relation or target is destroyed, and an error then.
pub fn pair(world: World, of: anytype, target: anytype) Error!handle.Pair(PairType(@TypeOf(of), @TypeOf(target))) {
    const id = c.dz_pair(world.raw, handle.idOf(of), handle.idOf(target));
    return if (id == c.DZ_NULL) errors.failure() else .{ .id = @fromBackingInt(id) };
}

/// Relation and target of a pair's id.
pub fn halves(world: World, id: anytype) Error!struct { relation: Entity, target: Entity } {
    var parts: c.dz_pair_parts = undefined;
    try errors.check(c.dz_pair_halves(world.raw, handle.idOf(id), &parts));
    return .{ .relation = @fromBackingInt(parts.relation), .target = @fromBackingInt(parts.target) };
}

/// Adds (relation, target); false if it is there already.
pub fn addPair(world: World, entity: Entity, of: anytype, target: anytype) Error!bool {
    hooks.needNew(PairType(@TypeOf(of), @TypeOf(target)));
    return done(c.dz_add_pair(world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target)));
}

/// Sets the value of (relation, target), adding it if it isn't there.
pub fn setPair(world: World, entity: Entity, of: anytype, target: anytype, value: Value(@TypeOf(of), @TypeOf(target))) Error!void {
    access.needCopy(@TypeOf(value));
    try errors.check(c.dz_set_pair(world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target), @sizeOf(@TypeOf(value)), access.address(&value)));
}

/// As setPair, but moves the value in, as emplace does.
pub fn emplacePair(world: World, entity: Entity, of: anytype, target: anytype, value: Value(@TypeOf(of), @TypeOf(target))) Error!void {
    const args = .{ world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target), @sizeOf(@TypeOf(value)) };
    return access.moveIn(c.dz_set_pair, args, value);
}

/// Takes (relation, target) off; false if it isn't there.
pub fn removePair(world: World, entity: Entity, of: anytype, target: anytype) Error!bool {
    return done(c.dz_remove_pair(world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target)));
}

/// The value of (relation, target), to read; null if the entity doesn't have it.
pub fn getPair(world: World, entity: Entity, of: anytype, target: anytype) Error!?*const Value(@TypeOf(of), @TypeOf(target)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_get_pair, .{ world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target) })));
}

/// As getPair, to write to.
pub fn getPairMut(world: World, entity: Entity, of: anytype, target: anytype) Error!?*Value(@TypeOf(of), @TypeOf(target)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_get_pair_mut, .{ world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target) })));
}

/// Whether an entity has (relation, target), by itself or by what the relation promises.
pub fn hasPair(world: World, entity: Entity, of: anytype, target: anytype) Error!bool {
    return errors.ask(c.dz_has_pair, .{ world.raw, @backingInt(entity), handle.idOf(of), handle.idOf(target) });
}

/// The targets that an entity has by a relation, the latest first.
pub fn targets(world: World, entity: Entity, of: anytype, buffer: []Entity) Error!handle.Listed(Entity) {
    var total: u32 = undefined;
    try errors.check(c.dz_pair_targets(world.raw, @backingInt(entity), handle.idOf(of), @ptrCast(buffer.ptr), try handle.length(buffer), &total));
    return .of(buffer, total);
}

/// Who has a pair, or another id that is no component's.
pub fn holders(world: World, id: anytype, buffer: []Entity) Error!handle.Listed(Entity) {
    var total: u32 = undefined;
    try errors.check(c.dz_pair_holders(world.raw, handle.idOf(id), @ptrCast(buffer.ptr), try handle.length(buffer), &total));
    return .of(buffer, total);
}

/// Says what a relation promises, while nobody has any of its pairs.
pub fn setRelation(world: World, of: anytype, traits: Traits) Error!void {
    const desc: c.dz_relation_desc = .{
        .size = @sizeOf(c.dz_relation_desc),
        .exclusive = @intFromBool(traits.exclusive),
        .symmetric = @intFromBool(traits.symmetric),
        .acyclic = @intFromBool(traits.acyclic),
        .transitive = @intFromBool(traits.transitive),
        .reflexive = @intFromBool(traits.reflexive),
        .on_target = @backingInt(traits.on_target),
        .on_relation = @backingInt(traits.on_relation),
        .with = @backingInt(traits.with),
    };
    try errors.check(c.dz_relation_set(world.raw, handle.idOf(of), &desc));
}

/// What a relation promises.
pub fn relation(world: World, of: anytype) Error!Traits {
    var desc: c.dz_relation_desc = undefined;
    desc.size = @sizeOf(c.dz_relation_desc);
    try errors.check(c.dz_relation_info(world.raw, handle.idOf(of), &desc));
    return .{
        .exclusive = desc.exclusive != 0,
        .symmetric = desc.symmetric != 0,
        .acyclic = desc.acyclic != 0,
        .transitive = desc.transitive != 0,
        .reflexive = desc.reflexive != 0,
        .on_target = @fromBackingInt(desc.on_target),
        .on_relation = @fromBackingInt(desc.on_relation),
        .with = @fromBackingInt(desc.with),
    };
}
