//! Pickers and prompts made of data: what can be chosen, how it is listed, and what happens with it. A prompt that does
//! more while the user types is a [`PromptKind`] of its own.

use std::cmp::Reverse;
use std::fmt;

use crate::app::core::{App, Digits, PromptInput, PromptKind};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};

/// Finds the choices for a text.
type Find<T> = Box<dyn Fn(&App, &str) -> Vec<T>>;

/// Does something with the choice, if there was one, and with what was typed.
type Take<T> = Box<dyn FnOnce(&mut App, Option<T>, &str)>;

/// Does something with the text.
type TakeText = Box<dyn FnOnce(&mut App, &str)>;

/// True for the choice to select at first.
type IsFirst<T> = Box<dyn Fn(&App, &T) -> bool>;

/// A list of `T`s to choose from, narrowed by what is typed.
#[must_use]
pub struct Picker<T> {
    text: PromptText,
    digits: Digits,
    find: Find<T>,
    line: fn(&App, &T) -> Line,
    /// Returns the title while a choice is selected, if it differs.
    title_of: Option<fn(&App, &T) -> String>,
    /// Returns the digit of a choice, if that is not its place.
    digit_of: Option<fn(&T) -> Option<usize>>,
    first: Option<IsFirst<T>>,
    /// It has no window before something is typed.
    once_typed: bool,
    take: Take<T>,
    /// The choices for what is typed.
    matching: Vec<T>,
}

/// A text to type.
#[must_use]
pub struct TextPrompt {
    text: PromptText,
    is_long: bool,
    take: TakeText,
    cancel: Box<dyn FnOnce(&mut App)>,
}

/// The words of a picker or a text.
#[derive(Default)]
struct PromptText {
    prefix: &'static str,
    hint: &'static str,
    title: String,
    is_about_turn: bool,
}

impl<T: 'static> Picker<T> {
    /// Returns a picker of what `find` finds for a text, listed by `line`; `take` gets what was chosen, and what was typed.
    pub fn new(
        prefix: &'static str,
        title: impl Into<String>,
        find: impl Fn(&App, &str) -> Vec<T> + 'static,
        line: fn(&App, &T) -> Line,
        take: impl FnOnce(&mut App, Option<T>, &str) + 'static,
    ) -> Self {
        Self {
            text: PromptText { prefix, title: title.into(), ..PromptText::default() },
            digits: Digits::Type,
            find: Box::new(find),
            line,
            title_of: None,
            digit_of: None,
            first: None,
            once_typed: false,
            take: Box::new(take),
            matching: Vec::new(),
        }
    }

    /// Shows a hint while nothing is typed.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.text.hint = hint;
        self
    }

    /// Opens it near the current turn.
    pub fn about_turn(mut self) -> Self {
        self.text.is_about_turn = true;
        self
    }

    /// Lets digits pick choices.
    pub fn digits(mut self, digits: Digits) -> Self {
        self.digits = digits;
        self
    }

    /// Lets these digits pick choices, rather than those of their places.
    pub fn digit_of(mut self, digit_of: fn(&T) -> Option<usize>) -> Self {
        self.digit_of = Some(digit_of);
        self
    }

    /// Gives the window a title of its own while a choice is selected.
    pub fn title_of(mut self, title_of: fn(&App, &T) -> String) -> Self {
        self.title_of = Some(title_of);
        self
    }

    /// Selects this choice at first.
    pub fn first(mut self, first: impl Fn(&App, &T) -> bool + 'static) -> Self {
        self.first = Some(Box::new(first));
        self
    }

    /// Shows no choices before something is typed.
    pub fn once_typed(mut self) -> Self {
        self.once_typed = true;
        self
    }

    fn digit(&self, number: usize, input: &PromptInput) -> Option<usize> {
        let shown = input.is_empty() && number < 9 || self.digits == Digits::PickOnly;
        match self.digit_of {
            Some(digit_of) => digit_of(&self.matching[number]),
            None => shown.then_some(number + 1),
        }
    }
}

