//! Worlds, entities, arrays, errors, memory.
const std = @import("std");
const dz = @import("denizen");
const expect = std.testing.expect;
const expectEqual = std.testing.expectEqual;
const expectError = std.testing.expectError;

const Position = struct { x: i32 };
const Frozen = struct {};

test "answers are told from errors, whatever error stands there already" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const entity = try world.create();
    const dead = try world.create();
    try world.destroy(dead);
    try expectError(error.Dead, world.get(dead, position)); // leaves an error
    try expectEqual(null, try world.get(entity, position));
    try expectEqual(null, dz.lastError());
    try expectError(error.Dead, world.parent(dead));
    try expectEqual(null, try world.parent(entity));
    try expectError(error.Dead, world.has(dead, position));
    try expect(!try world.has(entity, position));
    try expectError(error.Dead, world.childCount(dead));
    try expectEqual(0, try world.childCount(entity));
    try expectError(error.Dead, world.get(dead, position));
    try expect(std.mem.endsWith(u8, dz.errorMessage(), "is dead: its slot is now at generation 2"));
}

test "a destroyed world's handle is an error" {
    const world: dz.World = try .init(.{ .layout = .bits32, .capacity = 10 });
    try expect(world.isOpen());
    try world.close();
    try expect(!world.isOpen());
    try expectError(error.WorldDead, world.close());
    try expectError(error.WorldDead, world.create());
    try expectError(error.WorldDead, world.checkOpen());
    world.deinit(); // nothing happens
}

test "a world's memory may come from a Zig allocator, and all of it goes back" {
    const allocator = std.testing.allocator;
    const world: dz.World = try .init(.{ .allocator = &allocator });
    defer world.deinit();
    const position = try world.component(Position);
    var entities: [1000]dz.Entity = undefined;
    try world.createMany(&entities);
    for (entities) |entity| try world.set(entity, position, .{ .x = 1 });
    try expect((try world.stats()).bytes > 0);
    var failing = std.testing.FailingAllocator.init(allocator, .{ .fail_index = 0 });
    const empty = failing.allocator();
    try expectError(error.OutOfMemory, dz.World.init(.{ .allocator = &empty }));
}

test "slices that belong together must be as long as each other" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    var entities: [3]dz.Entity = undefined;
    try world.createMany(&entities);
    const two = [_]Position{ .{ .x = 1 }, .{ .x = 2 } };
    var found: [2]?*const Position = undefined;
    var answers: [4]bool = undefined;
    var report: [1]dz.Status = undefined;
    try expectError(error.LengthMismatch, world.setMany(&entities, position, &two));
    try expectError(error.LengthMismatch, world.getMany(&entities, position, &found));
    try expectError(error.LengthMismatch, world.hasMany(&entities, position, &answers));
    try expectError(error.LengthMismatch, world.destroyEach(&entities, &report));
    try expectError(error.LengthMismatch, world.createWith(&entities, .{.{ position, &two }}));
    try expectEqual(0, try world.count(position));
}

test "arrays" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);
    var entities: [3]dz.Entity = undefined;
    try world.createWith(&entities, .{ .{ position, &[_]Position{ .{ .x = 1 }, .{ .x = 2 }, .{ .x = 3 } } }, .{frozen} });
    var found: [3]?*const Position = undefined;
    try world.getMany(&.{ entities[2], entities[0], entities[2] }, position, &found);
    try expectEqual(3, found[0].?.x);
    try expectEqual(1, found[1].?.x);
    try expect(!try world.addMany(&entities, frozen));
    try expect(try world.removeMany(&entities, position));
    var places: [3]*Position = undefined;
    try world.getOrAddMany(&entities, position, &places);
    try expectEqual(0, places[1].x);
    try expectError(error.Duplicate, world.destroyMany(&.{ entities[0], entities[0] }));
    try world.destroyMany(&entities);
    try world.createManyAt(&.{@as(dz.Entity, .make(entities[0].worldNumber(), 300, 5))});
}

test "entities: listed, printed, remade" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    var entities: [100]dz.Entity = undefined;
    try world.createMany(&entities);
    var seen: usize = 0;
    var it = world.entities();
    while (try it.next()) |entity| {
        try expect(world.isAlive(entity));
        if (entity.index() >= 256) { // the others are components
            try expectEqual(entities[seen], entity);
            seen += 1;
        }
    }
    try expectEqual(100, seen);
    const entity = entities[0];
    var text: [32]u8 = undefined;
    const printed = try std.fmt.bufPrint(&text, "{f}", .{dz.Entity.make(1, 256, 3)});
    try std.testing.expectEqualStrings("E:1-256[3]", printed);
    try expectEqual(entity, dz.Entity.make(entity.worldNumber(), entity.index(), entity.generation()));
    _ = try world.add(entity, position);
    var ids: [4]dz.Id = undefined;
    const its = try world.typeOf(entity, &ids);
    try expectEqual(1, its.total);
    try expectEqual(position.id, its.items[0]);
    try world.destroy(entity);
    try expectEqual(2, try world.generation(entity.index()));
    try world.createAt(.make(entity.worldNumber(), entity.index(), 7));
    const accessor = try world.accessor(position);
    try expectEqual(null, try accessor.get(entities[1]));
    try expectError(error.Dead, accessor.has(entity));
}

