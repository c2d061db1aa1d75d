//! Hooks, arrays of entities, and listeners.
const std = @import("std");
const dz = @import("denizen");
const list = @import("../conformance.zig");
const Frozen = list.Frozen;
const Mass = list.Mass;
const Position = list.Position;
const answer = list.answer;
const print = list.print;
const refused = list.refused;
const yes = list.yes;

/// The hooks print what the library tells them, and count what lives: so they are those for many elements at once.
const Counted = extern struct {
    value: i32,

    var living: i64 = 0;

    fn many(pointer: ?*anyopaque, count: u32) []Counted {
        return @as([*]Counted, @ptrCast(@alignCast(pointer)))[0..count];
    }

    fn name(user: ?*anyopaque) [:0]const u8 {
        return std.mem.span(@as([*:0]const u8, @ptrCast(user)));
    }

    fn construct(elements: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) i32 {
        for (many(elements, count)) |*element| element.value = 100;
        living += count;
        print("  {s}: construct {d}\n", .{ name(user), count });
        return 0;
    }

    fn destruct(elements: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) void {
        living -= count;
        print("  {s}: destruct {d}, first {d}\n", .{ name(user), count, many(elements, count)[0].value });
    }

    fn copy(to: ?*anyopaque, from: ?*const anyopaque, count: u32, user: ?*anyopaque) callconv(.c) i32 {
        const sources = many(@constCast(from), count);
        if (sources[0].value < 0) {
            print("  {s}: copy refused\n", .{name(user)});
            return 1;
        }
        @memcpy(many(to, count), sources);
        living += count;
        print("  {s}: copy {d}, first {d}\n", .{ name(user), count, sources[0].value });
        return 0;
    }

    fn relocate(to: ?*anyopaque, from: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) void {
        @memcpy(many(to, count), many(from, count));
        print("  {s}: relocate {d}, first {d}\n", .{ name(user), count, many(to, count)[0].value });
    }
};

pub fn hooks() !void {
    const world = try list.newWorld();
    const counted = try world.componentWith(Counted, .{
        .construct = Counted.construct,
        .destruct = Counted.destruct,
        .copy = Counted.copy,
        .relocate = Counted.relocate,
        .user = @constCast("Counted"),
    });
    const a = try world.create();
    const b = try world.create();
    const c = try world.create();
    answer("add to the first", world.add(a, counted), .DZ_ALREADY_THERE);
    answer("set on the second, new", world.set(b, counted, .{ .value = 2 }), .DZ_OK);
    answer("set on the second, again", world.set(b, counted, .{ .value = 22 }), .DZ_OK);
    answer("set on the third", world.set(c, counted, .{ .value = 3 }), .DZ_OK);
    const failed = world.set(c, counted, .{ .value = -1 });
    answer("set that fails", failed, .DZ_OK);
    refused("because", failed);
    const d = try world.clone(b);
    print("the clone has {d}\n", .{(try world.get(d, counted)).?.value});
    answer("remove from the first", world.remove(a, counted), .DZ_NOT_THERE);
    answer("destroy the second", world.destroy(b), .DZ_OK);
    answer("remove what isn't there", world.remove(a, counted), .DZ_NOT_THERE);
    print("living: {d}\n", .{Counted.living});
    try world.close();
    print("living after the world: {d}\n", .{Counted.living});
}

