//! denizen measured through its C ABI, beside its peers. See README.md.

mod args;
mod column;
mod denizen;
mod ffi;
mod flecs;
mod goals;
mod icount;
mod input;
mod json;
mod memory;
mod result;
mod row;
mod runs;
mod table;
mod walls;
mod workloads;

use args::{Options, Task};
use column::COLUMNS;
use input::Input;
use runs::{Effort, Runs};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args().skip(1)) {
        Ok(Task::Help) => {
            print!("{}", args::HELP);
            Ok(())
        }
        Ok(Task::Table(options)) => table(&options),
        Ok(Task::CountInstructions(options)) => icount::count(&options),
        Ok(Task::ChildRun(row, n, column)) => {
            COLUMNS[column].run(row.name, &Input::new(n), &mut Runs::new(Effort::once()));
            Ok(())
        }
        Ok(Task::ChildBytes(column, n)) => {
            memory::report(&COLUMNS[column], n);
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
    json::write(&options.json, &results).map_err(|error| format!("{}: {error}", options.json.display()))?;
    eprintln!("written to {}", options.json.display());
    Ok(())
}