test "who is destroyed while entities are listed doesn't come" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    var entities: [100]dz.Entity = undefined;
    try world.createMany(&entities);
    for (entities[1..50]) |entity| try world.setParent(entity, entities[0]);
    var seen: usize = 0;
    var it = world.entities();
    while (try it.next()) |entity| {
        if (entity.index() < 256) continue; // a component
        try world.destroy(entity); // and its children
        seen += 1;
    }
    try expectEqual(51, seen);
}

test "the hierarchy, beyond one buffer" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const root = try world.create();
    var below: [100]dz.Entity = undefined;
    try world.createMany(&below);
    for (below) |child| try world.setParent(child, root);
    var n: usize = 0;
    var children = world.children(root);
    while (try children.next()) |child| : (n += 1) try expectEqual(below[n], child);
    try expectEqual(100, n);
    try expectEqual(null, try children.next()); // it stays at its end
    try world.moveChild(below[0], .{ .before = below[2] });
    try expectEqual(below[1], (try world.firstChild(root)).?);
    try expectEqual(below[2], (try world.nextSibling(below[0])).?);
    try expectEqual(below[1], (try world.previousSibling(below[0])).?);
    try expectEqual(below[99], (try world.lastChild(root)).?);
    children = world.children(root);
    n = 0;
    while (try children.next()) |child| : (n += 1) {
        if (n % 2 == 0) try world.destroy(child) else try world.setParent(child, null);
    }
    try expectEqual(100, n);
    try expectEqual(null, try world.firstChild(root));
    for (below, 0..) |child, i| if (world.isAlive(child)) try world.setParent(child, if (i < 50) root else below[i - 2]);
    var subtree = world.subtree(root, .children_first);
    while (try subtree.next()) |entity| : (n += 1) try world.destroy(entity);
    try expectEqual(151, n);
}

test "what can't go on says so each time" {
    const world: dz.World = try .init(.{});
    const position = try world.component(Position);
    const root = try world.create();
    var below: [40]dz.Entity = undefined; // more than a buffer
    try world.createMany(&below);
    for (below) |child| try world.setParent(child, root);
    var children = world.children(root);
    var entities = world.entities();
    var rows = (try world.query(struct { position: *Position }, .{})).iterate();
    var pool = world.iteratePool(position, .forward);
    for (0..31) |_| _ = try children.next();
    for (0..32) |_| _ = try entities.next();
    try world.destroy(root);
    for (0..2) |_| try expectError(error.Dead, children.next());
    world.deinit();
    for (0..2) |_| {
        try expectError(error.WorldDead, entities.next());
        try expectError(error.WorldDead, rows.nextRow());
        try expectError(error.WorldDead, pool.next());
    }
}

test "a zero inside of a text is no end of it" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    _ = try world.component(Position);
    const entity = try world.create();
    _ = try world.setName(entity, "ship");
    try expectError(error.Name, world.setName(entity, "boat\x00house"));
    var text: [16]u8 = undefined;
    try expectError(error.Name, world.lookup("ship", .{ .separator = "/\x00/" }));
    try expectError(error.Name, world.path(entity, &text, .{ .separator = "/\x00/" }));
    try std.testing.expectEqualStrings("ship", (try world.name(entity)).?);
    try expectEqual(null, try world.lookup("ship\x00yard", .{}));
    try expectEqual(null, try world.findComponent("Position\x00"));
    try expectError(error.Syntax, world.parse("Position\x00, Frozen", .{}));
}

test "relations" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const likes = try world.component(Position); // its value is a pair's
    const a = try world.create();
    const b = try world.create();
    try world.setRelation(likes, .{ .symmetric = true, .on_target = .delete });
    const traits = try world.relation(likes);
    try expect(traits.symmetric and !traits.exclusive);
    try expectEqual(dz.Cleanup.delete, traits.on_target);
    try world.setPair(a, likes, b, .{ .x = 5 });
    try expectEqual(5, (try world.getPair(b, likes, a)).?.x);
    var holders: [1]dz.Entity = undefined;
    try expectEqual(1, (try world.holders(try world.pair(likes, b), &holders)).total);
    try expectEqual(a, holders[0]);
    try expectError(error.Traits, world.setRelation(a, .{ .transitive = true }));
}

