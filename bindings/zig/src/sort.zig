//! Sorting a component's pool.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const World = @import("world.zig").World;

/// For how long a sort holds.
pub const Mode = enum(i32) {
    once = @backingInt(c.dz_sort_mode.DZ_SORT_ONCE),
    /// It can be restored by sortRefresh.
    keep = @backingInt(c.dz_sort_mode.DZ_SORT_KEEP),
};

/// Sorts a component's pool. Stable. `context` is a pointer of yours, or {}; with .keep it must be good for as long as
/// the order is kept. `compare` gets two values, or two values and their entities; of tags the entities alone. It must not
/// call the library.
///
///     fn byDepth(_: void, a: *const Sprite, b: *const Sprite) std.math.Order { return std.math.order(a.depth, b.depth); }
///     try world.sort(sprite, .once, {}, byDepth);
///     fn byDepthOfTheirs(theirs: *Depths, a: *const Sprite, b: *const Sprite, of_a: dz.Entity, of_b: dz.Entity) std.math.Order
///     fn byAge(_: void, a: dz.Entity, b: dz.Entity) std.math.Order
pub fn sort(
    world: World,
    id: anytype,
    mode: Mode,
    context: anytype,
    comptime compare: anytype,
) Error!void {
    const call = comparison(@TypeOf(context), @TypeOf(id), compare);
    try errors.check(c.dz_sort(world.raw, handle.idOf(id), @ptrCast(call), user(context), @backingInt(mode)));
}

/// A comparison as the library calls it.
pub fn comparison(
    comptime Context: type,
    comptime Typed: type,
    comptime compare: anytype,
) *const fn (?*const anyopaque, ?*const anyopaque, u64, u64, ?*anyopaque) callconv(.c) i32 {
    const takes = @typeInfo(@TypeOf(compare)).@"fn".param_types;
    const alone = takes.len == 3 and takes[1] == Entity;
    if (takes.len != 5 and takes.len != 3) @compileError("a comparison is fn (context, *const T, *const T) std.math.Order, with two " ++
        "entities behind them, or instead of them; not " ++ @typeName(@TypeOf(compare)));
    return struct {
        fn call(a: ?*const anyopaque, b: ?*const anyopaque, of_a: u64, of_b: u64, pointer: ?*anyopaque) callconv(.c) i32 {
            const context: Context = if (Context == void) {} else @ptrCast(@alignCast(pointer.?));
            const entities: [2]Entity = .{ @fromBackingInt(of_a), @fromBackingInt(of_b) };
            const args = if (alone) .{ context, entities[0], entities[1] } else blk: {
                const T = handle.ValueOf(Typed);
                const x: *const T, const y: *const T = .{ @ptrCast(@alignCast(a.?)), @ptrCast(@alignCast(b.?)) };
                break :blk if (takes.len == 3) .{ context, x, y } else .{ context, x, y, entities[0], entities[1] };
            };
            return switch (@call(.auto, compare, args)) {
                .lt => -1,
                .eq => 0,
                .gt => 1,
            };
        }
    }.call;
}

pub fn user(context: anytype) ?*anyopaque {
    if (@TypeOf(context) == void) return null;
    return @ptrCast(@constCast(context));
}

/// Puts a pool into the order of another's.
pub fn sortAs(world: World, id: anytype, like: anytype, mode: Mode) Error!void {
    try errors.check(c.dz_sort_as(world.raw, handle.idOf(id), handle.idOf(like), @backingInt(mode)));
}

/// Restores the order that a pool is kept in; false if it is kept in none.
pub fn sortRefresh(world: World, id: anytype) Error!bool {
    return errors.done(c.dz_sort_refresh(world.raw, handle.idOf(id)));
}

/// Keeps a pool in no order any longer; false if it was kept in none.
pub fn sortRelease(world: World, id: anytype) Error!bool {
    return errors.done(c.dz_sort_release(world.raw, handle.idOf(id)));
}
