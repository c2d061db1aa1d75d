//! The wall: each Rust peer behind a shared library's C ABI.

use peers::bevy::Bevy;
use peers::hecs::Hecs;
use peers::sparsey::Sparsey;
use peers::standin::StandIn;
use peers::table::Table;

/// Does nothing: what a call through a shared library costs by itself (row 0).
#[unsafe(no_mangle)]
pub extern "C" fn wall_nothing(_world: u64) -> u64 {
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn wall_hecs() -> &'static Table {
    const { &Table::of::<Hecs>() }
}

#[unsafe(no_mangle)]
pub extern "C" fn wall_bevy() -> &'static Table {
    const { &Table::of::<Bevy>() }
}

#[unsafe(no_mangle)]
pub extern "C" fn wall_sparsey() -> &'static Table {
    const { &Table::of::<Sparsey>() }
}

#[unsafe(no_mangle)]
pub extern "C" fn wall_standin() -> &'static Table {
    const { &Table::of::<StandIn>() }
}
