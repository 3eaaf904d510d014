//! Pickers and prompts made of data: what can be chosen, how it is listed, and what happens with it.

use std::cmp::Reverse;
use std::fmt;

use crate::app::core::{App, Choices, Digits, PromptInput, PromptWords};
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

/// Returns the title and the marks under a text of several lines.
type Marked = fn(&App, &str) -> (String, TextMarks);

/// Says in a line how a text is understood.
type Reading = fn(&App, &str) -> Option<Line>;

/// A list of `T`s to choose from, narrowed by what is typed.
#[must_use]
pub struct Picker<T> {
    words: PromptWords,
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
    /// Says how the text is understood where there are no choices; without such a line there is no window then.
    reading: Option<Reading>,
    marked: Option<Marked>,
    /// Earlier texts, the newest last, and how many of them back the text is; 0 for the one that is typed.
    earlier: Vec<String>,
    back: usize,
    follow: Follow,
    take: Take<T>,
    cancel: Box<dyn FnOnce(&mut App)>,
    /// The choices for what is typed.
    matching: Vec<T>,
}

/// A text to type.
pub type TextPrompt = Picker<()>;

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
            words: PromptWords {
                prefix,
                hint: "",
                title: Some(title.into()),
                digits: Digits::Type,
                is_long: false,
                is_exact: false,
                marks: TextMarks::default(),
                without_choices: Line::of(Ink::Dim, " no matching entry"),
                accepts_click: true,
            },
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
            reading: None,
            marked: None,
            earlier: Vec::new(),
            back: 0,
            follow: Box::new(|_, _| {}),
            take: Box::new(take),
            cancel: Box::new(|_| {}),
            matching: Vec::new(),
        }
    }

    /// Shows a hint while nothing is typed.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.words.hint = hint;
        self
    }

    /// Lets digits pick choices.
    pub fn digits(mut self, digits: Digits) -> Self {
        self.words.digits = digits;
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

    /// Puts the choice that is selected into the text, which is what counts and may be changed there.
    pub fn completes(mut self, complete: fn(&T, &str) -> String) -> Self {
        (self.or_typed, self.complete) = (true, Some(complete));
        self.words.accepts_click = false;
        self
    }

    /// Makes it a text of several lines, in a window with this title. Its choices are below the text.
    pub fn long(mut self, title: impl Into<String>) -> Self {
        (self.words.is_long, self.words.is_exact) = (true, true);
        self.words.title = Some(title.into());
        self
    }

    /// Says in a line how the text, which is taken as it is, is understood where there are no choices.
    pub fn reads(mut self, reading: Reading) -> Self {
        (self.reading, self.words.is_exact) = (Some(reading), true);
        self
    }

    /// Brings back earlier texts, the newest of which is the last one, above the first choice.
    pub fn recalls(mut self, earlier: Vec<String>) -> Self {
        self.earlier = earlier;
        self
    }

    /// Shows this line where there are no choices.
    pub fn or_says(mut self, line: Line) -> Self {
        self.words.without_choices = line;
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
        let shown = input.is_empty() && number < 9 || self.words.digits == Digits::PickOnly;
        match self.digit_of {
            Some(digit_of) => digit_of(&self.matching[number]),
            None => shown.then_some(number + 1),
        }
    }

    /// Puts an earlier text into the prompt, an older or a newer one; after the newest, the typed text.
    fn recall(&mut self, app: &mut App, input: &mut PromptInput, by: isize) {
        let typed = std::mem::take(&mut self.typed);
        let typed = if self.back == 0 { input.text() } else { typed };
        let back = self.back.saturating_add_signed(-by).min(self.earlier.len());
        let older = self.earlier.len().checked_sub(back).and_then(|place| self.earlier.get(place));
        input.field = TextField::new(older.unwrap_or(&typed));
        self.changed(app, input);
        (self.back, self.typed) = (back, typed);
    }
}

