//! Queries from text.
//!
//! ```text
//!   query        = { "[cascade]" | "[bases]" } term { "," term }
//!   term         = alternative { "||" alternative }  |  [access] ("?" | "!") what
//!   alternative  = [access] what
//!   access       = "[in]" | "[out]" | "[inout]" | "[none]"
//!   what         = (name | pair) ["(" source ")"]
//!   pair         = "(" (name | "*") "," (name | "*" | variable) ")"  |  "(" ("ChildOf" | "InstanceOf") "," name ")"
//!   source       = "parent" | "up" | "inherit" | "world" | variable | name
//!   variable     = "$" name
//!   name         = characters but , | ! ? [ ] ( ) " and blanks at its ends  |  '"' characters but '"' '"'
//! ```

use super::linked::{Target, VARIABLES, Whose};
use super::{Access, Spec};
use crate::core::error::{Entries, Error, Kind};
use crate::core::ids::{Handle, role, role_of, with_role};
use crate::core::storage::join::{Ask, TERMS};
use crate::core::storage::slice::Array;

/// The terms of a text; `find` knows components by name.
pub struct Terms {
    specs: Array<Spec, TERMS>,
    /// Where each begins.
    columns: Array<u32, TERMS>,
    len: usize,
    /// Parents come before their children.
    pub cascade: bool,
    /// Bases are meant.
    pub bases: bool,
}

impl Terms {
    /// The terms.
    #[must_use]
    pub fn specs(&self) -> &[Spec] {
        &self.specs[..self.len]
    }

    /// An error about one of the terms, with its column.
    #[must_use]
    pub fn locate(&self, error: Error) -> Error {
        let term = match error.of {
            Entries::TERMS => error.entry as usize,
            // All of them are to blame.
            _ if error.kind == Kind::NoTerm => 0,
            _ => return error,
        };
        self.columns.get(term).map_or(error, |column| error.at(Entries::TEXT, *column))
    }
}

/// Who knows components and entities by name.
pub type Find<'a> = &'a dyn Fn(&str) -> Option<Handle>;

/// Where a pair that stands for others, or for none, would have any target.
const NO_TARGET: &str = "a target's name is expected, as the relation is any, ChildOf or InstanceOf";

/// The role that stands in the place of a relation, where no entity has that name: of nobody yet.
fn role_of_name(name: &str) -> Option<Handle> {
    match name {
        "ChildOf" => Some(with_role(role::CHILDOF, 0)),
        "InstanceOf" => Some(with_role(role::INSTANCEOF, 0)),
        _ => None,
    }
}

struct Reader<'a> {
    text: &'a str,
    /// What of it is left: where something is, is told by how many bytes are left from there on.
    rest: &'a str,
    /// The names of variables.
    variables: [&'a str; VARIABLES],
}

