//! Programs that are wrong, by name: build.zig sees that each ends with the sentence that it knows. Where the compiler checks.
const std = @import("std");
const dz = @import("denizen");

const Position = struct { x: f32 = 0 };

pub const panic = std.debug.FullPanic(struct {
    fn call(sentence: []const u8, _: ?usize) noreturn {
        std.debug.print("{s}\n", .{sentence});
        std.process.exit(7);
    }
}.call);

pub fn main(init: std.process.Init.Minimal) !void {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    var ships: [4]dz.Entity = undefined;
    try world.createWith(&ships, .{.{position}});
    var args = init.args.iterate();
    _ = args.next();
    const program = std.meta.stringToEnum(Program, args.next().?).?;

    const query = try world.query(struct { entity: dz.Entity, position: *Position }, .{});
    const text = try world.parse("Position", .{});
    var it = query.iterate();
    var untyped = text.iterate();
    const batch = (try it.next()).?;
    const column = try (try untyped.next()).?.column(*Position, 0);
    switch (program) {
        .beyond => column.at(batch.count).x = 1,
        .destroyed => for (0..batch.count) |i| {
            if (batch.row(i).position.x == 0) try world.destroyMany(&ships);
        },
        .moved => for (0..batch.count) |i| {
            _ = batch.row(i);
            _ = try world.remove(ships[0], position); // the last one takes its place
        },
    }
}

const Program = enum { beyond, destroyed, moved };
