//! Queries, iterators, groups, sorting.
const std = @import("std");
const dz = @import("denizen");
const expect = std.testing.expect;
const expectEqual = std.testing.expectEqual;
const expectError = std.testing.expectError;

const Position = struct { x: i64 };
const Velocity = struct { x: i64 };
const Mass = struct { kg: u8 };
const Frozen = struct {};

const Parts = struct {
    position: dz.Component(Position),
    velocity: dz.Component(Velocity),
    mass: dz.Component(Mass),
    frozen: dz.Component(Frozen),
};

/// n entities with Position{i}, of whom some have the others too, in an order that makes runs and gathers.
fn fill(world: dz.World, parts: Parts, entities: []dz.Entity) !void {
    try world.createMany(entities);
    for (entities, 0..) |entity, i| try world.set(entity, parts.position, .{ .x = @intCast(i) });
    var random: std.Random.DefaultPrng = .init(1);
    const half = entities.len / 2;
    for (entities[0..half]) |entity| try world.set(entity, parts.velocity, .{ .x = 1 });
    for (0..half) |_| {
        const entity = entities[half + random.random().uintLessThan(usize, half)];
        try world.set(entity, parts.velocity, .{ .x = 1 });
        if (random.random().boolean()) try world.set(entity, parts.mass, .{ .kg = 7 });
        if (random.random().boolean()) _ = try world.add(entity, parts.frozen);
    }
}

const Row = struct {
    entity: dz.Entity,
    position: *Position,
    velocity: *const Velocity,
    mass: ?*const Mass,
    frozen: dz.Without(Frozen),
};

/// What a match must be, asked one by one.
fn checkRow(world: dz.World, parts: Parts, row: Row) !void {
    try expectEqual(try world.get(row.entity, parts.position), @as(?*const Position, row.position));
    try expectEqual(try world.get(row.entity, parts.velocity), @as(?*const Velocity, row.velocity));
    try expectEqual(try world.get(row.entity, parts.mass), row.mass);
    try expect(!try world.has(row.entity, parts.frozen));
}

fn iterateIn(layout: @FieldType(dz.World.Options, "layout")) !void {
    const world: dz.World = try .init(.{ .layout = layout });
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [1000]dz.Entity = undefined;
    try fill(world, parts, &entities);
    var expected: u32 = 0;
    for (entities) |entity| {
        expected += @intFromBool(try world.has(entity, parts.velocity) and !try world.has(entity, parts.frozen));
    }
    const query = try world.query(Row, .{});
    defer query.deinit();
    try expectEqual(expected, try query.count());
    try expectEqual(layout == .bits32, entities[0].worldNumber() == 0);
    var its: [8]dz.raw.dz_term = undefined;
    var count: u32 = undefined;
    try expectEqual(.DZ_OK, dz.raw.dz_query_terms(world.raw, query.raw, &its, its.len, &count));
    try expectEqual(4, count);
    const access = [_]dz.raw.dz_access{ .DZ_INOUT, .DZ_IN, .DZ_IN, .DZ_NO_ACCESS };
    for (its[0..4], access) |term, expected_access| try expectEqual(@backingInt(expected_access), term.access);

    var seen: u32 = 0;
    var gathers: u32 = 0;
    var it = query.iterate();
    while (try it.next()) |batch| {
        gathers += @intFromBool(batch.gather);
        try expectEqual(batch.gather, batch.asRun() == null);
        for (0..batch.count) |i| {
            try checkRow(world, parts, batch.row(i));
            try expectEqual(batch.row(i).entity, batch.entity(i));
            seen += 1;
        }
    }
    try expectEqual(expected, seen);
    try expect(gathers > 0);

    seen = 0;
    var runs = query.iterateRuns();
    while (try runs.next()) |run| {
        const positions: []Position = run.slice(.position);
        const masses: ?[]const Mass = run.slice(.mass);
        for (positions, run.slice(.velocity), 0..) |*position, *velocity, i| {
            try checkRow(world, parts, .{
                .entity = run.entity(i),
                .position = position,
                .velocity = velocity,
                .mass = if (masses) |m| &m[i] else null,
                .frozen = .{},
            });
            seen += 1;
        }
    }
    try expectEqual(expected, seen);

    seen = 0;
    for (0..4) |part| {
        var some = query.iteratePart(@intCast(part), 4);
        while (try some.next()) |batch| seen += @intCast(batch.count);
    }
    try expectEqual(expected, seen);
    var beyond = query.iteratePart(4, 4);
    try expectError(error.Range, beyond.next());

    // Rows, while each is destroyed or loses what made it match.
    seen = 0;
    var rows = query.iterate();
    while (try rows.nextRow()) |row| {
        try checkRow(world, parts, row);
        seen += 1;
        if (seen % 2 == 0) try world.destroy(row.entity) else _ = try world.remove(row.entity, parts.velocity);
    }
    try expectEqual(expected, seen);
    try expect(try query.isEmpty());
}

