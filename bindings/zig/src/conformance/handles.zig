//! The quickstart, and what bad handles and bad arguments come to.
const std = @import("std");
const dz = @import("denizen");
const list = @import("../conformance.zig");
const Position = list.Position;
const Velocity = list.Velocity;
const Frozen = list.Frozen;
const answer = list.answer;
const check = list.check;
const print = list.print;
const refused = list.refused;
const yes = list.yes;

pub fn quickstart() !void {
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const velocity = try world.component(Velocity);
    const frozen = try world.component(Frozen);
    const ship = try world.create();
    const rock = try world.create();

    try world.set(ship, position, .{ .x = 0, .y = 0 });
    try world.set(ship, velocity, .{ .x = 1, .y = 2 });
    try world.set(rock, position, .{ .x = 9, .y = 9 });
    try world.set(rock, velocity, .{ .x = 1, .y = 2 });
    _ = try world.add(rock, frozen);

    const movers = try world.query(struct { to: *Position, by: *const Velocity, frozen: dz.Without(Frozen) }, .{});
    var it = movers.iterate();
    while (try it.next()) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            row.to.x += row.by.x;
            row.to.y += row.by.y;
        }
    }
    const of_ship = (try world.get(ship, position)).?;
    print("the ship is at {d} {d}\n", .{ of_ship.x, of_ship.y });
    const of_rock = (try world.get(rock, position)).?;
    print("the rock is at {d} {d}\n", .{ of_rock.x, of_rock.y });
    try world.destroy(ship);
    refused("get of the destroyed ship", world.get(ship, position));
}

pub fn staleHandles() !void {
    const world = try list.newWorld();
    const position = try world.component(Position);
    const dead = try list.at(world, position, 1);
    answer("destroy", world.destroy(dead), .DZ_OK);
    yes("the dead one is alive", world.isAlive(dead));
    answer("why not", world.check(dead), .DZ_OK);
    dz.clearError();
    refused("get", world.get(dead, position));
    refused("get_mut", world.getMut(dead, position));
    refused("has", world.has(dead, position));
    refused("set", world.set(dead, position, .{ .x = 2 }));
    refused("add", world.add(dead, position));
    refused("remove", world.remove(dead, position));
    refused("destroy again", world.destroy(dead));

    const next = try list.at(world, position, 3);
    yes("the slot is used again", next.index() == dead.index());
    print("generations: {d} then {d}\n", .{ dead.generation(), next.generation() });
    yes("the new one is alive", world.isAlive(next));
    yes("the dead one is alive", world.isAlive(dead));
    refused("get of the old handle", world.get(dead, position));
    refused("set by the old handle", world.set(dead, position, .{ .x = 4 }));
    refused("destroy by the old handle", world.destroy(dead));
    print("the new one still has {d}\n", .{try list.number(world, next, position)});

    answer("why not null", world.check(.none), .DZ_OK);
    answer("why not one never created", world.check(@fromBackingInt(@backingInt(next) + 1000)), .DZ_OK);
    try world.close();
    yes("the world is alive", world.isOpen());
    dz.clearError();
    refused("create in a destroyed world", world.create());
    refused("get in a destroyed world", world.get(next, position));
    refused("destroy the world again", world.close());
}

pub fn foreignWorlds() !void {
    const one = try list.newWorld();
    defer one.deinit();
    const other = try list.newWorld();
    defer other.deinit();
    const position = try one.component(Position);
    const theirs = try other.component(Position);
    const mine = try list.at(one, position, 1);
    yes("it lives in its world", one.isAlive(mine));
    yes("it lives in the other", other.isAlive(mine));
    refused("get in the other", other.get(mine, theirs));
    refused("set in the other", other.set(mine, theirs, .{ .x = 2 }));
    refused("destroy in the other", other.destroy(mine));
    refused("set_parent in the other", other.setParent(mine, null));
    print("it still has {d}\n", .{try list.number(one, mine, position)});
    print("alive: {d}\n", .{@intFromBool(one.isAlive(mine))});
}

/// The tag that takes Position's name.
const Other = struct {
    pub const component_name = "Position";
};

pub fn misuse() !void {
    const c = dz.raw;
    const world = try list.newWorld();
    defer world.deinit();
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);
    const entity = try list.at(world, position, 1);
    const plain = try world.create();
    const raw, const e, const p = .{ world.raw, @backingInt(entity), @backingInt(position.id) };
    const wide: i64 = 0;

    refused("set of a wrong size", check(c.dz_set(raw, e, p, 4, &wide)));
    refused("set from null", check(c.dz_set(raw, e, p, @sizeOf(Position), null)));
    refused("set of a tag", check(c.dz_set(raw, e, @backingInt(frozen.id), @sizeOf(i64), &wide)));
    const tag: dz.Component(i64) = .{ .id = frozen.id };
    refused("get of a tag", world.get(entity, tag));
    const none: dz.Component(i64) = .{ .id = @fromBackingInt(@backingInt(plain)) };
    refused("set of what is no component", world.set(entity, none, 0));
    refused("get of the null component", world.get(entity, PositionNone));
    refused("get of the null entity", world.get(.none, position));
    refused("add to a component", world.add(position.entity(), frozen));
    refused("destroy of a component that is held", world.destroy(position.entity()));
    var answers: [1]u8 = undefined;
    refused("has_n of null", check(c.dz_has_n(raw, null, 1, p, &answers)));
    refused("another shape", world.component(Other));
    var wrong = std.mem.zeroes(c.dz_component_desc);
    wrong.size = @sizeOf(c.dz_component_desc);
    wrong.name = "Odd";
    wrong.element_size = 4;
    wrong.element_alignment = 3;
    refused("an odd alignment", register(raw, &wrong));
    wrong.size = 0;
    refused("a descriptor without its size", register(raw, &wrong));
    refused("a query with an unknown name", world.parse("Position, Nope", .{}));
    refused("a query with a mistake", world.parse("Position,, Frozen", .{}));
    refused("a query that asks for nothing", world.parse("!Frozen", .{}));
    const no_world: dz.World = .{ .raw = .{ .bits = 0 } };
    refused("no world", no_world.checkOpen());
    answer("add what is there", world.add(entity, position), .DZ_ALREADY_THERE);
    answer("remove what isn't", world.remove(entity, frozen), .DZ_NOT_THERE);
    yes("answers leave no error", dz.lastError() == null);
    print("it still has {d}\n", .{try list.number(world, entity, position)});
}

const PositionNone: list.PositionOf = .{ .id = .none };

fn register(world: dz.raw.dz_world, desc: *const dz.raw.dz_component_desc) dz.Error!void {
    if (dz.raw.dz_component_register(world, desc) == dz.raw.DZ_NULL) return dz.lastError().?;
}
