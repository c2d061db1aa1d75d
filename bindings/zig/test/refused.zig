//! What must not compile. test.sh looks for the sentences behind "says:" among the errors.
const dz = @import("denizen");

fn sliceOfText(run: dz.Batch(void, .runs)) void {
    _ = run.slice(0); // says: a query without a struct of terms has no field names
}

/// Types of which zeros are no value.
fn addPointer(world: dz.World, e: dz.Entity, id: dz.Component(*u32)) !void {
    _ = try world.add(e, id); // says: zeros are no value of *u32: move one in with emplace, or set it
}

fn addEnums(world: dz.World, e: dz.Entity, id: dz.Component([2]enum(u8) { a = 1 })) !void {
    _ = try world.getOrAdd(e, id); // says: zeros are no value of [2]
}

fn addMany(world: dz.World, e: dz.Entity, id: dz.Component(Line)) !void {
    _ = try world.addMany(&.{e}, id); // says: zeros are no value of refused.Line
}

fn getOrAddMany(world: dz.World, e: dz.Entity, id: dz.Component(Choice)) !void {
    var found: [1]*Choice = undefined;
    try world.getOrAddMany(&.{e}, id, &found); // says: zeros are no value of refused.Choice
}

fn createWith(world: dz.World, id: dz.Component(Overlaid)) !void {
    var e: [1]dz.Entity = undefined;
    try world.createWith(&e, .{.{id}}); // says: zeros are no value of refused.Overlaid
}

fn addPair(world: dz.World, e: dz.Entity, id: dz.Component(anyerror)) !void {
    _ = try world.addPair(e, id, e); // says: zeros are no value of anyerror
}

/// Nor of one that owns something.
fn addOwner(world: dz.World, e: dz.Entity, id: dz.Component(Owner)) !void {
    _ = try world.add(e, id); // says: refused.Owner owns something (deinit), so none is made of zeros
}

const Line = struct { text: []const u8, length: u32 = 0 };
const Choice = union(enum) { first: Line, second: u32 };
const Overlaid = extern union { one: *u32, other: [*]u8 };
const Owner = struct {
    number: u32,

    pub fn deinit(_: *Owner) void {}
};

comptime {
    _ = .{ &sliceOfText, &addPointer, &addEnums, &addMany, &getOrAddMany, &createWith, &addPair, &addOwner };
}
