//! Drafts a description of a file whose lines, or the elements of whose array, are turns.
//!
//! Speakers are found by their names, calls by a name with arguments, and answers by the id of a call.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::draft::quoted;
use super::draft_calls::{
    Answers, Calls, Carrier, carriers, find_answers, find_calls, find_id, key, list, one_or_list,
};
use super::draft_members::{Members, Values, distinct, word};
use super::guess_speakers::role_of;
use super::guess_texts::{is_of_tokens, is_utterance};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The largest sample, in bytes.
const SAMPLE: usize = 6 << 10;

/// Names of members, the likeliest first.
pub(super) const SPEAKERS: [&str; 7] =
    ["role", "speaker", "who", "from", "sender", "author", "source"];
const TEXTS: [&str; 10] = [
    "text",
    "content",
    "message",
    "said",
    "value",
    "utterance",
    "body",
    "output",
    "tokens",
    "words",
];
const ANSWERS: [&str; 9] =
    ["output", "out", "result", "response", "content", "answer", "value", "text", "message"];
const DIALOGS: [&str; 7] = ["sess", "conversation", "dialog", "chat", "thread", "trace", "conv"];

fn role(name: &str) -> Option<Role> {
    let is_system_prompt = ["system", "developer"].contains(&name);
    role_of(name).filter(|role| *role != Role::System || !is_system_prompt)
}

fn is_text(value: Value<'_>) -> bool {
    value.kind() == NodeKind::String
}

/// Names of members that tell rows of one dialog from each other, or days and models.
const NOT_DIALOGS: [&str; 12] = [
    "step", "turn", "round", "index", "idx", "pos", "time", "date", "day", "lang", "model",
    "version",
];

/// A drafted description of rows, without its name.
pub struct Rows {
    pub toml: String,
    /// The dialogs that the rows are of.
    pub dialogs: usize,
    /// The member whose values divide the rows, if only their repeating shows that.
    pub guessed: Option<String>,
}

/// Returns a description whose turns are `rows`; None if they do not look like turns. `end` is the end of the file's
/// name, if files in folders are not found by it.
pub fn of_rows(rows: &[Value<'_>], end: Option<&str>) -> Option<Rows> {
    if rows.len() < 2 || rows.iter().any(|row| row.kind() != NodeKind::Object) {
        return None;
    }
    let members = Members::of(rows);
    let carriers = carriers(rows, &members);
    let mut calls = find_calls(&carriers);
    if let Some(calls) = &mut calls {
        find_id(&carriers, calls);
    }
    let calling: Vec<usize> = calls.as_ref().map_or_else(Vec::new, |calls| {
        let rows = &carriers[calls.carrier].rows;
        calls.own.iter().map(|object| rows[*object]).collect()
    });
    let known = speaker(&members, &calling);
    let is_guess = known.is_none();
    let speaker = known.or_else(|| named_speaker(&members))?;
    let id = division(&members, &speaker);
    if is_guess && id.as_ref().is_none_or(|id| id.dialogs < 2) {
        return None;
    }
    // The speaker who makes calls is the system, by any name.
    let callers = names_of(&members, &speaker, &calling);
    let role = |name: &str| role_or_caller(name, &callers);
    let answers = calls.as_ref().and_then(|calls| find_answers(&carriers, calls));
    let used = |carrier: usize, number: usize| {
        let is_call =
            calls.as_ref().is_some_and(|c| c.carrier == carrier && c.own.contains(&number));
        let is_answer =
            answers.as_ref().is_some_and(|a| a.carrier == carrier && a.own.contains(&number));
        is_call || is_answer
    };
    // A row is a turn if somebody speaks in it, or if it holds a call or an answer.
    let mut is_turn: Vec<bool> = (0..rows.len())
        .map(|row| {
            members
                .at(&speaker, row)
                .and_then(word)
                .is_some_and(|name| is_guess || role(&name).is_some())
        })
        .collect();
    for (number, carrier) in carriers.iter().enumerate() {
        for (object, row) in carrier.rows.iter().enumerate() {
            is_turn[*row] |= used(number, object);
        }
    }
    let turns: Vec<usize> = (0..rows.len()).filter(|row| is_turn[*row]).collect();
    let parts = carriers.iter().position(|carrier| carrier.at != "." && carrier.kind.is_some());
    // The rows are the last carrier.
    let is_used = |row: usize| used(carriers.len() - 1, row);
    let of_parts = parts.map(|number| (&carriers[number], number));
    let (text, reasoning) = texts(&members, &turns, of_parts, &used, &is_used)?;

    let mut top = String::new();
    let first = text.split(" | ").next().unwrap_or_default();
    let _ = writeln!(
        top,
        "# Places that only these files have; a file needs all of them.\nhas = [{}, {}]\ndialogs = \".\"",
        quoted(&format!("[*].{speaker}")),
        quoted(&format!("[*].{first}"))
    );
    write_id(&mut top, id.as_ref());
    if let Some(end) = end {
        let _ = writeln!(top, "files = [{}]", quoted(&format!("*.{end}")));
    }
    if let Some(sample) = sample(rows, &is_turn, &carriers) {
        let _ = writeln!(
            top,
            "\n# Some lines. Replace them with lines of your own before you publish this file.\nsample = '''\n{sample}'''"
        );
    }
    top.push_str("\n[turn]\nat = \"[*]\"\n");
    let own = Own {
        rows,
        members: &members,
        is_turn: &is_turn,
        turns: &turns,
        is_guess,
        calling: &calling,
        callers: &callers,
    };
    write_speakers(&mut top, &own, speaker)?;
    write_texts(&mut top, &text, reasoning, parts.map(|number| &carriers[number]));
    if let Some(calls) = calls {
        write_calls(&mut top, &carriers, &calls, answers.as_ref());
    }
    Some(Rows {
        toml: top,
        dialogs: id.as_ref().map_or(1, |id| id.dialogs),
        guessed: id.filter(|id| !id.is_named).map(|id| id.place),
    })
}

/// Writes where the ids of dialogs are, and whether they divide the rows.
pub fn write_id(top: &mut String, id: Option<&DialogId>) {
    let Some(DialogId { place, dialogs, .. }) = id else {
        top.push_str("# id = \"[*].…\"  # nothing looks like an id; the file's name is one\n");
        return;
    };
    let _ = writeln!(top, "id = {}", quoted(&format!("[*].{place}")));
    if *dialogs > 1 {
        let _ = writeln!(top, "split = {}", quoted(place));
    }
}

/// The rows, and which of them are turns.
struct Own<'o, 'a> {
    rows: &'o [Value<'a>],
    members: &'o Members<'a>,
    is_turn: &'o [bool],
    turns: &'o [usize],
    /// Nothing but the order tells the user from the system.
    is_guess: bool,
    /// Rows that have calls, and the names of their speakers.
    calling: &'o [usize],
    callers: &'o [String],
}

