//! Pairs, the hierarchy, names, instances, and what is disabled.
const dz = @import("denizen");
const list = @import("../conformance.zig");
const Mass = list.Mass;
const Position = list.Position;
const Velocity = list.Velocity;
const answer = list.answer;
const print = list.print;
const refused = list.refused;
const yes = list.yes;

const Likes = extern struct { much: i32 };

pub fn pairs() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const likes = try world.component(Likes);
    const docked = try world.create();
    const ann = try list.at(world, position, 1);
    const bob = try list.at(world, position, 2);
    const cat = try list.at(world, position, 3);

    answer("Ann likes Bob", world.setPair(ann, likes, bob, .{ .much = 5 }), .DZ_OK);
    answer("Ann likes the cat", world.setPair(ann, likes, cat, .{ .much = 9 }), .DZ_OK);
    answer("Bob likes the cat", world.addPair(bob, likes, cat), .DZ_ALREADY_THERE);
    answer("again", world.addPair(bob, likes, cat), .DZ_ALREADY_THERE);
    print("Ann likes Bob: {d}\n", .{(try world.getPair(ann, likes, bob)).?.much});
    (try world.getPairMut(bob, likes, cat)).?.much = 7;
    yes("Bob likes Ann", try world.hasPair(bob, likes, ann));
    const pair = try world.pair(likes, cat);
    print("by its id: {d}\n", .{(try world.get(bob, pair)).?.much});
    const halves = world.halves(pair);
    answer("its halves", if (halves) |_| {} else |err| @as(dz.Error!void, err), .DZ_OK);
    yes("they are the same", (try halves).relation == likes.entity() and (try halves).target == cat);
    var targets: [4]dz.Entity = undefined;
    print("Ann's targets:", .{});
    for ((try world.targets(ann, likes, &targets)).items) |target| print(" {d}", .{try list.number(world, target, position)});
    print("\n", .{});

    const query = try world.parse("Position, (Likes, *)", .{});
    print("who likes whom: {d} matches\n", .{try query.count()});
    var much = [_][4]i32{.{ 0, 0, 0, 0 }} ++ .{.{ 0, 0, 0, 0 }} ++ .{.{ 0, 0, 0, 0 }} ++ .{.{ 0, 0, 0, 0 }};
    var it = query.iterate();
    while (try it.next()) |batch| {
        const who = try batch.column(*const Position, 0);
        const how = try batch.column(*const Likes, 1);
        for (0..batch.count) |i| {
            const whom = (try batch.target(1, i)).?;
            much[@intCast(who.at(i).x)][@intCast(try list.number(world, whom, position))] = how.at(i).much;
        }
    }
    for (1..4) |i| print("  {d} likes 1 by {d}, 2 by {d}, 3 by {d}\n", .{ i, much[i][1], much[i][2], much[i][3] });

    answer("docked is exclusive", world.setRelation(docked, .{ .exclusive = true }), .DZ_OK);
    answer("Ann is docked at Bob", world.addPair(ann, docked, bob), .DZ_ALREADY_THERE);
    answer("Ann is docked at the cat", world.addPair(ann, docked, cat), .DZ_ALREADY_THERE);
    yes("still at Bob", try world.hasPair(ann, docked, bob));
    yes("at the cat", try world.hasPair(ann, docked, cat));
    answer("Ann likes Bob no longer", world.removePair(ann, likes, bob), .DZ_NOT_THERE);
    answer("destroy the cat", world.destroy(cat), .DZ_OK);
    yes("somebody likes somebody", !try query.isEmpty());
    refused("the cat's pair by its id", world.has(bob, pair));
    refused("a pair with the dead cat", world.addPair(ann, likes, cat));
}

fn children(world: dz.World, what: []const u8, parent: dz.Entity, position: list.PositionOf) !void {
    print("{s}: {d}:", .{ what, try world.childCount(parent) });
    var it = world.children(parent);
    while (try it.next()) |child| print(" {d}", .{try list.number(world, child, position)});
    print("\n", .{});
}

pub fn hierarchy() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    var e: [7]dz.Entity = undefined;
    for (1..7) |i| e[i] = try list.at(world, position, @intCast(i));
    for (e[2..5]) |child| try world.setParent(child, e[1]);
    answer("5 below 2", world.setParent(e[5], e[2]), .DZ_OK);
    answer("6 below 5, as an id", world.add(e[6], dz.childOf(e[5])), .DZ_ALREADY_THERE);
    try children(world, "children of 1", e[1], position);
    answer("4 goes first", world.moveChild(e[4], .first), .DZ_OK);
    answer("2 goes behind 3", world.moveChild(e[2], .{ .after = e[3] }), .DZ_OK);
    try children(world, "children of 1", e[1], position);
    const parent = (try world.parent(e[6])).?;
    print("parent of 6: {d}, depth {d}\n", .{ try list.number(world, parent, position), try world.depth(e[6]) });
    var above: [8]dz.Entity = undefined;
    print("above 6:", .{});
    for ((try world.ancestors(e[6], &above)).items) |entity| print(" {d}", .{try list.number(world, entity, position)});
    print("\nsubtree, children first:", .{});
    var tree = world.subtree(e[1], .children_first);
    while (try tree.next()) |entity| print(" {d}", .{try list.number(world, entity, position)});
    print("\n", .{});
    refused("a cycle", world.setParent(e[1], e[6]));
    const down = try world.query(
        struct { entity: dz.Entity, position: *Position, above: dz.Parent(?*const Position) },
        .{ .cascade = true },
    );
    print("depths, parents first:", .{});
    var sum: i32 = 0;
    var it = down.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            print(" {d}", .{try world.depth(row.entity)});
            sum += if (row.above.value) |p| p.x else 0;
        }
    }
    print("\nsum of the parents' numbers: {d}\n", .{sum});
    answer("2 becomes a root", world.setParent(e[2], null), .DZ_OK);
    answer("destroy 1", world.destroy(e[1]), .DZ_OK);
    for (1..7) |i| print("  {d} lives: {d}\n", .{ i, @intFromBool(world.isAlive(e[i])) });
}

