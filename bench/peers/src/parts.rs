//! The components that the rows are about.

use bevy_ecs::component::Component;

/// A position: the component that most rows read.
#[repr(C)]
#[derive(Clone, Copy, Component)]
pub struct P {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

impl P {
    /// What the rows add up to show that P was read: an integer, because additions of floats would
    /// wait for each other longer than some lookups take.
    #[inline(always)]
    pub fn bits(&self) -> u64 {
        u64::from(self.x.to_bits())
    }
}

/// A velocity: P's companion, so that creating touches two pools.
#[repr(C)]
#[derive(Clone, Copy, Component)]
pub struct V {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// A component of one number. Rows about queries have six of them, C2 to C7.
#[repr(C)]
#[derive(Clone, Copy, Component)]
pub struct Scalar<const K: usize> {
    pub value: f32,
}

/// The component that is added and removed.
pub type C2 = Scalar<2>;

/// A component without data.
#[derive(Clone, Copy, Component)]
pub struct Tag<const K: usize>;

/// One of many other component types. Rust peers need a type for each.
#[repr(C)]
#[derive(Clone, Copy, Component)]
pub struct Other<const K: usize>(pub f32);

/// How many `Other` types the peers with compile-time components have: with P and V, 32 in all.
pub const STATIC_OTHERS: usize = 30;

/// `[what::<0>, ..., what::<29>]`: how a number chooses a compile-time component type. Used only
/// while a world is being prepared.
#[macro_export]
macro_rules! for_each_other {
    ($what:ident) => {
        $crate::for_each_other!(@ $what, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
            24 25 26 27 28 29)
    };
    (@ $what:ident, $($k:literal)*) => { [$($what::<$k>),*] };
}
