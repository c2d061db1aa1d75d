//! The listings of docs/zig.md, which tests/docs.rs compares with it, as tests.
const std = @import("std");
const dz = @import("denizen");
const expectEqual = std.testing.expectEqual;

const Position = struct { x: f32, y: f32 };
const Velocity = struct { x: f32, y: f32 };
const Mass = struct { kg: f32 = 1 };
const Frozen = struct {}; // no size: a tag

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

    try world.sort(parts.mass, .once, {}, lighterFirst);
    var pool = world.iteratePool(parts.mass, .forward);
    while (try pool.next()) |span| {
        for (span.items) |*m| m.kg *= 2;
    }
}

test "values that own something" {
    const gpa = std.testing.allocator;
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
    const mass = try world.component(Mass);
    const docked_at = try world.create(); // any entity can be a relation
    const sol = try world.create();
    const earth = try world.create();
    const ship = try world.create();

    try world.setRelation(docked_at, .{ .exclusive = true });
    _ = try world.addPair(ship, docked_at, earth);
    try world.setPair(ship, mass, earth, .{ .kg = 5 }); // a pair's value has the type of its relation
    std.debug.assert((try world.getPair(ship, mass, earth)).?.kg == 5);

    try world.setParent(earth, sol);
    _ = try world.setName(sol, "sol");
    _ = try world.setName(earth, "earth");
    std.debug.assert(try world.lookup("sol.earth", .{}) == earth);
    var children = world.children(sol);
    while (try children.next()) |child| std.debug.assert(child == earth);

    const copy = try world.instantiate(ship); // reads the ship's components until it gets its own
    std.debug.assert(try world.base(copy) == ship);
    _ = try world.setEnabled(earth, false); // queries pass over it
}

test "listeners" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const mass = try world.component(Mass);

    var score: Score = .{};
    const listener = try world.listen(.add, mass, &score, Score.onAdd);
    _ = try world.add(try world.create(), mass); // with the default value of its field
    std.debug.assert(score.points == 1);
    try world.unlisten(listener);
}

test "memory" {
    const gpa = std.testing.allocator;
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
        const positions = try batch.column(*Position, 0);
        for (0..batch.count) |i| positions.at(i).x = 0;
    }

    const id: dz.raw.dz_id = @backingInt(parts.position.id);
    std.debug.assert(dz.raw.dz_count(world.raw, id) == 0);
}
