//! Component types: names, shapes, hooks from what a type declares.
const std = @import("std");
const dz = @import("denizen");
const expect = std.testing.expect;
const expectEqual = std.testing.expectEqual;
const expectError = std.testing.expectError;

const Position = struct { x: f32, y: f32 };

/// Owns memory, and counts what lives.
const Text = struct {
    bytes: []u8,

    var living: i32 = 0;

    fn of(text: []const u8) !Text {
        const bytes = try std.testing.allocator.dupe(u8, text);
        living += 1;
        return .{ .bytes = bytes };
    }

    pub fn init() !Text {
        return of("new");
    }

    pub fn deinit(self: *Text) void {
        std.testing.allocator.free(self.bytes);
        living -= 1;
    }

    pub fn clone(self: *const Text) !Text {
        if (std.mem.eql(u8, self.bytes, "unique")) return error.Unique;
        return of(self.bytes);
    }
};

/// Owns something, has no clone and nothing to begin with.
const File = struct {
    number: *i32,

    pub fn deinit(self: *File) void {
        self.number.* += 1;
    }
};

/// Knows its own address.
const Node = struct {
    self: ?*Node = null,

    pub fn relocate(to: *Node, from: *Node) void {
        to.* = .{ .self = if (from.self != null) to else null };
    }
};

test "two worlds have ids of their own, and agree by name" {
    const one: dz.World = try .init(.{});
    defer one.deinit();
    const other: dz.World = try .init(.{});
    defer other.deinit();
    const Tag = struct {};
    _ = try other.component(Tag); // so that the ids differ
    const here = try one.component(Position);
    const there = try other.component(Position);
    try expect(here.id != there.id);
    try expectEqual(here.id, (try one.component(Position)).id);
    try expectEqual(here.id, (try one.findComponent("Position")).?);
    try expectEqual(null, try one.findComponent("Nothing"));
    const entity = try one.create();
    try expectError(error.WrongWorld, one.set(entity, there, .{ .x = 1, .y = 2 }));
    try expectEqual(null, try one.get(entity, here));
}

test "a struct of components, names and policies" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Pinned = struct {
        at: u64,
        pub const component_name = "My, own";
        pub const component_policy: dz.Policy = .stable;
    };
    const Late = struct { at: u64 };
    const Frozen = struct {};
    const Parts = struct { position: dz.Component(Position), pinned: dz.Component(Pinned), frozen: dz.Component(Frozen) };
    const parts = try world.components(Parts);
    try expectEqual(parts.pinned.id, (try world.findComponent("My, own")).?);
    const info = try world.componentInfo(parts.pinned);
    try expectEqual(8, info.element_size);
    try expectEqual(@backingInt(dz.Policy.stable), info.policy);
    try expectEqual(0, (try world.componentInfo(parts.frozen)).element_size);
    var ids: [8]dz.Id = undefined;
    try expectEqual(4, (try world.listComponents(&ids)).total); // and the built-in one
    // A query finds what is registered with another policy, and says so where another type has the name.
    var desc = std.mem.zeroes(dz.raw.dz_component_desc);
    desc.size = @sizeOf(dz.raw.dz_component_desc);
    desc.policy = @backingInt(dz.Policy.stable);
    desc.name = "Late";
    desc.element_size = @sizeOf(Late);
    desc.element_alignment = @alignOf(Late);
    try expect(dz.raw.dz_component_register(world.raw, &desc) != dz.raw.DZ_NULL);
    try expectError(error.Shape, world.component(Late));
    _ = try world.query(struct { late: *Late }, .{});
    const Other = struct {
        value: u8,
        pub const component_name = "Position";
    };
    try expectError(error.Shape, world.query(struct { other: *Other }, .{}));
    try expect(std.mem.find(u8, dz.errorMessage(), "Position") != null);
}

test "a type that is made of another is a component of its own" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Other = struct { x: f32, y: f32 };
    const position = try world.component(Position);
    const places = try world.component([4]Position);
    const target = try world.component(?*Position);
    const other = try world.component(?*Other);
    try expect(places.id != position.id);
    try expect(target.id != other.id); // of one size
}

