//! The documents say what is so: the names in them are in the header, their links lead somewhere, the listings of the
//! guide are compiled, each guarantee has a test that exists, and each function is used in a program.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "misuse/parse.rs"]
#[allow(dead_code)]
mod parse;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, and of those in it, that end so.
fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn documents() -> Vec<PathBuf> {
    let mut all = files("docs", ".md");
    all.push(root().join("README.md"));
    all
}

fn header() -> String {
    let folder = root().join("include/denizen");
    read(&folder.join("denizen.h")) + &read(&folder.join("denizen_inline.h"))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// All words of a text that begin with dz_ or DZ_; of a struct with the field behind a dot.
fn names(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("dz_").chain(text.match_indices("DZ_")) {
        if text[..at].ends_with(is_word) {
            continue;
        }
        let rest = &text[at..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let field =
            rest[end..].strip_prefix('.').filter(|field| field.starts_with(|c: char| c.is_ascii_lowercase()));
        let field = field.map_or(0, |field| 1 + field.find(|c| !is_word(c)).unwrap_or(field.len()));
        // "DZ_..." stands for many, and so does a name that ends so.
        if !rest[3..end].is_empty() && !rest[..end].ends_with('_') {
            found.insert(&rest[..end + field]);
        }
    }
    found
}

/// What of the names a header doesn't have.
fn unknown<'a>(names: &BTreeSet<&'a str>, header: &str) -> Vec<&'a str> {
    let known: BTreeSet<&str> = header.split(|c| !is_word(c)).collect();
    let is_known = |name: &str| match name.split_once('.') {
        None => known.contains(name),
        // "dz_get.h" is a file's name, and "dz_next. it" no field.
        Some((of, field)) if header.contains(&format!("struct {of} {{")) => {
            parse::fields(header, of).iter().any(|declared| declared.name == field)
        }
        Some((of, _)) => known.contains(of),
    };
    names.iter().copied().filter(|name| !is_known(name)).collect()
}

#[test]
fn every_name_is_in_the_header() {
    let header = header();
    for path in documents() {
        let text = read(&path);
        let unknown = unknown(&names(&text), &header);
        assert!(unknown.is_empty(), "{} names what the header doesn't have: {unknown:?}", path.display());
    }
    assert!(names(&read(&root().join("docs/migrating.md"))).len() > 100, "the tables have names");
}

/// The table of those who come from elsewhere: as many cells in each row, and something in each.
#[test]
fn the_migration_tables_are_whole() {
    let text = read(&root().join("docs/migrating.md"));
    let rows: Vec<_> =
        text.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---")).collect();
    assert!(rows.len() > 80);
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(cells.len() == 3 && !cells[0].is_empty() && !cells[1].is_empty(), "{row}");
    }
}

/// The blocks of four blanks in a document, without them.
fn listings(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in text.lines() {
        match line.strip_prefix("    ") {
            Some(code) => *found.last_mut().expect("one") += &format!("{code}\n"),
            None if line.is_empty() && !found[found.len() - 1].is_empty() => {
                *found.last_mut().expect("one") += "\n"
            }
            None => found.push(String::new()),
        }
    }
    found.into_iter().map(|one| one.trim_end().to_owned()).filter(|one| !one.is_empty()).collect()
}

