//! Queries: made of text and of terms, read batch by batch, counted, and changed under way.
const dz = @import("denizen");
const list = @import("../conformance.zig");
const Mass = list.Mass;
const Position = list.Position;
const Velocity = list.Velocity;
const answer = list.answer;
const print = list.print;
const refused = list.refused;
const yes = list.yes;

const Red = struct {};
const Blue = struct {};

/// The matches of a query, in its order.
fn matches(what: []const u8, query: anytype, position: list.PositionOf) !void {
    print("{s}:", .{what});
    var it = query.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| print(" {d}", .{try list.number(query.world, batch.entity(i), position)});
    }
    print(" ({d})\n", .{try query.count()});
}

pub fn queries() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const velocity = try world.component(Velocity);
    const mass = try world.component(Mass);
    const red = try world.component(Red);
    const blue = try world.component(Blue);
    var e: [12]dz.Entity = undefined;
    for (&e, 0..) |*entity, i| {
        const n: i32 = @intCast(i);
        entity.* = try list.at(world, position, n + 1);
        if (i % 2 == 0) try world.set(entity.*, velocity, .{ .x = n, .y = 1 });
        if (i % 3 == 0) try world.set(entity.*, mass, .{ .kg = n * 10 });
        if (i % 4 == 1) _ = try world.add(entity.*, red);
        if (i % 5 == 2) _ = try world.add(entity.*, blue);
    }
    const movers = try world.query(struct { position: *Position, velocity: *const Velocity }, .{});
    try matches("Position, [in] Velocity", movers, position);
    const heavy = try world.query(struct { position: *Position, mass: ?*const Mass, still: dz.Without(Velocity) }, .{});
    print("Position, ?Mass, !Velocity:", .{});
    var heavies = heavy.iterate();
    while (try heavies.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            print(" {d}/{d}", .{ row.position.x, if (row.mass) |m| m.kg else -1 });
        }
    }
    print("\n", .{});
    const coloured = try world.query(struct { position: *Position, red: dz.AnyOf(1, Red), blue: dz.AnyOf(1, Blue) }, .{});
    try matches("Position, Red || Blue", coloured, position);

    const made = try world.query(struct { position: *Position, velocity: *const Velocity, mass: dz.Without(Mass) }, .{});
    try matches("from terms", made, position);
    var makes = made.iterate();
    while (try makes.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            row.position.y += row.velocity.y;
        }
    }
    var sum: i32 = 0;
    for (e) |entity| sum += (try world.get(entity, position)).?.y;
    print("moved: {d}\n", .{sum});

    sum = 0;
    var runs = movers.iterateRuns();
    while (try runs.next()) |run| {
        for (run.slice(.position)) |p| sum += p.x;
    }
    print("sum by runs: {d}\n", .{sum});
    var parts: usize = 0;
    for (0..3) |part| {
        var it = movers.iteratePart(@intCast(part), 3);
        while (try it.next()) |batch| parts += batch.count;
    }
    print("matches in three parts: {d}\n", .{parts});
    print("first: {d}\n", .{try list.number(world, (try movers.first()).?, position)});
    yes("the second matches", try movers.matches(e[1]));
    yes("the third matches", try movers.matches(e[2]));
    yes("is empty", try movers.isEmpty());
    refused("the single mover", movers.single());
    const single = try world.parse("Red, Blue", .{});
    yes("nobody is both", try single.isEmpty());
    _ = try world.add(e[0], red);
    _ = try world.add(e[0], blue);
    print("the single one that is both: {d}\n", .{try list.number(world, try single.single(), position)});
    answer("destroy the query", single.close(), .DZ_OK);
    var it = single.iterate();
    const next = it.next();
    refused("iterate it", next);
    yes("next", if (next) |batch| batch != null else |_| false);
}

pub fn changesWhileIterating() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const velocity = try world.component(Velocity);
    for (1..9) |i| {
        const n: i32 = @intCast(i);
        try world.set(try list.at(world, position, n), velocity, .{ .x = n, .y = n });
    }
    const movers = try world.query(struct { entity: dz.Entity, position: *Position, velocity: *Velocity }, .{});

    print("velocity is taken off the odd:", .{});
    var odd = movers.iterate();
    while (try odd.nextRow()) |row| {
        const x = row.position.x;
        print(" {d}", .{x});
        if (@rem(x, 2) != 0) _ = try world.remove(row.entity, velocity);
    }
    answer("; ended with", check(odd.raw.status), .DZ_OK);
    try matches("left", movers, position);
    print("the next one is destroyed:", .{});
    var four = movers.iterate();
    while (try four.nextRow()) |row| {
        print(" {d}", .{row.position.x});
        if (row.position.x == 4) try world.destroy(@fromBackingInt(@backingInt(row.entity) + 2)); // 6, two slots on
    }
    answer("; ended with", check(four.raw.status), .DZ_OK);
    try matches("left", movers, position);
    print("all of a pool, from the last:", .{});
    var pool = world.iteratePool(position, .backward);
    while (try pool.nextRow()) |element| {
        print(" {d}", .{element.value.x});
        try world.destroy(element.entity);
    }
    answer("; ended with", check(pool.raw.status), .DZ_OK);
    print("left: {d}\n", .{try world.count(position)});
}

/// The status that an iterator ended with.
fn check(status: i32) dz.Error!void {
    return list.check(@fromBackingInt(status));
}
