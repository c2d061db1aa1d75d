//! Listeners: told when components are added, set and removed, and entities created and destroyed.
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const World = @import("world.zig").World;

/// What happens to a component.
pub const Change = enum(i32) {
    /// Told after it.
    add = @backingInt(c.dz_event_kind.DZ_ON_ADD),
    /// Told after it.
    set = @backingInt(c.dz_event_kind.DZ_ON_SET),
    /// Told before it, while the value is there.
    remove = @backingInt(c.dz_event_kind.DZ_ON_REMOVE),
};

/// What happens to an entity.
pub const Life = enum(i32) {
    /// Told after it, before its components' `add`.
    create = @backingInt(c.dz_event_kind.DZ_ON_CREATE),
    /// Told before it, before its components' `remove`.
    destroy = @backingInt(c.dz_event_kind.DZ_ON_DESTROY),
};

/// What a listener is told. It may read, and change values; a structural call is error.InHook.
pub fn Event(comptime T: type) type {
    return struct {
        world: World,
        entity: Entity,
        /// What happened.
        kind: Kind,
        /// The value, which may be read and written; void for tags and entities.
        value: if (@sizeOf(T) > 0) *T else void,

        pub const Kind = enum(i32) {
            add = @backingInt(c.dz_event_kind.DZ_ON_ADD),
            set = @backingInt(c.dz_event_kind.DZ_ON_SET),
            remove = @backingInt(c.dz_event_kind.DZ_ON_REMOVE),
            create = @backingInt(c.dz_event_kind.DZ_ON_CREATE),
            destroy = @backingInt(c.dz_event_kind.DZ_ON_DESTROY),
        };
    };
}

/// A connected listener.
pub const Listener = extern struct { raw: c.dz_listener };

/// Calls `told(context, event)` for each change of a component, until it is disconnected or the world ends; so long
/// `context`, a pointer of yours, must be good.
///
///     fn count(counter: *u32, event: dz.Event(Position)) void { ... }
///     _ = try world.listen(.add, position, &counter, count);
pub fn listen(
    world: World,
    change: Change,
    id: anytype,
    context: anytype,
    comptime told: fn (@TypeOf(context), Event(@TypeOf(id).Value)) void,
) Error!Listener {
    return connect(world, @backingInt(change), handle.idOf(id), @TypeOf(id).Value, context, told);
}

/// As listen, for each entity that is created, or destroyed.
pub fn listenEntities(
    world: World,
    life: Life,
    context: anytype,
    comptime told: fn (@TypeOf(context), Event(void)) void,
) Error!Listener {
    return connect(world, @backingInt(life), c.DZ_NULL, void, context, told);
}

fn connect(
    world: World,
    kind: i32,
    id: u64,
    comptime T: type,
    context: anytype,
    comptime told: fn (@TypeOf(context), Event(T)) void,
) Error!Listener {
    const Context = @TypeOf(context);
    const Call = struct {
        fn call(raw: ?*const c.dz_event, user: ?*anyopaque) callconv(.c) void {
            const event = raw.?;
            told(@ptrCast(@alignCast(@constCast(user.?))), .{
                .world = .{ .raw = event.world },
                .entity = @fromBackingInt(event.entity),
                .kind = @fromBackingInt(event.kind),
                .value = if (@sizeOf(T) > 0) @ptrCast(@alignCast(event.data.?)) else {},
            });
        }
    };
    comptime if (@typeInfo(Context) != .pointer or @typeInfo(Context).pointer.size != .one)
        @compileError("a listener's context is a pointer, not " ++ @typeName(Context));
    const raw = c.dz_listen(world.raw, kind, id, @ptrCast(&Call.call), @ptrCast(@constCast(context)));
    return if (raw.bits == 0) errors.failure() else .{ .raw = raw };
}

/// Disconnects a listener.
pub fn unlisten(world: World, listener: Listener) Error!void {
    try errors.check(c.dz_unlisten(world.raw, listener.raw));
}