/// The lines of a text, without what they are indented by.
fn flat(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_guides_listings_are_compiled() {
    let tour: String = files("examples/tour", ".c").iter().map(|path| read(path)).collect();
    let tour = flat(&(tour + &read(&root().join("examples/tour.c"))));
    let guide = listings(&read(&root().join("docs/c.md")));
    let foreign: Vec<_> = guide.iter().filter(|code| !tour.contains(&flat(code))).collect();
    assert!(guide.len() > 20 && foreign.len() == 1, "not in examples/tour: {foreign:?}");
    assert!(foreign[0].starts_with("cc "), "the one that is no C");
}

/// Those of docs/cpp.md are in programs that the C++ tests compile; the README's program is examples/ship.cpp.
#[test]
fn the_cpp_listings_are_compiled() {
    let tested = ["test_cpp_guide.cpp", "test_cpp_results.cpp"]
        .map(|name| flat(&read(&root().join("c_tests").join(name))));
    let guide = listings(&read(&root().join("docs/cpp.md")));
    // A declaration and what uses it may stand in one listing, and apart in the program.
    let pieces: Vec<_> = guide.iter().flat_map(|code| code.split("\n\n")).map(flat).collect();
    let foreign: Vec<_> =
        pieces.iter().filter(|piece| !tested.iter().any(|text| text.contains(*piece))).collect();
    assert!(pieces.len() > 15 && foreign.is_empty(), "not in c_tests: {foreign:?}");

    let readme = read(&root().join("README.md"));
    let listing = readme.split("```cpp\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(listing.expect("README.md has a listing in C++"), read(&root().join("examples/ship.cpp")));
}

#[test]
fn the_odin_guides_listings_are_compiled() {
    let tests = flat(&read(&root().join("bindings/odin/tests/guide_test.odin")));
    let guide = listings(&read(&root().join("docs/odin.md")));
    let foreign: Vec<_> = guide.iter().filter(|code| !tests.contains(&flat(code))).collect();
    assert!(
        guide.len() > 15 && foreign.iter().all(|code| code.starts_with("odin build ")),
        "not in guide_test.odin: {foreign:?}"
    );
    let program = flat(&read(&root().join("bindings/odin/quickstart/ship.odin")));
    assert!(
        flat(&read(&root().join("README.md"))).contains(&program),
        "the README's program for Odin is another"
    );
}

/// Those of docs/zig.md are in the program that the Zig binding's tests compile, or in the program that depends on it.
#[test]
fn the_zig_listings_are_compiled() {
    let read = |name: &str| read(&root().join("bindings/zig/test").join(name));
    let tested = flat(&(read("guide.zig") + &read("consumer/build.zig")));
    let guide = listings(&self::read(&root().join("docs/zig.md")));
    // A declaration and what uses it may stand in one listing, and apart in the program.
    let pieces: Vec<_> = guide.iter().flat_map(|code| code.split("\n\n")).collect();
    let foreign: Vec<_> = pieces.iter().filter(|piece| !tested.contains(&flat(piece))).collect();
    assert!(pieces.len() > 20 && foreign.len() == 1, "not in bindings/zig/test: {foreign:?}");
    assert!(foreign[0].starts_with("zig fetch"), "the one that is no Zig");

    let readme = self::read(&root().join("README.md"));
    let listing = readme.split("```zig\n").nth(1).and_then(|rest| rest.split("```").next());
    let program = read("consumer/main.zig");
    let program = program.split_once('\n').expect("a line that says what it is").1;
    assert_eq!(listing.expect("README.md has a listing in Zig"), program);
}

/// What of a document's links leads nowhere, as "text": files, and functions that are named behind them.
fn astray(text: &str, folder: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, _) in text.match_indices("](") {
        // In a listing it is a lambda of C++.
        if text[..at].rsplit('\n').next().is_some_and(|line| line.starts_with("    ")) {
            continue;
        }
        let rest = &text[at + 2..];
        let Some(end) = rest.find(')') else { continue };
        let target = rest[..end].split('#').next().unwrap_or_default();
        if target.is_empty() || target.contains("://") {
            continue;
        }
        let path = folder.join(target);
        if !path.exists() {
            wrong.push(target.to_owned());
            continue;
        }
        // Behind a link to a source: `name`, `name`: functions in it. A name may end with dots, for the rest of it.
        let mut behind = rest[end + 1..].trim_start();
        while let Some(quoted) =
            behind.strip_prefix('`').filter(|_| [".c", ".cpp", ".rs"].iter().any(|end| target.ends_with(end)))
        {
            let Some((name, after)) = quoted.split_once('`') else { break };
            let (name, whole) = match name.strip_suffix("...") {
                Some(part) => (part, ""),
                None => (name, "("),
            };
            let source = read(&path);
            let begins = ["fn ", "static void ", "int "];
            if !begins.iter().any(|begin| source.contains(&format!("{begin}{name}{whole}"))) {
                wrong.push(format!("{name} in {target}"));
            }
            behind = after.strip_prefix(", ").unwrap_or_default().trim_start();
        }
    }
    wrong
}

#[test]
fn every_link_leads_somewhere() {
    for path in documents() {
        let wrong = astray(&read(&path), path.parent().expect("a folder"));
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
    }
}

/// Each row of docs/guarantees.md has a test: a link to its file, or the name of a source.
#[test]
fn every_guarantee_has_a_test() {
    let text = read(&root().join("docs/guarantees.md"));
    let mut rows = 0;
    for row in text.lines().filter(|line| line.starts_with("| ") && !line.contains("| shown by |")) {
        let shown = row.trim_matches('|').split('|').nth(1).unwrap_or_default();
        let tests =
            ["](../c_tests/", "](../tests/", "`src/", "](../examples/", "](../bindings/", "](../abi/"];
        assert!(tests.iter().any(|test| shown.contains(test)), "no test: {row}");
        rows += 1;
    }
    assert!(rows > 50, "{rows} rows");
}

/// A function that no program uses has no example in the reference.
#[test]
fn every_function_is_used_in_a_program() {
    let programs = files("examples", ".c").into_iter().chain(files("c_tests", ".c"));
    let mut used: String = programs.map(|path| read(&path)).collect();
    used = used.replace("DZ_SET_PAIR(", "dz_set_pair(");
    let functions = parse::functions(&header());
    let bare: Vec<_> = functions
        .iter()
        .filter(|one| !used.contains(&format!("{}(", one.name)))
        .map(|one| &one.name)
        .collect();
    assert!(functions.len() > 140 && bare.is_empty(), "used nowhere: {bare:?}");
}

/// The functions that a header marks "Reads", or says to be as one that it does.
fn readers(header: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (above, function) in header.split("\nDZ_API").zip(parse::functions(header)) {
        let lines: Vec<_> = above.lines().rev().map_while(|line| line.strip_prefix("///")).collect();
        let says = |word: &str| lines.iter().any(|line| line.split(|c| !is_word(c)).any(|one| one == word));
        let first = lines.last().and_then(|line| line.trim_start().strip_prefix("As ")).unwrap_or_default();
        let like = first.split(|c| !is_word(c)).next().unwrap_or_default();
        if says("Reads") || found.contains(like) && !says("Writes") {
            found.insert(function.name);
        }
    }
    found
}

#[test]
fn every_function_that_reads_is_read_by_many() {
    let (readers, test) = (readers(&header()), read(&root().join("c_tests/test_reads.c")));
    let left_out: Vec<_> = readers.iter().filter(|name| !test.contains(&format!("{name}("))).collect();
    assert!(
        readers.len() >= 70 && left_out.is_empty(),
        "{}, not in test_reads.c: {left_out:?}",
        readers.len()
    );
}

/// The functions of a header, those for its macros left out, and the macros.
fn callable(header: &str) -> BTreeSet<String> {
    let until = |text: &str| text[..text.find(|c| !is_word(c)).unwrap_or(text.len())].to_owned();
    let macros: BTreeSet<_> = header
        .split("#define ")
        .skip(1)
        .filter(|text| text[until(text).len()..].starts_with('(') || until(text).ends_with("_INIT"))
        .map(until)
        .filter(|name| !name.ends_with('_'))
        .collect();
    let inline = header.split("static inline ").skip(1).filter_map(|text| text.split('(').next());
    let inline = inline.filter_map(|head| head.rsplit([' ', '*']).next().map(str::to_owned));
    let inline: Vec<_> = inline.filter(|name| !macros.contains(&name.to_uppercase())).collect();
    inline.into_iter().chain(parse::functions(header).into_iter().map(|one| one.name)).chain(macros).collect()
}

/// The README's table of the API has each function and macro of the header.
#[test]
fn the_table_of_the_api_is_whole() {
    let readme = read(&root().join("README.md"));
    let (_, table) = readme.split_once("## The API\n").expect("a heading");
    let table = names(table.split("\n## ").next().unwrap_or_default());
    let all = callable(&header());
    let missing: Vec<_> = all.iter().filter(|name| !table.contains(name.as_str())).collect();
    assert!(
        all.len() > 160 && missing.is_empty(),
        "{} in the header, not in the table: {missing:?}",
        all.len()
    );
}

/// The checks can fail.
#[test]
fn what_is_wrong_is_noticed() {
    let header = header();
    let text = "`dz_create`, dz_made_up(), my_dz_create, DZ_..._INIT, dz_term.ask, dz_term.asks, DZ_ERR_";
    assert_eq!(unknown(&names(text), &header), ["dz_made_up", "dz_term.asks"]);
    let small = "DZ_API void dz_a(void);\n#define DZ_B(x) dz_b(x)\nstatic inline int *dz_b(int x)\n{}\nstatic inline int dz_c(void)";
    assert_eq!(Vec::from_iter(callable(small)), ["DZ_B", "dz_a", "dz_c"]);
    let small = "\n/// A. Reads.\nDZ_API int dz_a(void);\n\n/// B.\n/// Writes.\nDZ_API\nint dz_b(void);\n\n/// As dz_a.\nDZ_API int dz_c(void);";
    assert_eq!(Vec::from_iter(readers(small)), ["dz_a", "dz_c"]);
    assert_eq!(listings("a\n\n    b\n      c\n\n    d\ne\n    f\n"), ["b\n  c\n\nd", "f"]);
    let links =
        "[a](../src/lib.rs) [b](../nowhere.rs), [c](docs.rs) `astray`, `not_there`, `what_is_...` [d](#e)";
    assert_eq!(astray(links, &root().join("tests")), ["../nowhere.rs", "not_there in docs.rs"]);
}
