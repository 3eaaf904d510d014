//! The place of an annotated turn, as the exports write it beside its text.

use std::fmt;

use serde::Deserialize;

use super::annotated::ImportError;
use crate::corpus::DialogRef;
use crate::text::quoted;

/// The place of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnPlace {
    /// The end of the path of its file.
    pub file: Option<String>,
    /// The dialog's position in its file.
    pub position: Option<usize>,
    /// The dialog's id; None if it has none.
    pub id: Option<String>,
    pub turn: usize,
}

impl TurnPlace {
    /// Returns the same for all turns of a dialog.
    pub fn dialog(&self) -> (Option<String>, Option<usize>, Option<String>) {
        (self.file.clone(), self.position, self.id.clone())
    }

    /// Returns the dialog by its id, or its position if it has none.
    pub fn reference(&self) -> DialogRef {
        match (&self.id, self.position) {
            (Some(id), _) => DialogRef::Id(id.clone()),
            (None, position) => DialogRef::Number(position.unwrap_or_default()),
        }
    }
}

impl fmt::Display for TurnPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.id, self.position) {
            (Some(id), _) => write!(f, "dialog {}", quoted(id)),
            (None, position) => write!(f, "dialog {}", position.unwrap_or_default()),
        }
    }
}

/// The fields of a place in a file; tools may lose some of them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PlaceFields {
    file: Option<String>,
    dialog: Option<usize>,
    dialog_id: Option<String>,
    turn: Option<usize>,
}

impl PlaceFields {
    pub fn new(file: Option<String>, dialog: Option<usize>, dialog_id: Option<String>) -> Self {
        Self { file, dialog, dialog_id, turn: None }
    }

    /// Adds what is missing here.
    #[must_use]
    pub fn or(self, other: Option<Self>) -> Self {
        let other = other.unwrap_or_default();
        Self {
            file: self.file.or(other.file),
            dialog: self.dialog.or(other.dialog),
            dialog_id: self.dialog_id.or(other.dialog_id),
            turn: self.turn.or(other.turn),
        }
    }

    /// Returns the place of turn `number`, or of the turn that the fields name.
    ///
    /// # Errors
    /// If the fields do not name a dialog and a turn.
    pub fn place(&self, number: Option<usize>, line: usize) -> Result<TurnPlace, ImportError> {
        let id = self.dialog_id.clone().filter(|id| !id.is_empty());
        let missing = |what: &str| {
            let why = format!("{what} is missing; the export writes it beside the text");
            ImportError::new(line, why)
        };
        if id.is_none() && self.dialog.is_none() {
            return Err(missing("`dialog_id`"));
        }
        let file = self.file.as_deref().map(relative).unwrap_or_default();
        Ok(TurnPlace {
            file: Some(file.to_owned()).filter(|file| !matches!(file.as_str(), "" | "-")),
            position: self.dialog,
            id,
            turn: number.or(self.turn).ok_or_else(|| missing("`turn`"))?,
        })
    }
}

/// Returns a path without leading `./` and `../`, which mean nothing in another folder.
fn relative(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}
