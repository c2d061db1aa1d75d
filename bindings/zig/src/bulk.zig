//! Many entities in one call: all or none.
const std = @import("std");
const c = @import("raw.zig");
const access = @import("access.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const Entity = handle.Entity;
const Error = errors.Error;
const ValueOf = handle.ValueOf;
const handles = handle.handles;
const length = handle.length;
const World = @import("world.zig").World;

/// What belongs to each of many entities must be as much.
fn match(comptime call: []const u8, entities: []const Entity, others: usize) Error!void {
    if (others != entities.len) return errors.refuse(error.LengthMismatch, call ++ ": {d} entities, but a slice of {d} for them", .{ entities.len, others });
}

/// Fills a slice with new entities.
pub fn createMany(world: World, entities: []Entity) Error!void {
    try errors.check(c.dz_create_n(world.raw, try length(entities), @ptrCast(entities.ptr)));
}

/// The entities with exactly these handles.
pub fn createManyAt(world: World, entities: []const Entity) Error!void {
    try errors.check(c.dz_create_at_n(world.raw, handles(entities), try length(entities)));
}

/// Fills a slice with new entities that have components: the fastest way to make many. `columns` is a tuple of pairs: a
/// component and a slice of as many values (copied), or a component alone for a tag, zeros, or what its type's init makes.
///
///     try world.createWith(&ships, .{ .{ position, &places }, .{ velocity, &speeds }, .{armed} });
pub fn createWith(world: World, entities: []Entity, columns: anytype) Error!void {
    var raw: [columns.len]c.dz_column = undefined;
    inline for (columns, &raw) |column, *to| {
        const Value = @TypeOf(column[0]).Value;
        to.* = std.mem.zeroes(c.dz_column);
        to.id = handle.idOf(column[0]);
        to.element_size = @sizeOf(Value);
        if (column.len > 1) {
            access.needCopy(Value);
            const values: []const Value = column[1];
            try match("createWith", entities, values.len);
            to.values = access.address(values.ptr);
        } else access.needNew(@TypeOf(column[0]));
    }
    try errors.check(c.dz_create_with(world.raw, try length(entities), &raw, raw.len, @ptrCast(entities.ptr)));
}

/// Ends entities.
pub fn destroyMany(world: World, entities: []const Entity) Error!void {
    try errors.check(c.dz_destroy_n(world.raw, handles(entities), try length(entities), null));
}

/// Ends those that can be ended, and notes for each what it came to (errorOf tells its error).
pub fn destroyEach(world: World, entities: []const Entity, report: []errors.Status) Error!void {
    try match("destroyEach", entities, report.len);
    try errors.check(c.dz_destroy_n(world.raw, handles(entities), try length(entities), report.ptr));
}

/// Adds a component; false if all of them have it.
pub fn addMany(world: World, entities: []const Entity, id: anytype) Error!bool {
    access.needNew(@TypeOf(id));
    return errors.done(c.dz_add_n(world.raw, handles(entities), try length(entities), handle.idOf(id)));
}

/// Takes a component off; false if none of them has it.
pub fn removeMany(world: World, entities: []const Entity, id: anytype) Error!bool {
    return errors.done(c.dz_remove_n(world.raw, handles(entities), try length(entities), handle.idOf(id)));
}

/// Sets a value for each.
pub fn setMany(world: World, entities: []const Entity, id: anytype, values: []const ValueOf(@TypeOf(id))) Error!void {
    const Value = ValueOf(@TypeOf(id));
    access.needCopy(Value);
    try match("setMany", entities, values.len);
    try errors.check(c.dz_set_n(world.raw, handles(entities), try length(entities), handle.idOf(id), @sizeOf(Value), access.address(values.ptr)));
}

/// The value of each, null where an entity doesn't have it. Entities may come twice, in any order.
pub fn getMany(world: World, entities: []const Entity, id: anytype, values: []?*const ValueOf(@TypeOf(id))) Error!void {
    try match("getMany", entities, values.len);
    try errors.check(c.dz_get_n(world.raw, handles(entities), try length(entities), handle.idOf(id), @ptrCast(values.ptr)));
}

/// As getMany, to write to.
pub fn getMutMany(world: World, entities: []const Entity, id: anytype, values: []?*ValueOf(@TypeOf(id))) Error!void {
    try match("getMutMany", entities, values.len);
    try errors.check(c.dz_get_mut_n(world.raw, handles(entities), try length(entities), handle.idOf(id), @ptrCast(values.ptr)));
}

/// The value of each, added where it isn't there. After an error nothing in `values` is a value.
pub fn getOrAddMany(world: World, entities: []const Entity, id: anytype, values: []*ValueOf(@TypeOf(id))) Error!void {
    access.needNew(@TypeOf(id));
    try match("getOrAddMany", entities, values.len);
    try errors.check(c.dz_get_or_add_n(world.raw, handles(entities), try length(entities), handle.idOf(id), @ptrCast(values.ptr)));
}

/// Whether each has it.
pub fn hasMany(world: World, entities: []const Entity, id: anytype, answers: []bool) Error!void {
    try match("hasMany", entities, answers.len);
    try errors.check(c.dz_has_n(world.raw, handles(entities), try length(entities), handle.idOf(id), @ptrCast(answers.ptr)));
}
