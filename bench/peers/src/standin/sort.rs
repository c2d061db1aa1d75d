//! Sorting pools in EnTT's manner: the handles are sorted first, then the elements follow them in
//! cycles; or each entity of another pool is swapped to its place. Pools are iterated from their end,
//! so that is where the first element goes.

use super::StandIn;
use super::pool::Handle;
use crate::parts::{P, V};

/// The pool of P by x, stable.
pub fn by_x<H: Handle>(world: &mut StandIn<H>) {
    let (set, column) = world.pool_mut::<P>();
    let mut wanted = set.packed().to_vec();
    let x = |entity| {
        let position = set.find(entity).expect("in the pool");
        // SAFETY: positions that a set finds were put into its column.
        unsafe { (*column.at_unchecked(position)).x }
    };
    wanted.sort_by(|&one, &other| x(other).total_cmp(&x(one)));
    for (position, &entity) in wanted.iter().enumerate() {
        let from = set.find(entity).expect("in the pool");
        if from != position {
            set.swap(position, from);
            column.swap(position, from);
        }
    }
}

/// The pool of V: those that have P too come first, in the order of P.
pub fn like_p<H: Handle>(world: &mut StandIn<H>) {
    let mut to = world.pool::<V>().0.len();
    for position in (0..world.pool::<P>().0.len()).rev() {
        let entity = world.pool::<P>().0.at(position);
        let (set, column) = world.pool_mut::<V>();
        if let Some(from) = set.find(entity) {
            to -= 1;
            set.swap(from, to);
            column.swap(from, to);
        }
    }
}
