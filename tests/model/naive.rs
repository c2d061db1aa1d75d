//! The naive world: a vector of entities for each component, a map of values, a list of what
//! listeners must have been told. Each operation checks, then does all of it: an error changes nothing.

use crate::calls::{OK, S};
use crate::events::Told;
use crate::groups::{Group, Order};
use crate::kinds::{Kind, Needs};
use crate::slots::{Rules, Slots};
use denizen::ffi::types::dz_event_kind as Event;
use std::collections::BTreeMap;

/// The built-in `Component`, as a kind.
pub const BUILTIN: Kind =
    Kind { name: c"Component", size: 16, align: 4, stable: false, needs: Needs::Nothing };

#[derive(Clone, Debug)]
pub struct Component {
    pub kind: Kind,
    pub number: u32,
    /// Entities in the order of the pool.
    pub packed: Vec<u64>,
    /// Whether nothing is promised of that order: where gaps were filled. The check then takes over
    /// the library's.
    pub loose: bool,
    pub gaps: usize,
    /// Payloads.
    pub values: BTreeMap<u64, Vec<u8>>,
    pub singleton: Option<Vec<u8>>,
    pub listeners: [Vec<u32>; 3],
    /// The order that its pool is kept in.
    pub kept: Option<Order>,
}

impl Component {
    fn insert(&mut self, entity: u64, payload: Vec<u8>) {
        self.packed.push(entity);
        self.loose |= self.gaps > 0;
        self.gaps = self.gaps.saturating_sub(1);
        self.values.insert(entity, payload);
    }

    /// Takes an entity out; says whether it was there.
    fn remove(&mut self, entity: u64) -> bool {
        let Some(at) = self.packed.iter().position(|other| *other == entity) else { return false };
        if self.kind.stable {
            self.packed.remove(at);
            self.gaps += 1;
        } else {
            self.packed.swap_remove(at);
        }
        self.values.remove(&entity).is_some()
    }
}

#[derive(Clone, Debug)]
pub struct Naive {
    pub slots: Slots,
    pub components: BTreeMap<u64, Component>,
    pub builtin: u64,
    pub groups: Vec<Group>,
    /// How pools must begin after a sort of a group.
    pub expected: Vec<(Vec<u64>, Vec<u64>)>,
    /// On create and on destroy.
    pub listeners: [Vec<u32>; 2],
    /// What listeners were told since somebody asked.
    pub told: Vec<Told>,
    /// Elements that the destruct-only kinds must have seen ended, by name.
    pub ended: BTreeMap<&'static std::ffi::CStr, u64>,
}

impl Naive {
    pub fn new(rules: Rules) -> Self {
        let (components, ended) = (BTreeMap::new(), BTreeMap::new());
        Self {
            slots: Slots::new(rules),
            components,
            builtin: 0,
            groups: vec![],
            expected: vec![],
            listeners: [vec![], vec![]],
            told: vec![],
            ended,
        }
    }

    // ---- checks

    pub fn plain(&self, entity: u64) -> Result<(), S> {
        self.slots.check(entity)?;
        if self.components.contains_key(&entity) { Err(S::DZ_ERR_IS_COMPONENT) } else { Ok(()) }
    }

    pub fn component(&self, id: u64) -> Result<&Component, S> {
        self.slots.check(id)?;
        self.components.get(&id).ok_or(S::DZ_ERR_NOT_COMPONENT)
    }

    /// A component that can be added and removed.
    pub fn open(&self, id: u64) -> Result<&Component, S> {
        let found = self.component(id)?;
        if id == self.builtin { Err(S::DZ_ERR_BUILTIN) } else { Ok(found) }
    }

    pub fn with_data(&self, id: u64) -> Result<&Component, S> {
        let found = self.component(id)?;
        if found.kind.size == 0 { Err(S::DZ_ERR_TAG) } else { Ok(found) }
    }

    fn sized(&self, id: u64, size: u32) -> Result<(), S> {
        let kind = self.component(id)?.kind;
        if kind.size == 0 {
            return Err(S::DZ_ERR_TAG);
        }
        if kind.size == size { Ok(()) } else { Err(S::DZ_ERR_SIZE) }
    }