/// The column of a byte of the text: columns count characters from 1.
#[must_use]
pub fn column(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or(text).chars().count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

/// A slip in a text, so many bytes before its end.
fn slip(text: &str, left: usize, what: &'static str) -> Error {
    Error::new(Kind::Syntax).named(what).at(Entries::TEXT, column(text, text.len() - left))
}

/// Bytes of a name that an error tells: as many as its numbers have, but one, which says whether there are more.
const TOLD: usize = 23;

/// A slip about a name: the error keeps how it begins.
fn slip_of(text: &str, left: usize, what: &'static str, name: &str) -> Error {
    let mut told = [[0; 8]; 3];
    told.as_flattened_mut().iter_mut().zip(name.bytes().take(TOLD)).for_each(|(to, from)| *to = from);
    told[2][7] = u8::from(name.len() > TOLD);
    let [subject, first, second] = told.map(u64::from_le_bytes);
    slip(text, left, what).about(subject).with(first, second)
}

/// How the name that an error is about begins, in bytes and how many, and whether it goes on; of none if it is about none.
#[must_use]
pub fn told(error: &Error) -> ([u8; TOLD + 1], usize, bool) {
    let numbers = [error.subject, error.detail[0], error.detail[1]].map(u64::to_le_bytes);
    let mut bytes = [0; TOLD + 1];
    bytes.copy_from_slice(numbers.as_flattened());
    let len = bytes[..TOLD].iter().position(|byte| *byte == 0).unwrap_or(TOLD);
    (bytes, len, bytes[TOLD] != 0)
}

impl<'a> Reader<'a> {
    #[inline(never)] // It is called for each piece.
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Goes on behind a word that is next.
    fn skip(&mut self, word: &str) {
        self.rest = self.rest.get(word.len()..).unwrap_or_default();
    }

    /// Takes a word of the syntax, if it comes next.
    fn takes(&mut self, word: &str) -> bool {
        self.blanks();
        let there = self.rest.starts_with(word);
        if there {
            self.skip(word);
        }
        there
    }

    /// Takes a word in brackets, if it comes next.
    fn takes_bracketed(&mut self, word: &str) -> bool {
        let before = self.rest;
        let there = self.takes("[") && self.takes(word) && self.takes("]");
        self.rest = if there { self.rest } else { before };
        there
    }

    fn slip(&self, what: &'static str) -> Error {
        slip(self.text, self.rest.len(), what)
    }

    /// `first`: of the first term, before which [cascade] and [bases] may stand.
    fn access(&mut self, first: bool) -> Result<Access, Error> {
        if !self.takes("[") {
            return Ok(Access::InOut);
        }
        self.blanks();
        let ends = |char: char| char == ']' || char == ',' || char.is_whitespace();
        let word = self.rest.split(ends).next().unwrap_or_default();
        let access = match word {
            "in" => Access::In,
            "out" => Access::Out,
            "inout" => Access::InOut,
            "none" => Access::None,
            _ if first => return Err(self.slip("in, out, inout, none, cascade or bases is expected")),
            _ => return Err(self.slip("in, out, inout or none is expected")),
        };
        self.skip(word);
        if self.takes("]") { Ok(access) } else { Err(self.slip("] is expected")) }
    }

    /// A name, and whether it stands between quotes. No blank is next.
    fn name(&mut self) -> Result<(&'a str, bool), Error> {
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let Some((name, rest)) = quoted.split_once('"') else {
                return Err(self.slip("the \" isn't closed"));
            };
            self.rest = rest;
            return Ok((name, true));
        }
        let ends = [',', '|', '!', '?', '[', ']', '(', ')', '"'];
        let name = self.rest.split(ends).next().unwrap_or_default().trim_end();
        self.skip(name);
        if name.is_empty() { Err(self.slip("a name is expected")) } else { Ok((name, false)) }
    }

    /// The variable of a name that begins with $.
    fn variable(&mut self, name: &'a str, start: usize) -> Result<u8, Error> {
        if name == "$" {
            return Err(slip(self.text, start - 1, "a variable's name is expected"));
        }
        let place = self.variables.iter().position(|known| known.is_empty() || *known == name);
        let place = place.ok_or_else(|| slip(self.text, start, "there are more than 8 variables"))?;
        self.variables[place] = name;
        #[allow(clippy::cast_possible_truncation)]
        Ok(place as u8)
    }

    /// A component or an entity.
    fn id(&mut self, find: Find) -> Result<Handle, Error> {
        self.blanks();
        let start = self.rest.len();
        let (name, quoted) = self.name()?;
        find(name).ok_or_else(|| {
            // Names may have blanks inside, so two names without a comma are one that nobody has. Between quotes it is one.
            match name.split_once(char::is_whitespace) {
                Some((first, rest)) if !quoted && find(first).is_some() => {
                    let what = "a comma is missing before this, or no component or entity has that name";
                    slip_of(self.text, self.rest.len() + rest.trim_start().len(), what, name)
                }
                _ => slip_of(self.text, start, "no component or entity has that name", name),
            }
        })
    }

    /// The id and target of a term.
    fn what(&mut self, find: Find) -> Result<(Handle, Target), Error> {
        if !self.takes("(") {
            return Ok((self.id(find)?, Target::None));
        }
        let relation =
            if self.takes("*") { 0 } else { self.id(&|name| find(name).or_else(|| role_of_name(name)))? };
        if !self.takes(",") {
            return Err(self.slip(", is expected"));
        }
        self.blanks();
        let start = self.rest.len();
        let target = if self.takes("*") {
            Target::Any
        } else if self.rest.starts_with('$') {
            let (name, _) = self.name()?;
            Target::Variable(self.variable(name, start)?)
        } else {
            Target::Of(self.id(find)?)
        };
        let role = role_of(relation);
        if (relation == 0 || role != 0) && !matches!(target, Target::Of(_)) {
            return Err(slip(self.text, start, NO_TARGET));
        }
        let read = match target {
            Target::Of(target) if role != 0 => (with_role(role, target), Target::None),
            _ => (relation, target),
        };
        if self.takes(")") { Ok(read) } else { Err(self.slip(") is expected")) }
    }

    /// Whose.
    fn source(&mut self, find: Find) -> Result<Whose, Error> {
        let before = self.rest;
        if !self.takes("(") {
            self.rest = before;
            return Ok(Whose::This);
        }
        self.blanks();
        let start = self.rest.len();
        let (name, quoted) = self.name()?;
        let source = match name {
            "parent" if !quoted => Whose::Parent,
            "up" if !quoted => Whose::Up,
            "inherit" if !quoted => Whose::Inherit,
            "world" if !quoted => Whose::World,
            _ if !quoted && name.starts_with('$') => Whose::Variable(self.variable(name, start)?),
            _ => {
                let none = "neither parent, up, inherit or world, nor the name of an entity";
                Whose::Of(find(name).ok_or_else(|| slip_of(self.text, start, none, name))?)
            }
        };
        if self.takes(")") { Ok(source) } else { Err(self.slip(") is expected")) }
    }
}

