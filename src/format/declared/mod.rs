//! Formats that are declared in TOML: a description says where the parts of a dialog are.
//!
//! [`Description`] is the text. Reading follows its places
//! (`trail`) and walks once over its shape (`shape`), which finds values of the wrong type and fields
//! that the description does not know. Writing follows the same places: what a place points at can be
//! edited, and what is computed cannot.

mod checks;
mod columns;
mod complete;
mod description;
mod draft;
mod forms;
mod hooks;
mod lines;
mod offsets;
mod other_offsets;
mod place;
mod prefix;
mod read;
mod read_asides;
mod read_calls;
mod read_parts;
mod shape;
mod texts;
mod trail;
mod trial;
mod walk;
mod write;

pub use checks::place_of;
pub use complete::{complete, follow};
pub use description::{Arrangement, Description, Unit};
pub use draft::{Draft, draft, one_text};
pub use hooks::Hooks;
pub use other_offsets::{OtherOffsets, QuotedDescription, fitting_unit, has_several_units};
pub use place::{Place, Target};
pub use read::read;
pub use read_asides::BEFORE_BRANCH;
pub use shape::Shape;
pub use trail::Trail;
pub use trial::{Trial, editable};
pub use write::{Ways, write};
