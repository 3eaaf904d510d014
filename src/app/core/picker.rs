//! Pickers and prompts made of data: what can be chosen, how it is listed, and what happens with it. A prompt that does
//! more while the user types is a [`PromptKind`] of its own.

use std::cmp::Reverse;
use std::fmt;

use crate::app::core::{App, Digits, PromptInput, PromptKind};
use crate::app::input::{FuzzyMatcher, TextField};
use crate::app::pane::long_text::TextMarks;
use crate::app::pane::{Ink, Line};

/// Finds the choices for a text.
type Find<T> = Box<dyn Fn(&App, &str) -> Vec<T>>;

/// Does something with the choice, if there was one, and with what was typed.
type Take<T> = Box<dyn FnOnce(&mut App, Option<T>, &str)>;

/// Does something with what is typed, as it is typed.
type Follow = Box<dyn Fn(&mut App, &str)>;

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
    /// True if the typed text counts unless the user has selected a choice.
    or_typed: bool,
    /// The user has selected a choice.
    is_picked: bool,
    /// The text typed before.
    typed: String,
    /// Returns the text with a choice in it.
    complete: Option<fn(&T, &str) -> String>,
    follow: Follow,
    take: Take<T>,
    cancel: Box<dyn FnOnce(&mut App)>,
    /// The choices for what is typed.
    matching: Vec<T>,
}

/// A text to type.
pub type TextPrompt = Picker<()>;

/// Returns the title and the marks under a text of several lines.
type Marked = fn(&App, &str) -> (String, TextMarks);

/// The words of a picker or a text, and what kind of text it is.
#[derive(Default)]
struct PromptText {
    prefix: &'static str,
    hint: &'static str,
    /// The title of its window, if it has one.
    title: Option<String>,
    /// It may have several lines.
    is_long: bool,
    marked: Option<Marked>,
    marks: TextMarks,
    /// The lines under the text.
    explanation: Vec<Line>,
    /// Why it takes no pasted text with line breaks, if they do not become spaces.
    refuses_lines: Option<&'static str>,
    /// The line of the list if there are no choices.
    without_choices: Option<Line>,
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
            text: PromptText { prefix, title: Some(title.into()), ..PromptText::default() },
            digits: Digits::Type,
            find: Box::new(find),
            line,
            title_of: None,
            digit_of: None,
            first: None,
            once_typed: false,
            or_typed: false,
            is_picked: false,
            typed: String::new(),
            complete: None,
            follow: Box::new(|_, _| {}),
            take: Box::new(take),
            cancel: Box::new(|_| {}),
            matching: Vec::new(),
        }
    }

    /// Shows a hint while nothing is typed.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.text.hint = hint;
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

    /// Takes what is typed unless the user selects a choice.
    pub fn or_typed(mut self) -> Self {
        self.or_typed = true;
        self
    }

    /// Puts the choice that is selected into the text, which is what counts.
    pub fn completes(mut self, complete: fn(&T, &str) -> String) -> Self {
        (self.or_typed, self.complete) = (true, Some(complete));
        self
    }

    /// Shows this line where there are no choices.
    pub fn or_says(mut self, line: Line) -> Self {
        self.text.without_choices = Some(line);
        self
    }

    /// Does something with the text as it is typed.
    pub fn follow(mut self, follow: impl Fn(&mut App, &str) + 'static) -> Self {
        self.follow = Box::new(follow);
        self
    }

    /// Does something if it is cancelled.
    pub fn or_else(mut self, cancel: impl FnOnce(&mut App) + 'static) -> Self {
        self.cancel = Box::new(cancel);
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
    pub fn text(prefix: &'static str, take: impl FnOnce(&mut App, &str) + 'static) -> Self {
        let nothing = |_: &App, _: &str| Vec::new();
        let none = |_: &App, (): &()| Line::new();
        let take = |app: &mut App, _: Option<()>, typed: &str| take(app, typed);
        let mut prompt = Self::new(prefix, "", nothing, none, take);
        prompt.text.title = None;
        prompt
    }

    /// Makes it a text of several lines, in a window with this title.
    pub fn long(mut self, title: impl Into<String>) -> Self {
        (self.text.is_long, self.text.title) = (true, Some(title.into()));
        self
    }

    /// Marks parts of the text as it is typed, and gives the window a title about them.
    pub fn marked(mut self, marked: Marked) -> Self {
        self.text.marked = Some(marked);
        self
    }

    /// Puts the text into a window with this title and these lines under it.
    pub fn explained(mut self, title: impl Into<String>, lines: Vec<Line>) -> Self {
        (self.text.explanation, self.text.title) = (lines, Some(title.into()));
        self
    }

    /// Refuses pasted text with line breaks for this reason.
    pub fn refuses_lines(mut self, why: &'static str) -> Self {
        self.text.refuses_lines = Some(why);
        self
    }
}

impl<T> fmt::Debug for Picker<T> {
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
        own.or_else(|| self.text.title.clone())
    }

    fn is_long(&self) -> bool {
        self.text.is_long
    }

    fn marks(&self) -> Option<&TextMarks> {
        Some(&self.text.marks)
    }

    fn explanation(&self) -> &[Line] {
        &self.text.explanation
    }

    fn refuses_lines(&self) -> Option<&'static str> {
        self.text.refuses_lines
    }

    fn without_choices(&self) -> Line {
        let none = Line::of(Ink::Dim, " no matching entry");
        self.text.without_choices.clone().unwrap_or(none)
    }

    /// A choice that is put into the text may be changed there.
    fn accepts_click(&self) -> bool {
        self.complete.is_none()
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

    fn selected(&self, input: &PromptInput) -> Option<usize> {
        (!self.or_typed || self.is_picked).then_some(input.chosen)
    }

    fn step(&mut self, _: &mut App, input: &mut PromptInput, by: isize) {
        match self.selected(input) {
            // Above the first choice is what was typed.
            Some(0) if by < 0 && self.or_typed => {
                self.is_picked = false;
                input.field = TextField::new(&self.typed);
                return;
            }
            Some(chosen) => {
                let last = self.count().saturating_sub(1);
                input.chosen = chosen.saturating_add_signed(by).min(last);
            }
            None => {}
        }
        self.is_picked = self.count() > 0;
        if let Some((complete, choice)) = self.complete.zip(self.matching.get(input.chosen)) {
            input.field = TextField::new(&complete(choice, &input.text()));
        }
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        self.is_picked = false;
        self.typed = input.text();
        if let Some(marked) = self.text.marked {
            let (title, marks) = marked(app, &self.typed);
            (self.text.title, self.text.marks) = (Some(title), marks);
        }
        (self.follow)(app, &input.text());
        self.matching = (self.find)(app, input.text().trim());
        let first = self.first.as_ref().filter(|_| input.is_empty());
        let first =
            first.and_then(|first| self.matching.iter().position(|choice| first(app, choice)));
        input.chosen = first.unwrap_or_default();
    }

    fn accept(mut self: Box<Self>, app: &mut App, input: PromptInput) {
        let chosen = self.selected(&input).filter(|chosen| *chosen < self.matching.len());
        let chosen = chosen.map(|chosen| self.matching.swap_remove(chosen));
        let text = input.text();
        // A text that is typed is taken as it is.
        let is_text = self.text.title.is_none() || self.text.is_long;
        (self.take)(app, chosen, if is_text { &text } else { text.trim() });
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
