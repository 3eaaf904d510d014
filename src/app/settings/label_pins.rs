//! Labels with a colour or a digit of the user's choice, from the table `[labels]` of the settings or of
//! `turnwise.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::de::DeValue;

/// The number of colours, with and without a second mark, that each theme tells apart.
pub const COLOURS: u8 = 32;

/// The colour and the digit of one label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PinTable")]
pub struct LabelPin {
    /// From 1 to [`COLOURS`].
    pub colour: Option<u8>,
    /// From 1 to 9.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct LabelPins(BTreeMap<String, LabelPin>);

impl LabelPins {
    /// Reads the table `[labels]` of the settings.
    ///
    /// # Errors
    /// A description of a valid table, if it is not one.
    pub fn read(value: &DeValue<'_>) -> Result<Self, &'static str> {
        const EXPECTED: &str =
            "labels, each with a colour from 1 to 32 or a digit from 1 to 9, or both";
        let number = |value: &DeValue<'_>| -> Option<i64> {
            let number = value.as_integer()?;
            i64::from_str_radix(number.as_str(), number.radix()).ok()
        };
        let mut pins = BTreeMap::new();
        for (label, pin) in value.as_table().ok_or(EXPECTED)? {
            let (mut colour, mut digit) = (None, None);
            for (name, value) in pin.get_ref().as_table().ok_or(EXPECTED)? {
                let place = match name.get_ref().as_ref() {
                    "colour" => &mut colour,
                    "digit" => &mut digit,
                    _ => return Err(EXPECTED),
                };
                *place = Some(number(value.get_ref()).ok_or(EXPECTED)?);
            }
            let pin = LabelPin::try_from(PinTable { colour, digit }).map_err(|_| EXPECTED)?;
            pins.insert(label.get_ref().to_string(), pin);
        }
        Ok(Self(pins))
    }

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

    /// Returns the table in the form of the settings, in one line.
    pub fn shown(&self) -> String {
        let pin = |(label, pin): (&String, &LabelPin)| {
            let parts = [("colour", pin.colour), ("digit", pin.digit)];
            let parts = parts.iter().filter_map(|(name, value)| {
                let value = (*value)?;
                Some(format!("{name} = {value}"))
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            format!("{} = {{ {parts} }}", toml::Value::from(label.as_str()))
        };
        if self.0.is_empty() {
            return "{}".to_owned();
        }
        let pins: Vec<_> = self.0.iter().map(pin).collect();
        format!("{{ {} }}", pins.join(", "))
    }
}