/// Writes which rows are turns, and who speaks in them. None if no member tells turns from other rows.
fn write_speakers(top: &mut String, own: &Own<'_, '_>, speaker: String) -> Option<()> {
    let Own { rows, members, is_turn, turns, is_guess, calling, callers } = own;
    let mut kind = None;
    if turns.len() < is_turn.len() {
        let place = telling(members, &speaker, is_turn)?;
        let own = names_at(members, &place, is_turn, true);
        let mut others = names_at(members, &place, is_turn, false);
        // Rows without the member may be anything, and others may say something, so that they are named as not read.
        let has_words = |name: &String| {
            let mut rows = rows.iter().enumerate();
            rows.any(|(number, row)| {
                let own = members.at(&place, number).and_then(word);
                !is_turn[number] && own.as_ref() == Some(name) && holds_words(*row)
            })
        };
        others.retain(|name| !name.is_empty() && !has_words(name));
        let _ = writeln!(top, "is = {{ {} = {} }}", key(&place), one_or_list(&own));
        if !others.is_empty() {
            let _ = writeln!(top, "others = {}", list(&others));
        }
        kind = Some(place).filter(|place| *place != speaker);
    }
    let mut roles = Roles::default();
    for row in *turns {
        let name = members.at(&speaker, *row).and_then(word);
        match (&name, &kind) {
            (Some(name), _) if *is_guess => {
                let first = roles.user.first().is_none_or(|user| user == name);
                roles.add(name, Some(if first { Role::User } else { Role::System }));
            }
            (Some(name), _) => roles.add(name, role_or_caller(name, callers)),
            // Nobody is named: calls are the system's.
            (None, Some(kind)) => {
                let name = members.at(kind, *row).and_then(word).unwrap_or_default();
                let is_call = calling.contains(row);
                roles.add(&name, is_call.then_some(Role::System));
                roles.have_kinds = true;
            }
            (None, None) => {}
        }
    }
    let speaker = match kind {
        Some(kind) if roles.have_kinds => format!("{speaker} | {kind}"),
        _ => speaker,
    };
    let guess = if *is_guess { "# Who is who is a guess.\n" } else { "" };
    let _ = writeln!(
        top,
        "speaker = {}\n{guess}user = {}\nsystem = {}",
        quoted(&speaker),
        list(&roles.user),
        list(&roles.system)
    );
    if !roles.hidden.is_empty() {
        let _ = writeln!(top, "hidden = {}", list(&roles.hidden));
    }
    Some(())
}

