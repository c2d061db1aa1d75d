//! Builds and links denizen for Zig programs, and tests the binding.
//!
//!     zig build test                  everything in bindings/zig; the library is built by cargo
//!     -Dlib-dir=DIR                   takes the library from there instead
//!     -Dlinkage=dynamic               the shared library, not the static one
//!     -Drust-target=TRIPLE            what cargo builds for, if it isn't this machine
//!
//! As a dependency: `b.dependency("denizen", .{ .target = target }).module("denizen")`.
const std = @import("std");

pub fn build(b: *std.Build) void {
    add(b, "", "../..");
}

/// Adds the module and its tests to a build: `here` is this folder and `root` the repository, as seen from the build.zig that
/// runs.
pub fn add(b: *std.Build, comptime here: []const u8, root: []const u8) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});
    const module = b.addModule("denizen", .{
        .root_source_file = b.path(here ++ "src/denizen.zig"),
        .target = target,
        .optimize = optimize,
        .link_libc = true,
    });
    link(b, module, target, root);

    const tests = b.step("test", "Run the binding's tests");
    const run = struct {
        fn of(owner: *std.Build, step: *std.Build.Step, artifact: *std.Build.Step.Compile) void {
            const its = owner.addRunArtifact(artifact);
            its.has_side_effects = true; // the library may have changed
            step.dependOn(&its.step);
        }
    }.of;
    run(b, tests, b.addTest(.{ .root_module = module }));
    run(b, tests, b.addTest(.{ .root_module = program(b, module, target, optimize, here ++ "test/all.zig") }));

    if (optimize.runtimeSafety()) {
        const panics = b.addExecutable(.{
            .name = "panics",
            .root_module = program(b, module, target, optimize, here ++ "test/panics.zig"),
        });
        const gone = "a row is read whose Position has gone or moved";
        for ([_][2][]const u8{ .{ "beyond", "unreachable" }, .{ "destroyed", gone }, .{ "moved", gone } }) |case| {
            const its = b.addRunArtifact(panics);
            its.addArg(case[0]);
            its.expectExitCode(7);
            its.expectStdErrMatch(case[1]);
            its.has_side_effects = true;
            tests.dependOn(&its.step);
        }
    }

    const conformance = b.addExecutable(.{
        .name = "conformance",
        .root_module = program(b, module, target, optimize, here ++ "src/conformance.zig"),
    });
    b.step("conformance", "Print the conformance list's transcript").dependOn(&b.addRunArtifact(conformance).step);
    b.step("install-conformance", "Install the program that prints it").dependOn(&b.addInstallArtifact(conformance, .{}).step);
}

fn program(
    b: *std.Build,
    denizen: *std.Build.Module,
    target: std.Build.ResolvedTarget,
    optimize: std.builtin.Optimize,
    source: []const u8,
) *std.Build.Module {
    const module = b.createModule(.{ .root_source_file = b.path(source), .target = target, .optimize = optimize });
    module.addImport("denizen", denizen);
    return module;
}

const Linkage = enum { static, dynamic };

/// Links the library, which is in -Dlib-dir, or built by cargo.
fn link(b: *std.Build, module: *std.Build.Module, target: std.Build.ResolvedTarget, root: []const u8) void {
    const linkage = b.option(Linkage, "linkage", "How the library is linked (default: static)") orelse .static;
    const rust_target = b.option([]const u8, "rust-target", "The Rust target that cargo builds for (default: this machine)");
    const given = b.option([]const u8, "lib-dir", "Where the library is, already built (default: cargo builds it)");
    const directory = if (given) |path|
        b.graph.cwdRelativePath(path)
    else
        cargo(b, target, rust_target, root);

    const windows = target.result.os.tag == .windows;
    if (linkage == .dynamic) {
        module.addLibraryPath(directory);
        if (!windows) module.addRPath(directory);
        // What a program looks for when it starts; cargo leaves the library under its plain name alone.
        if (!windows and !target.result.os.tag.isDarwin()) {
            const named = b.addWriteFiles();
            _ = named.addCopyFile(directory.path(b, "libdenizen.so"), "libdenizen.so.0");
            module.addRPath(named.getDirectory());
        }
        module.linkSystemLibrary("denizen", .{ .use_pkg_config = .no, .preferred_link_mode = .dynamic, .search_strategy = .mode_first });
        return;
    }
    module.addObjectFile(directory.path(b, if (target.result.abi == .msvc) "denizen.lib" else "libdenizen.a"));
    // What Rust's standard library stands on.
    if (windows) {
        for ([_][]const u8{ "kernel32", "ntdll", "userenv", "ws2_32", "dbghelp" }) |name| module.linkSystemLibrary(name, .{});
    }
    if (!target.result.os.tag.isDarwin()) module.linkSystemLibrary("unwind", .{ .use_pkg_config = .no });
}

/// Has cargo build the library; the folder in which it is then. Cargo knows best what is out of date, so it is asked each time.
fn cargo(b: *std.Build, target: std.Build.ResolvedTarget, rust_target: ?[]const u8, root: []const u8) std.Build.LazyPath {
    if (!target.query.isNative() and rust_target == null) {
        return missing(b, "denizen is to be built for another machine: say for which by -Drust-target=TRIPLE (rustc --print " ++
            "target-list), or where it is by -Dlib-dir=DIR");
    }
    const manifest = b.pathJoin(&.{ root, "Cargo.toml" });
    b.root.root_dir.handle.access(b.graph.io, b.pathJoin(&.{ b.root.sub_path, manifest }), .{}) catch {
        b.graph.poisonCache(); // it may be there the next time
        return missing(b, "denizen's sources are not beside this package, so cargo can't build the library: say where it is by " ++
            "-Dlib-dir=DIR (.@\"lib-dir\" of b.dependency), or depend on the whole repository");
    };
    const run = b.addSystemCommand(&.{ "cargo", "build", "--release", "--lib", "--quiet", "--manifest-path" });
    run.setName("build denizen with cargo (no lib-dir was given)");
    run.addFileArg(b.path(manifest));
    if (rust_target) |triple| run.addArgs(&.{ "--target", triple });
    run.addArg("--target-dir");
    const out = run.addOutputDirectoryArg("cargo");
    run.has_side_effects = true;
    return out.path(b, if (rust_target) |triple| b.pathJoin(&.{ triple, "release" }) else "release");
}

/// A folder that isn't there: who needs it fails, and says that.
fn missing(b: *std.Build, text: []const u8) std.Build.LazyPath {
    const nothing = b.addWriteFiles();
    nothing.step.dependOn(&b.addFail(text).step);
    return nothing.getDirectory();
}
