//! One entity and one id: components, tags, pairs.
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const hooks = @import("hooks.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const ValueOf = handle.ValueOf;
const World = @import("world.zig").World;

/// Adds a component, tag, pair or entity; false if it is there already. A value is what the type's init or its defaults
/// say, else zeros: of a type that has no such value, as of a pointer, it doesn't compile. (Where a construct hook of yours
/// makes one, add the component's `.id`.)
pub fn add(world: World, entity: Entity, id: anytype) Error!bool {
    needNew(@TypeOf(id));
    return errors.done(c.dz_add(world.raw, @backingInt(entity), handle.idOf(id)));
}

/// Takes it off; false if it isn't there.
pub fn remove(world: World, entity: Entity, id: anytype) Error!bool {
    return errors.done(c.dz_remove(world.raw, @backingInt(entity), handle.idOf(id)));
}

/// Sets a value, adding it if it isn't there. The world has a copy, made by the type's clone if there is one.
pub fn set(world: World, entity: Entity, id: anytype, value: ValueOf(@TypeOf(id))) Error!void {
    needCopy(@TypeOf(value));
    try errors.check(c.dz_set(world.raw, @backingInt(entity), handle.idOf(id), @sizeOf(@TypeOf(value)), address(&value)));
}

/// Of an id with values: whether they can be made of nothing.
pub fn needNew(comptime Typed: type) void {
    comptime if (@typeInfo(Typed) == .@"struct" and @hasDecl(Typed, "Value")) hooks.needNew(Typed.Value);
}

pub fn needCopy(comptime T: type) void {
    if (!hooks.isCopyable(T)) @compileError(@typeName(T) ++
        " owns something (deinit) and can't be copied (no clone): move it in with emplace");
}

/// Where a value is, for the library. A pointer to a pointer isn't taken for an address of its own accord.
pub inline fn address(value: anytype) *const anyopaque {
    return @ptrCast(value);
}

/// As set, but moves the value in: the world owns it then. If that fails the value is ended. For types that own something.
pub fn emplace(world: World, entity: Entity, id: anytype, value: ValueOf(@TypeOf(id))) Error!void {
    return moveIn(c.dz_set, .{ world.raw, @backingInt(entity), handle.idOf(id), @sizeOf(@TypeOf(value)) }, value);
}

/// Calls a function whose last parameter is a value, and which copies it: it moves the value instead.
pub fn moveIn(comptime function: anytype, args: anytype, value: anytype) Error!void {
    const T = @TypeOf(value);
    if (comptime hooks.needsHooks(T)) @compileError(@typeName(T) ++ " has hooks of yours, so set hands it to them: without a copy hook " ++
        "it is moved in");
    var moved = value;
    const at = address(&moved);
    hooks.moving = at;
    defer hooks.moving = null;
    // Once the copy hook has taken it, it is the library's to end, whatever comes.
    errdefer if (comptime hooks.hasDeinit(T)) if (hooks.moving != null) moved.deinit();
    try errors.check(@call(.auto, function, args ++ .{at}));
}

/// A value, to read; null if the entity doesn't have it. Good until the next add or remove of that component.
pub inline fn get(world: World, entity: Entity, id: anytype) Error!?*const ValueOf(@TypeOf(id)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_get, .{ world.raw, @backingInt(entity), handle.idOf(id) })));
}

/// As get, to write to.
pub inline fn getMut(world: World, entity: Entity, id: anytype) Error!?*ValueOf(@TypeOf(id)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_get_mut, .{ world.raw, @backingInt(entity), handle.idOf(id) })));
}

/// As getMut, but adds it first if it isn't there.
pub fn getOrAdd(world: World, entity: Entity, id: anytype) Error!*ValueOf(@TypeOf(id)) {
    needNew(@TypeOf(id));
    const value = c.dz_get_or_add(world.raw, @backingInt(entity), handle.idOf(id)) orelse return errors.failure();
    return @ptrCast(@alignCast(value));
}

/// The bytes of a component whose type isn't known, to read, e.g. for saves; null if the entity doesn't have it. Good as of get.
/// A tag has none, and pairs are no components: error.NotComponent.
pub fn getBytes(world: World, entity: Entity, id: anytype) Error!?[]const u8 {
    var info: c.dz_component_details = undefined;
    try errors.check(c.dz_component_info(world.raw, handle.idOf(id), &info));
    const bytes: ?[*]const u8 = @ptrCast(try errors.ask(c.dz_get, .{ world.raw, @backingInt(entity), handle.idOf(id) }));
    return if (bytes) |first| first[0..info.element_size] else null;
}

/// Sets a component, or a pair, whose type isn't known. It is copied, by the type's hooks if it has any: then `bytes` is to be
/// a value of it, aligned as the type is. error.Size if it isn't as long as a value.
pub fn setBytes(world: World, entity: Entity, id: anytype, bytes: []const u8) Error!void {
    try errors.check(c.dz_set(world.raw, @backingInt(entity), handle.idOf(id), try handle.length(bytes), bytes.ptr));
}

/// Whether an entity has it.
pub inline fn has(world: World, entity: Entity, id: anytype) Error!bool {
    return errors.ask(c.dz_has, .{ world.raw, @backingInt(entity), handle.idOf(id) });
}

/// For many lookups of one component: a world and a component, found once.
pub fn accessor(world: World, id: anytype) Error!Accessor(ValueOf(@TypeOf(id))) {
    var its: Accessor(ValueOf(@TypeOf(id))) = undefined;
    try errors.check(c.dz_accessor_init(world.raw, handle.idOf(id), &its.raw));
    return its;
}

pub fn Accessor(comptime T: type) type {
    return struct {
        raw: c.dz_accessor,

        pub inline fn get(self: *const @This(), entity: Entity) Error!?*const T {
            return @ptrCast(@alignCast(try errors.ask(c.dz_accessor_get, .{ &self.raw, @backingInt(entity) })));
        }

        pub inline fn getMut(self: *const @This(), entity: Entity) Error!?*T {
            return @ptrCast(@alignCast(try errors.ask(c.dz_accessor_get_mut, .{ &self.raw, @backingInt(entity) })));
        }

        pub inline fn has(self: *const @This(), entity: Entity) Error!bool {
            return errors.ask(c.dz_accessor_has, .{ &self.raw, @backingInt(entity) });
        }
    };
}