test "rows, runs and parts are the matches, in 64-bit worlds" {
    try iterateIn(.bits64);
}

test "rows, runs and parts are the matches, in 32-bit worlds" {
    try iterateIn(.bits32);
}

test "queries from text: columns are checked" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [100]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const query = try world.parse("Position, ?Mass, [none] Velocity", .{});
    var it = query.iterate();
    var seen: u32 = 0;
    while (try it.next()) |batch| {
        const positions = try batch.column(*Position, 0);
        const masses = try batch.column(?*const Mass, 1);
        for (0..batch.count) |i| {
            const entity = batch.entity(i);
            try expectEqual(try world.get(entity, parts.position), @as(?*const Position, positions.at(i)));
            try expectEqual(try world.get(entity, parts.mass), masses.at(i));
            seen += 1;
        }
        try expectError(error.FieldType, batch.column(*Mass, 0)); // another size
        try expectError(error.FieldType, batch.column(*Velocity, 2)); // no field
        try expectError(error.FieldType, batch.column(*Position, 9)); // no term
    }
    try expectEqual(try query.count(), seen);
    var rows = query.iterate();
    while (try rows.nextRow()) |row| {
        try expectEqual(try world.get(row.entity, parts.mass), try row.at(?*const Mass, 1));
        seen -= 1;
    }
    try expectEqual(0, seen);
    try expectError(error.Syntax, world.parse("Position,,", .{}));
}

test "terms of others: parent, above, base, world" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const velocity = try world.component(Velocity);
    const root = try world.create();
    const child = try world.create();
    try world.setParent(child, root);
    try world.set(root, position, .{ .x = 1 });
    try world.set(child, position, .{ .x = 2 });
    try world.setSingleton(velocity, .{ .x = 9 });
    const query = try world.query(struct {
        own: *const Position,
        above: dz.Parent(?*const Position),
        nearest: dz.Up(?*const Position),
        everywhere: dz.WorldValue(*const Velocity),
    }, .{ .cascade = true });
    var it = query.iterate();
    const first = (try it.nextRow()).?;
    try expectEqual(1, first.own.x);
    try expectEqual(null, first.above.value);
    try expectEqual(9, first.everywhere.value.x);
    var runs = query.iterateRuns();
    _ = try runs.next();
    const run = (try runs.next()).?;
    try expectEqual(2, run.slice(.own)[0].x);
    try expectEqual(1, run.slice(.above).?[0].x);
    try expectEqual(9, run.slice(.everywhere)[0].x);
    const second = (try it.nextRow()).?;
    try expectEqual(1, second.above.value.?.x);
    try expectEqual(1, second.nearest.value.?.x);
    try expectEqual(null, try it.nextRow());
}

test "what others have, or don't, as a mark" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);
    const root = try world.create();
    const child = try world.create();
    try world.setParent(child, root);
    try world.set(child, position, .{ .x = 2 });
    const query = try world.query(struct {
        own: *const Position,
        thawed: dz.Parent(dz.Without(Frozen)),
        bare: dz.WorldValue(dz.Without(Position)),
    }, .{});
    var it = query.iterate();
    try expectEqual(2, (try it.nextRow()).?.own.x);
    try expectEqual(null, try it.nextRow());
    const held = try world.query(struct { entity: dz.Entity, own: dz.With(Position), frozen: dz.Up(dz.With(Frozen)) }, .{});
    try expect(try held.isEmpty());
    _ = try world.add(root, frozen);
    try expect(try query.isEmpty());
    var batches = held.iterate();
    try expectEqual(child, (try batches.next()).?.row(0).entity);
}