test "what the binding itself refuses has a sentence, which names it" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);
    const entity = try world.create();
    _ = try world.add(entity, position);
    try expectError(error.LengthMismatch, world.setMany(&.{entity}, position, &.{}));
    try std.testing.expectEqualStrings("setMany: 1 entities, but a slice of 0 for them", dz.errorMessage());
    try expectEqual(error.LengthMismatch, dz.lastError().?);
    const query = try world.parse("Position, ?Frozen", .{});
    var it = query.iterate();
    const batch = (try it.next()).?;
    try expectError(error.FieldType, batch.column(*u8, 0));
    try std.testing.expectEqualStrings("term 0 as *u8: its elements have 4 bytes, those 1", dz.errorMessage());
    try expectError(error.FieldType, batch.column(*u8, 1));
    try std.testing.expectEqualStrings("term 1 as *u8: it has no data", dz.errorMessage());
    try expectError(error.FieldType, batch.column(*u8, 7));
    try std.testing.expectEqualStrings("term 7 as *u8: there are 2, from 0", dz.errorMessage());
    const wrong: dz.Component(u8) = .{ .id = position.id };
    var pool = world.iteratePool(wrong, .forward);
    try expectError(error.FieldType, pool.next());
    try std.testing.expectEqualStrings("iteratePool as u8: the pool's elements have 4 bytes, those 1", dz.errorMessage());
    // What comes later is what is told: of the library, also where a C function was called.
    try expect(dz.raw.dz_add(world.raw, 0, @backingInt(frozen.id)) != .DZ_OK);
    try expect(std.mem.startsWith(u8, dz.errorMessage(), "dz_add: "));
    try expectEqual(error.NullEntity, dz.lastError().?);
    dz.clearError();
    try std.testing.expectEqualStrings("", dz.errorMessage());
    try expectEqual(null, dz.lastError());
}

test "names and paths need no zero at their end" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const sol = try world.create();
    const earth = try world.create();
    try world.setParent(earth, sol);
    var buffer: [5000]u8 = @splat('x');
    _ = try world.setName(sol, try std.fmt.bufPrint(&buffer, "sol {d}", .{1}));
    _ = try world.setName(earth, "earth");
    try std.testing.expectEqualStrings("sol 1", (try world.name(sol)).?);
    try expectEqual(earth, (try world.lookup(try std.fmt.bufPrint(&buffer, "sol {d}.earth", .{1}), .{})).?);
    try expectEqual(position.id, (try world.findComponent("Positions"[0..8])).?);
    buffer = @splat('x');
    _ = try world.setName(earth, buffer[0..255]);
    try expectError(error.Name, world.setName(earth, buffer[0..256]));
    try std.testing.expectEqualStrings("setName: the name has a zero inside, or more than 255 bytes: 256", dz.errorMessage());
    try expectError(error.Name, world.setName(earth, ""));
    try expectEqual(null, try world.findComponent(buffer[0..256]));
    try expectEqual(null, try world.lookup(buffer[0..4095], .{}));
    try expectError(error.Name, world.lookup(buffer[0..4096], .{}));
    _ = try world.setName(earth, null);
}

test "components by their type, without registering; and what lies there as bytes" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    try expectEqual(null, try world.find(Position));
    const position = try world.component(Position);
    const frozen = try world.component(Frozen);
    try expectEqual(position, (try world.find(Position)).?);
    const Larger = struct {
        pair: [2]u64,
        pub const component_name = "Position";
    };
    try expectError(error.Shape, world.find(Larger));
    try expect(std.mem.startsWith(u8, dz.errorMessage(), "find: Position has 4 bytes"));

    const entity = try world.create();
    const other = try world.create();
    try world.set(entity, position, .{ .x = 7 });
    const bytes = (try world.getBytes(entity, position.id)).?;
    try std.testing.expectEqualSlices(u8, std.mem.asBytes(&Position{ .x = 7 }), bytes);
    try world.setBytes(other, position.id, std.mem.asBytes(&Position{ .x = 8 }));
    try expectEqual(8, (try world.get(other, position)).?.x);
    try expectError(error.Size, world.setBytes(other, position.id, bytes[0..2]));
    _ = try world.remove(entity, position);
    try expectEqual(null, try world.getBytes(entity, position.id));
    try expectError(error.Tag, world.getBytes(entity, frozen.id));
}

test "an id is described for logs" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const entity = try world.create();
    _ = try world.add(entity, try world.component(Frozen));
    var text: [100]u8 = undefined;
    const all = world.describe(entity, &text);
    try expect(std.mem.endsWith(u8, all.items, " alive {Frozen}"));
    try expectEqual(all.items.len, all.total);
    try expectEqual(3, world.describe(entity, text[0..4]).items.len);
    try expectEqual(0, world.describe(entity, &.{}).items.len);
}
