//! Finds the intended place of a wrong segment, and the edits that move it there; repairs broken JSON.
//!
//! Several rules share these fixes: [`offer_places`] is for segments whose span does not cover their quoted
//! text, [`tidied`] for segments whose edges are slightly off. Offsets here are bytes of the
//! turn's text, except in the edits, which count code points; slots count tokens in both.

mod edges;
mod mender;
mod places;
mod quotation;

pub use edges::{
    cuts_word, meant, offer_removal, offer_span, quoted, shown, tidied, without_punctuation,
};
pub use mender::{mended_objects, undoubled_object};
pub use places::{offer_places, offer_slot_places, unlabelled_places};
pub use quotation::{QuotationError, placed, quoted_span, span_of};
