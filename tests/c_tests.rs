//! Compiles the C tests and examples with the system's C compiler, links them to the shared library
//! of this build, and runs them: `cargo test` alone needs no CMake. (CMake runs the same programs,
//! and the consumers of an installed package besides.)
#![cfg(unix)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn out() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_tests")
}

fn library_name() -> String {
    format!("{DLL_PREFIX}denizen{DLL_SUFFIX}")
}

/// A folder with the shared library in it, also under its soname.
fn library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        // This test is target/<profile>/deps/c_tests-..., or target/<triple>/<profile>/deps/c_tests-... Cargo only
        // builds for it what it links, and that is not the shared library.
        let test = std::env::current_exe().expect("a path");
        let profile = test.parent().and_then(Path::parent).expect("the profile's folder");
        let mut folder = profile.parent().expect("the target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--lib", "--quiet"]).current_dir(root());
        if profile.file_name() == Some(OsStr::new("release")) {
            cargo.arg("--release");
        }
        // Where cargo keeps what it knows of the compiler is the target folder.
        if !folder.join(".rustc_info.json").is_file() {
            cargo.arg("--target").arg(folder.file_name().expect("a triple"));
            folder = folder.parent().expect("the target folder");
        }
        succeed(cargo.arg("--target-dir").arg(folder));
        let file = profile.join(library_name());
        let directory = out().join("lib");
        fs::create_dir_all(&directory).expect("a folder");
        let major = env!("CARGO_PKG_VERSION_MAJOR");
        for name in [library_name(), format!("{}.{major}", library_name())] {
            fs::copy(&file, directory.join(name)).expect("a copy of the library");
        }
        directory
    })
}

fn compiler(cpp: bool) -> Command {
    cc::Build::new()
        .cargo_metadata(false)
        .cpp(cpp)
        .target(env!("DENIZEN_TARGET"))
        .host(env!("DENIZEN_TARGET"))
        .opt_level(0)
        .warnings(true)
        .get_compiler()
        .to_command()
}

/// Runs a command, whose output is shown if it fails.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

/// Compiles sources into a program that finds the library by itself.
fn build(name: &str, sources: &[PathBuf], flags: &[&str]) -> PathBuf {
    build_with(&root().join("include"), name, sources, flags)
}

fn build_with(include: &Path, name: &str, sources: &[PathBuf], flags: &[&str]) -> PathBuf {
    let cpp = sources.iter().any(|source| source.extension() == Some(OsStr::new("cpp")));
    let program = out().join(name);
    let mut command = compiler(cpp);
    command
        .arg(if cpp { "-std=c++17" } else { "-std=c99" })
        .args(flags)
        .arg("-I")
        .arg(include)
        .args(sources)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library())
        .arg(format!("-Wl,-rpath,{}", library().display()))
        .args(["-ldenizen", "-lpthread", "-ldl", "-lm"]);
    succeed(&mut command);
    program
}

fn run(name: &str) {
    let folder = root().join("c_tests");
    let source = ["c", "cpp"]
        .map(|kind| folder.join(format!("{name}.{kind}")))
        .into_iter()
        .find(|file| file.exists())
        .unwrap_or_else(|| panic!("no c_tests/{name}.c"));
    if source.extension() == Some(OsStr::new("cpp")) && compiler(true).arg("--version").output().is_err() {
        eprintln!("NOT TESTED: {name}, for want of a C++ compiler");
        return;
    }
    let mut program = Command::new(build(name, &[source], &STRICT));
    // Only test_dlopen looks: it isn't to find the library by being linked to it.
    succeed(program.env("DENIZEN_LIBRARY", library().join(library_name())));
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test] fn $name() { run(stringify!($name)); })*

        #[test]
        fn no_program_is_forgotten() {
            let listed = [$(stringify!($name)),*];
            for entry in fs::read_dir(root().join("c_tests")).expect("c_tests") {
                let path = entry.expect("an entry").path();
                let name = path.file_stem().and_then(OsStr::to_str).expect("a name");
                if name.starts_with("test_") {
                    assert!(listed.contains(&name), "c_tests/{name} isn't in tests/c_tests.rs");
                }
            }
        }
    };
}

programs! {
    test_abi test_abi_cpp test_access test_bulk test_checks test_component test_cpp test_cpp_access test_cpp_each test_cpp_guide test_cpp_results
    test_cpp_types test_cpp_worlds test_create test_describe test_dlopen test_enable test_entity test_error
    test_forged test_group test_guide test_hooks test_instance test_iterate test_kept test_layout test_listener test_memory test_pair test_query test_quick test_reads test_relations
    test_runs test_sort test_stale test_threads test_tree test_walk test_world
}