test "kept queries, optimize, order" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [500]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const Moves = struct { position: *Position, velocity: *const Velocity };
    const query = try world.query(Moves, .{ .kept = true, .priority = 2 });
    try expect(try world.optimize(std.math.maxInt(u32)) > 0);
    try query.refresh();
    const info = try query.info();
    try expectEqual(2, info.term_count);
    try expectEqual(1, info.fresh);

    const down = struct {
        fn compare(calls: *u32, a: *const Position, b: *const Position) std.math.Order {
            calls.* += 1;
            return std.math.order(b.x, a.x);
        }
    }.compare;
    var calls: u32 = 0;
    try world.sort(parts.position, .keep, &calls, down);
    try expect(calls > 0);
    const ordered = try world.query(Moves, .{ .order = parts.position.id });
    var last: i64 = std.math.maxInt(i64);
    var it = ordered.iterate();
    while (try it.next()) |batch| for (0..batch.count) |i| {
        const x = batch.row(i).position.x;
        try expect(x < last);
        last = x;
    };
    try expect(try world.sortRefresh(parts.position));
    try expect(try world.sortRelease(parts.position));
    try expect(!try world.sortRelease(parts.position));
    try world.sortAs(parts.velocity, parts.position, .once);
}

test "a function may have many loops" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Terms = struct { p: *Position, v: ?*const Velocity, m: dz.Without(Mass) };
    const query = try world.query(Terms, .{});
    const e = try world.create();
    try world.set(e, try world.component(Position), .{ .x = 1 });
    inline for (0..20) |_| {
        var it = query.iterate();
        while (try it.next()) |batch| {
            for (0..batch.count) |i| batch.row(i).p.x += 1;
        }
    }
    try expectEqual(21, (try world.get(e, try world.component(Position))).?.x);
}

test "pools: spans and rows" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [100]dz.Entity = undefined;
    try fill(world, parts, &entities);
    var sum: i64 = 0;
    var spans = world.iteratePool(parts.position, .forward);
    while (try spans.next()) |span| for (span.items, 0..) |*position, i| {
        try expectEqual(try world.get(span.entity(i), parts.position), @as(?*const Position, position));
        sum += position.x;
    };
    try expectEqual(99 * 100 / 2, sum);
    const wrong: dz.Component(Mass) = .{ .id = parts.position.id };
    const sized: dz.Component(Position) = .{ .id = parts.frozen.id };
    var masses = world.iteratePool(wrong, .forward);
    try expectError(error.FieldType, masses.next());
    try expectError(error.FieldType, masses.nextRow());
    spans = world.iteratePool(sized, .forward);
    try expectError(error.FieldType, spans.next());
    const frozen = try world.count(parts.frozen);
    var seen: u32 = 0;
    var tags = world.iteratePool(parts.frozen, .backward);
    while (try tags.nextRow()) |element| : (seen += 1) try world.destroy(element.entity);
    try expectEqual(frozen, seen);
    try expectEqual(0, try world.count(parts.frozen));
}

test "groups" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [200]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const group = try world.group(.{ .owned = &.{ parts.position.id, parts.velocity.id }, .excluded = &.{parts.frozen.id} });
    var seen: u32 = 0;
    var it = group.iterate(.backward);
    while (try it.next()) |batch| {
        const positions = try batch.column(*Position, 0);
        for (0..batch.count) |i| {
            try expect(try group.contains(batch.entity(i)));
            try expectEqual(try world.get(batch.entity(i), parts.position), @as(?*const Position, positions.at(i)));
            seen += 1;
        }
    }
    try expectEqual(try group.count(), seen);
    const up = struct {
        fn compare(_: void, a: *const Position, b: *const Position) std.math.Order {
            return std.math.order(a.x, b.x);
        }
    }.compare;
    try group.sort(parts.position, .keep, {}, up);
    try expect(try group.sortRefresh());
    try expect(try group.sortRelease());
    try expectEqual(2, (try group.info()).owned_count);
    try group.close();
    try expectError(error.Group, group.count());
}

