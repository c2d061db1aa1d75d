//! The repository as a Zig package: bindings/zig/build.zig does the work.
const std = @import("std");
const zig = @import("bindings/zig/build.zig");

pub fn build(b: *std.Build) void {
    zig.add(b, "bindings/zig/", "");
}
