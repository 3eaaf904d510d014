//! A call uses a value that nobody mentioned and no earlier call returned.
//!
//! The value was made up, and a model trained on the call learns to make up values too.
//!
//! The rule checks times, numbers, names of movies and theaters, and ids that programs assign.
//! People shorten and misspell names, so a name counts as mentioned if at least half of its
//! distinctive words were mentioned, a time if its hour was, and a number if it or a part of the
//! sum was. An id must have been returned exactly as it is.
//!
//! The fix replaces an id with the one that was returned and resembles it, if there is one
//! (unsafe).
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0,
//!      "args": {"name.movie": "The Lodger Below", "name.theater": "The Roxie"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is dune on at the roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0,
//!      "args": {"name.movie": "Dune", "name.theater": "The Roxie"}}]}]}
//! ```

use crate::dialog::{Content, Field, Payload};
use crate::json::{Kind, Parser};
use crate::lint::said::lower;
use crate::lint::value::{Sort, Time, alike, counted, number, telling, words};
use crate::lint::{Applicability, Call, Findings, Look, Rule, Severity, Subject};
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "api-argument-unsupported",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_argument_unsupported.rs"),
    check: Look::Dialog(check),
};

/// Values of more bytes are not checked: they are not names or numbers.
const LONGEST: usize = 200;

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        for field in call.arguments.fields() {
            let sort = Sort::of(&field.name);
            match &field.content {
                Content::Text(value) if value.is_empty() || value.len() > LONGEST => {}
                Content::Text(value) if sort == Sort::Id => {
                    id(subject, call, (field, &field.name, value), found);
                }
                Content::Text(value)
                    if sort != Sort::Other
                        && !is_said(subject, call, value)
                        && !is_meant(subject, call, sort, value) =>
                {
                    let (name, api) = (&field.name, &call.of.name);
                    let message = format!(
                        "{name} of {api} is {value}, which is not mentioned earlier in the dialog"
                    );
                    found.add(subject.spot_at(call.turn, field.at), message);
                }
                Content::Raw(raw) if raw.contains("_id\"") => {
                    ids(subject, call, (field, raw), found);
                }
                _ => {}
            }
        }
    }
}

/// True if the value occurs literally in the dialog up to the turn of the call.
fn is_said(subject: &Subject<'_>, call: &Call<'_>, value: &str) -> bool {
    let said = subject.said().until(call.turn).as_bytes();
    memchr::memmem::find(said, lower(value).as_bytes()).is_some()
}

/// True if the value was mentioned in other words, or returned by an earlier call.
fn is_meant(subject: &Subject<'_>, call: &Call<'_>, sort: Sort, value: &str) -> bool {
    let same = |f: &Field| {
        let other = f.content.as_str();
        other.eq_ignore_ascii_case(value) || sort == Sort::Name && has_half(value, other)
    };
    if before(subject, call).any(|c| c.response.fields().iter().any(same)) {
        return true;
    }
    let said = subject.said().until(call.turn);
    match sort {
        Sort::Name => has_half(value, said) || is_shortened(value, said),
        Sort::Time => Time::read(value).is_none_or(|time| has_hour(said, time)),
        Sort::Number => number(value).is_none_or(|n| n <= 2 || has_part(said, n)),
        Sort::Id | Sort::Other => true,
    }
}

/// The calls before `call`.
fn before<'s>(
    subject: &'s Subject<'_>,
    call: &Call<'_>,
) -> impl Iterator<Item = &'s Call<'s>> + use<'s> {
    let place = (call.turn, call.call);
    let all = subject.calls().iter();
    all.take_while(move |c| (c.turn, c.call) < place)
}

/// True if at least half of the distinctive words of a name occur in a text.
fn has_half(name: &str, text: &str) -> bool {
    let telling = telling(name);
    let has = |word: &&&str| words(text).any(|said| alike(word, said));
    telling.iter().filter(has).count() * 2 >= telling.len()
}

/// True if the initials of a name were mentioned: "sf" for San Francisco.
fn is_shortened(name: &str, said: &str) -> bool {
    let initials: String = words(name).filter_map(|w| w.chars().next()).collect();
    initials.len() > 1 && words(said).any(|word| word.eq_ignore_ascii_case(&initials))
}