/// Reads a query.
pub fn read(text: &str, find: Find) -> Result<Terms, Error> {
    let mut reader = Reader { text, rest: text, variables: [""; VARIABLES] };
    let (mut cascade, mut bases) = (false, false);
    loop {
        if reader.takes_bracketed("cascade") {
            cascade = true;
        } else if reader.takes_bracketed("bases") {
            bases = true;
        } else {
            break;
        }
    }
    let mut terms =
        Terms { specs: Array([Spec::NONE; TERMS]), columns: Array([0; TERMS]), len: 0, cascade, bases };
    let mut groups = 0;
    loop {
        let first = terms.len;
        loop {
            let access = reader.access(terms.len == 0)?;
            let sign = reader.rest.len();
            let ask = if reader.takes("!") {
                Ask::Without
            } else if reader.takes("?") {
                Ask::Optional
            } else {
                Ask::With
            };
            if terms.len > first && ask != Ask::With {
                return Err(slip(text, sign, "! and ? can't stand beside ||"));
            }
            reader.blanks();
            let start = reader.rest.len();
            let (id, target) = reader.what(find)?;
            let source = reader.source(find)?;
            let Some(place) = terms.specs.get_mut(terms.len) else {
                return Err(slip(text, start, "there are more than 32 terms"));
            };
            *place = Spec { id, target, source, ask, access };
            terms.columns[terms.len] = column(text, text.len() - start);
            terms.len += 1;
            let before = reader.rest.len();
            if !reader.takes("||") {
                break;
            }
            if ask != Ask::With {
                return Err(slip(text, before, "! and ? can't stand beside ||"));
            }
        }
        if terms.len > first + 1 {
            for spec in &mut terms.specs[first..terms.len] {
                spec.ask = Ask::AnyOf(groups);
            }
            groups += 1;
        }
        if !reader.takes(",") {
            break;
        }
    }
    reader.blanks();
    if !reader.rest.is_empty() {
        return Err(reader.slip(", or || is expected"));
    }
    Ok(terms)
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::*;

    fn find(name: &str) -> Option<Handle> {
        ["Position", "Velocity", "Mass", "Frozen", "Red", "Blue", "My, own"]
            .iter()
            .zip(1..)
            .find_map(|(known, id)| (*known == name).then_some(id))
    }

    fn spec(id: Handle, ask: Ask, access: Access) -> Spec {
        Spec::own(id, ask, access)
    }

    #[test]
    fn every_kind_of_term_is_read() {
        let text = "Position, [in] Velocity, ?Mass, !Frozen, Red || [none]Blue";
        let terms = read(text, &find);
        let expected = [
            spec(1, Ask::With, Access::InOut),
            spec(2, Ask::With, Access::In),
            spec(3, Ask::Optional, Access::InOut),
            spec(4, Ask::Without, Access::InOut),
            spec(5, Ask::AnyOf(0), Access::InOut),
            spec(6, Ask::AnyOf(0), Access::None),
        ];
        assert_eq!(terms.map(|terms| terms.specs().to_vec()), Ok(expected.to_vec()));
        let terms = read("Red||Blue ,  [ out ]\"My, own\" , Position||Mass", &find);
        let asks =
            terms.map(|terms| terms.specs().iter().map(|spec| (spec.id, spec.ask)).collect::<Vec<_>>());
        let groups = [(5, 0), (6, 0), (1, 1), (3, 1)].map(|(id, group)| (id, Ask::AnyOf(group)));
        let expected = [groups[0], groups[1], (7, Ask::With), groups[2], groups[3]];
        assert_eq!(asks, Ok(expected.to_vec()));
    }

    #[test]
    fn roles_are_read_unless_an_entity_has_their_name() {
        let ids = |text, find: Find| {
            let terms = read(text, find).unwrap_or_else(|error| panic!("{error:?}"));
            terms.specs().iter().map(|spec| (spec.id, spec.target)).collect::<Vec<_>>()
        };
        let text = "( ChildOf , Red), !(InstanceOf,Blue)";
        let (child, instance) = (with_role(role::CHILDOF, 5), with_role(role::INSTANCEOF, 6));
        assert_eq!(ids(text, &find), [(child, Target::None), (instance, Target::None)]);
        let known = |name: &str| if name == "ChildOf" { Some(9) } else { find(name) };
        assert_eq!(ids(text, &known), [(9, Target::Of(5)), (instance, Target::None)]);
    }

    #[test]
    fn pairs_sources_and_variables_are_read() {
        let text = " [ cascade ](Position, $a), (Mass,*) ($a), ?[in] Red".replace("?[in] ", "[in] ?");
        let terms = read(&text, &find).unwrap_or_else(|error| panic!("{error:?}"));
        let linked = |id, target, source| Spec { id, target, source, ask: Ask::With, access: Access::InOut };
        let expected = [
            linked(1, Target::Variable(0), Whose::This),
            linked(3, Target::Any, Whose::Variable(0)),
            spec(5, Ask::Optional, Access::In),
        ];
        assert_eq!((terms.specs(), terms.cascade, terms.bases), (&expected[..], true, false));
        let cases = [
            ("(*, Red)", linked(0, Target::Of(5), Whose::This)),
            ("(Red , \"My, own\" )", linked(5, Target::Of(7), Whose::This)),
            ("Red(parent)", linked(5, Target::None, Whose::Parent)),
            ("Red( up )", linked(5, Target::None, Whose::Up)),
            ("Red (inherit)", linked(5, Target::None, Whose::Inherit)),
            ("Red(world)", linked(5, Target::None, Whose::World)),
            ("Red(Blue)", linked(5, Target::None, Whose::Of(6))),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text, &find).map(|terms| terms.specs().to_vec()), Ok(vec![expected]), "{text}");
        }
    }

    #[test]
    fn every_slip_has_its_column() {
        const UNKNOWN: &str = "no component or entity has that name";
        const COMMA: &str = "a comma is missing before this, or no component or entity has that name";
        const TARGET: &str = "a target's name is expected, as the relation is any, ChildOf or InstanceOf";
        let cases = [
            ("", 1, "a name is expected"),
            ("Position,", 10, "a name is expected"),
            ("Position  Velocity", 11, COMMA),
            ("Position\n\tVelocity", 11, COMMA),
            ("Größe Position", 1, UNKNOWN),
            ("Red, \"Position Velocity\"", 6, UNKNOWN),
            ("\"Position Ö\"", 1, UNKNOWN),
            ("\"My, own\" Red", 11, ", or || is expected"),
            ("Position, Velo", 11, UNKNOWN),
            ("Größe, Position", 1, UNKNOWN),
            ("Position, [on] Mass", 12, "in, out, inout or none is expected"),
            ("Position, [in Mass", 15, "] is expected"),
            ("Position, [in\n\tMass", 16, "] is expected"),
            ("Position, [inn] Mass", 12, "in, out, inout or none is expected"),
            ("[in, Mass", 4, "] is expected"),
            ("[In] Position", 2, "in, out, inout, none, cascade or bases is expected"),
            ("[cascade] [base] Red", 12, "in, out, inout, none, cascade or bases is expected"),
            ("Red || [cascade] Blue", 9, "in, out, inout or none is expected"),
            ("(Red, $)", 8, "a variable's name is expected"),
            ("Position( $ )", 12, "a variable's name is expected"),
            ("Position, \"Mass", 11, "the \" isn't closed"),
            ("Red || !Blue", 8, "! and ? can't stand beside ||"),
            ("!Red || Blue", 5, "! and ? can't stand beside ||"),
            ("Red | Blue", 5, ", or || is expected"),
            ("Red!", 4, ", or || is expected"),
            ("!!Red", 2, "a name is expected"),
            ("(Red Blue)", 6, COMMA),
            ("(Red)", 5, ", is expected"),
            ("(Red, Blue", 11, ") is expected"),
            ("(*, *)", 5, TARGET),
            ("(ChildOf, *)", 11, TARGET),
            ("(InstanceOf, $x)", 14, TARGET),
            ("ChildOf", 1, "no component or entity has that name"),
            ("Red(nobody)", 5, "neither parent, up, inherit or world, nor the name of an entity"),
            ("Red(\"parent\")", 5, "neither parent, up, inherit or world, nor the name of an entity"),
            (
                "(Red, $1),(Red, $2),(Red, $3),(Red, $4),(Red, $5),(Red, $6),(Red, $7),(Red, $8),(Red, $9)",
                87,
                "there are more than 8 variables",
            ),
        ];
        for (text, column, what) in cases {
            let error = read(text, &find).map(|_| ()).unwrap_err();
            assert_eq!(
                (error.kind, error.of, error.entry, error.name),
                (Kind::Syntax, Entries::TEXT, column, what),
                "{text}"
            );
        }
        let many = ["Red"; 33].join(",");
        assert_eq!(read(&many, &find).map(|_| ()).unwrap_err().entry, 32 * 4 + 1);
    }

    #[test]
    fn an_unknown_name_is_told_as_far_as_there_is_room() {
        let of = |text: &str| {
            let error = read(text, &find).map(|_| ()).unwrap_err();
            let (name, len, goes_on) = told(&error);
            (name[..len].to_vec(), goes_on)
        };
        assert_eq!(of("Position, Velo"), (b"Velo".to_vec(), false));
        assert_eq!(of("Position(parnt)"), (b"parnt".to_vec(), false));
        assert_eq!(of("just_twenty_three_bytes"), (b"just_twenty_three_bytes".to_vec(), false));
        assert_eq!(of("just_twenty_three_bytes_"), (b"just_twenty_three_bytes".to_vec(), true));
        assert_eq!(of("Position Velocity"), (b"Position Velocity".to_vec(), false));
        assert_eq!(of("[on] Position"), (vec![], false));
    }
}
