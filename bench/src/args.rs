//! The command line.

use crate::row::{ROWS, Row};
use std::path::PathBuf;

pub const HELP: &str = "\
Measures denizen through its shared library, beside its peers.

    cargo run --release -- [options]

    --rows A,B,...   only these rows (0 1 1b 2 2w 2b 3 3b 3c 3k 3m 3mk 4 4r 5 5w 5i 5b 5r 5br 6 6f 6a 6h
                     6b 6b2 6c; queries: 7 8 8c1 8c10 8c50 12a 9 9c1 9c10 9c50 10 12b 12s 10x 11 11c1 11c10
                     11c50 11b 13 13q g1 g2 g3 s1 s2 s3 r1 o1; relationships and the hierarchy: 14a 14am 14t
                     14tm 14b2 14c 14d 14e 14f; mem alloc; operations, queries, tree: all of that kind; t1 to
                     t8, which --sizes needs); all but t1 to t8 without it
    --n A,B,...      numbers of entities, 100 to 1000000; 10000,1000000 without it (--quick: 10000)
    --quick          fewer and shorter runs: a first look, not a result
    --sizes          how cost grows, instead of the table: the queries of rows 7 to 13 from 1,000 to 10 million
                     entities, and of 1 to 8 terms; draws docs/queries.svg. --n up to 10000000 and
                     --rows choose here too
    --languages      row l instead of the table: the same loop in C, C++ and Zig. --n and --quick choose here too
    --plot PATH      where --sizes draws instead
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
    Sizes(Options),
    CountInstructions(Options),
    Languages(Options),
    /// Row, n and column: one run, for valgrind.
    ChildRun(&'static Row, usize, usize),
    /// The same for memory, in a process of its own.
    ChildBytes(&'static Row, usize, usize),
}

pub struct Options {
    pub rows: Vec<&'static Row>,
    pub sizes: Vec<usize>,
    pub quick: bool,
    pub peers: bool,
    pub denizen: bool,
    pub json: PathBuf,
    pub plot: PathBuf,
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
        plot: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/queries.svg")),
    };
    let (mut count, mut sizes, mut languages) = (false, false, false);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--help" | "-h" => return Ok(Task::Help),
            "--rows" => options.rows = rows(&value()?)?,
            "--sizes" => sizes = true,
            "--languages" => languages = true,
            "--plot" => options.plot = value()?.into(),
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
                return Ok(Task::ChildBytes(row(&value()?)?, number(&value()?)?, number(&value()?)?));
            }
            _ => return Err(format!("unknown argument {arg:?}")),
        }
    }
    if !options.peers && !options.denizen {
        return Err("--no-peers and --only-peers leave nobody to measure".into());
    }
    if let Some(&n) = options.sizes.iter().find(|&&n| n > LARGEST && !sizes) {
        // The 32-bit layouts have 2^20 slots, some of them for components.
        return Err(format!("n must be from 100 to {LARGEST}, not {n}"));
    }
    if sizes && options.json.ends_with("results.json") {
        options.json.set_file_name("sizes.json");
    }
    if options.rows.is_empty() && !sizes {
        options.rows = ROWS.iter().filter(|row| !row.extra).collect();
    }
    if options.sizes.is_empty() && !sizes {
        options.sizes = match options.quick || count || languages {
            true => vec![10_000],
            false => vec![10_000, LARGEST],
        };
    }
    if languages {
        return Ok(Task::Languages(options));
    }
    Ok(match (count, sizes) {
        (true, true) => return Err("--icount and --sizes are two things".into()),
        (true, false) => Task::CountInstructions(options),
        (false, true) => Task::Sizes(options),
        (false, false) => Task::Table(options),
    })
}

/// The largest n of the table, and of --sizes.
const LARGEST: usize = 1_000_000;
const LARGEST_SIZE: usize = 10_000_000;

/// Names of rows, or of kinds of rows.
fn rows(text: &str) -> Result<Vec<&'static Row>, String> {
    let all = |kind: fn(&Row) -> bool| ROWS.iter().filter(move |row| !row.extra && kind(row));
    let mut rows = Vec::new();
    for name in text.split(',') {
        match name {
            "operations" => rows.extend(all(|row| row.is_operation())),
            "queries" => rows.extend(all(|row| row.is_query())),
            "tree" => rows.extend(all(|row| row.is_tree())),
            _ => rows.push(row(name)?),
        }
    }
    Ok(rows)
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
    if !(100..=LARGEST_SIZE).contains(&n) {
        return Err(format!("n must be from 100 to {LARGEST_SIZE}, not {n}"));
    }
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        match parse(line.split_whitespace().map(String::from))? {
            Task::Table(options) | Task::CountInstructions(options) | Task::Sizes(options) => Ok(options),
            _ => panic!("another task"),
        }
    }

    #[test]
    fn without_arguments_all_is_measured() {
        let all = options("").expect("good");
        assert!(all.rows.len() > 50 && all.rows.iter().all(|row| !row.extra));
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
    fn rows_have_kinds() {
        let all = options("").expect("good").rows.len();
        let queries = options("--rows queries").expect("good").rows;
        let both = options("--rows queries,operations,t3").expect("good").rows;
        let trees = options("--rows tree").expect("good").rows;
        assert!(trees.iter().all(|row| row.is_tree()));
        assert!(queries.iter().all(|row| row.is_query()));
        assert_eq!(both.len() + trees.len(), all + 1);
    }

    #[test]
    fn bad_arguments_are_named() {
        for (line, part) in [
            ("--rows 99", "\"99\""),
            ("--rows", "--rows needs a value"),
            ("--n ten", "\"ten\""),
            ("--n 5", "not 5"),
            ("--n 2000000", "not 2000000"),
            ("--sizes --n 20000000", "not 20000000"),
            ("--sizes --icount", "two things"),
            ("--fast", "\"--fast\""),
            ("--no-peers --only-peers", "nobody"),
        ] {
            let error = options(line).err().expect(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