pub fn bulk() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const mass = try world.component(Mass);
    const frozen = try world.component(Frozen);
    const places = [_]Position{ .{ .x = 1, .y = 10 }, .{ .x = 2, .y = 20 }, .{ .x = 3, .y = 30 }, .{ .x = 4, .y = 40 } };
    const masses = [_]Mass{ .{ .kg = 50 }, .{ .kg = 60 } };
    var e: [4]dz.Entity = undefined;
    var plain: [3]dz.Entity = undefined;

    answer("create 4 with columns", world.createWith(&e, .{ .{ position, &places }, .{frozen} }), .DZ_OK);
    answer("create 3", world.createMany(&plain), .DZ_OK);
    print("have Position: {d}, Frozen: {d}\n", .{ try world.count(position), try world.count(frozen) });
    answer("set mass on 2", world.setMany(e[1..3], mass, &masses), .DZ_OK);
    var found: [4]?*const Mass = undefined;
    answer("get mass of 4", world.getMany(&e, mass, &found), .DZ_OK);
    for (found, 0..) |its, i| print("  {d}: {d}\n", .{ i, if (its) |m| m.kg else -1 });
    var has: [4]bool = undefined;
    answer("has mass of 4", world.hasMany(&e, mass, &has), .DZ_OK);
    print("  {d} {d} {d} {d}\n", .{ @intFromBool(has[0]), @intFromBool(has[1]), @intFromBool(has[2]), @intFromBool(has[3]) });
    var write: [4]?*Position = undefined;
    answer("get_mut of 4", world.getMutMany(&e, position, &write), .DZ_OK);
    for (write) |p| p.?.x *= 100;
    const last = (try world.get(e[3], position)).?;
    print("  the last has {d} {d}\n", .{ last.x, last.y });
    answer("remove Frozen from 2", world.removeMany(e[0..2], frozen), .DZ_NOT_THERE);
    answer("again", world.removeMany(e[0..2], frozen), .DZ_NOT_THERE);
    answer("add Frozen to 4", world.addMany(&e, frozen), .DZ_ALREADY_THERE);
    answer("again", world.addMany(&e, frozen), .DZ_ALREADY_THERE);
    answer("add to none", world.addMany(&.{}, frozen), .DZ_NOTHING_TO_DO);
    refused("add to the same twice", world.addMany(&.{ plain[0], plain[0] }, frozen));
    yes("one of them has it", try world.has(plain[0], frozen));
    try world.destroy(e[1]);
    refused("destroy 4, all or none", world.destroyMany(&e));
    yes("the first lives", world.isAlive(e[0]));
    var report: [4]dz.Status = undefined;
    answer("destroy 4, each by itself", world.destroyEach(&e, &report), .DZ_OK);
    for (report, 0..) |status, i| print("  {d}: {t}\n", .{ i, status });
    print("have Position: {d}\n", .{try world.count(position)});
}

/// What a listener is given.
const Told = struct {
    position: list.PositionOf,
    tries: bool = false,

    fn ofChange(told: *const Told, event: dz.Event(Position)) void {
        print("  told of {t}, value {d}", .{ event.kind, event.value.x });
        told.rest(event.world, event.entity);
    }

    fn ofLife(told: *const Told, event: dz.Event(void)) void {
        print("  told of {t}", .{event.kind});
        told.rest(event.world, event.entity);
    }

    fn rest(told: *const Told, world: dz.World, entity: dz.Entity) void {
        print(", has it: {d}\n", .{@intFromBool(world.has(entity, told.position) catch false)});
        if (told.tries) refused("  destroy from a listener", world.destroy(entity));
    }
};

pub fn listeners() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const quiet: Told = .{ .position = position };
    const tries: Told = .{ .position = position, .tries = true };
    const on_add = try world.listen(.add, position, &tries, Told.ofChange);
    _ = try world.listen(.set, position, &quiet, Told.ofChange);
    _ = try world.listen(.remove, position, &quiet, Told.ofChange);
    _ = try world.listenEntities(.create, &quiet, Told.ofLife);
    _ = try world.listenEntities(.destroy, &quiet, Told.ofLife);
    const entity = try world.create();
    answer("set, new", world.set(entity, position, .{ .x = 1 }), .DZ_OK);
    answer("set, again", world.set(entity, position, .{ .x = 2 }), .DZ_OK);
    answer("remove", world.remove(entity, position), .DZ_NOT_THERE);
    answer("disconnect add", world.unlisten(on_add), .DZ_OK);
    answer("disconnect it again", world.unlisten(on_add), .DZ_OK);
    dz.clearError();
    answer("add, nobody is told", world.add(entity, position), .DZ_ALREADY_THERE);
    answer("destroy", world.destroy(entity), .DZ_OK);
    const c = dz.raw;
    const ignore = struct {
        fn call(_: [*c]const c.dz_event, _: ?*anyopaque) callconv(.c) void {}
    }.call;
    const none = c.dz_listen(world.raw, 9, @backingInt(position.id), ignore, null);
    if (none.bits == 0) refused("listen to no such kind", @as(dz.Error!void, dz.lastError().?));
}