/// The fewest words of a text that may be a sentence.
const WORDS: usize = 4;

/// True if a value has a text of several words in it.
fn holds_words(value: Value<'_>) -> bool {
    let is_sentence = |text: &str| text.split_whitespace().nth(WORDS - 1).is_some();
    match value.kind() {
        NodeKind::String => value.as_str().is_some_and(|text| is_sentence(&text)),
        NodeKind::Object => value.members().any(|(_, member)| holds_words(member)),
        NodeKind::Array => value.elements().any(holds_words),
        _ => false,
    }
}

/// Writes where the texts of turns are, their reasoning and their parts.
fn write_texts(
    top: &mut String,
    text: &str,
    reasoning: Option<String>,
    parts: Option<&Carrier<'_>>,
) {
    let _ = if text.contains(" | ") || !text.contains("[*]") {
        writeln!(top, "text = {}", quoted(text))
    } else {
        // Tokens are beside each other, parts below.
        let separator = if text.ends_with("[*]") { " " } else { "\\n" };
        writeln!(top, "text = {{ at = {}, separator = \"{separator}\" }}", quoted(text))
    };
    if let Some(reasoning) = reasoning {
        let _ = writeln!(top, "reasoning = {reasoning}");
    }
    if let Some(parts) = parts {
        match parts.kind.as_deref() {
            Some("type") | None => drop(writeln!(top, "parts = {}", quoted(&parts.at))),
            Some(kind) => {
                let _ = writeln!(
                    top,
                    "parts = {{ at = {}, kind = {} }}",
                    quoted(&parts.at),
                    quoted(kind)
                );
            }
        }
    }
}

/// Returns the names of the speakers of some rows.
fn names_of(members: &Members<'_>, speaker: &str, rows: &[usize]) -> Vec<String> {
    let names = rows.iter().filter_map(|row| members.at(speaker, *row).and_then(word));
    distinct(names.collect())
}

fn role_or_caller(name: &str, callers: &[String]) -> Option<Role> {
    let is_caller = callers.iter().any(|caller| caller == name);
    role(name).or(is_caller.then_some(Role::System))
}

/// Returns the place of the speakers: that with the most names of users and systems, or else of users and of those in
/// whose rows, `calling`, there are calls.
fn speaker(members: &Members<'_>, calling: &[usize]) -> Option<String> {
    let known = speaker_with(members, &|_, name| role(name));
    known.or_else(|| {
        speaker_with(members, &|place, name| {
            role_or_caller(name, &names_of(members, place, calling))
        })
    })
}

fn speaker_with(
    members: &Members<'_>,
    role: &dyn Fn(&str, &str) -> Option<Role>,
) -> Option<String> {
    let both = members.kinds().filter(|(place, names)| {
        let has = |wanted| names.iter().any(|name| role(place, name) == Some(wanted));
        has(Role::User) && has(Role::System)
    });
    let rank = |place: &str| {
        let last = place.rsplit('.').next().unwrap_or_default();
        SPEAKERS.iter().position(|name| *name == last).map_or(0, |at| SPEAKERS.len() - at)
    };
    let count = |place: &String| {
        let names = members.all[place].iter().filter_map(|(_, value)| word(*value));
        names.filter(|name| role(place, name).is_some()).count()
    };
    let best = both.max_by_key(|(place, _)| (count(place), rank(place)));
    best.map(|(place, _)| place.clone())
}

/// Returns the place of the speakers by its name alone: few names, in every row.
fn named_speaker(members: &Members<'_>) -> Option<String> {
    let is_everywhere = |place: &str| members.all[place].len() == members.count;
    let all = members.kinds().filter(|(place, names)| {
        (2..=4).contains(&names.len()) && is_everywhere(place) && SPEAKERS.contains(&place.as_str())
    });
    let rank = |place: &str| SPEAKERS.iter().position(|name| *name == place);
    let best = all.min_by_key(|(place, _)| rank(place));
    best.map(|(place, _)| place.clone())
}

