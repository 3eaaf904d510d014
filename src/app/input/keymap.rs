//! Keymaps: the keys that run commands, read from files.
//!
//! A keymap is a TOML file with a table for each scope, which lists the keys of each command. Keys of a
//! sequence are separated by spaces.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use toml::Spanned;

use crate::app::input::{Code, Command, Key, KeyNames};
use crate::json::BadText;

/// The part of the program in which a binding works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    Everywhere,
    Dialogs,
    Transcript,
    /// In the transcript of a dialog that can be judged.
    Judging,
    Span,
    Details,
    Help,
    Prompt,
    Question,
    /// In the list of fixes, suggestions or conflicts.
    Review,
}

/// Every scope, with its name in keymaps and its heading in the help.
const SCOPES: [(Scope, &str, &str); 10] = [
    (Scope::Everywhere, "everywhere", "Everywhere"),
    (Scope::Dialogs, "dialogs", "In the list of dialogs"),
    (Scope::Judging, "judging", "Judging, in the transcript"),
    (Scope::Transcript, "transcript", "In the transcript"),
    (Scope::Span, "span", "In span editing"),
    (Scope::Details, "details", "In the details"),
    (Scope::Help, "help", "In this help"),
    (Scope::Prompt, "prompt", "In a prompt"),
    (Scope::Question, "question", "In a question"),
    (Scope::Review, "review", "In the list of fixes, suggestions or conflicts"),
];

impl Scope {
    pub const ALL: [Self; SCOPES.len()] = {
        let mut all = [Self::Everywhere; SCOPES.len()];
        let mut number = 0;
        while number < all.len() {
            all[number] = SCOPES[number].0;
            number += 1;
        }
        all
    };

    fn row(self) -> (Self, &'static str, &'static str) {
        SCOPES.into_iter().find(|(scope, ..)| *scope == self).unwrap_or(SCOPES[0])
    }

    /// Returns its heading in the help.
    pub fn title(self) -> &'static str {
        self.row().2
    }

    /// Returns the scope that keymaps call `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Returns its name in keymaps.
    pub fn name(self) -> &'static str {
        self.row().1
    }
}

/// A key sequence that runs a command.
#[derive(Clone, Debug)]
pub struct Binding {
    pub scope: Scope,
    pub keys: Vec<Key>,
    pub command: Command,
    /// The keys as shown, with arrows as signs and as words.
    looks: [String; 2],
}

impl Binding {
    fn new(scope: Scope, keys: Vec<Key>, command: Command) -> Self {
        let looks = [KeyNames::Signs, KeyNames::Words].map(|names| {
            let keys: Vec<_> = keys.iter().map(|key| key.shown(names)).collect();
            keys.join(" ")
        });
        Self { scope, keys, command, looks }
    }

    /// Returns the keys as shown.
    fn shown(&self, names: KeyNames) -> &str {
        let [signs, words] = &self.looks;
        match names {
            KeyNames::Signs => signs,
            KeyNames::Words => words,
        }
    }
}

/// All bindings.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    bindings: Vec<Binding>,
    /// Positions of each command's bindings; a map, because every frame looks keys up.
    places: HashMap<Command, Vec<usize>>,
    /// Positions of the bindings by their first key.
    beginnings: HashMap<Key, Vec<usize>>,
    /// Former command names in the files read, with the commands they mean.
    pub old_names: BTreeMap<String, Command>,
    /// How key names are shown.
    pub names: KeyNames,
}

/// The result of looking up the keys pressed so far.
#[derive(Clone, Copy, Debug)]
pub enum KeyLookup {
    Command(Command),
    /// Longer sequences begin with these keys.
    More,
    Nothing,
}

/// The section of keymaps in which the keys of suggestions were, when fixes had a list of their own. Of its keys, those
/// count that the review has no other command for.
const FORMER_SCOPE: &str = "suggestions";

/// For each scope, commands of which at least one needs a key: otherwise there would be no way out.
const WAYS_OUT: [(Scope, &[Command]); 5] = [
    (Scope::Everywhere, &[Command::Quit, Command::Palette]),
    (Scope::Help, &[Command::HelpClose]),
    (Scope::Prompt, &[Command::Cancel]),
    (Scope::Question, &[Command::AnswerLater]),
    (Scope::Review, &[Command::ReviewClose]),
];