test "a row may be read whatever else has changed" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [1000]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const query = try world.query(Row, .{});
    const kept = try world.query(Row, .{ .kept = true });
    try kept.refresh();
    const nobody = try world.create();
    var seen: u32 = 0;
    var it = query.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            try world.set(row.entity, parts.position, .{ .x = 5 });
            try world.setSingleton(parts.mass, .{ .kg = 1 });
            _ = try world.setName(nobody, "nobody");
            _ = try world.lookup("nobody", .{});
            try expect(!try world.remove(nobody, parts.velocity));
            _ = try world.getOrAdd(row.entity, parts.position);
            if (i == 0) {
                (try world.parse("Position, Velocity", .{})).deinit();
                try expect(try kept.matches(row.entity));
                var inner = kept.iterate();
                while (try inner.next()) |others| _ = others.row(0);
                var pool = world.iteratePool(parts.velocity, .backward);
                while (try pool.next()) |span| span.items[0].x = 1;
            }
            try checkRow(world, parts, batch.row(i));
            seen += 1;
        }
    }
    try expectEqual(try query.count(), seen);
    it = query.iterate();
    while (try it.next()) |batch| {
        _ = batch.row(batch.count - 1);
        try world.destroy(batch.entity(0));
    }
}

test "a comparison may be given the entities, and of tags it is" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [50]dz.Entity = undefined;
    try world.createWith(&entities, .{ .{parts.position}, .{parts.velocity}, .{parts.frozen} });
    const Down = struct {
        fn values(calls: *u32, a: *const Position, b: *const Position, of_a: dz.Entity, of_b: dz.Entity) std.math.Order {
            calls.* += 1;
            return if (a.x != b.x) std.math.order(a.x, b.x) else std.math.order(of_b.index(), of_a.index());
        }
        fn alone(_: void, a: dz.Entity, b: dz.Entity) std.math.Order {
            return std.math.order(b.index(), a.index());
        }
        fn check(world_: dz.World, id: anytype) !void {
            var last: u32 = std.math.maxInt(u32);
            var pool = world_.iteratePool(id, .forward);
            while (try pool.nextRow()) |element| : (last = element.entity.index()) try expect(element.entity.index() < last);
        }
    };
    var calls: u32 = 0;
    try world.sort(parts.position, .once, &calls, Down.values);
    try expect(calls > 0);
    try Down.check(world, parts.position);
    try world.sort(parts.frozen, .once, {}, Down.alone);
    try Down.check(world, parts.frozen);
    try world.sort(parts.velocity, .once, {}, Down.alone);
    try Down.check(world, parts.velocity);
    const group = try world.group(.{ .owned = &.{ parts.position.id, parts.velocity.id } });
    const up = struct {
        fn order(_: void, a: dz.Entity, b: dz.Entity) std.math.Order {
            return std.math.order(a.index(), b.index());
        }
    }.order;
    try group.sort(dz.Id.none, .once, {}, up);
    var it = group.iterate(.forward);
    try expectEqual(entities[0], (try it.next()).?.entity(0));
    try group.sort(parts.position, .once, &calls, Down.values);
    it = group.iterate(.forward);
    try expectEqual(entities[49], (try it.next()).?.entity(0));
}