/// Returns the text that a value is, or that its tokens are if its place has their name.
fn text_of<'a>(place: &str, value: Value<'a>) -> Option<Cow<'a, str>> {
    let last = place.rsplit('.').next().unwrap_or_default();
    if value.kind() != NodeKind::Array || !is_of_tokens(last) {
        return value.as_str();
    }
    let tokens: Option<Vec<_>> = value.elements().map(Value::as_str).collect();
    Some(tokens?.join(" ").into())
}

/// Returns the place of the texts of turns, and the value of `reasoning`.
fn texts(
    members: &Members<'_>,
    turns: &[usize],
    parts: Option<(&Carrier<'_>, usize)>,
    used: &dyn Fn(usize, usize) -> bool,
    is_used: &dyn Fn(usize) -> bool,
) -> Option<(String, Option<String>)> {
    let length = |place: &str, values: &Values<'_>, is_own: &dyn Fn(usize) -> bool| -> usize {
        let own = values.iter().filter(|(object, _)| is_own(*object));
        let texts = own.filter_map(|(_, value)| text_of(place, *value));
        texts.filter(|text| is_utterance(text) || text.contains(' ')).map(|text| text.len()).sum()
    };
    let rank = |place: &str| {
        let last = place.rsplit('.').next().unwrap_or_default();
        TEXTS.iter().position(|name| *name == last).map_or(1, |at| 4 + TEXTS.len() - at)
    };
    let best = |members: &Members<'_>, is_own: &dyn Fn(usize) -> bool| {
        let scored = members
            .all
            .iter()
            .map(|(place, values)| (length(place, values, is_own) * rank(place), place));
        let most = scored.max_by_key(|(score, _)| *score).filter(|(score, _)| *score > 0);
        most.map(|(_, place)| place.clone())
    };
    let direct = best(members, &|row| turns.contains(&row) && !is_used(row));
    let Some((carrier, number)) = parts else {
        let direct = direct?;
        let are_lists = members.all[&direct].iter().all(|(_, value)| !is_text(*value));
        let each = if are_lists { "[*]" } else { "" };
        return Some((format!("{direct}{each}"), None));
    };
    let kind_of = |object: usize| {
        let kind = carrier.kind.as_ref()?;
        carrier.members.at(kind, object).and_then(word)
    };
    let is_thought = |object: usize| {
        let kind = kind_of(object).unwrap_or_default().to_lowercase();
        ["think", "thought", "reason"].iter().any(|part| kind.contains(part))
    };
    let is_part = |object: usize| !used(number, object) && turns.contains(&carrier.rows[object]);
    let inside = best(&carrier.members, &|object| is_part(object) && !is_thought(object));
    let thought = best(&carrier.members, &|object| is_part(object) && is_thought(object));
    let reasoning = thought.map(|place| match &inside {
        Some(text) if *text == place => {
            let kinds = (0..carrier.objects.len()).filter(|object| is_thought(*object));
            let kinds = distinct(kinds.filter_map(kind_of).collect());
            let kind = carrier.kind.as_deref().unwrap_or("type");
            format!(
                "{{ in = {}, is = {{ {} = {} }}, at = {} }}",
                quoted(&carrier.at),
                key(kind),
                one_or_list(&kinds),
                quoted(&place)
            )
        }
        _ => quoted(&carrier.place(&place)),
    });
    let list = carrier.at.trim_end_matches("[*]");
    // The same member is a text in some rows and a list in others.
    let text =
        members.all.get(list).is_some_and(|values| values.iter().any(|(_, value)| is_text(*value)));
    let direct = if text { Some(list.to_owned()) } else { direct };
    let inside = inside.map(|place| carrier.place(&place));
    let text = match (direct, inside) {
        (Some(one), Some(other)) => format!("{one} | {other}"),
        (one, other) => one.or(other)?,
    };
    Some((text, reasoning))
}

/// The names of speakers, by their roles.
#[derive(Default)]
struct Roles {
    user: Vec<String>,
    system: Vec<String>,
    hidden: Vec<String>,
    /// Some of them are not names but kinds of rows.
    have_kinds: bool,
}

impl Roles {
    fn add(&mut self, name: &str, role: Option<Role>) {
        let all = [&self.user, &self.system, &self.hidden];
        if name.is_empty() || all.iter().any(|names| names.iter().any(|own| own == name)) {
            return;
        }
        match role {
            Some(Role::User) => self.user.push(name.to_owned()),
            Some(_) => self.system.push(name.to_owned()),
            None => self.hidden.push(name.to_owned()),
        }
    }
}

