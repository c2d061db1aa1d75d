//! Components: a Zig type gives name, size, alignment and hooks. Their ids belong to a world, so no id is remembered outside
//! of it: worlds, and libraries that share one, agree by name.
const std = @import("std");
const c = @import("raw.zig");
const access = @import("access.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const hooks = @import("hooks.zig");
const Component = handle.Component;
const Entity = handle.Entity;
const Error = errors.Error;
const Id = handle.Id;
const World = @import("world.zig").World;

/// How a component's pool removes an element.
pub const Policy = enum(i32) {
    /// The last one moves into the gap: always dense, addresses change.
    swap = @backingInt(c.dz_policy.DZ_POLICY_SWAP),
    /// The gap stays until another fills it: an element never moves while it lives.
    stable = @backingInt(c.dz_policy.DZ_POLICY_STABLE),
};

/// The name by which a type is known in worlds: its `component_name` if it declares one, else what it is called in its file.
/// A type that is made of others, as [4]Position, has the compiler's name: what follows the last dot would be that of another.
/// So has one without a name, as struct { x: f32 } in an expression: it changes with the source, and is nothing for saves.
pub inline fn nameOf(comptime T: type) [:0]const u8 {
    comptime {
        if (!declares(T, "component_name")) return if (hasDeclarations(T)) lastPart(@typeName(T)) else @typeName(T);
        const name: [:0]const u8 = T.component_name;
        @setEvalBranchQuota(10_000 + 10 * name.len);
        if (handle.isCut(name)) @compileError(@typeName(T) ++ ".component_name has a zero inside, where it would end");
        return name;
    }
}

/// "Position" of "game.parts.Position"; "List(game.Item)" of "game.List(game.Item)"; all of "struct { game.Item, u8 }".
fn lastPart(comptime name: [:0]const u8) [:0]const u8 {
    @setEvalBranchQuota(10_000 + 10 * name.len);
    const end = std.mem.findAny(u8, name, "({") orelse name.len;
    const begin = if (std.mem.findScalarLast(u8, name[0..end], '.')) |dot| dot + 1 else 0;
    return name[begin..];
}

/// The policy of a type's pools: its `component_policy`, else that the last one moves.
pub inline fn policyOf(comptime T: type) Policy {
    return comptime if (declares(T, "component_policy")) T.component_policy else .swap;
}

pub inline fn declares(comptime T: type, comptime name: []const u8) bool {
    return comptime hasDeclarations(T) and @hasDecl(T, name);
}

inline fn hasDeclarations(comptime T: type) bool {
    return comptime switch (@typeInfo(T)) {
        .@"struct", .@"enum", .@"union", .@"opaque" => true,
        else => false,
    };
}

fn describe(comptime T: type) c.dz_component_desc {
    var desc = std.mem.zeroes(c.dz_component_desc);
    desc.size = @sizeOf(c.dz_component_desc);
    desc.policy = @backingInt(policyOf(T));
    desc.name = nameOf(T);
    desc.element_size = @sizeOf(T);
    desc.element_alignment = if (@sizeOf(T) == 0) 1 else @alignOf(T);
    return desc;
}

/// Which type a component is, as far as this program or library registered it. Two types may have one name and shape, and
/// would share values and hooks: the library knows names alone. What another library, with a binding of its own, registers
/// again is the same component, though the compiler knows nothing of that: it isn't asked for here.
const Owner = struct {
    world: u32 = 0,
    id: u64 = c.DZ_NULL,
    /// Its address says which type it is.
    name: ?Name = null,

    const Name = *const [:0]const u8;

    var lock: std.atomic.Mutex = .unlocked;
    /// Who comes later takes the place of who was there: of many worlds one may be forgotten, and none taken for another.
    var all: [2048]Owner = @splat(.{});

    fn of(comptime T: type) Name {
        return &struct {
            var name: [:0]const u8 = @typeName(T);
        }.name;
    }

    fn place(world: World, id: u64) *Owner {
        return &all[(c.dz_entity_index(id) +% 256 *% world.raw.bits) % all.len];
    }

    fn last(world: World, id: u64) ?Name {
        while (!lock.tryLock()) std.atomic.spinLoopHint();
        defer lock.unlock();
        const it = place(world, id);
        return if (it.world == world.raw.bits and it.id == id) it.name else null;
    }

    fn note(world: World, id: u64, name: Name) void {
        while (!lock.tryLock()) std.atomic.spinLoopHint();
        defer lock.unlock();
        place(world, id).* = .{ .world = world.raw.bits, .id = id, .name = name };
    }

    /// Whether another type is registered by that name, in the same shape. (The library refuses another one.)
    fn refuseOther(world: World, desc: *const c.dz_component_desc, mine: Name) Error!void {
        const id = try errors.ask(c.dz_component_find, .{ world.raw, desc.name });
        const other = last(world, id) orelse return;
        if (other == mine) return;
        const info = try componentInfo(world, @as(Id, @fromBackingInt(id)));
        if (info.element_size != desc.element_size or info.element_alignment != desc.element_alignment or info.policy != desc.policy) return;
        return errors.refuse(error.NameTaken, "component: {s} is called {s}, as {s} is already: declare another component_name", .{
            mine.*, std.mem.span(@as([*:0]const u8, @ptrCast(desc.name))), other.*,
        });
    }
};

fn register(world: World, comptime T: type, desc: *const c.dz_component_desc) Error!Id {
    try Owner.refuseOther(world, desc, Owner.of(T));
    const id = c.dz_component_register(world.raw, desc);
    if (id == c.DZ_NULL) return errors.failure();
    Owner.note(world, id, Owner.of(T));
    return @fromBackingInt(id);
}

/// Registers a type, or finds what is registered by its name. Another size, alignment or policy is error.Shape; another type
/// of this program or library, of the same shape, is error.NameTaken, and nothing changes. A type without size is a tag. Hooks are made of what the type declares: hooks.zig says how.
pub fn component(world: World, comptime T: type) Error!Component(T) {
    return componentWith(world, T, hooks.of(T));
}

/// As component, with these hooks, which take many elements at once and a pointer of yours. Where the type declares hooks
/// as well, these take their place; but emplace knows nothing of a copy hook of yours.
pub fn componentWith(world: World, comptime T: type, its_hooks: c.dz_hooks) Error!Component(T) {
    var desc = describe(T);
    if (@sizeOf(T) > 0) desc.hooks = its_hooks;
    return .{ .id = try register(world, T, &desc) };
}

/// Registers several: `Parts` is a struct whose fields are Components.
///
///     const Parts = struct { position: dz.Component(Position), velocity: dz.Component(Velocity) };
///     const parts = try world.components(Parts);
pub fn components(world: World, comptime Parts: type) Error!Parts {
    var parts: Parts = undefined;
    inline for (comptime std.meta.fieldNames(Parts)) |name| {
        @field(parts, name) = try component(world, @FieldType(Parts, name).Value);
    }
    return parts;
}

/// The component that a query asks for by its type: as it is registered, with whatever policy and hooks, or newly so; which
/// a type whose hooks must be given can't be.
pub fn known(world: World, comptime T: type) Error!u64 {
    const found = try errors.ask(c.dz_component_find, .{ world.raw, nameOf(T).ptr });
    if (found == c.DZ_NULL) {
        if (comptime hooks.needsHooks(T)) return errors.refuse(error.NotComponent, "query: {s} isn't registered, and its " ++
            "deinit or clone is nothing that the library could call: componentWith is to be called first", .{nameOf(T)});
        return @backingInt((try component(world, T)).id);
    }
    var details: c.dz_component_details = undefined;
    try errors.check(c.dz_component_info(world.raw, found, &details));
    var desc = describe(T);
    desc.policy = details.policy;
    return @backingInt(try register(world, T, &desc)); // says what is wrong if the shapes differ
}

/// The component of a type, if it is registered: only reads, where component registers. error.Shape if what has its name is
/// of another size or alignment; the type is not compared further.
pub fn find(world: World, comptime T: type) Error!?Component(T) {
    const id = try findComponent(world, nameOf(T)) orelse return null;
    const info = try componentInfo(world, id);
    const desc = describe(T);
    if (info.element_size != desc.element_size or info.element_alignment != desc.element_alignment) return errors.refuse(
        error.Shape,
        "find: {s} has {d} bytes, aligned to {d}, and {s} {d}, aligned to {d}",
        .{ nameOf(T), info.element_size, info.element_alignment, @typeName(T), desc.element_size, desc.element_alignment },
    );
    return .{ .id = id };
}

/// The component of that name, if there is one.
pub fn findComponent(world: World, name: []const u8) Error!?Id {
    var buffer: handle.Name = undefined;
    const text = handle.terminated(&buffer, name) orelse return null; // no name is like that
    const id = try errors.ask(c.dz_component_find, .{ world.raw, text });
    return if (id == c.DZ_NULL) null else @as(Id, @fromBackingInt(id));
}

/// Takes a component off all entities, and ends it.
pub fn unregister(world: World, id: anytype) Error!void {
    try errors.check(c.dz_component_unregister(world.raw, handle.idOf(id)));
}

/// What is known of a component.
pub fn componentInfo(world: World, id: anytype) Error!c.dz_component_details {
    var details: c.dz_component_details = undefined;
    try errors.check(c.dz_component_info(world.raw, handle.idOf(id), &details));
    return details;
}

/// The components of a world.
pub fn listComponents(world: World, buffer: []Id) Error!handle.Listed(Id) {
    var total: u32 = undefined;
    try errors.check(c.dz_components(world.raw, @ptrCast(buffer.ptr), try handle.length(buffer), &total));
    return .of(buffer, total);
}

/// How many entities have a component.
pub fn count(world: World, id: anytype) Error!u32 {
    return errors.ask(c.dz_count, .{ world.raw, handle.idOf(id) });
}

/// Takes a component off all entities.
pub fn clearPool(world: World, id: anytype) Error!void {
    try errors.check(c.dz_clear_pool(world.raw, handle.idOf(id)));
}

/// Closes the gaps of a stable pool.
pub fn compact(world: World, id: anytype) Error!void {
    try errors.check(c.dz_compact(world.raw, handle.idOf(id)));
}

/// Whose element a pointer into a component's pool is.
pub fn entityOf(world: World, id: anytype, element: *const handle.ValueOf(@TypeOf(id))) Error!Entity {
    const entity = c.dz_entity_of(world.raw, handle.idOf(id), access.address(element));
    return if (entity == c.DZ_NULL) errors.failure() else @fromBackingInt(entity);
}

/// Sets the world-wide value of a component: one for the world, no entity's.
pub fn setSingleton(world: World, id: anytype, value: handle.ValueOf(@TypeOf(id))) Error!void {
    access.needCopy(@TypeOf(value));
    try errors.check(c.dz_singleton_set(world.raw, handle.idOf(id), @sizeOf(@TypeOf(value)), access.address(&value)));
}

/// As setSingleton, but moves the value in, as emplace does.
pub fn emplaceSingleton(world: World, id: anytype, value: handle.ValueOf(@TypeOf(id))) Error!void {
    return access.moveIn(c.dz_singleton_set, .{ world.raw, handle.idOf(id), @sizeOf(@TypeOf(value)) }, value);
}

/// The world-wide value of a component, to read; null if none is set.
pub fn singleton(world: World, id: anytype) Error!?*const handle.ValueOf(@TypeOf(id)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_singleton_get, .{ world.raw, handle.idOf(id) })));
}