impl TextPrompt {
    /// Returns a prompt for one line; `take` gets what was typed.
    pub fn text(prefix: &'static str, take: impl FnOnce(&mut App, &str) + 'static) -> Self {
        let nothing = |_: &App, _: &str| Vec::new();
        let none = |_: &App, (): &()| Line::new();
        let take = |app: &mut App, _: Option<()>, typed: &str| take(app, typed);
        let mut prompt = Self::new(prefix, "", nothing, none, take);
        (prompt.words.title, prompt.words.is_exact) = (None, true);
        prompt
    }

    /// Marks parts of the text as it is typed, and gives the window a title about them.
    pub fn marked(mut self, marked: Marked) -> Self {
        self.marked = Some(marked);
        self
    }
}

impl<T> fmt::Debug for Picker<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words.prefix)
    }
}

impl<T: 'static> Choices for Picker<T> {
    fn words(&self) -> &PromptWords {
        &self.words
    }

    fn title(&self, app: &App, input: &PromptInput) -> Option<String> {
        let has_nothing = self.reading.is_some() && self.matching.is_empty();
        if has_nothing && self.words.without_choices == Line::default()
            || self.once_typed && input.is_empty()
        {
            return None;
        }
        let chosen = self.matching.get(input.chosen);
        let own = self.title_of.zip(chosen).map(|(of, chosen)| of(app, chosen));
        own.or_else(|| self.words.title.clone())
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
        if self.words.digits != Digits::Type {
            let digit = self.digit(number, input).map_or(" ".to_owned(), |digit| digit.to_string());
            line.runs.splice(0..0, Line::of(Ink::Key, &format!("{digit} ")).runs);
        }
        line
    }

    fn selected(&self, input: &PromptInput) -> Option<usize> {
        (!self.or_typed || self.is_picked).then_some(input.chosen)
    }

    fn step(&mut self, app: &mut App, input: &mut PromptInput, by: isize) {
        let place = match self.selected(input) {
            // The first choice is one step away from what was typed.
            None if by > 0 && self.back == 0 => Some(by - 1),
            None => None,
            Some(chosen) => Some(chosen as isize + by),
        };
        let last = self.count().checked_sub(1);
        let Some((place, last)) =
            place.zip(last).filter(|(place, _)| !self.or_typed || *place >= 0)
        else {
            // Above the first choice is what was typed, and before that, what was typed earlier.
            if self.is_picked {
                input.field = TextField::new(&self.typed);
            }
            self.is_picked = false;
            return self.recall(app, input, by);
        };
        input.chosen = place.max(0).min(last as isize) as usize;
        self.is_picked = true;
        if let Some((complete, choice)) = self.complete.zip(self.matching.get(input.chosen)) {
            input.field = TextField::new(&complete(choice, &input.text()));
            (self.follow)(app, &input.text());
        }
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        (self.is_picked, self.back) = (false, 0);
        self.typed = input.text();
        if let Some(marked) = self.marked {
            let (title, marks) = marked(app, &self.typed);
            (self.words.title, self.words.marks) = (Some(title), marks);
        }
        if let Some(reading) = self.reading {
            self.words.without_choices = reading(app, &self.typed).unwrap_or_default();
        }
        (self.follow)(app, &self.typed);
        self.matching = (self.find)(app, self.words.as_taken(&self.typed));
        let first = self.first.as_ref().filter(|_| input.is_empty());
        let first =
            first.and_then(|first| self.matching.iter().position(|choice| first(app, choice)));
        input.chosen = first.unwrap_or_default();
    }

    fn accept(mut self: Box<Self>, app: &mut App, input: PromptInput) {
        let chosen = self.selected(&input).filter(|chosen| *chosen < self.matching.len());
        let chosen = chosen.map(|chosen| self.matching.swap_remove(chosen));
        let text = input.text();
        (self.take)(app, chosen, self.words.as_taken(&text));
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