test "defaults of fields are what add makes" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Health = struct { points: i32 = 100, shield: ?u8 = null };
    const health = try world.component(Health);
    const position = try world.component(Position);
    const entity = try world.create();
    try expect(try world.add(entity, health));
    try expect(!try world.add(entity, health));
    try expectEqual(100, (try world.get(entity, health)).?.points);
    try expect(try world.add(entity, position));
    try expectEqual(0, (try world.get(entity, position)).?.x);
}

test "a default may be large" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Line = struct { len: u32 = 3, bytes: [4096]u8 = @splat(0) };
    const text = try world.component(Line);
    const e = try world.create();
    try expect(try world.add(e, text));
    try expectEqual(3, (try world.get(e, text)).?.len);
}

test "a default may be undefined" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const Line = struct { bytes: [16]u8 = undefined, len: u32 = 3 };
    const line = try world.component(Line);
    const e = try world.create();
    try expect(try world.add(e, line));
    try expectEqual(3, (try world.get(e, line)).?.len);
}

test "init, deinit and clone are the hooks" {
    {
        const world: dz.World = try .init(.{});
        defer world.deinit();
        const text = try world.component(Text);
        const a = try world.create();
        const b = try world.create();
        _ = try world.add(a, text);
        try std.testing.expectEqualStrings("new", (try world.get(a, text)).?.bytes);
        var mine: Text = try .of("mine");
        try world.set(b, text, mine); // a copy
        mine.deinit();
        try std.testing.expectEqualStrings("mine", (try world.get(b, text)).?.bytes);
        try world.emplace(a, text, try .of("moved"));
        try std.testing.expectEqualStrings("moved", (try world.get(a, text)).?.bytes);
        const copy = try world.clone(a);
        try expect((try world.get(copy, text)).?.bytes.ptr != (try world.get(a, text)).?.bytes.ptr);
        try expectEqual(3, Text.living);
        // What can't be cloned: nothing changes, nothing is lost.
        try world.emplace(b, text, try .of("unique"));
        try expectError(error.HookFailed, world.clone(b));
        try expectEqual(3, Text.living);
        try world.destroy(copy);
        try expectEqual(2, Text.living);
    }
    try expectEqual(0, Text.living);
}

test "what a hook fails with is told" {
    const Save = struct {
        number: u32,
        pub fn init() !@This() {
            return error.FileNotFound;
        }
    };
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const save = try world.component(Save);
    const file = try world.component(File);
    const entity = try world.create();
    try expectError(error.HookFailed, world.add(entity, save));
    try expect(std.mem.endsWith(u8, dz.errorMessage(), ": error.FileNotFound"));
    try expect(std.mem.startsWith(u8, dz.errorMessage(), "dz_add: "));
    var ended: i32 = 0;
    try world.emplace(entity, file, .{ .number = &ended });
    try expectError(error.HookFailed, world.clone(entity));
    try expect(std.mem.endsWith(u8, dz.errorMessage(), ": error.NoClone"));
}

test "what owns something and has no clone is moved in, never copied" {
    var ended: i32 = 0;
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const file = try world.component(File);
    const entity = try world.create();
    try expectError(error.HookFailed, world.add(entity, file.id)); // with its type it doesn't compile
    try world.emplace(entity, file, .{ .number = &ended });
    try expectEqual(0, ended);
    try expectError(error.HookFailed, world.clone(entity));
    try world.emplace(entity, file, .{ .number = &ended });
    try expectEqual(1, ended); // the first one
    try world.destroy(entity);
    try expectEqual(2, ended);
    try expectError(error.Dead, world.emplace(entity, file, .{ .number = &ended }));
    try expectEqual(3, ended); // refused, so ended
}

