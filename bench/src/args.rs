//! The command line.

use crate::row::{ROWS, Row};
use std::path::PathBuf;

pub const HELP: &str = "\
Measures denizen through its shared library, beside its peers.

    cargo run --release -- [options]

    --rows A,B,...   only these rows (0 1 1b 2 2w 2b 3 3b 3c 3k 3m 3mk 4 4r 5 5w 5b 5r 5br 6 6f 6b 6b2 6c
                     mem alloc); all without it
    --n A,B,...      numbers of entities, 100 to 1000000; 10000,1000000 without it (--quick: 10000)
    --quick          fewer and shorter runs: a first look, not a result
    --json PATH      where the same goes as JSON; results.json in the bench's folder without it
    --no-peers       only denizen
    --only-peers     all but denizen
    --icount         no times, but denizen's instructions per operation, counted by valgrind
    --help           this
";

/// What the bench is to do.
pub enum Task {
    Help,
    Table(Options),
    CountInstructions(Options),
    /// Row, n and column: one run, for valgrind.
    ChildRun(&'static Row, usize, usize),
    /// Column and n: memory in a process of its own.
    ChildBytes(usize, usize),
}

pub struct Options {
    pub rows: Vec<&'static Row>,
    pub sizes: Vec<usize>,
    pub quick: bool,
    pub peers: bool,
    pub denizen: bool,
    pub json: PathBuf,
}

/// Reads the arguments (without the program's name). The error is a sentence.
pub fn parse(args: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut args = args;
    let mut options = Options {
        rows: Vec::new(),
        sizes: Vec::new(),
        quick: false,
        peers: true,
        denizen: true,
        json: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/results.json")),
    };
    let mut count = false;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--help" | "-h" => return Ok(Task::Help),
            "--rows" => options.rows = list(&value()?, row)?,
            "--n" => options.sizes = list(&value()?, size)?,
            "--json" => options.json = value()?.into(),
            "--quick" => options.quick = true,
            "--no-peers" => options.peers = false,
            "--only-peers" => options.denizen = false,
            "--icount" => count = true,
            "--child-run" => {
                return Ok(Task::ChildRun(row(&value()?)?, number(&value()?)?, number(&value()?)?));
            }
            "--child-bytes" => {
                return Ok(Task::ChildBytes(number(&value()?)?, number(&value()?)?));
            }
            _ => return Err(format!("unknown argument {arg:?}")),
        }
    }
    if !options.peers && !options.denizen {
        return Err("--no-peers and --only-peers leave nobody to measure".into());
    }
    if options.rows.is_empty() {
        options.rows = ROWS.iter().collect();
    }
    if options.sizes.is_empty() {
        options.sizes = match options.quick || count {
            true => vec![10_000],
            false => vec![10_000, 1_000_000],
        };
    }
    Ok(match count {
        true => Task::CountInstructions(options),
        false => Task::Table(options),
    })
}

fn list<T>(text: &str, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    text.split(',').map(item).collect()
}

fn row(name: &str) -> Result<&'static Row, String> {
    Row::find(name).ok_or_else(|| format!("there is no row {name:?}"))
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number"))
}

fn size(text: &str) -> Result<usize, String> {
    let n = number(text)?;
    // The 32-bit layouts have 2^20 slots, some of them for components.
    if !(100..=1_000_000).contains(&n) {
        return Err(format!("n must be from 100 to 1000000, not {n}"));
    }
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        match parse(line.split_whitespace().map(String::from))? {
            Task::Table(options) | Task::CountInstructions(options) => Ok(options),
            _ => panic!("another task"),
        }
    }

    #[test]
    fn without_arguments_all_is_measured() {
        let all = options("").expect("good");
        assert_eq!(all.rows.len(), ROWS.len());
        assert_eq!(all.sizes, [10_000, 1_000_000]);
        assert!(all.peers && all.denizen && !all.quick);
        assert!(all.json.ends_with("results.json"));
    }

    #[test]
    fn arguments_choose() {
        let some = options("--rows 1,2b --n 10000 --quick --json x.json --no-peers").expect("good");
        let names: Vec<_> = some.rows.iter().map(|row| row.name).collect();
        assert_eq!(names, ["1", "2b"]);
        assert_eq!(some.sizes, [10_000]);
        assert!(some.quick && !some.peers);
        assert_eq!(some.json, PathBuf::from("x.json"));
    }

    #[test]
    fn bad_arguments_are_named() {
        for (line, part) in [
            ("--rows 99", "\"99\""),
            ("--rows", "--rows needs a value"),
            ("--n ten", "\"ten\""),
            ("--n 5", "not 5"),
            ("--n 2000000", "not 2000000"),
            ("--fast", "\"--fast\""),
            ("--no-peers --only-peers", "nobody"),
        ] {
            let error = options(line).err().expect(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
