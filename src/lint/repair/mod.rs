//! Finds the intended place of a wrong segment, and the edits that move it there; repairs broken JSON.
//!
//! Several rules share these fixes: [`offer_places`] is for segments whose span does not cover their quoted
//! text, [`tidied`] for segments whose edges are slightly off. Offsets here are bytes of the
//! turn's text, except in the edits, which count code points; `slots` counts tokens in both.

mod edges;
mod json;
mod mender;
mod offer;
mod places;
mod punctuation;
mod quotation;
mod slots;

pub use edges::{cuts_word, meant, tidied};
pub use json::{mended_objects, undoubled_object};
pub use offer::{offer_removal, offer_span, quoted, shown};
pub use places::{offer_places, unlabelled_places};
pub use punctuation::without_punctuation;
pub use quotation::{QuotationError, quoted_span, span_of};
pub use slots::offer_slot_places;
