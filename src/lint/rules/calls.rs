//! Rules on API calls, their arguments and responses.

use foldhash::HashSet;

use super::names::{self, is_checked, near_values, unknown_value};
use crate::dialog::{CallPart, Content, EditValue, Extent, Field, Payload, Role};
use crate::json::Parser;
use crate::lint::engine::{Applicability, Diagnostic, Findings, Severity, rules};
use crate::lint::facts::transcript::lower;
use crate::lint::facts::value::{Time, ValueKind, agree, differ, is_in, number, words};
use crate::lint::facts::{Call, LowercaseTranscript, Mention, Subject, Values};
use crate::lint::repair::{meant, undoubled_object};
use crate::ontology::{Api, near, without_number};

rules! {
    /// A request or response is not a valid JSON object.
    ///
    /// Some corpora store requests and responses as JSON in a string. Programs that parse a broken one
    /// fail or continue without the arguments. Common mistakes are doubled quotation marks
    /// (`""cortado-5426""`) and unescaped tabs and line breaks; the rule reports everything that JSON
    /// does not allow. Valid JSON that is not an object is only a warning.
    ///
    /// The fix, which is safe, removes doubled quotation marks and escapes tabs and line breaks if the
    /// result is a JSON object.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Coffee", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "a mocha", "annotations": [
    ///     {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
    ///     {"name": "request", "value": "{\"query\": \"\"mocha\"\"}", "context": "api_call_0"}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Coffee", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "a mocha", "annotations": [
    ///     {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
    ///     {"name": "request", "value": "{\"query\": \"mocha\"}", "context": "api_call_0"}]}]}
    /// ```
    "api-json-broken": Error => api_json_broken;

    /// A call names an API that is not in the ontology of its corpus.
    ///
    /// No such API exists, so a model trained on the call learns to call nothing.
    ///
    /// If the ontology was collected from only part of its corpus, a name that resembles no known one
    /// is reported as a note.
    ///
    /// The fix is the intended name: safe if only capitalization or separators differ, unsafe if
    /// letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movie", "index": 0, "args": {"name.genre": "horror"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"}}]}]}
    /// ```
    "api-unknown-name": Warning => api_unknown_name;

    /// A call lacks its request or response, or one of these lacks its call.
    ///
    /// The pieces of a call are linked by their context (`api_call_3`, `api_response_3`). If a piece is
    /// missing or has the wrong context, the call cannot be put together, and programs that look up the
    /// arguments of every call fail.
    ///
    /// A response has two pieces: the name of the API and the result. If only one of them is there, the
    /// other is reported as missing; if both are missing, that is reported only if all other calls of
    /// the dialog have them. The name in the response must be that of the call.
    ///
    /// The fix adds a request with the required arguments, using the values mentioned or returned last
    /// (unsafe), or an empty request if the API takes no arguments (safe). There is no fix if a request
    /// in the same turn belongs to no call, because that is probably the missing one. If a response
    /// names another API, the fix changes the name to that of the call (safe if the ontology does not
    /// have that other API, otherwise manual).
    ///
    /// The rule does not apply to chats: chat-call-unanswered and chat-arguments-broken check those.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Coffee", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
    ///     {"name": "api_call", "value": "show_menu", "context": "api_call_0"},
    ///     {"name": "response", "value": "{}", "context": "api_response_0"}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Coffee", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
    ///     {"name": "api_call", "value": "show_menu", "context": "api_call_0"},
    ///     {"name": "request", "value": "{}", "context": "api_call_0"}]}]}
    /// ```
    "api-call-without-request": Warning => api_call_without_request;

    /// A call has an argument that its API does not accept.
    ///
    /// Either the name of the argument is misspelled, or the call is for another API. Numbered
    /// arguments (`name.movie_2`) are accepted.
    ///
    /// If the ontology was collected from only part of its corpus, a name that resembles no known one
    /// is reported as a note.
    ///
    /// The fix is the intended name: safe if only capitalization or separators differ or the typo is a
    /// known one, unsafe if letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 0, "args": {"name.gender": "horror"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"}}]}]}
    /// ```
    "api-unknown-argument": Warning => api_unknown_argument;

    /// A call lacks a required argument, or the argument is empty.
    ///
    /// Such a call cannot have worked; the value that it lacks was mentioned in the dialog.
    ///
    /// An argument with a misspelled name is not missing; api-unknown-argument reports it.
    ///
    /// The fix, which is unsafe, adds the value that was mentioned or returned last under this name,
    /// unless several values qualify.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
    ///     {"name": "find_showtimes", "index": 0, "args": {"name.movie": "Dune"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
    ///     {"name": "find_showtimes", "index": 0,
    ///      "args": {"name.movie": "Dune", "name.theater": "the Roxie"}}]}]}
    /// ```
    "api-missing-argument": Warning => api_missing_argument;

    /// A response contains a field that its API does not return.
    ///
    /// Either the name of the field is misspelled, or the response belongs to another call. Numbered
    /// fields (`time.showing_2`) are accepted.
    ///
    /// If the ontology was collected from only part of its corpus, a name that resembles no known one
    /// is reported as a note.
    ///
    /// The fix is the intended name: safe if only capitalization or separators differ or the typo is a
    /// known one, unsafe if letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"},
    ///      "response": {"time.showing_1": "The Lodger"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"},
    ///      "response": {"name.movie_1": "The Lodger"}}]}]}
    /// ```
    "api-unknown-response": Warning => api_unknown_response;

    /// The index of a call differs from that of its turn.
    ///
    /// A call repeats the index of its utterance. If the two differ, the call or the utterance was
    /// moved by hand, and it is unclear to which turn the call belongs.
    ///
    /// There is no fix, because only a person can tell which index is right.
    ///
    /// The rule applies to Taskmaster-3, where calls repeat the index of their turn.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 4, "args": {"name.genre": "horror"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 4, "speaker": "user", "text": "any horror?", "apis": [
    ///     {"name": "find_movies", "index": 4, "args": {"name.genre": "horror"}}]}]}
    /// ```
    "api-turn-index": Warning => api_turn_index;

    /// A call uses a value that nobody mentioned and no earlier call returned.
    ///
    /// The value was made up, and a model trained on the call learns to make up values too.
    ///
    /// The rule checks different values in different families:
    ///
    /// * In Taskmaster, times, numbers, names of movies and theaters, and ids that programs assign.
    ///   People shorten and misspell names, so a name counts as mentioned if at least half of its
    ///   distinctive words were. For a time, it is enough that its hour was mentioned; for a number, that
    ///   a smaller one was, which may be part of the sum. Where earlier segments have the name of the argument as
    ///   their label, a time must be one of theirs, or its hour be written in digits; a number must be one of
    ///   theirs or a sum of them; and other values, such as dates, or words in place of a time or number, must
    ///   share half of their distinctive words with what was said. An id must have been returned exactly as it is.
    /// * In corpora whose states keep their slots, such as SGD, every text. An act, its canonical values, a
    ///   state, a result, another call or an utterance must have it earlier.
    /// * In chats with tools, ids: values of `user_id`, `flight_number` and the like that mix letters and digits.
    ///   A message, an answer, a call before or a declaration of a tool must have it. Other arguments of chats
    ///   are not checked: assistants often compute or reword them.
    ///
    /// In a dialog of thousands of turns and calls, values are searched for up to a limit; from there on, all of them count as
    /// mentioned.
    ///
    /// The fix, which is unsafe, replaces an id with the similar one that was returned, or with the one that the turn
    /// names if it does not name the similar one. Another
    /// value is replaced with the words of the last segment of its label (of numbers, all segments must have the
    /// same), with the only value that a call returned under its name, or with that of an earlier call. In corpora
    /// with states, it sets the argument to the canonical value that an act had last for the slot of this name,
    /// or to the value in the state.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
    ///     {"name": "find_showtimes", "index": 0,
    ///      "args": {"name.movie": "The Lodger Below", "name.theater": "The Roxie"}}]}]}
    /// ```
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "services": ["Gardens_1"], "turns": [
    ///   {"speaker": "USER", "utterance": "a garden in Ghent, please", "frames": [{"service": "Gardens_1",
    ///     "slots": [], "actions": [],
    ///     "state": {"active_intent": "FindGardens", "requested_slots": [], "slot_values": {"city": ["Ghent"]}}}]},
    ///   {"speaker": "SYSTEM", "utterance": "There is none.", "frames": [{"service": "Gardens_1",
    ///     "slots": [], "actions": [],
    ///     "service_call": {"method": "FindGardens", "parameters": {"city": "Gent"}}, "service_results": []}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "user", "text": "when is dune on at the roxie?", "apis": [
    ///     {"name": "find_showtimes", "index": 0,
    ///      "args": {"name.movie": "Dune", "name.theater": "The Roxie"}}]}]}
    /// ```
    "api-argument-unsupported": Warning => api_argument_unsupported;

    /// A call uses an outdated value: a later one was mentioned and confirmed.
    ///
    /// For example, the user chose 9:10pm and the assistant read it back, but the tickets were booked
    /// for 4:30pm. A model trained on this learns to book the wrong show.
    ///
    /// The rule checks times, numbers, and names of movies and theaters. It reports a value if all of
    /// this is true:
    ///
    /// * The value was mentioned or returned before.
    /// * The last turn that mentions a value with the same label mentions exactly one, and it certainly
    ///   means something else.
    /// * That later value is confirmed: both speakers mentioned it, or the user said yes to it.
    /// * Nothing said since then brings the old value back.
    ///
    /// The rule compares arguments with segments of the same name. It does not apply to chats, nor to families
    /// whose arguments are not called like labels, such as SGD.
    ///
    /// If the edges of a segment are off, the rule uses the value that the segment has after its fix. A
    /// segment whose quoted text differs from the text at its offsets does not count.
    ///
    /// The fix sets the argument to the value that was mentioned last (unsafe).
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "assistant", "text": "4:30pm or 9:10pm?", "segments": [
    ///     {"start_index": 0, "end_index": 6, "text": "4:30pm", "annotations": [{"name": "time.showing"}]},
    ///     {"start_index": 10, "end_index": 16, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
    ///   {"index": 1, "speaker": "user", "text": "the later one"},
    ///   {"index": 2, "speaker": "assistant", "text": "So two for Dune at the Roxie at 9:10pm?", "segments": [
    ///     {"start_index": 32, "end_index": 38, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
    ///   {"index": 3, "speaker": "user", "text": "Yes, please", "apis": [{"name": "book_tickets", "index": 3,
    ///     "args": {"name.movie": "Dune", "name.theater": "the Roxie", "time.showing": "4:30pm"}}]}]}
    /// ```
    ///
    /// ```json good
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "assistant", "text": "4:30pm or 9:10pm?", "segments": [
    ///     {"start_index": 0, "end_index": 6, "text": "4:30pm", "annotations": [{"name": "time.showing"}]},
    ///     {"start_index": 10, "end_index": 16, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
    ///   {"index": 1, "speaker": "user", "text": "the later one"},
    ///   {"index": 2, "speaker": "assistant", "text": "So two for Dune at the Roxie at 9:10pm?", "segments": [
    ///     {"start_index": 32, "end_index": 38, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
    ///   {"index": 3, "speaker": "user", "text": "No, the other one", "apis": [{"name": "book_tickets", "index": 3,
    ///     "args": {"name.movie": "Dune", "name.theater": "the Roxie", "time.showing": "4:30pm"}}]}]}
    /// ```
    "api-argument-outdated": Warning => api_argument_outdated;
}

fn api_json_broken(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // The rules on chats check this.
    if subject.is_chat() {
        return;
    }
    for call in subject.calls() {
        for part in [CallPart::Arguments, CallPart::Response] {
            if let Some(Payload::Embedded { text, at }) = call.of.payload(part)
                && let Some(why) = why(call.values(part))
            {
                let location = subject.location_at(call.turn, *at);
                let most = match call.values(part) {
                    Values::Broken(_) => Severity::Error,
                    _ => Severity::Warning,
                };
                let message = format!("{} is {why}", what(part, call));
                let diagnostic = found.add_at_most(most, location, message);
                if let Some(repaired) = undoubled_object(text) {
                    let edit = call.set_json(part, repaired);
                    diagnostic.fix("repair the JSON", Applicability::Safe, vec![edit]);
                }
            }
        }
    }
}

fn what(part: CallPart, call: &Call<'_>) -> String {
    let part = match part {
        CallPart::Arguments => "request",
        CallPart::Response => "response",
    };
    if call.of.name.is_empty() {
        format!("the {part}")
    } else {
        format!("the {part} of {}", call.of.name)
    }
}

fn why(values: &Values<'_>) -> Option<String> {
    match values {
        Values::Broken(why) => Some(format!("not valid JSON: {why}")),
        Values::NoObject(kind) => Some(format!("{kind}, not an object")),
        _ => None,
    }
}

fn api_unknown_name(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let ontology = subject.ontology;
    if !is_checked(subject) {
        return;
    }
    let unknown = |call: &&Call<'_>| call.is_unknown();
    for call in subject.calls().iter().filter(unknown) {
        let name = &call.of.name;
        let message = names::message("API", name, ontology);
        let near = near(name, ontology.apis.keys().map(String::as_str));
        names::unknown(ontology, call.location(), message, &near, found, |right| {
            Some(call.set_api(right))
        });
    }
}

fn api_call_without_request(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // The rules on chats check this.
    if subject.is_chat() {
        return;
    }
    // Do not repeat what schema reports for a published schema.
    let issues: HashSet<u32> = subject.issues.iter().map(|issue| issue.at.start).collect();
    let strays = subject.calls().iter().filter(|c| is_stray(c));
    let strays: HashSet<usize> = strays.map(|c| c.turn).collect();
    let unanswered = subject.calls().iter().filter(|c| !is_answered(c)).count();
    for call in subject.calls() {
        let reported = || issues.contains(&call.of.at.start);
        let name = &call.of.name;
        if call.of.arguments.is_none() && !name.is_empty() {
            if !reported() {
                let diagnostic = found.add(call.location(), format!("{name} has no request"));
                let stray = strays.contains(&call.turn);
                if let Some((request, applicability)) = request(subject, call)
                    && !stray
                {
                    let title = format!("add the request {request}");
                    let edit = call.set_json(CallPart::Arguments, request);
                    diagnostic.fix(title, applicability, vec![edit]);
                }
            }
        } else if name.is_empty() && !reported() {
            let part = if call.of.arguments.is_some() { "request" } else { "response" };
            found.add(call.location(), format!("{part} without a call"));
        }
        // Responses of declared formats do not repeat the names of their APIs.
        if !name.is_empty() && !subject.format.is_described() {
            response(subject, call, unanswered, found);
        }
    }
}

/// True if `call` is only a request, without the name of an API.
fn is_stray(call: &Call<'_>) -> bool {
    call.of.name.is_empty() && call.of.arguments.is_some()
}

/// True if a call has its response, in a family whose responses have pieces.
fn is_answered(call: &Call<'_>) -> bool {
    let embedded = matches!(call.of.response, Some(Payload::Embedded { .. }));
    call.of.answered_as.is_some() && embedded
}

/// Checks the pieces of a response, in a family that has them. `unanswered` is the number of calls in the
/// dialog that have no response.
fn response(subject: &Subject<'_>, call: &Call<'_>, unanswered: usize, found: &mut Findings<'_>) {
    let name = &call.of.name;
    match (&call.of.answered_as, &call.of.response) {
        (Some(_), None) => {
            let message = format!("the result of {name} has no content");
            found.add(call.location(), message);
        }
        (None, Some(Payload::Embedded { .. })) => {
            let message = format!("the result of {name} has no API name");
            found.add(call.location(), message);
        }
        (None, None) if subject.calls().len() > 1 && unanswered == 1 => {
            found.add(call.location(), format!("{name} has no response"));
        }
        // api-unknown-name reports a wrong name of the call, and its fix corrects both names.
        (Some(other), _)
            if other != name && (call.api.is_some() || subject.ontology.apis.is_empty()) =>
        {
            let message = format!("the result of {name} has the name {other} instead");
            let diagnostic = found.add(call.location(), message);
            let is_api = subject.ontology.api(other).is_some();
            let applicability = if is_api || call.api.is_none() {
                Applicability::Display
            } else {
                Applicability::Safe
            };
            let title = format!("change the name in the result to {name}");
            diagnostic.fix(title, applicability, vec![call.set_api(name)]);
        }
        _ => {}
    }
}

/// Returns the request that a call should have, if the ontology knows its arguments. None if the response is
/// missing too, because then the call does not show how its family writes requests.
fn request(subject: &Subject<'_>, call: &Call<'_>) -> Option<(String, Applicability)> {
    let api = call.api?;
    let Some(Payload::Embedded { .. }) = call.of.payload(CallPart::Response) else {
        return None;
    };
    let member = |name: &String| {
        let value = last_value(subject, call, name)?;
        Some(format!("{}: {}", quoted(name), quoted(&value)))
    };
    let members: Vec<String> = api.required.iter().map(member).collect::<Option<_>>()?;
    let applicability = if api.required.is_empty() && api.optional.is_empty() {
        Applicability::Safe
    } else {
        Applicability::Unsafe
    };
    Some((format!("{{{}}}", members.join(", ")), applicability))
}

/// `text` as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn api_unknown_argument(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api else {
            continue;
        };
        let fields = call.arguments.fields();
        for field in fields.iter().filter(|field| !api.takes(&field.name)) {
            let known = api.required.iter().chain(&api.optional);
            unknown_value(subject, call, CallPart::Arguments, field, known, found);
        }
    }
}

