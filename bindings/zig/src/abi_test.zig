//! raw.zig against the library's own table: every struct, field, enum and value, and no others.

const std = @import("std");
const raw = @import("raw.zig");

test "every declaration compiles" {
    std.testing.refAllDecls(raw);
}

test "structs and enums are those of the library" {
    const abi = raw.dz_abi_describe();
    var structs: u32 = 0;
    var enums: u32 = 0;
    inline for (comptime std.meta.declarations(raw)) |name| {
        const it = @field(raw, name);
        if (@TypeOf(it) == type) switch (@typeInfo(it)) {
            .@"struct" => |info| {
                const described = try find(abi.*.structs, abi.*.struct_count, name);
                try expect(described.size, @sizeOf(it), name);
                try expect(described.alignment, @alignOf(it), name);
                try expect(described.field_count, info.field_names.len, name);
                inline for (info.field_names, info.field_types) |field, Field| {
                    const at = try find(described.fields, described.field_count, field);
                    try expect(at.offset, @offsetOf(it, field), name ++ "." ++ field);
                    try expect(at.size, @sizeOf(Field), name ++ "." ++ field);
                }
                structs += 1;
            },
            .@"enum" => |info| {
                const described = try find(abi.*.enums, abi.*.enum_count, name);
                try expect(4, @sizeOf(it), name);
                try expect(described.value_count, info.field_names.len, name);
                inline for (info.field_names, info.field_values) |value, number| {
                    try expect((try find(described.values, described.value_count, value)).value, number, value);
                }
                enums += 1;
            },
            else => {},
        };
    }
    try expect(abi.*.struct_count, structs, "structs");
    try expect(abi.*.enum_count, enums, "enums");
}

/// The entry of that name.
fn find(entries: anytype, count: u32, name: []const u8) !@TypeOf(entries[0]) {
    for (entries[0..count]) |entry| {
        if (std.mem.eql(u8, std.mem.span(@as([*:0]const u8, @ptrCast(entry.name))), name)) return entry;
    }
    std.debug.print("{s} is not in dz_abi_describe\n", .{name});
    return error.NotDescribed;
}

fn expect(library: i64, here: i64, what: []const u8) !void {
    if (library == here) return;
    std.debug.print("{s}: the library says {d}, raw.zig {d}\n", .{ what, library, here });
    return error.Different;
}
