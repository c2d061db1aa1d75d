//! The hierarchy, names, bases and instances, and what is disabled, against a naive model; with hooks and allocations that
//! fail, and slots that are used again and again.

use crate::graph::Traits;
use crate::pairs::traits;
use crate::tree_run::Host;
use proptest::prelude::*;

/// An entity: one of the living, components included, or the last one that died.
pub type Who = u16;

#[derive(Clone, Copy, Debug)]
pub enum Step {
    Create,
    Destroy(Who),
    DestroyN(Who, Who, Who),
    Clone(Who),
    Clear,
    Register(u8),
    Unregister(u8),
    SetParent(Who, Option<Who>),
    /// To a place, as C numbers it, beside a sibling.
    Move(Who, u8, Who),
    AddParent(Who, Who),
    RemoveParent(Who, Who),
    Name(Who, u8),
    Relate(Who, Traits, Option<Who>),
    AddPair(Who, Who, Who),
    SetPair(Who, Who, Who, u32),
    RemovePair(Who, Who, Who),
    AddTag(Who, Who),
    Add(Who, u8),
    Set(Who, u8, u32),
    Remove(Who, u8),
    GetOrAdd(Who, u8),
    Override(Who, u8),
    Instantiate(Who),
    InstanceOf(Who, Who),
    NoInstance(Who, Who),
    SetBase(Who, bool),
    Enable(Who, bool),
    /// Disables or enables a component.
    Show(Who, u8, bool),
    Shrink,
    /// In the next step this call of a hook fails.
    FailHook(u8),
    /// In the next step this allocation fails.
    Starve(u8),
}

pub fn step() -> impl Strategy<Value = Step> {
    use Step::*;
    let (who, byte) = (any::<Who>, any::<u8>());
    let two = any::<(Who, Who)>;
    let by = || prop_oneof![4 => 0..7_u16, 1 => any::<Who>()];
    prop_oneof![
        8 => Just(Create),
        2 => who().prop_map(Destroy),
        1 => any::<(Who, Who, Who)>().prop_map(|(a, b, c)| DestroyN(a, b, c)),
        2 => who().prop_map(Clone),
        1 => prop::bool::weighted(0.1).prop_map(|clear| if clear { Clear } else { Shrink }),
        1 => byte.prop_map(Register),
        1 => prop::bool::weighted(0.3).prop_map(|it| if it { Unregister(2) } else { Unregister(3) }),
        10 => (who(), prop::option::weighted(0.8, who())).prop_map(|(c, p)| SetParent(c, p)),
        8 => (who(), byte, who()).prop_map(|(c, place, s)| Move(c, place, s)),
        3 => two().prop_map(|(c, p)| AddParent(c, p)),
        2 => two().prop_map(|(c, p)| RemoveParent(c, p)),
        6 => (who(), byte).prop_map(|(w, name)| Name(w, name)),
        3 => (by(), traits(), prop::option::of(by())).prop_map(|(r, t, with)| Relate(r, t, with)),
        6 => (who(), by(), who()).prop_map(|(e, r, t)| AddPair(e, r, t)),
        3 => (who(), by(), who(), any::<u32>()).prop_map(|(e, r, t, seed)| SetPair(e, r, t, seed)),
        1 => (who(), by(), who()).prop_map(|(e, r, t)| RemovePair(e, r, t)),
        1 => two().prop_map(|(e, t)| AddTag(e, t)),
        4 => (who(), byte).prop_map(|(e, c)| Add(e, c)),
        6 => (who(), byte, any::<u32>()).prop_map(|(e, c, seed)| Set(e, c, seed)),
        2 => (who(), byte).prop_map(|(e, c)| Remove(e, c)),
        2 => (who(), byte).prop_map(|(e, c)| GetOrAdd(e, c)),
        3 => (who(), byte).prop_map(|(e, c)| Override(e, c)),
        4 => who().prop_map(Instantiate),
        3 => two().prop_map(|(e, b)| InstanceOf(e, b)),
        1 => two().prop_map(|(e, b)| NoInstance(e, b)),
        2 => (who(), any::<bool>()).prop_map(|(e, is)| SetBase(e, is)),
        3 => (who(), any::<bool>()).prop_map(|(e, on)| Enable(e, on)),
        4 => (who(), byte, any::<bool>()).prop_map(|(e, c, on)| Show(e, c, on)),
        1 => (0..4_u8).prop_map(FailHook),
        2 => (0..8_u8).prop_map(Starve),
    ]
}

fn run(handles: (bool, bool, bool), size: usize, steps: &[Step]) {
    let mut host = Host::new(handles);
    let mut fails = None;
    for step in steps {
        host.step(step, &mut fails);
        host.check(size);
    }
    host.end();
}

proptest! {
    #![proptest_config(crate::config(100))]

    /// M26, M27, M37.
    #[test]
    fn hierarchies_do_what_the_model_says(
        handles in any::<(bool, bool, bool)>(),
        size in 1..6_usize,
        steps in prop::collection::vec(step(), 0..crate::steps(120)),
    ) {
        run(handles, size, &steps);
    }
}