fn api_missing_argument(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api.filter(|_| call.arguments.is_whole()) else {
            continue;
        };
        let fields = call.arguments.fields();
        for required in &api.required {
            let mut same = fields.iter().filter(|field| is_of(field, required));
            let name = &call.of.name;
            let message = match same.next() {
                None if has_misspelt(subject, call, api, required) => continue,
                None => format!("{name} lacks {required}"),
                Some(first) if is_empty(first) && same.all(is_empty) => {
                    format!("{required} of {name} is empty")
                }
                Some(_) => continue,
            };
            let diagnostic = found.add(call.location(), message);
            if let Some(value) = last_value(subject, call, required)
                && let Some(edit) = call.set(CallPart::Arguments, required, &value)
            {
                let title = format!("set {required}={value}");
                diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

/// True if the call has an argument that the API does not accept and that probably misspells `required`;
/// api-unknown-argument reports that one.
fn has_misspelt(subject: &Subject<'_>, call: &Call<'_>, api: &Api, required: &str) -> bool {
    let fields = call.arguments.fields();
    let mut unknown = fields.iter().filter(|field| !api.takes(&field.name));
    unknown.any(|field| {
        let known = api.required.iter().chain(&api.optional);
        let near = near_values(subject.ontology, field, known);
        near.iter().any(|near| near.name == required)
    })
}

fn is_empty(field: &Field) -> bool {
    match &field.content {
        Content::Text(text) => text.trim().is_empty(),
        Content::Raw(raw) => raw == "null",
    }
}

fn api_unknown_response(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api.filter(|api| !api.responses.is_empty()) else {
            continue;
        };
        let fields = call.response.fields();
        for field in fields.iter().filter(|field| !api.answers(&field.name)) {
            let known = api.responses.iter();
            unknown_value(subject, call, CallPart::Response, field, known, found);
        }
    }
}

fn api_turn_index(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.is_chat() {
        return;
    }
    for call in subject.calls() {
        let index = call.of.fields.iter().find(|field| field.name == "index");
        let (Some(index), Some(own)) = (index, subject.dialog.turns[call.turn].index) else {
            continue;
        };
        let said: Option<u32> = index.content.as_str().parse().ok();
        if let Some(said) = said.filter(|said| *said != own) {
            let name = &call.of.name;
            let message = format!("{name} has index {said}, but its turn has index {own}");
            found.add(subject.location_at(call.turn, index.at), message);
        }
    }
}

fn api_argument_unsupported(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.is_chat() {
        of_chat(subject, found);
        return;
    }
    if subject.format.is_described() && subject.format.keeps_state() {
        of_states(subject, found);
        return;
    }
    let arguments = || {
        let calls = subject.calls().iter();
        calls.flat_map(|call| call.arguments.fields().iter().map(move |field| (call, field)))
    };
    let is_checked = |call: &Call<'_>, field: &Field, kind: ValueKind| match kind {
        ValueKind::Id => false,
        ValueKind::Other => subject.labelled(&field.name, call.turn).next().is_some(),
        ValueKind::Time | ValueKind::Number | ValueKind::Name => true,
    };
    let said = subject.said();
    for (call, field) in arguments() {
        match (&field.content, text_of(field)) {
            (_, Some((ValueKind::Id, value))) => {
                id(subject, call, field, &field.name, value, found);
            }
            (_, Some((kind, value)))
                if is_checked(call, field, kind)
                    && !said.has_text(&lower(value), call.turn)
                    && !is_meant(subject, call, field, said, kind, value) =>
            {
                let name = &field.name;
                let location = subject.location_at(call.turn, field.at);
                let diagnostic = found.add(location, message(call, name, value));
                if let Some(meant) = value_meant(subject, call, field, kind)
                    && let Some(edit) = call.set(CallPart::Arguments, name, &meant)
                {
                    let title = format!("change to {meant}");
                    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
                }
            }
            // Ids in lists, such as `[{"addon_id": "caramel-015", "option": "ADD"}]`.
            (Content::Raw(raw), _) if raw.contains("_id\"") => {
                each_text(field, &mut |name, value| {
                    if ValueKind::of(name) == ValueKind::Id {
                        id(subject, call, field, name, value, found);
                    }
                });
            }
            _ => {}
        }
    }
}

/// Returns the value of an argument that may have been mentioned, and its kind.
fn text_of(field: &Field) -> Option<(ValueKind, &str)> {
    match &field.content {
        Content::Text(value) if !value.is_empty() && value.len() <= LONGEST => {
            Some((ValueKind::of(&field.name), value))
        }
        _ => None,
    }
}

/// Returns the value that an argument should have: the one that was mentioned or returned last under its name, or
/// that of the last call before. Numbers may add up, so all that were mentioned must be the same.
fn value_meant(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    kind: ValueKind,
) -> Option<String> {
    let mut labelled = subject.labelled(&field.name, call.turn);
    let first = labelled.next();
    let is_sum = kind == ValueKind::Number
        && first.is_some_and(|first| !labelled.all(|other| other.text() == first.text()));
    if is_sum {
        return None;
    }
    let name = &field.name;
    let mentioned = match first {
        Some(_) => last_value(subject, call, name),
        None => only_returned(subject, call, name),
    };
    let earlier = || last_argument(subject, call, name).map(str::to_owned);
    let value = field.content.as_str();
    mentioned.or_else(earlier).filter(|meant| meant != value)
}

/// True if the value was mentioned in other words, or returned by an earlier call.
fn is_meant(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    said: &LowercaseTranscript,
    kind: ValueKind,
    value: &str,
) -> bool {
    let place = subject.place_of(call);
    let labelled = || subject.labelled(&field.name, call.turn);
    if subject.was_returned(value, place)
        || kind == ValueKind::Name && subject.was_half_returned(value, place)
    {
        return true;
    }
    if kind != ValueKind::Time
        && value.contains(':')
        && let Some(time) = Time::read(value)
    {
        let mut labelled = labelled().peekable();
        return match labelled.peek() {
            Some(_) => labelled.any(|m| agree(ValueKind::Time, m.text(), value)),
            None => said.has_hour(time, true, call.turn),
        };
    }
    // Without segments to compare with, a value that cannot be read may be anything.
    let is_vague = || {
        let has_half =
            || said.has_half(value, call.turn) || subject.was_half_returned(value, place);
        labelled().next().is_none() || has_half()
    };
    match kind {
        ValueKind::Name => said.has_half(value, call.turn) || is_shortened(value, said, call.turn),
        ValueKind::Time => Time::read(value).map_or_else(is_vague, |time| {
            let mut labelled = labelled().peekable();
            if labelled.peek().is_none() {
                return said.has_hour(time, false, call.turn);
            }
            labelled.any(|m| agree(kind, m.text(), value)) || said.has_hour(time, true, call.turn)
        }),
        ValueKind::Number => number(value).map_or_else(is_vague, |n| {
            // A number that another turn repeats counts once.
            let mut parts: Vec<(usize, u32)> = Vec::new();
            for mention in labelled() {
                if let Some(part) = number(mention.text())
                    && !parts.iter().any(|(turn, of)| *turn != mention.turn && *of == part)
                {
                    parts.push((mention.turn, part));
                }
            }
            match parts.as_slice() {
                _ if n <= 2 => true,
                [] => said.has_part(n, call.turn),
                some => is_sum(some.iter().map(|(_, part)| *part), n),
            }
        }),
        ValueKind::Other => {
            said.has_half(value, call.turn) || subject.was_half_returned(value, place)
        }
        ValueKind::Id => true,
    }
}

/// The largest number whose summands are searched for.
const LARGEST_SUM: u32 = 64;

/// True if `sum` is one of the numbers or the sum of some of them.
fn is_sum(numbers: impl Iterator<Item = u32>, sum: u32) -> bool {
    if sum > LARGEST_SUM {
        return true;
    }
    // The bit `n` is set if `n` is a sum of the numbers so far.
    let mut sums: u128 = 1;
    for number in numbers.filter(|number| *number <= sum) {
        sums |= sums << number;
    }
    sums >> sum & 1 == 1
}

/// True if the initials of a name were said in its place.
fn is_shortened(name: &str, said: &LowercaseTranscript, until: usize) -> bool {
    let initials: String = words(name).filter_map(|w| w.chars().next()).collect();
    initials.len() > 1 && said.has_word(&initials, until)
}

fn id(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    name: &str,
    value: &str,
    found: &mut Findings<'_>,
) {
    if !subject.was_id_returned(value, subject.place_of(call)) {
        let api = &call.of.name;
        let message = format!("{name} of {api} is {value}, which no earlier call returned");
        let diagnostic = found.add(subject.location_at(call.turn, field.at), message);
        offer_similar_id(subject, call, field, name, value, diagnostic);
    }
}

/// Offers to replace an id by the one that was probably meant.
fn offer_similar_id(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    name: &str,
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    if let Some(meant) = similar_id(subject, call, name, value)
        && let Some(edit) = call.replace_text(&field.name, value, &meant)
    {
        diagnostic.fix(format!("change to {meant}"), Applicability::Unsafe, vec![edit]);
    }
}

fn api_argument_outdated(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // In chats, values come from instructions too, and names of arguments say less.
    if subject.is_chat() {
        return;
    }
    for call in subject.calls() {
        for field in call.arguments.fields() {
            if let Content::Text(value) = &field.content
                && let Some(kind) = checked_kind(&field.name)
                && let Some((last, now)) = replaced(subject, call, field, kind, value)
            {
                let now = now.trim_end_matches([':', ',', ';', '!', '?']);
                let message = format!(
                    "{} of {} is {value}, but turn {} says {now}",
                    field.name, call.of.name, last.turn
                );
                let location = subject.location_at(call.turn, field.at);
                let diagnostic = found.add(location, message);
                if let Some(edit) = call.set(CallPart::Arguments, &field.name, now) {
                    let title = format!("change to {now}");
                    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
                }
            }
        }
    }
}

/// Returns the kind of value of the arguments and labels with this name; None if they are not checked.
fn checked_kind(name: &str) -> Option<ValueKind> {
    let kind = ValueKind::of(name);
    matches!(kind, ValueKind::Time | ValueKind::Number | ValueKind::Name).then_some(kind)
}

/// Returns the last mention with the label of an argument, and its value, if that value has replaced the one
/// in the argument.
fn replaced<'s, 'a>(
    subject: &'s Subject<'a>,
    call: &Call<'_>,
    field: &Field,
    kind: ValueKind,
    value: &str,
) -> Option<(&'s Mention<'a>, &'s str)> {
    let mut labelled = subject.labelled(&field.name, call.turn).rev();
    let last = labelled.next()?;
    // Fast path: nearly always the argument is the value mentioned last.
    if last.text() == value {
        return None;
    }
    let now = meant(subject, last)?;
    if !differ(kind, value, now) {
        return None;
    }
    let is_same = |m: &&Mention<'_>| m.turn == last.turn && agree(kind, m.text(), now);
    let mut before = labelled.skip_while(is_same).peekable();
    if before.peek().is_some_and(|mention| mention.turn == last.turn) {
        return None;
    }
    let replaced = (before.any(|mention| agree(kind, mention.text(), value))
        || was_returned(subject, last.turn, kind, value))
        && is_confirmed(subject, last, now, call.turn, kind)
        && !is_back(subject, last.turn, call.turn, value)
        && !is_called_too(subject, call, field, kind, now);
    replaced.then_some((last, now))
}

/// True if a call up to this turn returned the value.
fn was_returned(subject: &Subject<'_>, until: usize, kind: ValueKind, value: &str) -> bool {
    let calls = subject.calls().iter().take_while(|call| call.turn <= until);
    let mut returned = calls.flat_map(|call| call.response.fields());
    let effort = &subject.said().effort;
    returned.any(|field| {
        let other = field.content.as_str();
        !effort.is_spent(other.len()) && agree(kind, other, value)
    })
}

/// True if both speakers mentioned the value of `last`, or the user says yes to it before the call.
fn is_confirmed(
    subject: &Subject<'_>,
    last: &Mention<'_>,
    now: &str,
    until: usize,
    kind: ValueKind,
) -> bool {
    let role_of = |turn: usize| subject.dialog.turns[turn].speaker.role;
    let role = role_of(last.turn);
    let said = subject.said();
    let mut yes = false;
    for turn in (last.turn..=until).filter(|turn| role_of(*turn) != role) {
        let text = said.in_turn(turn);
        match Answer::of(text) {
            Answer::No => return false,
            Answer::Yes => yes = true,
            Answer::Other if said.effort.is_spent(text.len()) => return false,
            Answer::Other => {}
        }
    }
    let mut labelled = subject.labelled(last.label(), until);
    role == Role::System && yes
        || labelled.any(|m| role_of(m.turn) != role && agree(kind, m.text(), now))
}

/// True if the value is mentioned again, with or without a label.
fn is_back(subject: &Subject<'_>, since: usize, until: usize, value: &str) -> bool {
    let (said, value) = (subject.said(), lower(value));
    (since..=until).any(|turn| said.effort.finds(said.in_turn(turn), &value))
}

/// True if another call of the same API uses the other value: the user asked for both.
fn is_called_too(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    kind: ValueKind,
    other: &str,
) -> bool {
    let is_other =
        |of: &&Call<'_>| of.of.name == call.of.name && (of.turn, of.call) != (call.turn, call.call);
    let argument = |call: &Call<'_>| {
        let argument = call.argument(&field.name);
        argument.is_some_and(|field| agree(kind, field.content.as_str(), other))
    };
    subject.calls().iter().filter(is_other).any(argument)
}

