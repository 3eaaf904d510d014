//! Rules that find problems in well-formed dialogs, and the fixes for them.
//!
//! A rule is a row in the table of its topic, `rules/<topic>.rs`. Its doc comment is its manual page, with examples that a
//! test runs. A rule reports a [`Diagnostic`] for each problem. A
//! [`Fix`] consists of the same [`crate::dialog::Edit`]s that the keyboard makes.
//!
//! | folder | purpose | may import |
//! |---|---|---|
//! | `facts` | what rules may ask about a dialog | |
//! | `engine` | rules, problems and fixes in general: selecting, running, fixing, ignoring | `facts` |
//! | `repair` | finding the intended place of a wrong segment | `facts`, `engine` |
//! | `rules` | the rules by topic, and the table of all rules | all of them |
//!
//! Topics of rules do not import each other. A test enforces all this.
//!
//! This layer knows dialogs and formats, but not the screen or the disk.

mod engine;
pub mod facts;
mod repair;
mod rules;

pub use engine::{
    Applicability, BadIgnoreLine, Check, Diagnostic, DiagnosticKey, DialogPlace, ExcludedDialog,
    Findings, Fix, FixOptions, FixPreview, FixedDialog, IGNORES_FILE, IgnoreEntry, Ignores,
    IgnoresLine, LintResult, Linter, RenderedChange, Rule, SelectedRule, Selection, Severity,
    SkipReason, SkippedFix, UnknownRule, at_once, edit_preview, fix, fix_previews, quoted,
    rendered_changes,
};
pub use facts::{Call, Location, LowercaseTranscript, Mention, ParsedDialog, Subject, Values};
pub use repair::{QuotationError, mended_objects, placed, quoted_span, span_of};
pub use rules::{
    KnownDialog, LabelledText, MemberTypes, PROFILES, Profile, RULES, duplicates, file_name,
    labels_file, mentions_to_label, named, profile, text_hash,
};