pub fn names() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const sol = try world.create();
    const earth = try world.create();
    const moon = try world.create();
    const other = try world.create();
    try world.setParent(earth, sol);
    try world.setParent(moon, earth);
    _ = try world.setName(sol, "sol");
    _ = try world.setName(earth, "earth");
    answer("name", world.setName(moon, "moon"), .DZ_NOT_THERE);
    print("its name: {s}\n", .{(try world.name(moon)).?});
    var buffer: [32]u8 = undefined;
    const path = try world.path(moon, &buffer, .{});
    print("its path: {d} bytes, {s}\n", .{ path.total, path.items });
    print("below sol: {s}\n", .{(try world.path(moon, &buffer, .{ .from = sol, .separator = "/" })).items});
    yes("lookup finds it", try world.lookup("sol.earth.moon", .{}) == moon);
    yes("from earth", try world.lookup("moon", .{ .from = earth }) == moon);
    yes("mars is there", try world.lookup("sol/mars", .{ .separator = "/" }) != null);
    yes("no error", dz.lastError() == null);
    const taken = world.setName(other, "sol");
    answer("another sol", taken, .DZ_NOT_THERE);
    refused("because", taken);
    answer("take the name off", world.setName(moon, null), .DZ_NOT_THERE);
    answer("again", world.setName(moon, null), .DZ_NOT_THERE);
    yes("it has a name", try world.name(moon) != null);
    refused("an empty name", world.setName(moon, ""));
}

pub fn instances() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const mass = try world.component(Mass);
    const base = try list.at(world, position, 7);
    const part = try list.at(world, position, 8);
    try world.setParent(part, base);
    _ = try world.setName(part, "engine");
    try world.set(base, mass, .{ .kg = 70 });
    const ship = try world.instantiate(base);
    yes("it is a base", try world.isBase(base));
    yes("the base of the instance", try world.base(ship) == base);
    print("Position from the base: {d}\n", .{try list.number(world, ship, position)});
    yes("its own", try world.source(ship, position) == ship);
    refused("write to what is inherited", world.getMut(ship, position));
    answer("override", world.override(ship, position), .DZ_ALREADY_THERE);
    (try world.getMut(ship, position)).?.x = 9;
    yes("its own", try world.source(ship, position) == ship);
    const its, const of_base = .{ try list.number(world, ship, position), try list.number(world, base, position) };
    print("instance {d}, base {d}\n", .{ its, of_base });
    try world.set(base, mass, .{ .kg = 71 });
    print("Mass from the base: {d}\n", .{(try world.get(ship, mass)).?.kg});
    print("children of the instance: {d}\n", .{try world.childCount(ship)});
    const engine = (try world.lookup("engine", .{ .from = ship })).?;
    print("its engine has {d}\n", .{try list.number(world, engine, position)});
    const query = try world.query(struct { position: dz.Inherited(*const Position) }, .{});
    print("with Position, inherited or not: {d}\n", .{try query.count()});
    answer("no longer an instance", world.remove(ship, dz.instanceOf(base)), .DZ_NOT_THERE);
    yes("has Mass", try world.has(ship, mass));
}

pub fn disabling() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const velocity = try world.component(Velocity);
    const a = try list.at(world, position, 1);
    const b = try list.at(world, position, 2);
    try world.set(a, velocity, .{ .x = 1, .y = 1 });
    try world.set(b, velocity, .{ .x = 2, .y = 2 });
    const both = try world.query(struct { position: *Position, velocity: *Velocity }, .{});
    const still = try world.query(struct { position: *Position, velocity: dz.Without(Velocity) }, .{});
    answer("disable the first", world.setEnabled(a, false), .DZ_NOTHING_TO_DO);
    answer("again", world.setEnabled(a, false), .DZ_NOTHING_TO_DO);
    print("matches: {d}\n", .{try both.count()});
    print("it still has {d}\n", .{try list.number(world, a, position)});
    answer("disable a component of the second", world.setComponentEnabled(b, velocity, false), .DZ_NOTHING_TO_DO);
    print("matches: {d}, without Velocity: {d}\n", .{ try both.count(), try still.count() });
    yes("has it", try world.has(b, velocity));
    yes("is it enabled", try world.isComponentEnabled(b, velocity));
    answer("enable the first", world.setEnabled(a, true), .DZ_NOTHING_TO_DO);
    answer("and the component", world.setComponentEnabled(b, velocity, true), .DZ_NOTHING_TO_DO);
    print("matches: {d}\n", .{try both.count()});
}