test "arrays of queries from text, and of what a group owns" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [1000]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const text = try world.parse("Position, [in] Velocity, ?Mass", .{});
    var runs = text.iterateRuns();
    var seen: u32 = 0;
    while (try runs.next()) |run| {
        const positions: []Position = (try run.array(*Position, 0)).?;
        const velocities: []const Velocity = (try run.array(*const Velocity, 1)).?;
        const masses = try run.array(?*const Mass, 2);
        for (positions, velocities, 0..) |*p, *v, i| {
            try expectEqual(try world.get(run.entity(i), parts.position), @as(?*const Position, p));
            try expectEqual(try world.get(run.entity(i), parts.velocity), @as(?*const Velocity, v));
            try expectEqual(try world.has(run.entity(i), parts.mass), masses != null);
            seen += 1;
        }
        try expectError(error.FieldType, run.array(*Mass, 0));
    }
    try expectEqual(try text.count(), seen);
    var batches = text.iterate();
    while (try batches.next()) |batch| try expectEqual(batch.gather, try batch.array(*Position, 0) == null);

    const group = try world.group(.{ .owned = &.{parts.position.id}, .included = &.{parts.mass.id} });
    var it = group.iterate(.forward);
    seen = 0;
    while (try it.next()) |batch| {
        for ((try batch.array(*Position, 0)).?, 0..) |*p, i| {
            try expectEqual(try world.get(batch.entity(i), parts.position), @as(?*const Position, p));
            seen += 1;
        }
        try expectEqual(null, try batch.array(*Mass, 1));
    }
    try expectEqual(try group.count(), seen);
}

test "a struct of terms, and what else is asked for" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const likes = try world.create();
    const sol = try world.create();
    const planets = [_]dz.Entity{ try world.create(), try world.create() };
    for (planets, 0..) |planet, i| {
        try world.set(planet, position, .{ .x = @intCast(i) });
        try world.setParent(planet, sol);
        _ = try world.addPair(planet, likes, sol);
    }
    try world.set(try world.create(), position, .{ .x = 9 });
    _ = try world.addPair(planets[1], likes, planets[0]);
    const Terms = struct { entity: dz.Entity, position: *Position };
    try expectEqual(2, try (try world.query(Terms, .{ .also = &.{.{ .id = dz.childOf(sol) }} })).count());
    const others = try world.query(Terms, .{ .also = &.{.{ .id = dz.childOf(sol), .ask = .without }} });
    try expectEqual(9, (try world.get(try others.single(), position)).?.x);
    const fixed = try world.query(Terms, .{ .also = &.{.{ .id = (try world.pair(likes, planets[0])).id }} });
    try expectEqual(planets[1], try fixed.single());
    // Any: a match for each pair, whose target a batch knows.
    const each = try world.query(Terms, .{ .also = &.{.{ .id = @fromBackingInt(@backingInt(likes)), .target = .any }} });
    var seen: u32 = 0;
    var it = each.iterate();
    while (try it.next()) |batch| for (0..batch.count) |i| {
        const target = (try batch.target(1, i)).?;
        try expect(try world.hasPair(batch.row(i).entity, likes, target));
        seen += 1;
    };
    try expectEqual(3, seen);
    // And where the struct asks for nothing.
    try expectEqual(2, try (try world.query(struct { entity: dz.Entity }, .{ .also = &.{.{ .id = dz.childOf(sol) }} })).count());
    const many: [32]dz.Also = @splat(.{ .id = dz.childOf(sol) });
    try expectError(error.Count, world.query(Terms, .{ .also = &many }));
    try expectError(error.Syntax, world.parse("Position", .{ .also = many[0..1] }));
}

test "an iteration begins again" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const parts = try world.components(Parts);
    var entities: [300]dz.Entity = undefined;
    try fill(world, parts, &entities);
    const query = try world.query(struct { entity: dz.Entity, position: *Position }, .{});
    var it = query.iterate();
    try it.restart(); // it hasn't begun
    const first = (try it.nextRow()).?.entity;
    _ = try it.nextRow();
    try it.restart();
    try expectEqual(first, (try it.nextRow()).?.entity);
    try world.destroy(first);
    try it.restart();
    var seen: usize = 0;
    while (try it.next()) |batch| seen += batch.count;
    try expectEqual(299, seen);
    try it.restart(); // it had ended
    try expectEqual(entities[1], (try it.next()).?.entity(0));
    var part = query.iteratePart(0, 2);
    _ = try part.next();
    try expectError(error.Range, part.restart());
}
