//! The conformance list in Zig, through the typed layer: prints the same as bindings/conformance/conformance.c, line by
//! line. What the types rule out, such as a wrong size, is done by the raw call.
const std = @import("std");
const dz = @import("denizen");
const handles = @import("conformance/handles.zig");
const queries = @import("conformance/queries.zig");
const relations = @import("conformance/relations.zig");
const storage = @import("conformance/storage.zig");

/// Whole numbers, so that every language prints them alike.
pub const Position = extern struct { x: i32 = 0, y: i32 = 0 };
pub const Velocity = extern struct { x: i32 = 0, y: i32 = 0 };
pub const Mass = extern struct { kg: i32 = 0 };
pub const Frozen = struct {};
pub const PositionOf = dz.Component(Position);

var layout: @FieldType(dz.World.Options, "layout") = .bits64;
var out: *std.Io.Writer = undefined;

pub fn print(comptime format: []const u8, args: anytype) void {
    out.print(format, args) catch @panic("stdout is gone");
}

/// A world of the layout that is being run.
pub fn newWorld() !dz.World {
    return .init(.{ .layout = layout });
}

fn statusName(status: dz.Status) [:0]const u8 {
    return std.mem.span(dz.raw.dz_status_name(@backingInt(status)));
}

/// "what: STATUS". Of a result that is false, `otherwise`.
pub fn answer(what: []const u8, result: anytype, otherwise: dz.Status) void {
    const status: dz.Status = if (result) |value|
        (if (@TypeOf(value) == void or value) .DZ_OK else otherwise)
    else |err|
        dz.statusOf(err).?;
    print("{s}: {s}\n", .{ what, statusName(status) });
}

/// "what: STATUS: sentence", if it was refused; and the error is forgotten. The sentence is printed without the name of the
/// call.
pub fn refused(what: []const u8, result: anytype) void {
    _ = result catch |err| {
        const sentence = dz.errorMessage();
        const begin = if (std.mem.find(u8, sentence, ": ")) |colon| colon + 2 else 0;
        print("{s}: {s}: {s}\n", .{ what, statusName(dz.statusOf(err).?), sentence[begin..] });
        dz.clearError();
    };
}

/// Of a raw call.
pub fn check(status: dz.Status) dz.Error!void {
    if (dz.errorOf(status)) |err| return err;
}

pub fn yes(what: []const u8, is: bool) void {
    print("{s}: {s}\n", .{ what, if (is) "yes" else "no" });
}

/// An entity's Position.x; 0 if it has no Position.
pub fn number(world: dz.World, entity: dz.Entity, position: PositionOf) !i32 {
    return if (try world.get(entity, position)) |p| p.x else 0;
}

/// An entity with Position{x, 0}.
pub fn at(world: dz.World, position: PositionOf, x: i32) !dz.Entity {
    const entity = try world.create();
    try world.set(entity, position, .{ .x = x });
    return entity;
}

pub fn main(init: std.process.Init) !void {
    const Section = struct { []const u8, *const fn () anyerror!void };
    const sections = [_]Section{
        .{ "quickstart", handles.quickstart },
        .{ "stale handles", handles.staleHandles },
        .{ "foreign worlds", handles.foreignWorlds },
        .{ "misuse", handles.misuse },
        .{ "hooks", storage.hooks },
        .{ "bulk", storage.bulk },
        .{ "listeners", storage.listeners },
        .{ "queries", queries.queries },
        .{ "changes while iterating", queries.changesWhileIterating },
        .{ "pairs", relations.pairs },
        .{ "hierarchy", relations.hierarchy },
        .{ "names", relations.names },
        .{ "instances", relations.instances },
        .{ "disabling", relations.disabling },
    };
    var buffer: [4096]u8 = undefined;
    var writer: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    out = &writer.interface;
    for ([_]@TypeOf(layout){ .bits64, .bits32 }) |next| {
        layout = next;
        for (sections, 1..) |section, i| {
            print("== {d} {s}, {s}\n", .{ i, section[0], if (layout == .bits64) "64-bit" else "32-bit" });
            dz.clearError();
            try section[1]();
        }
    }
    print("worlds left: {d}\n", .{(try dz.worlds(&.{})).total});
    try out.flush();
}