    /// All plain entities, none of them twice; the first that isn't is the error.
    fn all_plain(&self, entities: &[u64], check: impl Fn(u64) -> Result<(), S>) -> Result<(), S> {
        for (at, entity) in entities.iter().enumerate() {
            if entities[..at].contains(entity) {
                return Err(S::DZ_ERR_DUPLICATE);
            }
            check(*entity)?;
        }
        Ok(())
    }

    pub fn destroyable(&self, entity: u64) -> Result<(), S> {
        match self.plain(entity) {
            Err(S::DZ_ERR_IS_COMPONENT) if entity == self.builtin => Err(S::DZ_ERR_BUILTIN),
            Err(S::DZ_ERR_IS_COMPONENT) if !self.components[&entity].values.is_empty() => Err(S::DZ_ERR_HELD),
            other => other,
        }
    }

    // ---- what all operations are made of

    fn tell(&mut self, event: Event, entity: u64, id: u64) {
        let (ears, value) = match event {
            Event::DZ_ON_CREATE => (&self.listeners[0], None),
            Event::DZ_ON_DESTROY => (&self.listeners[1], None),
            _ => {
                let component = &self.components[&id];
                let value = (component.kind.size > 0).then(|| component.values[&entity].clone());
                (&component.listeners[event as usize], value)
            }
        };
        let kind = event as i32;
        self.told.extend(ears.iter().map(|ear| Told {
            listener: *ear,
            kind,
            entity,
            id,
            value: value.clone(),
        }));
    }

    fn tell_all(&mut self, event: Event, entities: &[u64], id: u64) {
        entities.iter().for_each(|entity| self.tell(event, *entity, id));
    }

    fn insert(&mut self, entity: u64, id: u64, payload: Vec<u8>) {
        self.components.get_mut(&id).unwrap().insert(entity, payload);
    }

    fn end(&mut self, id: u64, elements: u64) {
        *self.ended.entry(self.components[&id].kind.name).or_default() += elements;
    }

    fn take_out(&mut self, entity: u64, id: u64) {
        if self.components.get_mut(&id).unwrap().remove(entity) {
            self.end(id, 1);
        }
    }

    pub fn has(&self, entity: u64, id: u64) -> bool {
        self.components[&id].values.contains_key(&entity)
    }

    pub fn type_of(&self, entity: u64) -> Vec<u64> {
        self.components.iter().filter(|(_, c)| c.values.contains_key(&entity)).map(|(id, _)| *id).collect()
    }

    // ---- entities

    pub fn create_n(&mut self, n: u32) -> Result<Vec<u64>, S> {
        self.slots.room(n)?;
        let made: Vec<_> = (0..n).map(|_| self.slots.create().unwrap()).collect();
        self.tell_all(Event::DZ_ON_CREATE, &made, 0);
        Ok(made)
    }

    pub fn create_at(&mut self, entities: &[u64]) -> Result<(), S> {
        entities.iter().try_for_each(|entity| self.slots.check_free(*entity))?;
        let mut indices: Vec<_> = entities.iter().map(|entity| self.slots.rules.index(*entity)).collect();
        indices.sort_unstable();
        indices.dedup();
        if indices.len() < entities.len() {
            return Err(S::DZ_ERR_DUPLICATE);
        }
        self.slots.create_at(entities);
        self.tell_all(Event::DZ_ON_CREATE, entities, 0);
        Ok(())
    }

    /// Columns: component, payloads (none: zeros or constructed), bytes.
    pub fn create_with(
        &mut self,
        n: u32,
        columns: &[(u64, Option<Vec<Vec<u8>>>, u32)],
    ) -> Result<Vec<u64>, S> {
        for (at, (id, _, size)) in columns.iter().enumerate() {
            if self.open(*id)?.kind.size != *size {
                return Err(S::DZ_ERR_SIZE);
            }
            if columns[..at].iter().any(|(other, ..)| other == id) {
                return Err(S::DZ_ERR_DUPLICATE);
            }
        }
        self.slots.room(n)?;
        let made: Vec<_> = (0..n).map(|_| self.slots.create().unwrap()).collect();
        for (id, payloads, _) in columns {
            for (at, entity) in made.iter().enumerate() {
                let initial = self.components[id].kind.initial();
                self.insert(*entity, *id, payloads.as_ref().map_or(initial, |all| all[at].clone()));
            }
        }
        for entity in &made {
            self.tell(Event::DZ_ON_CREATE, *entity, 0);
            columns.iter().for_each(|(id, ..)| self.tell(Event::DZ_ON_ADD, *entity, *id));
        }
        Ok(made)
    }

