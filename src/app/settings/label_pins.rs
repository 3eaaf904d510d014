//! Labels with a colour or a digit of the user's choice, from the table `[labels]` of the settings or of
//! `turnwise.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The number of colours, with and without a second mark, that each theme tells apart.
pub const COLOURS: u8 = 32;

/// The colour and the digit of one label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PinTable")]
pub struct LabelPin {
    /// From 1 to [`COLOURS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<u8>,
    /// From 1 to 9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digit: Option<u8>,
}

/// A pin as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PinTable {
    colour: Option<i64>,
    digit: Option<i64>,
}

impl TryFrom<PinTable> for LabelPin {
    type Error = String;

    fn try_from(PinTable { colour, digit }: PinTable) -> Result<Self, String> {
        let within = |name: &str, value: Option<i64>, last: u8| match value.map(u8::try_from) {
            None => Ok(None),
            Some(Ok(value)) if (1..=last).contains(&value) => Ok(Some(value)),
            Some(_) => Err(format!("`{name}` should be from 1 to {last}")),
        };
        Ok(Self { colour: within("colour", colour, COLOURS)?, digit: within("digit", digit, 9)? })
    }
}

/// The pinned labels by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelPins(BTreeMap<String, LabelPin>);

impl LabelPins {
    /// Takes over the pins of `other`, which replace those of the same labels.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the colour of a label, from 1, if it is pinned.
    pub fn colour(&self, label: &str) -> Option<u8> {
        self.0.get(label)?.colour
    }

    /// Returns the label of a digit. If several labels have it, the first by name.
    pub fn label_of_digit(&self, digit: u8) -> Option<&str> {
        let mut pins = self.0.iter();
        pins.find_map(|(label, pin)| (pin.digit == Some(digit)).then_some(label.as_str()))
    }
}
