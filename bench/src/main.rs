//! denizen measured through its C ABI, beside its peers. See README.md.

mod args;
mod chart;
mod column;
mod denizen;
mod denizen_queries;
mod denizen_tree;
mod ffi;
mod flecs;
mod flecs_queries;
mod flecs_tree;
mod floor;
mod goals;
mod icount;
mod input;
mod json;
mod languages;
mod memory;
mod query_table;
mod querying;
mod relating;
mod result;
mod row;
mod runs;
mod scene;
mod sizes;
mod table;
mod tree_table;
mod walls;
mod way;
mod work;
mod workloads;

use args::{Options, Task};
use column::COLUMNS;
use runs::{Effort, Runs};
use std::process::ExitCode;
use work::Work;

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args().skip(1)) {
        Ok(Task::Help) => {
            print!("{}", args::HELP);
            Ok(())
        }
        Ok(Task::Table(options)) => table(&options),
        Ok(Task::Sizes(options)) => sizes::run(&options),
        Ok(Task::CountInstructions(options)) => icount::count(&options),
        Ok(Task::Languages(options)) => {
            options.sizes.iter().try_for_each(|&n| languages::run(n, options.quick))
        }
        Ok(Task::ChildRun(row, n, column)) => {
            let mut runs = Runs::new(Effort::once());
            COLUMNS[column].run(&Work::new(row, n), &mut runs);
            println!("{}", runs.operations());
            Ok(())
        }
        Ok(Task::ChildBytes(row, n, column)) => {
            memory::report(row, n, &COLUMNS[column]);
            Ok(())
        }
        Err(error) => Err(format!("{error}; --help says what there is")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table(options: &Options) -> Result<(), String> {
    runs::settle_allocator();
    let results = result::measure(options)?;
    print!("{}", table::render(&results));
    print!("{}", query_table::render(&results));
    print!("{}", tree_table::render(&results));
    json::write(&options.json, &results).map_err(|error| format!("{}: {error}", options.json.display()))?;
    eprintln!("written to {}", options.json.display());
    Ok(())
}
