//! Gives the shared library its name (SONAME), and tells the tests what they are built for.
#![allow(clippy::disallowed_methods)] // those rules are the library's

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let major = of("CARGO_PKG_VERSION_MAJOR");
    // A program that links libdenizen.so asks for this name when it starts, so that a version with
    // another ABI is never loaded in its place. macOS wants to know where the library looks for itself.
    match of("CARGO_CFG_TARGET_OS").as_str() {
        _ if of("CARGO_CFG_TARGET_FAMILY") != "unix" => {} // Windows and WebAssembly have no such name
        "macos" => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libdenizen.dylib"),
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdenizen.so.{major}"),
    }
    // For tests/c_tests.rs, which needs a C compiler for this target.
    println!("cargo::rustc-env=DENIZEN_TARGET={}", of("TARGET"));
}