/// Large worlds where hardly any room can be set aside for them: no tract is to be had, and no slab after the first two.
/// (Of an emulator the limit would be its own.)
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn test_memory_in_little_room() {
    let source = root().join("c_tests/test_memory.c");
    let program = build("test_memory_in_little_room", &[source], &STRICT);
    succeed(Command::new("sh").args(["-c", "ulimit -v 49152 && exec \"$0\""]).arg(program));
}

#[test]
fn header() {
    let compiler = compiler(false);
    let script = root().join("c_tests/check_header.sh");
    succeed(Command::new("sh").arg(script).arg(compiler.get_program()).arg(root().join("include")));
}

#[test]
#[cfg(target_os = "linux")]
fn symbols() {
    let script = root().join("c_tests/check_symbols.sh");
    let library = library().join(library_name());
    succeed(Command::new("sh").arg(script).arg(root().join("include/denizen")).arg(library));
}

/// The C files of a folder.
fn c_files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = files.map(|file| file.expect("an entry").path());
    files.filter(|path| path.extension() == Some(OsStr::new("c"))).collect()
}

/// examples/name.c, and the files of examples/name/ if there are any.
fn example(name: &str) -> PathBuf {
    let folder = root().join("examples");
    let mut sources = vec![folder.join(format!("{name}.c"))];
    if folder.join(name).is_dir() {
        sources.extend(c_files(&folder.join(name)));
    }
    build(name, &sources, &["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
}

#[test]
fn quickstart() {
    succeed(&mut Command::new(example("quickstart")));
}

#[test]
fn ship() {
    let source = root().join("examples/ship.cpp");
    if compiler(true).arg("--version").output().is_err() {
        eprintln!("NOT TESTED: ship, for want of a C++ compiler");
        return;
    }
    let output = Command::new(build("ship", &[source], &STRICT)).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.starts_with("the ship is at 1 2 0\n") && printed.contains("is dead"), "{printed}");
}

#[test]
fn buffs() {
    let mut test = Command::new("sh");
    succeed(test.arg(root().join("examples/test_buffs.sh")).arg(example("buffs")));
}

#[test]
fn tour() {
    let mut test = Command::new("sh");
    succeed(test.arg(root().join("examples/test_tour.sh")).arg(example("tour")));
}

#[test]
fn save() {
    let mut test = Command::new("sh");
    succeed(test.arg(root().join("examples/test_save.sh")).arg(example("save")));
}

#[test]
fn orrery() {
    let folder = root().join("examples");
    let mut test = Command::new("sh");
    succeed(test.arg(folder.join("test_orrery.sh")).arg(example("orrery")).arg(folder.join("data")));
}

#[test]
fn galaxies() {
    let mut test = Command::new("sh");
    succeed(test.arg(root().join("examples/test_galaxies.sh")).arg(example("galaxies")));
}

/// What every binding prints: the program in C.
fn conformance() -> PathBuf {
    build("conformance", &c_files(&root().join("bindings/conformance")), &STRICT)
}

#[test]
fn conformance_c() {
    let script = root().join("bindings/conformance/compare.sh");
    succeed(Command::new("sh").arg(script).arg(conformance()));
}

#[test]
#[ignore = "writes bindings/conformance/expected.txt"]
fn write_the_transcript() {
    let output = Command::new(conformance()).output().expect("it runs");
    assert!(output.status.success(), "{}", output.status);
    fs::write(root().join("bindings/conformance/expected.txt"), output.stdout).expect("a file");
}

/// Programs of released versions, compiled with their headers, run with today's library: see abi/README.md.
#[test]
fn recorded() {
    let folders = fs::read_dir(root().join("abi")).expect("abi").map(|entry| entry.expect("an entry").path());
    let mut records = 0;
    for record in folders.filter(|path| path.is_dir()) {
        let name = format!("recorded_{records}");
        let program = build_with(&record.join("include"), &name, &c_files(&record.join("program")), &STRICT);
        succeed(Command::new("sh").arg(root().join("abi/abi.sh")).arg("run").arg(record).arg(program));
        records += 1;
    }
    assert!(records > 0, "there is a record");
}

/// The README's first listing in C is the quickstart, to the letter.
#[test]
fn readme_shows_the_quickstart() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let readme = read("README.md");
    let listing = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(listing.expect("README.md has a listing in C"), read("examples/quickstart.c"));
}
