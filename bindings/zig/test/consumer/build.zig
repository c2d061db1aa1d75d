const std = @import("std");

pub fn build(b: *std.Build) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});
    const exe = b.addExecutable(.{
        .name = "consumer",
        .root_module = b.createModule(.{ .root_source_file = b.path("main.zig"), .target = target, .optimize = optimize }),
    });
    if (b.option([]const u8, "lib-dir", "Where denizen is built already")) |dir| {
        const denizen = b.dependency("denizen", .{ .target = target, .optimize = optimize, .@"lib-dir" = dir });
        exe.root_module.addImport("denizen", denizen.module("denizen"));
    } else {
        const denizen = b.dependency("denizen", .{ .target = target, .optimize = optimize });
        exe.root_module.addImport("denizen", denizen.module("denizen"));
    }
    b.installArtifact(exe);
}