/// Returns the names at a place of the rows that are turns, or that are not.
fn names_at(members: &Members<'_>, place: &str, is_turn: &[bool], wanted: bool) -> Vec<String> {
    let rows = (0..is_turn.len()).filter(|row| is_turn[*row] == wanted);
    let names = rows.map(|row| members.at(place, row).and_then(word).unwrap_or_default());
    distinct(names.collect())
}

/// Returns the member whose names tell turns from other rows.
fn telling(members: &Members<'_>, speaker: &str, is_turn: &[bool]) -> Option<String> {
    let of = |place: &str, wanted: bool| names_at(members, place, is_turn, wanted);
    let tells = |place: &&String| {
        let (own, others) = (of(place, true), of(place, false));
        !own.contains(&String::new()) && own.iter().all(|name| !others.contains(name))
    };
    let places = members.kinds().map(|(place, _)| place);
    let rank = |place: &str| (place != speaker, of(place, true).len(), place.matches('.').count());
    places.filter(tells).min_by_key(|place| rank(place)).cloned()
}

/// The member with the id of a row's dialog, and the number of dialogs, one after the other.
pub struct DialogId {
    pub place: String,
    pub dialogs: usize,
    /// True if its name shows it, and not only that its values repeat.
    pub is_named: bool,
}

/// Returns the member whose values divide rows into dialogs.
pub fn division(members: &Members<'_>, speaker: &str) -> Option<DialogId> {
    dialog_id(members).or_else(|| recurring(members, speaker))
}

/// True for a name of an id of dialogs.
pub fn is_of_dialogs(name: &str) -> bool {
    let name = name.to_lowercase();
    DIALOGS.iter().any(|part| name.contains(part)) || name == "run" || name.starts_with("run_")
}

/// Returns the member whose name is that of an id of dialogs.
fn dialog_id(members: &Members<'_>) -> Option<DialogId> {
    let found = members.all.iter().filter_map(|(place, values)| {
        let is_named = is_of_dialogs(place.rsplit('.').next().unwrap_or_default());
        let ids: Vec<_> = values.iter().map(|(_, value)| word(*value)).collect::<Option<_>>()?;
        let changes = ids.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let several = distinct(ids.clone()).len();
        let is_id = is_named && changes + 1 == several && (several < ids.len() || ids.len() == 1);
        is_id.then_some((values.len(), place, several))
    });
    let best = found.max_by_key(|(count, place, _)| (*count, std::cmp::Reverse(place.len())));
    best.map(|(_, place, dialogs)| DialogId { place: place.clone(), dialogs, is_named: true })
}

/// Returns the member whose values repeat in rows one after the other, in which several speak, as in lines of cases.
fn recurring(members: &Members<'_>, speaker: &str) -> Option<DialogId> {
    let found = members.all.iter().filter_map(|(place, values)| {
        let last = place.rsplit('.').next().unwrap_or_default().to_lowercase();
        if values.len() < members.count || NOT_DIALOGS.iter().any(|name| last.contains(name)) {
            return None;
        }
        let ids: Vec<_> = values.iter().map(|(_, value)| word(*value)).collect::<Option<_>>()?;
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for row in 0..ids.len() {
            match runs.last_mut() {
                Some(run) if ids[run[0]] == ids[row] => run.push(row),
                _ => runs.push(vec![row]),
            }
        }
        // The rows may be the first of a file, so that the last run is cut short.
        let (_, whole) = runs.split_last()?;
        let talk = whole.iter().all(|run| names_of(members, speaker, run).len() > 1);
        // Numbers of exchanges.
        let are_pairs = whole.iter().all(|run| run.len() == 2)
            && ids.iter().all(|id| id.parse::<i64>().is_ok());
        let is_id = !whole.is_empty() && talk && !are_pairs;
        let is_named = ["id", "no", "nr", "number", "key"].iter().any(|end| last.ends_with(end));
        let is_each_once = distinct(ids.clone()).len() == runs.len();
        (is_id && is_each_once).then_some((is_named, runs.len(), place))
    });
    let best = found
        .max_by_key(|(is_named, runs, place)| (*is_named, *runs, std::cmp::Reverse(place.len())));
    best.map(|(_, dialogs, place)| DialogId { place: place.clone(), dialogs, is_named: false })
}

