//! A row at one size, ready for any number of contenders.

use crate::input::Input;
use crate::querying::Querying;
use crate::row::Row;

pub struct Work {
    pub row: &'static Row,
    pub n: usize,
    pub kind: Kind,
}

pub enum Kind {
    Operations(Input),
    Query(Querying),
    Relating,
}

impl Work {
    pub fn new(row: &'static Row, n: usize) -> Self {
        let kind = if row.is_query() {
            Kind::Query(Querying::new(row.name, n).expect("each such row is known"))
        } else if row.is_tree() {
            Kind::Relating
        } else {
            Kind::Operations(Input::new(n))
        };
        Self { row, n, kind }
    }
}