/// As singleton, to write to.
pub fn singletonMut(world: World, id: anytype) Error!?*handle.ValueOf(@TypeOf(id)) {
    return @ptrCast(@alignCast(try errors.ask(c.dz_singleton_get_mut, .{ world.raw, handle.idOf(id) })));
}

/// Ends it; false if there was none.
pub fn removeSingleton(world: World, id: anytype) Error!bool {
    return errors.done(c.dz_singleton_remove(world.raw, handle.idOf(id)));
}

test "names" {
    const Here = struct {
        fn Of(comptime T: type) type {
            return struct { value: T };
        }
        const Named = struct {
            pub const component_name = "My, own";
        };
    };
    try std.testing.expectEqualStrings("Policy", nameOf(Policy));
    try std.testing.expectEqualStrings("f32", nameOf(f32));
    try std.testing.expectEqualStrings("My, own", nameOf(Here.Named));
    try std.testing.expect(std.mem.startsWith(u8, nameOf(Here.Of(Policy)), "Of("));
    try std.testing.expectEqualStrings("[4]component.Policy", nameOf([4]Policy));
    try std.testing.expectEqualStrings("?*component.Policy", nameOf(?*Policy));
    try std.testing.expectEqualStrings("struct { component.Policy, u8 }", nameOf(struct { Policy, u8 }));
}
