//! docs/mechanisms.md says for each mechanism which test proves it. This looks whether the table is
//! whole, whether the tests exist, and whether each of them names the mechanism: in its name
//! (`m3_to_m16_...`), in the comment above it, or inside.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All that there are.
fn required() -> BTreeSet<u32> {
    (1..=83).collect()
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        let is_source = path.extension().is_some_and(|e| ["rs", "c", "cpp"].iter().any(|known| e == *known));
        if path.is_dir() {
            files(&path, all);
        } else if is_source {
            all.push(path);
        }
    }
}

/// The mechanisms that a text names: "M14", "M3 to M16", "M46-M53", "m71_to_m80_contract".
fn numbers(text: &str) -> BTreeSet<u32> {
    let words: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    let words: Vec<_> =
        words.iter().flat_map(|word| split_range(word)).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.strip_prefix(['M', 'm']).and_then(|rest| rest.parse::<u32>().ok());
    let mut all = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let Some(first) = number(word) else { continue };
        let ranges = words.get(at + 1) == Some(&"to");
        let last = words.get(at + 2).filter(|_| ranges).and_then(|word| number(word)).unwrap_or(first);
        all.extend(first..=last);
    }
    all
}

/// "M46-M53" as "M46", "to", "M53".
fn split_range(word: &str) -> Vec<&str> {
    match word.split_once('-') {
        Some((first, last)) => vec![first, "to", last],
        None => vec![word],
    }
}

/// The name of a function that a line begins, if it does; in C of a test, which is static or main.
fn function(line: &str, rust: bool) -> Option<&str> {
    let rest = match rust {
        true => line.trim_start().strip_prefix("fn ")?,
        false => line.strip_prefix("static void ").or_else(|| line.strip_prefix("int "))?,
    };
    rest.split_once(['(', '<']).map(|(name, _)| name)
}

/// The tests of a source file with the mechanisms that each names, or the comment above it does. What
/// stands at the head of the file is of them all. A test is, in Rust, what says #[test]; in C, what is
/// RUN, or main.
fn functions(source: &str, rust: bool) -> BTreeMap<String, BTreeSet<u32>> {
    let is_comment = |line: &str| {
        let line = line.trim_start();
        ["//", "/*", "*", "#["].iter().any(|start| line.starts_with(start))
    };
    let is_test = |name: &str, above: &str| {
        if rust {
            above.contains("#[test]")
        } else {
            name == "main" || source.contains(&format!("RUN({name})"))
        }
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let head: String = source.lines().take_while(|line| is_comment(line)).collect();
    let mut found = BTreeMap::<String, BTreeSet<u32>>::new();
    let (mut above, mut in_comment, mut current) = (String::new(), false, None);
    for line in source.lines() {
        if let Some(name) = function(line, rust).filter(|name| is_test(name, &above)) {
            found.entry(name.to_owned()).or_default().extend(numbers(&format!("{name} {above} {head}")));
            current = Some((name.to_owned(), indent(line)));
        } else if let Some((name, depth)) = &current {
            found.entry(name.clone()).or_default().extend(numbers(line));
            if line.trim() == "}" && indent(line) == *depth {
                current = None;
            }
        }
        // A comment goes with what follows it at once.
        if in_comment || is_comment(line) {
            above.push_str(line);
            above.push('\n');
        } else {
            above.clear();
        }
        in_comment = (in_comment || line.contains("/*")) && !line.contains("*/");
    }
    found
}

/// By path, then by name.
type Tests = BTreeMap<String, BTreeMap<String, BTreeSet<u32>>>;

fn tests() -> Tests {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    ["src", "tests", "c_tests"].iter().for_each(|folder| files(&root.join(folder), &mut paths));
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let source = std::fs::read_to_string(path).unwrap();
        (name, functions(&source, path.extension().is_some_and(|extension| extension == "rs")))
    };
    // This file names mechanisms without proving any.
    paths.retain(|path| !path.ends_with("tests/mechanisms.rs"));
    paths.iter().map(read).collect()
}

/// The rows of a table that begin with a number: "| M14 | wording | `path` name, ... |".
fn rows(table: &str) -> Vec<(u32, Vec<String>)> {
    let row = |line: &str| {
        let cells: Vec<_> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let number = cells[0].strip_prefix('M')?.parse().ok()?;
        assert!(cells.len() == 3 && cells[1].len() > 10, "a row without wording or tests: {line}");
        Some((number, cells[2].split(',').map(|test| test.trim().to_owned()).collect()))
    };
    table.lines().filter_map(row).collect()
}

/// What is wrong with a listed test, "`path` name".
fn missing(tests: &Tests, number: u32, listed: &str) -> Option<String> {
    let Some((path, name)) = listed.split_once(' ') else {
        return Some(format!("M{number}: no test: {listed}"));
    };
    let known = tests.get(path.trim_matches('`')).and_then(|functions| functions.get(name));
    match known {
        None => Some(format!("M{number}: there is no {listed}")),
        Some(names) if !names.contains(&number) => Some(format!("M{number}: {listed} doesn't name it")),
        Some(_) => None,
    }
}

#[test]
fn every_mechanism_has_a_test() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mechanisms.md");
    let table = std::fs::read_to_string(path).unwrap();
    let (rows, tests) = (rows(&table), tests());
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, listed) in &rows {
        if !seen.insert(*number) {
            wrong.push(format!("M{number} stands twice in the table"));
        }
        wrong.extend(listed.iter().filter_map(|test| missing(&tests, *number, test)));
    }
    let all = required();
    wrong.extend(all.difference(&seen).map(|number| format!("M{number} is missing")));
    wrong.extend(seen.difference(&all).map(|number| format!("M{number} is no mechanism")));
    assert!(wrong.is_empty(), "docs/mechanisms.md:\n{}", wrong.join("\n"));
}

/// The check itself can fail.
#[test]
fn what_is_wrong_is_noticed() {
    assert!(
        numbers("m71_to_m80_contract (M3, M5-M7), mm9")
            .into_iter()
            .eq([3, 5, 6, 7].into_iter().chain(71..=80))
    );
    let source = "/* M1 */\nstatic void first(void)\n{\n    CHECK(1); /* M2 */\n}\n\nstatic void second(void)\n{\n    RUN(first);\n    RUN(second);\n}\n";
    let found = functions(&format!("#include <x>\n{source}"), false);
    assert!(found["first"].iter().eq(&[1, 2]) && found["second"].is_empty());
    let tests = Tests::from([("a.c".to_owned(), found)]);
    assert_eq!(missing(&tests, 1, "`a.c` first"), None);
    assert!(missing(&tests, 3, "`a.c` first").is_some());
    assert!(missing(&tests, 1, "`a.c` third").is_some());
    assert!(missing(&tests, 1, "`b.c` first").is_some());
    assert_eq!(rows("| M7 | some wording | `a.c` first, `a.c` second |").len(), 1);
}

/// Prints which tests name which mechanism: to write the table from.
#[test]
#[ignore = "prints a list"]
fn list() {
    for number in required() {
        let named: Vec<_> = tests()
            .iter()
            .flat_map(|(path, functions)| {
                functions.iter().map(move |(name, of)| (path.clone(), name.clone(), of.clone()))
            })
            .filter(|(_, _, of)| of.contains(&number))
            .map(|(path, name, _)| format!("`{path}` {name}"))
            .collect();
        println!("M{number}: {}", named.join(", "));
    }
}