test "what owns something is moved into pairs and the world, too" {
    var ended: i32 = 0;
    const world: dz.World = try .init(.{});
    const file = try world.component(File);
    const entity = try world.create();
    const target = try world.create();
    try world.emplaceSingleton(file, .{ .number = &ended });
    try world.emplacePair(entity, file, target, .{ .number = &ended });
    try expectEqual(0, ended);
    try expectEqual(&ended, (try world.singleton(file)).?.number);
    try expectEqual(&ended, (try world.getPair(entity, file, target)).?.number);
    try world.emplaceSingleton(file, .{ .number = &ended });
    try world.emplacePair(entity, file, target, .{ .number = &ended });
    try expectEqual(2, ended); // the first ones
    world.deinit();
    try expectEqual(4, ended);
    try expectError(error.WorldDead, world.emplaceSingleton(file, .{ .number = &ended }));
    try expectError(error.WorldDead, world.emplacePair(entity, file, target, .{ .number = &ended }));
    try expectEqual(6, ended); // refused, so ended
}

test "a type whose deinit takes an allocator has hooks that are given" {
    const List = std.ArrayList(u8);
    const destruct = struct {
        fn hook(elements: ?*anyopaque, count: u32, allocator: ?*anyopaque) callconv(.c) void {
            const gpa: *std.mem.Allocator = @ptrCast(@alignCast(allocator.?));
            for (@as([*]List, @ptrCast(@alignCast(elements.?)))[0..count]) |*list| list.deinit(gpa.*);
        }
    }.hook;
    var gpa = std.testing.allocator;
    const world: dz.World = try .init(.{});
    defer world.deinit();
    try expectError(error.NotComponent, world.query(struct { list: *List }, .{}));
    try expect(std.mem.startsWith(u8, dz.errorMessage(), "query: " ++ comptime dz.nameOf(List)));
    const list = try world.componentWith(List, .{ .construct = null, .destruct = destruct, .copy = null, .relocate = null, .user = &gpa });
    const query = try world.query(struct { entity: dz.Entity, list: *List }, .{});
    const entity = try world.create();
    _ = try world.add(try world.create(), list);
    var bytes: List = .empty;
    try bytes.append(gpa, 7);
    try world.set(entity, list, bytes); // moved: there is no copy hook
    var it = query.iterate();
    while (try it.nextRow()) |row| try row.list.appendSlice(gpa, "more");
    try expectEqual(5, (try world.get(entity, list)).?.items.len);
}

/// Owns memory of an allocator that may have none.
const Words = struct {
    bytes: []u8,

    var gpa: std.mem.Allocator = undefined;

    pub fn init() !Words {
        return .{ .bytes = try gpa.dupe(u8, "new") };
    }

    pub fn deinit(self: *Words) void {
        gpa.free(self.bytes);
    }

    pub fn clone(self: *const Words) !Words {
        if (self.bytes[0] == 'u') return error.Unique;
        return .{ .bytes = try gpa.dupe(u8, self.bytes) };
    }
};

fn useWords(gpa: std.mem.Allocator) !void {
    Words.gpa = gpa;
    const world: dz.World = try .init(.{ .allocator = &gpa });
    defer world.deinit();
    const words = try world.component(Words);
    var entities: [20]dz.Entity = undefined;
    try world.createWith(&entities, .{.{words}});
    (try world.getOrAdd(try world.create(), words)).bytes[0] = 'u';
    const copy = try world.clone(entities[0]);
    try world.set(entities[1], words, (try world.get(copy, words)).?.*);
    try world.setSingleton(words, (try world.get(copy, words)).?.*);
    (try world.getMut(copy, words)).?.bytes[0] = 'u';
    if (world.clone(copy)) |_| return error.Cloned else |err| if (err != error.HookFailed) return err;
}

test "what runs out of memory says so, in hooks too, and nothing is lost" {
    try std.testing.checkAllAllocationFailures(std.testing.allocator, useWords, .{});
}

test "that a hook ran out of memory in a C function is forgotten with the error" {
    var failing = std.testing.FailingAllocator.init(std.testing.allocator, .{ .fail_index = 0 });
    Words.gpa = failing.allocator();
    const refuse = struct {
        fn hook(_: ?*anyopaque, _: u32, _: ?*anyopaque) callconv(.c) i32 {
            return 1;
        }
    }.hook;
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const words = try world.component(Words);
    const position = try world.componentWith(Position, .{ .construct = refuse, .destruct = null, .copy = null, .relocate = null, .user = null });
    const entity = try world.create();
    try expectError(error.OutOfMemory, world.add(entity, words));
    try expectError(error.HookFailed, world.add(entity, position));
    try expectEqual(.DZ_ERR_HOOK_FAILED, dz.raw.dz_add(world.raw, @backingInt(entity), @backingInt(words.id)));
    dz.clearError();
    try expectError(error.HookFailed, world.add(entity, position));
}

