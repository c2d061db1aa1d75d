//! The listings of docs/zig.md, which tests/docs.rs compares with it, as tests.
const std = @import("std");
const dz = @import("denizen");
const expectEqual = std.testing.expectEqual;

const gpa = std.heap.smp_allocator;

const Position = struct { x: f32, y: f32 };
const Velocity = struct { x: f32, y: f32 };
const Mass = struct { kg: f32 = 1 };
const Frozen = struct {}; // no size: a tag
const Gravity = struct { g: f32 };

const Parts = struct {
    position: dz.Component(Position),
    velocity: dz.Component(Velocity),
    mass: dz.Component(Mass),
    frozen: dz.Component(Frozen),
};

const Movers = dz.Query(struct {
    entity: dz.Entity,
    position: *Position,
    velocity: *const Velocity,
    mass: ?*const Mass,
    frozen: dz.Without(Frozen),
});

const Name = struct {
    text: []u8,
    gpa: std.mem.Allocator,

    pub fn deinit(self: *Name) void {
        self.gpa.free(self.text);
    }

    pub fn clone(self: *const Name) !Name {
        return .{ .text = try self.gpa.dupe(u8, self.text), .gpa = self.gpa };
    }
};

const Score = struct {
    points: u32 = 0,

    fn onAdd(score: *Score, event: dz.Event(Mass)) void {
        score.points += @intFromFloat(event.value.kg);
    }
};

fn lighterFirst(_: void, a: *const Mass, b: *const Mass) std.math.Order {
    return std.math.order(a.kg, b.kg);
}

fn movePart(movers: Movers, part: u32) void {
    var it = movers.iteratePart(part, 4);
    while (it.next() catch |err| std.debug.panic("{t}: {s}", .{ err, dz.errorMessage() })) |batch| {
        for (0..batch.count) |i| batch.row(i).position.x += 1;
    }
}

const Saved = struct { index: u32, generation: u32, at: Position };

fn save(world: dz.World, position: dz.Component(Position), saved: *std.ArrayList(Saved)) !void {
    var it = world.entities();
    while (try it.next()) |entity| {
        const at = try world.get(entity, position) orelse continue;
        try saved.append(gpa, .{ .index = entity.index(), .generation = entity.generation(), .at = at.* });
    }
}

fn load(world: dz.World, position: dz.Component(Position), saved: []const Saved) !void {
    for (saved) |one| {
        const entity: dz.Entity = .make(try world.number(), one.index, one.generation);
        try world.createAt(entity);
        try world.set(entity, position, one.at);
    }
}

test "first hour" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);

    const ship = try world.create();
    try world.set(ship, position, .{ .x = 1, .y = 2 });
    if (try world.get(ship, position)) |p| std.debug.assert(p.x == 1); // to read
    if (try world.getMut(ship, position)) |p| p.x += 10; // to write

    _ = try world.add(ship, frozen); // false: it has it already
    std.debug.assert(try world.has(ship, frozen));
    _ = try world.remove(ship, frozen); // false: it hasn't got it
    try world.destroy(ship);

    if (world.get(ship, position)) |_| unreachable else |err| {
        std.debug.assert(err == error.Dead);
        std.log.info("{s}", .{dz.errorMessage()}); // dz_get: entity E:1-256[1] is dead: its slot is now at generation 2
    }
}