    pub fn clone_entity(&mut self, entity: u64) -> Result<u64, S> {
        self.plain(entity)?;
        let copy = self.slots.create()?;
        for id in self.type_of(entity) {
            let payload = self.components[&id].values[&entity].clone();
            self.insert(copy, id, payload);
        }
        self.tell(Event::DZ_ON_CREATE, copy, 0);
        self.type_of(copy).into_iter().for_each(|id| self.tell(Event::DZ_ON_ADD, copy, id));
        Ok(copy)
    }

    fn tell_destroy(&mut self, entity: u64) {
        self.tell(Event::DZ_ON_DESTROY, entity, 0);
        self.type_of(entity).into_iter().for_each(|id| self.tell(Event::DZ_ON_REMOVE, entity, id));
    }

    fn erase(&mut self, entity: u64) {
        self.type_of(entity).into_iter().for_each(|id| self.take_out(entity, id));
        self.slots.destroy(entity);
    }

    pub fn destroy(&mut self, entity: u64) -> Result<(), S> {
        self.destroyable(entity)?;
        self.tell_destroy(entity);
        self.erase(entity);
        Ok(())
    }

    pub fn destroy_n(&mut self, entities: &[u64]) -> Result<(), S> {
        self.all_plain(entities, |entity| self.destroyable(entity))?;
        entities.iter().for_each(|entity| self.tell_destroy(*entity));
        // So that their slots are used again in this order.
        let fifo = self.slots.rules.fifo;
        let ending = |at: usize| if fifo { at } else { entities.len() - 1 - at };
        (0..entities.len()).for_each(|at| self.erase(entities[ending(at)]));
        self.components.values_mut().for_each(|component| component.loose = true);
        Ok(())
    }

    pub fn clear(&mut self) {
        for entity in self.slots.alive() {
            _ = self.destroy(entity);
        }
        self.slots.sort_free();
        let ids: Vec<_> = self.components.keys().copied().collect();
        for id in ids {
            _ = self.singleton_remove(id);
        }
    }

    // ---- one entity, one component; and many

    pub fn add_n(&mut self, entities: &[u64], id: u64) -> Result<S, S> {
        self.open(id)?;
        self.all_plain(entities, |entity| self.plain(entity))?;
        let new: Vec<_> = entities.iter().copied().filter(|entity| !self.has(*entity, id)).collect();
        let initial = self.components[&id].kind.initial();
        new.iter().for_each(|entity| self.insert(*entity, id, initial.clone()));
        self.tell_all(Event::DZ_ON_ADD, &new, id);
        Ok(if new.is_empty() { S::DZ_ALREADY_THERE } else { OK })
    }

    pub fn remove_n(&mut self, entities: &[u64], id: u64) -> Result<S, S> {
        self.open(id)?;
        self.all_plain(entities, |entity| self.plain(entity))?;
        let old: Vec<_> = entities.iter().copied().filter(|entity| self.has(*entity, id)).collect();
        self.tell_all(Event::DZ_ON_REMOVE, &old, id);
        old.iter().for_each(|entity| self.take_out(*entity, id));
        self.components.get_mut(&id).unwrap().loose |= entities.len() > 1;
        Ok(if old.is_empty() { S::DZ_NOT_THERE } else { OK })
    }

