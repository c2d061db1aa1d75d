//! Sorting a component's pool.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Error = errors.Error;
const World = @import("world.zig").World;

/// For how long a sort holds.
pub const Mode = enum(i32) {
    once = @backingInt(c.dz_sort_mode.DZ_SORT_ONCE),
    /// It can be restored by sortRefresh.
    keep = @backingInt(c.dz_sort_mode.DZ_SORT_KEEP),
};

/// How two values come. It must not call the library.
pub fn Compare(comptime Context: type, comptime T: type) type {
    return fn (Context, *const T, *const T) std.math.Order;
}

/// Sorts a component's pool. Stable. `context` is a pointer of yours, or {}; with .keep it must be good for as long as
/// the order is kept.
///
///     fn byDepth(_: void, a: *const Sprite, b: *const Sprite) std.math.Order { return std.math.order(a.depth, b.depth); }
///     try world.sort(sprite, .once, {}, byDepth);
pub fn sort(
    world: World,
    id: anytype,
    mode: Mode,
    context: anytype,
    comptime compare: Compare(@TypeOf(context), @TypeOf(id).Value),
) Error!void {
    const call = comparison(@TypeOf(context), handle.ValueOf(@TypeOf(id)), compare);
    try errors.check(c.dz_sort(world.raw, handle.idOf(id), @ptrCast(call), user(context), @backingInt(mode)));
}

/// A comparison as the library calls it.
pub fn comparison(
    comptime Context: type,
    comptime T: type,
    comptime compare: Compare(Context, T),
) *const fn (?*const anyopaque, ?*const anyopaque, u64, u64, ?*anyopaque) callconv(.c) i32 {
    return struct {
        fn call(a: ?*const anyopaque, b: ?*const anyopaque, _: u64, _: u64, pointer: ?*anyopaque) callconv(.c) i32 {
            const context: Context = if (Context == void) {} else @ptrCast(@alignCast(pointer.?));
            return switch (compare(context, @ptrCast(@alignCast(a.?)), @ptrCast(@alignCast(b.?)))) {
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