impl Keymap {
    /// Reads a keymap.
    ///
    /// # Errors
    /// If it is not valid TOML, if a scope, a command or a key is unknown, or if two commands share a key.
    pub fn read(text: &str) -> Result<Self, BadText> {
        let mut keymap = Self::default();
        keymap.merge(text)?;
        Ok(keymap)
    }

    /// Adds the bindings in `text`: they replace all keys that their commands have in that scope, and other
    /// commands lose the keys that `text` uses.
    ///
    /// # Errors
    /// Like [`Keymap::read`].
    pub fn merge(&mut self, text: &str) -> Result<(), BadText> {
        let bad = |span: Range<usize>, reason: String| BadText::at(text, span.start, reason);
        let read = toml::de::DeTable::parse(text);
        let table = read.map_err(|error| BadText::in_toml(text, &error))?;
        let mut new: Vec<Binding> = Vec::new();
        for (scope, commands) in table.get_ref() {
            let name = scope.get_ref();
            let is_former = name == FORMER_SCOPE;
            let scope_of = if is_former { Some(Scope::Review) } else { Scope::named(name) };
            let Some(scope_of) = scope_of else {
                let names = Scope::ALL.map(Scope::name).join(", ");
                return Err(bad(
                    scope.span(),
                    format!("there is no scope `{name}`; scopes are {names}"),
                ));
            };
            let Some(commands) = commands.get_ref().as_table() else {
                return Err(bad(scope.span(), format!("`{name}` should be a table of commands")));
            };
            for (command, keys) in commands {
                let name = command.get_ref();
                let found = match (Command::named(name), Command::formerly(name)) {
                    (Some(found), _) => found,
                    (None, Some(found)) => {
                        self.old_names.insert(name.to_string(), found);
                        found
                    }
                    // Nothing has these keys then.
                    (None, None) if Command::is_gone(name) => continue,
                    (None, None) => {
                        return Err(bad(command.span(), format!("there is no command `{name}`")));
                    }
                };
                let all = match keys.get_ref() {
                    toml::de::DeValue::String(one) => vec![(keys.span(), one.to_string())],
                    toml::de::DeValue::Array(all) => {
                        let text = |v: &Spanned<toml::de::DeValue<'_>>| {
                            v.get_ref().as_str().map(|s| (v.span(), s.to_owned()))
                        };
                        let texts: Option<Vec<_>> = all.iter().map(text).collect();
                        texts.ok_or_else(|| {
                            bad(keys.span(), format!("keys of `{name}` should be strings"))
                        })?
                    }
                    _ => {
                        return Err(bad(
                            keys.span(),
                            format!("keys of `{name}` should be a list of strings"),
                        ));
                    }
                };
                // A former command may have been one of several, whose keys stay.
                if Command::named(name).is_some() {
                    self.bindings.retain(|b| b.scope != scope_of || b.command != found);
                }
                for (span, written) in all {
                    let keys: Result<Vec<Key>, _> =
                        written.split_whitespace().map(str::parse).collect();
                    let keys = keys.map_err(|e| bad(span.clone(), e.to_string()))?;
                    if keys.is_empty() {
                        return Err(bad(span, format!("an empty key for `{name}`")));
                    }
                    let clash = new.iter().find(|b| b.scope == scope_of && clash(&b.keys, &keys));
                    if is_former && clash.is_some() {
                        continue;
                    }
                    if let Some(other) = clash {
                        let other = other.command.name();
                        return Err(bad(
                            span,
                            format!("`{written}` is bound to both `{other}` and `{name}`"),
                        ));
                    }
                    new.push(Binding::new(scope_of, keys, found));
                }
            }
        }
        self.bindings
            .retain(|old| !new.iter().any(|b| b.scope == old.scope && clash(&b.keys, &old.keys)));
        self.bindings.extend(new);
        self.places.clear();
        self.beginnings.clear();
        for (place, binding) in self.bindings.iter().enumerate() {
            let places = self.places.entry(binding.command).or_default();
            places.push(place);
            if let Some(first) = binding.keys.first() {
                self.beginnings.entry(*first).or_default().push(place);
            }
        }
        Ok(())
    }

    /// Returns a message if a scope has no way out, as none of the commands that lead out of it has a key.
    pub fn lacks(&self) -> Option<String> {
        let is_closed = |(scope, commands): &&(Scope, &[Command])| {
            let out = |b: &Binding| b.scope == *scope && commands.contains(&b.command);
            !self.bindings.iter().any(out)
        };
        let (scope, commands) = WAYS_OUT.iter().find(is_closed)?;
        let names: Vec<_> = commands.iter().map(|command| command.name()).collect();
        let (names, scope) = (names.join("` or `"), scope.name());
        Some(format!("`{names}` needs a key in [{scope}]; otherwise you cannot get out"))
    }

    /// Looks up `keys` in `scopes`, earlier scopes first.
    pub fn find(&self, scopes: &[Scope], keys: &[Key]) -> KeyLookup {
        let places = keys.first().and_then(|first| self.beginnings.get(first));
        let places = places.map_or(&[][..], Vec::as_slice);
        for scope in scopes {
            let begun = places.iter().filter_map(|place| self.bindings.get(*place));
            let mut here = begun.filter(|b| b.scope == *scope && b.keys.starts_with(keys));
            match here.next() {
                Some(binding) if binding.keys.len() == keys.len() => {
                    return KeyLookup::Command(binding.command);
                }
                Some(_) => return KeyLookup::More,
                None => {}
            }
        }
        KeyLookup::Nothing
    }

    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Returns the keys of a command in `scopes`, in their order, as shown.
    pub fn keys_of(&self, command: Command, scopes: &[Scope]) -> impl Iterator<Item = &str> {
        self.bindings_of(command, scopes).map(|binding| binding.shown(self.names))
    }

    /// As [`Keymap::keys_of`], without the keys that another of these scopes overrides.
    pub fn working_keys(&self, command: Command, scopes: &[Scope]) -> impl Iterator<Item = &str> {
        // A shorter sequence of another scope may run a command before the sequence is complete.
        let is_complete = |keys: &[Key]| {
            (1..keys.len()).all(|end| matches!(self.find(scopes, &keys[..end]), KeyLookup::More))
        };
        let works = move |binding: &&Binding| {
            is_complete(&binding.keys)
                && matches!(self.find(scopes, &binding.keys), KeyLookup::Command(found) if found == command)
        };
        self.bindings_of(command, scopes).filter(works).map(|binding| binding.shown(self.names))
    }

    /// Returns the command of a key that one needs while judging, which an answer with that key would hide.
    pub fn needed_to_judge(&self, key: char) -> Option<Command> {
        let keys = [Key::plain(Code::Char(key))];
        let command = |scope| match self.find(&[scope], &keys) {
            KeyLookup::Command(command) => Some(command),
            KeyLookup::More | KeyLookup::Nothing => None,
        };
        if let Some(command) = command(Scope::Judging) {
            // Schemes answer in place of votes.
            return Some(command).filter(|command| command.vote().is_none());
        }
        let command = command(Scope::Transcript).or_else(|| command(Scope::Everywhere));
        command.filter(|command| command.is_needed_to_judge())
    }

    /// Returns the bindings of a command in `scopes`, in their order.
    fn bindings_of(&self, command: Command, scopes: &[Scope]) -> impl Iterator<Item = &Binding> {
        let places = self.places.get(&command).into_iter().flatten();
        let all = places.filter_map(|place| self.bindings.get(*place));
        scopes.iter().flat_map(move |scope| all.clone().filter(move |b| b.scope == *scope))
    }

    /// Returns the first key of a command, as shown; its name in the palette if it has no key.
    pub fn shown(&self, command: Command) -> String {
        match self.keys_of(command, &Scope::ALL).next() {
            Some(key) => key.to_owned(),
            None => format!(":{}", command.name()),
        }
    }
}

/// True if one sequence begins with the other, so that only the shorter one could be typed.
fn clash(a: &[Key], b: &[Key]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}