fn has_hour(said: &str, time: Time) -> bool {
    let hours = [time.hour(), time.hour() + 12];
    // "Quarter to ten" names the next hour.
    let next = time.hour() % 12 + 1;
    let number = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        digits.parse().ok().or_else(|| counted(word))
    };
    let noon = time.minutes == 0;
    words(said).any(|word| match number(word) {
        Some(n) => hours.contains(&n) || n == next || n / 100 == time.hour(),
        None => noon && ["noon", "midnight"].contains(&word),
    })
}

/// True if a number was mentioned that `number` may be a sum of.
fn has_part(said: &str, number: u32) -> bool {
    let read = |word: &str| word.parse().ok().or_else(|| counted(word));
    words(said).any(|word| read(word).is_some_and(|n| (2..=number).contains(&n)))
        || ["family", "couple", "group", "kids", "children"]
            .iter()
            .any(|w| said.contains(w))
}

/// Ids in lists, such as `[{"addon_id": "caramel-015", "option": "ADD"}]`.
fn ids(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, raw): (&Field, &str),
    found: &mut Findings<'_>,
) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(raw) else {
        return;
    };
    for value in tree.values().filter(|v| v.kind() == Kind::Object) {
        for (key, value) in value.members() {
            let (Some(name), Some(value)) = (key.as_str(), value.as_str()) else {
                continue;
            };
            if Sort::of(&name) == Sort::Id {
                id(subject, call, (field, &name, &value), found);
            }
        }
    }
}

fn id(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, name, value): (&Field, &str, &str),
    found: &mut Findings<'_>,
) {
    let returned = before(subject, call).any(|c| match &c.of.response {
        // Even broken JSON shows which strings it contains.
        Some(Payload::Embedded { text, .. }) => quotes(text, value),
        Some(Payload::Fields(fields)) => fields.iter().any(|f| match &f.content {
            Content::Text(text) => text == value,
            Content::Raw(raw) => quotes(raw, value),
        }),
        None => false,
    });
    if !returned {
        let api = &call.of.name;
        let message = format!("{name} of {api} is {value}, which no earlier call returned");
        let diagnostic = found.add(subject.spot_at(call.turn, field.at), message);
        if let Some(meant) = meant(subject, call, name, value)
            && let Some(edit) = call.replace_text(&field.name, value, &meant)
        {
            let title = format!("change to {meant}");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}

/// The only id under this name that an earlier call returned and that resembles `value`.
fn meant(subject: &Subject<'_>, call: &Call<'_>, name: &str, value: &str) -> Option<String> {
    let mut returned: Vec<String> = Vec::new();
    for c in before(subject, call) {
        let Some(Payload::Embedded { text, .. }) = &c.of.response else {
            continue;
        };
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_str(text) else {
            continue;
        };
        let objects = tree.values().filter(|v| v.kind() == Kind::Object);
        let ids = objects.filter_map(|object| object.get(name)?.as_str());
        returned.extend(ids.map(std::borrow::Cow::into_owned));
    }
    returned.sort();
    returned.dedup();
    let near = near(value, returned.iter().map(String::as_str));
    // For `sugar-free-vanilla-012`, somebody may have typed only the number, or changed the name.
    let number = number_of(value);
    let ends_as = |id: &&String| id.ends_with(value) || number.is_some() && number_of(id) == number;
    let ending = returned.iter().filter(|id| ends_as(id));
    let mut meant = near
        .iter()
        .map(|n| n.name)
        .chain(ending.map(String::as_str));
    let first = meant.next()?;
    meant.all(|other| other == first).then(|| first.to_owned())
}

/// The number after the last hyphen of an id.
fn number_of(id: &str) -> Option<&str> {
    let (_, number) = id.rsplit_once('-')?;
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number.len() > 2).then_some(number)
}

/// True if a JSON text contains `value` as a string.
fn quotes(json: &str, value: &str) -> bool {
    let mut places = json.match_indices(value).map(|(start, _)| start);
    places.any(|start| {
        json[..start].ends_with('"') && json[start + value.len()..].starts_with(['"', '\\'])
    })
}