test "emplace that runs out of memory anywhere ends the value once" {
    var done = false;
    var fail_index: usize = 0;
    while (!done) : (fail_index += 1) {
        var failing = std.testing.FailingAllocator.init(std.testing.allocator, .{});
        const allocator = failing.allocator();
        const world: dz.World = try .init(.{ .allocator = &allocator });
        defer world.deinit();
        const file = try world.component(File);
        const entity = try world.create();
        var ended: i32 = 0;
        failing.fail_index = failing.alloc_index + fail_index;
        failing.resize_fail_index = failing.resize_index;
        if (world.emplace(entity, file, .{ .number = &ended })) {
            done = true;
            try expectEqual(0, ended);
        } else |err| {
            try expectEqual(error.OutOfMemory, err);
            try expectEqual(1, ended);
            try expect(!try world.has(entity, file));
        }
    }
    try expect(fail_index > 1);
}

test "relocate is called where elements move" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const node = try world.component(Node);
    var entities: [100]dz.Entity = undefined;
    try world.createMany(&entities);
    for (entities) |entity| {
        const its = try world.getOrAdd(entity, node);
        its.self = its;
    }
    for (entities[0..50]) |entity| try world.destroy(entity);
    for (entities[50..]) |entity| {
        const its = (try world.get(entity, node)).?;
        try expectEqual(its, @as(*const Node, its.self.?));
    }
}

/// Has a pointer into itself, to begin with too.
const Buffer = struct {
    bytes: [8]u8 = @splat(0),
    end: [*]u8,

    pub fn init() Buffer {
        var made: Buffer = .{ .end = undefined };
        made.end = &made.bytes;
        return made;
    }

    pub fn clone(self: *const Buffer) Buffer {
        return self.*;
    }

    pub fn relocate(to: *Buffer, from: *Buffer) void {
        to.* = from.*;
        to.end = &to.bytes;
    }
};

fn checkBuffer(buffer: *const Buffer) !void {
    try expectEqual(@as([*]const u8, &buffer.bytes), buffer.end);
}

test "relocate is called for what is added, set, cloned and moved in" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const buffer = try world.component(Buffer);
    const node = try world.component(Node);
    const entity = try world.create();
    const value: Buffer = .init();
    try checkBuffer(try world.getOrAdd(entity, buffer));
    for (0..2) |_| { // in place of one, and where none is
        try world.set(entity, buffer, value);
        try checkBuffer((try world.get(entity, buffer)).?);
        try world.emplace(entity, buffer, value);
        try checkBuffer((try world.get(entity, buffer)).?);
        _ = try world.remove(entity, buffer);
    }
    try world.emplace(entity, buffer, value);
    try checkBuffer((try world.get(try world.clone(entity), buffer)).?);
    try world.emplaceSingleton(buffer, value);
    try checkBuffer((try world.singleton(buffer)).?);
    var one: Node = .{};
    one.self = &one;
    try world.set(entity, node, one); // it has no clone
    const its = (try world.get(entity, node)).?;
    try expectEqual(its, @as(*const Node, its.self.?));
}

test "singletons, and whose element it is" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    try expectEqual(null, try world.singleton(position));
    try world.setSingleton(position, .{ .x = 3, .y = 4 });
    (try world.singletonMut(position)).?.x = 5;
    try expectEqual(5, (try world.singleton(position)).?.x);
    try expect(try world.removeSingleton(position));
    try expect(!try world.removeSingleton(position));
    const entity = try world.create();
    const value = try world.getOrAdd(entity, position);
    try expectEqual(entity, try world.entityOf(position, value));
    var other: Position = undefined;
    try expectError(error.NotElement, world.entityOf(position, &other));
}