enum Answer {
    Yes,
    No,
    Other,
}

/// Words that a confirming answer begins with.
const ASSENT: &str = "absolutely alright correct definitely exactly fine good great ok okay perfect please \
                      right sounds sure yea yeah yep yes yup";

/// Words that make an answer doubtful, anywhere in it.
const DOUBT: &str = "actually another but change different don't earlier else full however instead later no \
                     nope not other rather sold sorry switch unavailable unfortunately wait wrong";

impl Answer {
    /// Reads the text of a turn, given in lower case.
    fn of(said: &str) -> Self {
        if words(said).any(|word| is_in(DOUBT, word)) {
            Self::No
        } else if words(said).take(3).any(|word| is_in(ASSENT, word)) {
            Self::Yes
        } else {
            Self::Other
        }
    }
}

/// Values of more bytes are not checked: they are not names or numbers.
const LONGEST: usize = 200;

/// Reports the arguments of a corpus whose acts and states have all values that calls use.
fn of_states(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let text = subject.tree.text();
    for call in subject.calls() {
        for field in call.arguments.fields() {
            // As the file writes it, with its quotation marks.
            let token = text.get(field.at.start as usize..field.at.end as usize);
            let (Content::Text(value), Some(token)) = (&field.content, token) else {
                continue;
            };
            if !(1..=LONGEST).contains(&value.len())
                || !token.starts_with('"')
                || is_before(subject, token, call)
                || subject.said().has_text(&lower(value), call.turn)
            {
                continue;
            }
            let location = subject.location_at(call.turn, field.at);
            let diagnostic = found.add(location, message(call, &field.name, value));
            if let Some(right) = value_of_dialog(subject, call, &field.name)
                && let Some(edit) = call.set(CallPart::Arguments, &field.name, &right)
            {
                diagnostic.fix(format!("change to {right}"), Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

/// Reports the ids in the calls of a chat. Ids have digits and no spaces, and their names say that they are
/// ids.
fn of_chat(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let last = subject.dialog.turns.last();
    // Tools may be declared after the messages.
    let behind = last.and_then(|turn| subject.tree.text().get(turn.at.end as usize..));
    let is_declared = |value: &str| behind.is_some_and(|text| text.contains(value));
    for call in subject.calls() {
        for field in call.arguments.fields() {
            each_text(field, &mut |name, value| {
                if !is_id(name, value)
                    || is_before(subject, value, call)
                    || subject.said().has_text(&lower(value), call.turn)
                    || is_declared(value)
                {
                    return;
                }
                let location = subject.location_at(call.turn, field.at);
                let diagnostic = found.add(location, message(call, name, value));
                offer_similar_id(subject, call, field, name, value, diagnostic);
            });
        }
    }
}

fn message(call: &Call<'_>, name: &str, value: &str) -> String {
    let api = &call.of.name;
    format!("{name} of {api} is {value}, which is not mentioned earlier in the dialog")
}

/// True if the text of the dialog has a text before a call.
fn is_before(subject: &Subject<'_>, text: &str, call: &Call<'_>) -> bool {
    let before = subject.tree.text().get(..call.of.at.start as usize);
    before.is_some_and(|before| subject.said().effort.finds(before, text))
}

/// Passes the text of an argument to `visit`, or those in its list or object, each with the name beside it.
fn each_text(field: &Field, visit: &mut dyn FnMut(&str, &str)) {
    let raw = match &field.content {
        Content::Text(value) => return visit(&field.name, value),
        Content::Raw(raw) => raw,
    };
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(raw) else {
        return;
    };
    for object in tree.objects() {
        for (key, value) in object.members() {
            if let (Some(name), Some(value)) = (key.as_str(), value.as_str()) {
                visit(&name, &value);
            }
        }
    }
}

/// The fewest bytes of an id: shorter numbers may be counts.
const SHORTEST: usize = 4;

/// True if a value is an id that a person or a program assigned, such as `W-1042`.
fn is_id(name: &str, value: &str) -> bool {
    let is_named = ["_id", "Id", "ID", "_number", "_code"];
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'#');
    (SHORTEST..=LONGEST).contains(&value.len())
        && (name == "id" || is_named.iter().any(|end| name.ends_with(end)))
        && value.bytes().all(is_part)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Returns the value that was mentioned or returned last under this name before the call; None if there are
/// several.
fn last_value(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    if name == "attribute" {
        // The only argument whose value is the name of a returned field.
        let mut returned = call.response.fields().iter().map(|f| f.name.as_str());
        let name = returned.next()?;
        return Some(without_number(name).unwrap_or(name).to_owned());
    }
    let mut said = subject.labelled(name, call.turn).rev();
    if let Some(last) = said.next() {
        let mut same_turn = said.take_while(|mention| mention.turn == last.turn);
        let value = without_punctuation(meant(subject, last)?);
        let is_same = |m| meant(subject, m).map(without_punctuation) == Some(value);
        return same_turn.all(is_same).then(|| value.to_owned());
    }
    let (_, field) = subject.last_returned(name, subject.place_of(call))?;
    match &field.content {
        Content::Text(text) => Some(text.to_string()),
        Content::Raw(_) => None,
    }
}

/// Returns the value that was returned last under this name before the call, if no other was at that time.
fn only_returned(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    let (from, _) = subject.last_returned(name, subject.place_of(call))?;
    let fields = from.response.fields().iter();
    let mut values = fields.filter(|field| is_of(field, name));
    match (&values.next()?.content, values.next()) {
        (Content::Text(text), None) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the text that the last call before this one has for an argument.
fn last_argument<'s>(subject: &'s Subject<'_>, call: &Call<'_>, name: &str) -> Option<&'s str> {
    let before = subject.calls().get(..subject.place_of(call))?;
    let fields = before.iter().rev().flat_map(|call| call.arguments.fields());
    let mut own = fields.filter(|field| field.name == name);
    match &own.next()?.content {
        Content::Text(text) => Some(text),
        Content::Raw(_) => None,
    }
}

/// Returns the text of a segment without the punctuation that edges often include.
fn without_punctuation(text: &str) -> &str {
    text.trim_end_matches(['.', ':', ',', '!', '?'])
}

/// True if a field is named `name`, or `name` with a number.
fn is_of(field: &Field, name: &str) -> bool {
    field.name == name || without_number(&field.name) == Some(name)
}

/// The most ids that are compared: among more, a resemblance means little.
const CHOICE: usize = 1000;

/// Returns the id under this name that `value` was probably meant to be, among those that earlier calls returned: the
/// only one that resembles it, or the one that is named at the call, if the former is not.
fn similar_id(subject: &Subject<'_>, call: &Call<'_>, name: &str, value: &str) -> Option<String> {
    let returned = subject.returned_ids(name, subject.place_of(call));
    if returned.len() > CHOICE {
        return None;
    }
    let ids = || returned.iter().map(String::as_str);
    let near = near(value, ids());
    // For `sugar-free-vanilla-012`, somebody may have typed only the number, or changed the name a little.
    let number = number_of(value);
    let is_renamed = |id: &str| {
        let mut words = words_of(value);
        number.is_some()
            && number_of(id) == number
            && words.any(|own| words_of(id).any(|w| w == own))
    };
    let ending = ids().filter(|id| id.ends_with(value) || is_renamed(id));
    let mut meant = near.iter().map(|n| n.name).chain(ending);
    let first = meant.next()?;
    let only = meant.all(|other| other == first).then_some(first)?;
    let said = lower(asked_at(subject, call));
    // The place of the first word of an id that was uttered: "vanilla" is `vanilla-sweetener-011` rather than
    // `sf-vanilla-sweetener-012`.
    let named = |id: &str| {
        let mut words = words_of(id).filter(|word| said.contains(lower(word).as_str()));
        words.next().and_then(|word| id.find(word))
    };
    if named(only).is_some() {
        return Some(only.to_owned());
    }
    let mut others: Vec<_> = ids().filter_map(|id| Some((named(id)?, id))).collect();
    others.sort_unstable();
    let meant = match others[..] {
        [] => Some(only),
        [(_, one)] => Some(one),
        [(first, one), (second, _), ..] => (first < second).then_some(one),
    };
    meant.map(str::to_owned)
}

/// Returns the words of an id that somebody may say: `vanilla` and `sweetener` of `vanilla-sweetener-011`.
fn words_of(id: &str) -> impl Iterator<Item = &str> {
    let parts = id.split(|c: char| !c.is_alphabetic());
    parts.filter(|part| part.chars().count() > 3)
}

/// Returns what the user said last, up to a call.
fn asked_at<'s>(subject: &'s Subject<'_>, call: &Call<'_>) -> &'s str {
    let turns = subject.dialog.turns.get(..=call.turn).unwrap_or_default();
    let mut by_user = turns.iter().rev().filter(|turn| turn.speaker.role == Role::User);
    by_user.next().map_or("", |turn| &turn.text)
}

/// Returns the number after the last hyphen of an id.
fn number_of(id: &str) -> Option<&str> {
    let (_, number) = id.rsplit_once('-')?;
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number.len() > 2).then_some(number)
}

/// Returns the value that the dialog had last for a slot with the name of an argument: its canonical form in an act,
/// otherwise the first value in the state.
fn value_of_dialog(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    let declared = Some(subject.format).filter(|format| format.is_described())?;
    let turns = subject.dialog.turns.get(..=call.turn)?.iter().rev();
    let is_before = |at: Extent| at.start < call.of.at.start;
    let acts = turns.clone().flat_map(|turn| turn.acts.iter().rev());
    let mut acts = acts.filter(|act| {
        is_before(act.at) && act.slots.iter().any(|said| said.slot == name && said.value.is_some())
    });
    let canonical = acts.find_map(|act| {
        let element = subject.tree.value_at(act.at.start)?;
        declared.canonical_value(element)
    });
    let of_state = || {
        let states = turns.filter_map(|turn| turn.state.as_ref()).flatten();
        let mut own = states.filter(|slot| {
            let rest = slot.slot.strip_suffix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        match EditValue::of(&own.next()?.value)? {
            EditValue::Several(values) => values.into_iter().next(),
            one => Some(one),
        }
    };
    let state = || of_state().map(|value| value.content().as_str().to_owned());
    canonical.map(Into::into).or_else(state)
}