fn write_calls(
    toml: &mut String,
    carriers: &[Carrier<'_>],
    calls: &Calls,
    answers: Option<&Answers>,
) {
    let carrier = &carriers[calls.carrier];
    let _ = writeln!(toml, "\n[call]\nat = {}", quoted(&carrier.at));
    match carrier.is(&calls.own) {
        Some(is) => drop(writeln!(toml, "is = {is}")),
        None if calls.own.len() < carrier.objects.len() => {
            let _ = writeln!(toml, "when = {}", quoted(&calls.arguments));
        }
        None => {}
    }
    if let Some(id) = &calls.id {
        let _ = writeln!(toml, "id = {}", quoted(id));
    }
    let _ = writeln!(toml, "name = {}", quoted(&calls.name));
    let in_text =
        calls.own.iter().filter_map(|object| carrier.members.at(&calls.arguments, *object));
    let arguments = quoted(&calls.arguments);
    if in_text.into_iter().any(is_text) {
        let _ = writeln!(toml, "arguments = {{ at = {arguments}, json = \"string\" }}");
    } else {
        let _ = writeln!(toml, "arguments = {arguments}");
    }
    let Some(answers) = answers else {
        return;
    };
    let carrier = &carriers[answers.carrier];
    let objects: Vec<_> = answers.own.iter().map(|object| carrier.objects[*object]).collect();
    let members = Members::of(&objects);
    // Beside the id, also where that is deeper in a row.
    let beside = answers.id.rsplit_once('.').map_or("", |(way, _)| way);
    let near = |name: &str| match beside {
        "" => name.to_owned(),
        way => format!("{way}.{name}"),
    };
    let places: Vec<_> = ANSWERS.iter().map(|name| near(name)).collect();
    let usual = places.iter().find(|place| members.all.contains_key(*place));
    let Some(at) = usual.or_else(|| longest(&members, &answers.id, carrier.kind.as_deref())) else {
        return;
    };
    let is_list = members.all[at].iter().any(|(_, value)| value.kind() == NodeKind::Array);
    let at = if is_list { format!("{at} | {at}[*].text") } else { at.clone() };
    let is = match carrier.is(&answers.own) {
        Some(is) => format!("is = {is}"),
        None => format!("when = {}", quoted(&answers.id)),
    };
    let error = members.all.keys().find(|place| {
        let last = place.rsplit('.').next().unwrap_or_default().to_lowercase();
        last.contains("error") || last.contains("fail")
    });
    let error = error.map(|place| format!(", error = {}", quoted(place)));
    let _ = writeln!(
        toml,
        "response = {{ in = {}, {is}, id = {}, at = {}{} }}",
        quoted(&carrier.at),
        quoted(&answers.id),
        quoted(&at),
        error.unwrap_or_default()
    );
}

/// Returns the place with the longest values, other than `id` and `kind`.
fn longest<'m>(members: &'m Members<'_>, id: &str, kind: Option<&str>) -> Option<&'m String> {
    let is_value = |value: Value<'_>| is_text(value) || value.kind() == NodeKind::Object;
    let length = |place: &str| -> usize {
        let values = members.all[place].iter().filter(|(_, value)| is_value(*value));
        values.map(|(_, value)| value.raw().len()).sum()
    };
    let others = members.all.keys().filter(|place| {
        *place != id && Some(place.as_str()) != kind && !place.contains('.') && length(place) > 0
    });
    others.max_by_key(|place| length(place))
}

/// Returns the first row of each form, in the order of the file.
fn sample(rows: &[Value<'_>], is_turn: &[bool], carriers: &[Carrier<'_>]) -> Option<String> {
    let mut seen = Vec::new();
    let mut text = String::new();
    for (row, value) in rows.iter().enumerate() {
        let kinds = carriers.iter().flat_map(|carrier| {
            let own = (0..carrier.rows.len()).filter(|object| carrier.rows[*object] == row);
            own.map(|object| {
                let kind = carrier.kind.as_ref();
                let kind = kind.and_then(|kind| carrier.members.at(kind, object));
                let keys = carrier.objects[object].members().map(|(key, _)| key.raw());
                format!("{:?}{:?}", kind.and_then(word), keys.collect::<Vec<_>>())
            })
        });
        let form = (is_turn[row], distinct(kinds.collect()));
        let raw = value.raw();
        if seen.contains(&form) || text.len() + raw.len() > SAMPLE {
            continue;
        }
        seen.push(form);
        // A row of an array may be over several lines; a line has no line feed.
        text.extend(raw.lines().map(str::trim));
        text.push('\n');
    }
    (!text.contains("'''")).then_some(text)
}
