//! A program of somebody else's that depends on the package.
const std = @import("std");
const dz = @import("denizen");

const Position = struct { x: f32, y: f32, z: f32 };

pub fn main() !void {
    const world: dz.World = try .init(.{});
    defer world.deinit();
    const position = try world.component(Position);
    const ship = try world.create();
    try world.set(ship, position, .{ .x = 1, .y = 2, .z = 0 });
    if (try world.get(ship, position)) |p| std.debug.print("the ship is at {d} {d} {d}\n", .{ p.x, p.y, p.z });
}