fn usePointer(comptime T: type, value: T) !void {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const target = try world.component(T);
    const e = try world.create();
    var some: [1]dz.Entity = undefined;
    try world.set(e, target, value);
    try world.emplace(e, target, value);
    try expectEqual(value, (try world.get(e, target)).?.*);
    try expectEqual(e, try world.entityOf(target, (try world.get(e, target)).?));
    try world.setSingleton(target, value);
    try world.emplaceSingleton(target, value);
    try expectEqual(value, (try world.singleton(target)).?.*);
    try world.setPair(e, target, e, value);
    try world.emplacePair(e, target, e, value);
    try expectEqual(value, (try world.getPair(e, target, e)).?.*);
    try world.createWith(&some, .{.{ target, &[_]T{value} }});
    try world.setMany(&some, target, &.{value});
    try expectEqual(value, (try world.get(some[0], target)).?.*);
}

test "a component may be a pointer" {
    var number: u32 = 1;
    var other: *u32 = &number;
    try usePointer(*u32, &number);
    try usePointer(*const u32, &number);
    try usePointer(?*u32, null);
    try usePointer(**u32, &other);
    try usePointer([*]u32, @ptrCast(&number));
    try usePointer(?*anyopaque, &number);
}

test "another type of the same name and shape is no component" {
    const Moving = struct {
        const State = struct { speed: u64 };
    };
    const Resting = struct {
        const State = struct {
            since: *u64,

            var ended: u32 = 0;

            pub fn deinit(_: *@This()) void {
                ended += 1;
            }
        };
    };
    const world: dz.World = try .init(.{});
    const state = try world.component(Moving.State);
    const entity = try world.create();
    try world.set(entity, state, .{ .speed = 7 });
    try expectError(error.NameTaken, world.component(Resting.State));
    try expect(std.mem.find(u8, dz.errorMessage(), @typeName(Moving.State)) != null);
    try expect(std.mem.find(u8, dz.errorMessage(), @typeName(Resting.State)) != null);
    try expectError(error.NameTaken, world.query(struct { state: *Resting.State }, .{}));
    try expectEqual(state.id, (try world.component(Moving.State)).id);
    // In another world, and where the first is gone, the name is free.
    const other: dz.World = try .init(.{});
    defer other.deinit();
    _ = try other.component(Resting.State);
    try expectError(error.NameTaken, other.component(Moving.State));
    try world.unregister(state);
    _ = try world.component(Resting.State);
    world.deinit();
    try expectEqual(0, Resting.State.ended);
    // What others registered, as C, or a library that was compiled apart, is known by name and shape.
    var desc = std.mem.zeroes(dz.raw.dz_component_desc);
    desc.size = @sizeOf(dz.raw.dz_component_desc);
    desc.name = "Position";
    desc.element_size = @sizeOf(Position);
    desc.element_alignment = @alignOf(Position);
    const id = dz.raw.dz_component_register(other.raw, &desc);
    try expectEqual(id, @backingInt((try other.component(Position)).id));
}

test "zeros are a value of most types" {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const entity = try world.create();
    const Kinds = struct {
        optional: ?*u32,
        open: enum(u8) { a = 1, _ },
        named: enum { a, b },
        tagged: union(enum) { number: u32, text: []u8 },
        overlaid: extern union { text: [*]u8, number: u32 },
        foreign: [*c]u8,
        result: anyerror!u32,
        empty: [0]*u32,
        bits: packed struct { a: u3, b: u5 },
        many: @Vector(4, f32),
    };
    const kinds = try world.component(Kinds);
    try expect(try world.add(entity, kinds));
    const its = (try world.get(entity, kinds)).?;
    try expectEqual(null, its.optional);
    try expectEqual(.a, its.named);
    try expectEqual(0, its.tagged.number);
    try expectEqual(0, try its.result);
    // With defaults, an init, or hooks of yours, what add makes is a value in any case.
    const Given = struct { to: *const [1]u8 = "x" };
    try expect(try world.add(entity, try world.component(Given)));
    try std.testing.expectEqualStrings("x", (try world.get(entity, try world.component(Given))).?.to);
}
