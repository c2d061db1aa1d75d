//! Builds what the bench links at run time: denizen's shared library and the peers' (`wall`). Both
//! are put into one folder, which the bench remembers as its search path. And the loops that are
//! written in C.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let root = here.parent().expect("the bench is inside the project");
    let libraries = out.join("lib");
    std::fs::create_dir_all(&libraries).expect("a folder for the libraries");

    // Another build of the library, e.g. an older one to compare with.
    println!("cargo::rerun-if-env-changed=DENIZEN_LIB");
    match env::var_os("DENIZEN_LIB") {
        Some(file) => copy(Path::new(&file), &libraries.join("libdenizen.so")),
        None => build(&root.join("Cargo.toml"), "denizen", &out, &libraries),
    }
    build(&here.join("wall/Cargo.toml"), "wall", &out, &libraries);
    // A program asks for denizen by its soname, which carries the major version.
    copy(&libraries.join("libdenizen.so"), &libraries.join("libdenizen.so.0"));

    loops(&here, root);
    zig(&here, root, &out);

    println!("cargo::rustc-link-search=native={}", libraries.display());
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", libraries.display());
    for watched in ["Cargo.toml", "build.rs", "src", "include", "bindings/zig/src"] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    for watched in ["Cargo.lock", "build.rs", "c", "peers", "wall", "zig"] {
        println!("cargo::rerun-if-changed={}", here.join(watched).display());
    }
}

/// Compiles the C loops as a game's release build would: -O3, and for any processor of the
/// architecture.
fn loops(here: &Path, root: &Path) {
    cc::Build::new()
        .std("c11")
        .opt_level(3)
        // Where else a short loop begins is an accident of what stands before it, and worth a fifth of its time.
        .flag_if_supported("-falign-loops=32")
        .debug(false)
        .warnings(true)
        .extra_warnings(true)
        .include(root.join("include"))
        .files(["floor.c", "ours.c", "tree.c", "languages.c"].map(|file| here.join("c").join(file)))
        .cargo_warnings(true)
        .compile("loops");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(3)
        .debug(false)
        .warnings(true)
        .extra_warnings(true)
        .include(root.join("include"))
        .file(here.join("c/languages.cpp"))
        .cargo_warnings(true)
        .compile("loops_cpp");
}

/// The loop of row l in Zig, if its compiler is there: `cfg(zig)` says so.
fn zig(here: &Path, root: &Path, out: &Path) {
    println!("cargo::rustc-check-cfg=cfg(zig)");
    let object = out.join("loop.o");
    let status = Command::new("python3")
        .args("-m ziglang build-obj -O ReleaseFast -mcpu=baseline -fPIC --dep denizen".split(' '))
        .arg(format!("-Mroot={}", here.join("zig/loop.zig").display()))
        .arg(format!("-Mdenizen={}", root.join("bindings/zig/src/denizen.zig").display()))
        .arg(format!("-femit-bin={}", object.display()))
        .env("ZIG_LOCAL_CACHE_DIR", out.join("zig"))
        .env("ZIG_GLOBAL_CACHE_DIR", out.join("zig"))
        .status();
    if status.is_ok_and(|status| status.success()) {
        println!("cargo::rustc-cfg=zig");
        println!("cargo::rustc-link-arg-bins={}", object.display());
    } else {
        println!("cargo::warning=row l has no column for Zig: python3 -m ziglang is not there, or failed");
    }
}

/// Builds one package's shared library and copies it. The inner cargo has a target folder of its
/// own: the outer one holds the lock of the usual folder while this runs.
fn build(manifest: &Path, name: &str, out: &Path, libraries: &Path) {
    let target = out.join(name);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--lib", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&target)
        // What cargo tells this script about the bench is not about that package.
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "building {name} failed");
    let file = format!("lib{name}.so");
    copy(&target.join("release").join(&file), &libraries.join(&file));
}

fn copy(from: &Path, to: &Path) {
    if let Err(error) = std::fs::copy(from, to) {
        panic!("cannot copy {} to {}: {error}", from.display(), to.display());
    }
}
