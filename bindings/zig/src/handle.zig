//! Handles: entities, and ids, which are all that can be added to an entity.
const std = @import("std");
const c = @import("raw.zig");

/// An entity: slot index, generation, and in the 64-bit layout its world. Keep it for as long as you like; every call that
/// takes one says whether it is still good.
pub const Entity = enum(u64) {
    /// No entity (DZ_NULL).
    none = 0,
    _,

    /// In a query's term: whoever it is (DZ_ANY).
    pub const any: Entity = @fromBackingInt(c.DZ_ANY);

    pub fn index(entity: Entity) u32 {
        return c.dz_entity_index(@backingInt(entity));
    }

    pub fn generation(entity: Entity) u32 {
        return c.dz_entity_generation(@backingInt(entity));
    }

    /// The number of its world; 0 in the 32-bit layout.
    pub fn worldNumber(entity: Entity) u32 {
        return c.dz_entity_world(@backingInt(entity));
    }

    /// From its parts: for saves, and tests. Nothing says that it lives.
    pub fn make(world_number: u32, slot: u32, at_generation: u32) Entity {
        return @fromBackingInt(c.dz_entity_make(world_number, slot, at_generation));
    }

    /// Prints it as "E:1-256[1]": {f} in a format.
    pub fn format(entity: Entity, writer: *std.Io.Writer) std.Io.Writer.Error!void {
        var text: [64]u8 = undefined;
        try writer.writeAll(text[0..c.dz_entity_text(@backingInt(entity), &text, text.len)]);
    }
};

/// What can be added to an entity: a component, a tag, a pair, an entity, or one of the ids below.
pub const Id = enum(u64) {
    none = 0,
    _,

    pub fn role(id: Id) u8 {
        return @intCast(@backingInt(id) >> 56);
    }

    pub fn withoutRole(id: Id) Entity {
        return @fromBackingInt(@backingInt(id) & (std.math.maxInt(u64) >> 8));
    }
};

fn withRole(number: u8, entity: Entity) Id {
    return @fromBackingInt(@as(u64, number) << 56 | @backingInt(entity));
}

/// Says whose child an entity is, for add, remove and has.
pub fn childOf(parent: Entity) Id {
    return withRole(c.DZ_ROLE_CHILDOF, parent);
}

/// Says whose instance an entity is.
pub fn instanceOf(base: Entity) Id {
    return withRole(c.DZ_ROLE_INSTANCEOF, base);
}

/// An id with a role of yours, from DZ_ROLE_USER (128) to 255.
pub fn role(number: u8, entity: Entity) Id {
    return withRole(number, entity);
}

/// A component of a world: the library's id of it, and the Zig type of its values. Belongs to that world. Of one that you make
/// of an Id, as `dz.Component(T){ .id = id }`, the type is taken at your word: only loops, and calls that are given a value,
/// check its size.
pub fn Component(comptime T: type) type {
    return extern struct {
        id: Id,

        pub const Value = T;

        /// Components are entities too.
        pub fn entity(component: @This()) Entity {
            return @fromBackingInt(@backingInt(component.id));
        }
    };
}

/// A pair (relation, target) of a world as an id, and the type of its values; void: it has none.
pub fn Pair(comptime T: type) type {
    return extern struct {
        id: Id,

        pub const Value = T;
    };
}

/// The id of whatever has one: an Id, an Entity, a Component or a Pair.
pub inline fn idOf(thing: anytype) u64 {
    return switch (@TypeOf(thing)) {
        Id, Entity => @backingInt(thing),
        else => |T| if (hasValues(T)) @backingInt(thing.id) else noId(T),
    };
}

/// Whether it is a Component or a Pair.
inline fn hasValues(comptime T: type) bool {
    return comptime @typeInfo(T) == .@"struct" and @hasField(T, "id") and @hasDecl(T, "Value");
}

fn noId(comptime T: type) noreturn {
    @compileError("an id is a Component, a Pair, an Id or an Entity, not " ++
        (if (T == type) "a type: world.component(T) returns its Component" else @typeName(T)));
}

/// The type of the values of an id.
pub fn ValueOf(comptime Typed: type) type {
    if (Typed == Id or Typed == Entity) @compileError("this id has no type: a Component or a Pair has");
    if (!hasValues(Typed)) noId(Typed);
    if (@sizeOf(Typed.Value) == 0) @compileError(@typeName(Typed.Value) ++ " has no data: it is a tag, for add, remove and has");
    return Typed.Value;
}

/// Entities as the library takes them.
pub inline fn handles(entities: []const Entity) [*]const u64 {
    return @ptrCast(entities.ptr);
}

/// The first of a list that went into a buffer, and how long the whole list is.
pub fn Listed(comptime T: type) type {
    return struct {
        items: []T,
        total: u32,

        pub fn of(buffer: []T, total: u32) @This() {
            return .{ .items = buffer[0..@min(buffer.len, total)], .total = total };
        }
    };
}

/// An optional entity of the library's answer.
pub inline fn optional(entity: u64) ?Entity {
    return if (entity == c.DZ_NULL) null else @fromBackingInt(entity);
}

/// Room for a name and the zero behind it: names have up to 255 bytes.
pub const Name = [256]u8;
/// Likewise for a path of names.
pub const Path = [4096]u8;

/// A text with a zero behind it, in a buffer; null if it has one inside, or there isn't room.
pub fn terminated(buffer: []u8, text: []const u8) ?[*:0]const u8 {
    if (text.len >= buffer.len or std.mem.findScalar(u8, text, 0) != null) return null;
    @memcpy(buffer[0..text.len], text);
    buffer[text.len] = 0;
    return buffer[0..text.len :0].ptr;
}

/// Whether a text has a zero inside, with which it would end for the library.
pub fn isCut(text: [:0]const u8) bool {
    return std.mem.findScalar(u8, text, 0) != null;
}

/// The length of an array, as the library counts.
pub inline fn length(slice: anytype) error{Count}!u32 {
    return std.math.cast(u32, slice.len) orelse error.Count;
}