    pub fn set_n(&mut self, entities: &[u64], id: u64, size: u32, payloads: &[Vec<u8>]) -> Result<(), S> {
        self.open(id)?;
        self.all_plain(entities, |entity| self.plain(entity))?;
        self.sized(id, size)?;
        let new: Vec<_> = entities.iter().copied().filter(|entity| !self.has(*entity, id)).collect();
        for (entity, payload) in entities.iter().zip(payloads) {
            if new.contains(entity) {
                self.insert(*entity, id, payload.clone());
            } else {
                self.end(id, 1);
                self.components.get_mut(&id).unwrap().values.insert(*entity, payload.clone());
            }
        }
        self.tell_all(Event::DZ_ON_ADD, &new, id);
        self.tell_all(Event::DZ_ON_SET, entities, id);
        Ok(())
    }

    pub fn write(&mut self, entity: u64, id: u64, payload: Vec<u8>) {
        self.components.get_mut(&id).unwrap().values.insert(entity, payload);
    }

    // ---- components

    pub fn register(&mut self, kind: Kind) -> Result<u64, S> {
        if let Some((id, found)) = self.components.iter().find(|(_, found)| found.kind.name == kind.name) {
            let shape = |kind: &Kind| (kind.size, kind.align, kind.stable);
            return if shape(&found.kind) == shape(&kind) { Ok(*id) } else { Err(S::DZ_ERR_SHAPE) };
        }
        let before = self.clone();
        let made = self.make_both(kind);
        if made.is_err() {
            *self = before;
        }
        made
    }

    fn make_both(&mut self, kind: Kind) -> Result<u64, S> {
        if self.builtin == 0 {
            self.builtin = self.make(BUILTIN)?;
        }
        self.make(kind)
    }

    fn make(&mut self, kind: Kind) -> Result<u64, S> {
        let id = self.slots.create_component()?;
        let taken = |number: &u32| self.components.values().any(|other| other.number == *number);
        let number = (0..).find(|number| !taken(number)).unwrap();
        let (listeners, builtin) = ([vec![], vec![], vec![]], if number == 0 { id } else { self.builtin });
        let (packed, values) = (vec![], BTreeMap::new());
        self.components.insert(
            id,
            Component {
                kind,
                number,
                packed,
                loose: false,
                gaps: 0,
                values,
                singleton: None,
                listeners,
                kept: None,
            },
        );
        let parts = [kind.size, kind.align, u32::from(kind.stable), number];
        self.insert(id, builtin, parts.iter().flat_map(|part| part.to_ne_bytes()).collect());
        Ok(id)
    }

    pub fn unregister(&mut self, id: u64) -> Result<(), S> {
        self.component(id)?;
        self.check_unused(id)?;
        self.clear_pool(id)?;
        _ = self.singleton_remove(id);
        let builtin = self.builtin;
        self.take_out(id, builtin);
        self.components.remove(&id);
        self.slots.destroy(id);
        Ok(())
    }

    pub fn clear_pool(&mut self, id: u64) -> Result<(), S> {
        let entities = self.open(id)?.packed.clone();
        for entity in entities.iter().rev() {
            self.tell(Event::DZ_ON_REMOVE, *entity, id);
        }
        self.end(id, entities.len() as u64);
        let component = self.components.get_mut(&id).unwrap();
        component.packed.clear();
        component.gaps = 0;
        component.values.clear();
        Ok(())
    }

    pub fn compact(&mut self, id: u64) -> Result<(), S> {
        if !self.open(id)?.kind.stable {
            return Err(S::DZ_ERR_POLICY);
        }
        let component = self.components.get_mut(&id).unwrap();
        component.gaps = 0;
        component.loose = true;
        Ok(())
    }

    pub fn singleton_set(&mut self, id: u64, size: u32, payload: Vec<u8>) -> Result<(), S> {
        self.open(id)?;
        self.sized(id, size)?;
        if self.components[&id].singleton.is_some() {
            self.end(id, 1);
        }
        self.components.get_mut(&id).unwrap().singleton = Some(payload);
        Ok(())
    }

    pub fn singleton_remove(&mut self, id: u64) -> Result<S, S> {
        self.open(id)?;
        self.with_data(id)?;
        match self.components.get_mut(&id).unwrap().singleton.take() {
            None => Ok(S::DZ_NOT_THERE),
            Some(_) => {
                self.end(id, 1);
                Ok(OK)
            }
        }
    }
}