test "queries" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var ships: [100]dz.Entity = undefined;
    const places: [100]Position = @splat(.{ .x = 0, .y = 0 });
    const speeds: [100]Velocity = @splat(.{ .x = 1, .y = 0 });
    try world.createWith(&ships, .{ .{ parts.position, &places }, .{ parts.velocity, &speeds } });

    const movers: Movers = try world.query(Movers.Row, .{});
    var it = movers.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            const by = if (row.mass) |m| 1 / m.kg else 1;
            row.position.x += row.velocity.x * by;
        }
    }

    var runs = movers.iterateRuns();
    while (try runs.next()) |run| {
        for (run.slice(.position), run.slice(.velocity)) |*p, v| p.y += v.y;
    }

    var rows = movers.iterate();
    while (try rows.nextRow()) |row| {
        if (row.position.x > 0) try world.destroy(row.entity);
    }
    try expectEqual(0, try movers.count());

    const text = try world.parse("Position, [in] ?Mass, !Frozen", .{});
    defer text.deinit();
    var batches = text.iterate();
    while (try batches.next()) |batch| {
        const positions = try batch.column(*Position, 0);
        const masses = try batch.column(?*const Mass, 1);
        for (0..batch.count) |i| positions.at(i).x += if (masses.at(i)) |m| m.kg else 0;
    }

    var arrays = text.iterateRuns();
    while (try arrays.next()) |run| {
        for ((try run.array(*Position, 0)).?) |*p| p.y = 0;
    }

    try world.sort(parts.mass, .once, {}, lighterFirst);
    var pool = world.iteratePool(parts.mass, .forward);
    while (try pool.next()) |span| {
        for (span.items) |*m| m.kg *= 2;
    }
}

test "queries in order, and kept" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    const sol = try world.create();
    const earth = try world.create();
    try world.setParent(earth, sol);
    try world.set(sol, parts.position, .{ .x = 1, .y = 0 });
    try world.set(earth, parts.position, .{ .x = 2, .y = 0 });
    try world.set(earth, parts.velocity, .{ .x = 0, .y = 0 });

    const Places = dz.Query(struct { position: *Position, above: dz.Parent(?*const Position) });
    const places: Places = try world.query(Places.Row, .{ .cascade = true }); // parents come before their children
    var it = places.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            if (row.above.value) |p| row.position.x += p.x;
        }
    }
    try expectEqual(3, (try world.get(earth, parts.position)).?.x);

    try world.sort(parts.mass, .keep, {}, lighterFirst);
    const by_mass = try world.query(struct { entity: dz.Entity, mass: *const Mass }, .{ .order = parts.mass.id });
    _ = try world.sortRefresh(parts.mass); // where masses have changed since
    try expectEqual(null, try by_mass.first());

    const planets = try world.query(struct { entity: dz.Entity, position: *Position }, .{ .also = &.{
        .{ .id = dz.childOf(sol) },
        .{ .id = parts.frozen.id, .ask = .without },
    } });
    std.debug.assert(try planets.single() == earth);

    const movers: Movers = try world.query(Movers.Row, .{ .kept = true });
    _ = try world.optimize(100); // so many swaps at most, e.g. in each frame, make its runs longer
    try movers.refresh(); // it remembers its matches, for as long as nothing comes or goes

    var threads: [4]std.Thread = undefined;
    for (&threads, 0..) |*thread, part| thread.* = try .spawn(.{}, movePart, .{ movers, @as(u32, @intCast(part)) });
    for (threads) |thread| thread.join();
    try expectEqual(4, (try world.get(earth, parts.position)).?.x);
}

test "singletons and accessors" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    const ship = try world.create();

    const gravity = try world.component(Gravity);
    try world.setSingleton(gravity, .{ .g = 9.81 });
    if (try world.singletonMut(gravity)) |it| it.g = 1.62; // null: none is set

    const masses = try world.accessor(parts.mass); // many lookups of one component
    if (try masses.getMut(ship)) |m| m.kg += 1;
    try expectEqual(1.62, (try world.singleton(gravity)).?.g);
}