impl TextPrompt {
    /// Returns a prompt for one line; `take` gets what was typed.
    pub fn new(prefix: &'static str, take: impl FnOnce(&mut App, &str) + 'static) -> Self {
        Self {
            text: PromptText { prefix, ..PromptText::default() },
            is_long: false,
            take: Box::new(take),
            cancel: Box::new(|_| {}),
        }
    }

    /// Shows a hint while nothing is typed.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.text.hint = hint;
        self
    }

    /// Makes it a text of several lines, in a window with this title near the turn.
    pub fn long(mut self, title: impl Into<String>) -> Self {
        (self.is_long, self.text.title) = (true, title.into());
        self
    }

    /// Opens it near the current turn.
    pub fn about_turn(mut self) -> Self {
        self.text.is_about_turn = true;
        self
    }

    /// Does something if it is cancelled.
    pub fn or_else(mut self, cancel: impl FnOnce(&mut App) + 'static) -> Self {
        self.cancel = Box::new(cancel);
        self
    }
}

impl<T> fmt::Debug for Picker<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.prefix)
    }
}

impl fmt::Debug for TextPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.prefix)
    }
}

impl<T: 'static> PromptKind for Picker<T> {
    fn prefix(&self) -> &'static str {
        self.text.prefix
    }

    fn hint(&self) -> &'static str {
        self.text.hint
    }

    fn title(&self, app: &App, input: &PromptInput) -> Option<String> {
        if self.once_typed && input.is_empty() {
            return None;
        }
        let chosen = self.matching.get(input.chosen);
        let own = self.title_of.zip(chosen).map(|(of, chosen)| of(app, chosen));
        own.or_else(|| Some(self.text.title.clone()))
    }

    fn is_about_turn(&self) -> bool {
        self.text.is_about_turn
    }

    fn digits(&self) -> Digits {
        self.digits
    }

    fn choice_of_digit(&self, digit: usize) -> Option<usize> {
        match self.digit_of {
            Some(of) => self.matching.iter().position(|choice| of(choice) == Some(digit)),
            None => digit.checked_sub(1),
        }
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line {
        let mut line = (self.line)(app, &self.matching[number]);
        if self.digits != Digits::Type {
            let digit = self.digit(number, input).map_or(" ".to_owned(), |digit| digit.to_string());
            line.runs.splice(0..0, Line::of(Ink::Key, &format!("{digit} ")).runs);
        }
        line
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        self.matching = (self.find)(app, input.text().trim());
        let first = self.first.as_ref().filter(|_| input.is_empty());
        let first =
            first.and_then(|first| self.matching.iter().position(|choice| first(app, choice)));
        input.chosen = first.unwrap_or_default();
    }

    fn accept(mut self: Box<Self>, app: &mut App, input: PromptInput) {
        let chosen =
            (input.chosen < self.matching.len()).then(|| self.matching.swap_remove(input.chosen));
        (self.take)(app, chosen, input.text().trim());
    }
}

impl PromptKind for TextPrompt {
    fn prefix(&self) -> &'static str {
        self.text.prefix
    }

    fn hint(&self) -> &'static str {
        self.text.hint
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        self.is_long.then(|| self.text.title.clone())
    }

    fn is_about_turn(&self) -> bool {
        self.text.is_about_turn
    }

    fn is_long(&self) -> bool {
        self.is_long
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        (self.take)(app, &input.text());
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        (self.cancel)(app);
    }
}

/// Returns those of `all` whose text is like what is typed, best first; all of them for an empty text.
pub fn like<T>(
    all: impl IntoIterator<Item = T>,
    mut matcher: FuzzyMatcher,
    text: impl Fn(&T) -> String,
) -> Vec<T> {
    let mut scored: Vec<_> =
        all.into_iter().filter_map(|one| Some((matcher.score(&text(&one))?, one))).collect();
    scored.sort_by_key(|(score, _)| Reverse(*score));
    scored.into_iter().map(|(_, one)| one).collect()
}
