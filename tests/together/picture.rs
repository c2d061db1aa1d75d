//! What can be read of a world, orders too, which the model leaves to the library: after a call that failed it is the same.

use crate::host::Host;
use crate::read::{self, listed, pieces};
use crate::{calls, check};
use denizen::ffi::types::*;
use denizen::ffi::{component::*, enable::*, entity::*, group::*, instance::*, pair::*, tree::*};

/// Named lists.
pub struct Picture(Vec<(String, Vec<u64>)>);

impl Picture {
    pub fn of(host: &mut Host) -> Self {
        host.disturb_loops();
        let world = host.world;
        let numbers = calls::stats(world);
        let numbers = [numbers.alive, numbers.dead, numbers.retired, numbers.components, numbers.listeners];
        let mut all = vec![("numbers".to_owned(), numbers.map(u64::from).to_vec())];
        let living = check::everybody(world);
        let most = living.iter().map(|entity| call!(dz_entity_index(*entity))).max().unwrap_or(0);
        let generation = |index| u64::from(call!(dz_generation(world, index)));
        all.push(("generations".to_owned(), (0..most + 3).map(generation).collect()));
        for entity in &living {
            let ids = listed(|out, room, count| call!(dz_type(world, *entity, out, room, count)));
            all.push((format!("type of {entity:x}"), ids));
            let children =
                pieces(16, |after, out, room| call!(dz_children(world, *entity, after, out, room)));
            all.push((format!("children of {entity:x}"), children));
            let flags = [call!(dz_is_enabled(world, *entity)), call!(dz_is_base(world, *entity))];
            all.push((format!("flags of {entity:x}"), flags.map(u64::from).to_vec()));
        }
        for id in listed(|out, room, count| call!(dz_components(world, out, room, count))) {
            let mut iter = read::pool(world, id, dz_direction::DZ_FORWARD);
            all.push((format!("pool of {id:x}"), read::rest(&mut iter)));
            let info = calls::info(world, id).unwrap();
            all.push((format!("gaps of {id:x}"), vec![info.count.into(), info.gaps.into()]));
        }
        for group in listed(|out, room, count| call!(dz_groups(world, out, room, count))) {
            let mut iter = read::group(world, group, dz_direction::DZ_FORWARD);
            all.push((format!("group {group:x?}"), read::rest(&mut iter)));
        }
        let pairs = host.kin.graph.made.iter().filter_map(|(relation, target)| {
            let id = call!(dz_pair(world, *relation, *target));
            let mut holders = listed(|out, room, count| call!(dz_pair_holders(world, id, out, room, count)));
            holders.sort_unstable();
            (id != 0).then(|| (format!("holders of {id:x}"), holders))
        });
        all.extend(pairs);
        for query in host.queries.iter().filter(|query| !host.is_lost(query)) {
            let mut matches = read::rest(&mut read::query(world, query.handle));
            matches.sort_unstable();
            all.push((format!("matches of {:x?}", query.handle), matches));
        }
        Self(all)
    }

    pub fn compare(&self, other: &Self) {
        for (before, after) in self.0.iter().zip(&other.0) {
            assert!(before == after, "{} {:x?} -> {} {:x?}", before.0, before.1, after.0, after.1);
        }
        assert_eq!(self.0.len(), other.0.len(), "as many as before");
    }
}