test "saves" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    const ship = try world.create();
    try world.set(ship, parts.position, .{ .x = 1, .y = 2 });
    _ = try world.add(ship, parts.frozen);
    var saved: std.ArrayList(Saved) = .empty;
    defer saved.deinit(gpa);
    try save(world, parts.position, &saved);
    try world.clear();
    const index, const generation = .{ ship.index(), ship.generation() };
    const fresh: dz.World = try .init(.{});
    defer fresh.deinit();
    const position = try fresh.component(Position);
    try load(fresh, position, saved.items);
    const loaded: dz.Entity = .make(try fresh.number(), index, generation);
    try expectEqual(2, (try fresh.get(loaded, position)).?.y);

    const copy = try fresh.create();
    var ids: [32]dz.Id = undefined;
    const its = try fresh.typeOf(loaded, &ids); // those that there is room for; its.total is how many there are
    for (its.items) |id| {
        if (id.role() != 0) continue; // a pair, a parent, a base
        const info = try fresh.componentInfo(id); // its name, by which another world finds it, its size
        if (info.element_size > 0) try fresh.setBytes(copy, id, (try fresh.getBytes(loaded, id)).?);
    }
    try expectEqual(2, (try fresh.get(copy, position)).?.y);
}

test "values that own something" {
    const world: dz.World = try .init(.{});
    defer world.deinit();

    const name = try world.component(Name);
    const ship = try world.create();
    try world.emplace(ship, name, .{ .text = try gpa.dupe(u8, "Nostromo"), .gpa = gpa }); // the world's from here on
    _ = try world.clone(ship); // has a name of its own
}

test "arrays" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);

    var rocks: [3]dz.Entity = undefined;
    try world.createWith(&rocks, .{ .{ parts.mass, &[_]Mass{ .{ .kg = 1 }, .{ .kg = 2 }, .{ .kg = 3 } } }, .{parts.frozen} });
    var masses: [3]?*const Mass = undefined;
    try world.getMany(&rocks, parts.mass, &masses);
    _ = try world.removeMany(&rocks, parts.frozen);
    try world.destroyMany(&rocks);
}

test "pairs, hierarchy, names" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);

    const docked_at = try world.create(); // any entity can be a relation
    const sol = try world.create();
    const earth = try world.create();
    const ship = try world.create();

    try world.setRelation(docked_at, .{ .exclusive = true });
    _ = try world.addPair(ship, docked_at, earth);
    try world.setPair(ship, parts.mass, earth, .{ .kg = 5 }); // a pair's value has the type of its relation
    std.debug.assert((try world.getPair(ship, parts.mass, earth)).?.kg == 5);

    try world.setParent(earth, sol);
    _ = try world.setName(sol, "sol");
    _ = try world.setName(earth, "earth");
    std.debug.assert(try world.lookup("sol.earth", .{}) == earth);
    var children = world.children(sol);
    while (try children.next()) |child| std.debug.assert(child == earth);

    var below = world.subtree(sol, .parents_first); // sol, and all below it
    while (try below.next()) |entity| {
        var text: [256]u8 = undefined;
        const path = try world.path(entity, &text, .{});
        std.log.info("{f} is {s}", .{ entity, path.items }); // E:1-258[1] is sol.earth
    }

    const copy = try world.instantiate(ship); // reads the ship's components until it gets its own
    std.debug.assert(try world.base(copy) == ship);
    _ = try world.setEnabled(earth, false); // queries pass over it
}

test "listeners" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);

    var score: Score = .{};
    const listener = try world.listen(.add, parts.mass, &score, Score.onAdd);
    _ = try world.add(try world.create(), parts.mass); // with the default value of its field
    std.debug.assert(score.points == 1);
    try world.unlisten(listener);
}

test "memory" {
    const world: dz.World = try .init(.{ .allocator = &gpa, .byte_budget = 64 << 20 });
    defer world.deinit();
    try expectEqual(64 << 20, (try world.stats()).byte_budget);
}

test "groups, and the C functions" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);

    const group = try world.group(.{ .owned = &.{ parts.position.id, parts.velocity.id }, .excluded = &.{parts.frozen.id} });
    var it = group.iterate(.backward);
    while (try it.next()) |batch| {
        for ((try batch.array(*Position, 0)).?) |*p| p.x = 0;
    }

    const id: dz.raw.dz_id = @backingInt(parts.position.id);
    std.debug.assert(dz.raw.dz_count(world.raw, id) == 0);
}
