//! Drafts a description of a file whose lines, or the elements of whose array, are turns.
//!
//! Speakers are found by their names, calls by a name with arguments, and answers by the id of a call.

use std::fmt::Write as _;

use super::draft::quoted;
use super::draft_members::{Members, Values, distinct, word};
use super::guess_speakers::role_of;
use super::guess_texts::is_utterance;
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The largest sample, in bytes.
const SAMPLE: usize = 6 << 10;

/// Names of members, the likeliest first.
const SPEAKERS: [&str; 7] = [
    "role", "speaker", "who", "from", "sender", "author", "source",
];
const NAMES: [&str; 7] = [
    "name",
    "tool",
    "tool_name",
    "toolName",
    "function_name",
    "function.name",
    "function",
];
const ARGUMENTS: [&str; 8] = [
    "input",
    "arguments",
    "args",
    "parameters",
    "params",
    "kwargs",
    "function.arguments",
    "function.args",
];
const TEXTS: [&str; 8] = [
    "text",
    "content",
    "message",
    "said",
    "value",
    "utterance",
    "body",
    "output",
];
const ANSWERS: [&str; 8] = [
    "output", "result", "response", "content", "answer", "value", "text", "message",
];
const DIALOGS: [&str; 7] = [
    "session",
    "conversation",
    "dialog",
    "chat",
    "thread",
    "trace",
    "conv",
];

fn role(name: &str) -> Option<Role> {
    let is_model = ["model", "ai", "gemini", "claude"].contains(&name.to_lowercase().as_str());
    let is_system_prompt = ["system", "developer"].contains(&name);
    match role_of(name) {
        _ if is_model => Some(Role::System),
        Some(Role::System) if is_system_prompt => None,
        role => role,
    }
}

fn is_text(value: Value<'_>) -> bool {
    value.kind() == NodeKind::String
}

/// True for an object, or JSON of one in a text.
fn is_arguments(value: Value<'_>) -> bool {
    value.kind() == NodeKind::Object
        || value
            .as_str()
            .is_some_and(|text| text.trim_start().starts_with('{'))
}

/// Objects in which calls and answers may be: the rows themselves, or the elements of a list in them.
struct Carrier<'a> {
    /// The place in a row: `.` or `content[*]`.
    at: String,
    objects: Vec<Value<'a>>,
    /// The row of each.
    rows: Vec<usize>,
    members: Members<'a>,
    /// The member that says what they are.
    kind: Option<String>,
}

impl<'a> Carrier<'a> {
    fn new(at: String, objects: Vec<Value<'a>>, rows: Vec<usize>) -> Self {
        let members = Members::of(&objects);
        let kinds = members.kinds();
        let whole = kinds.filter(|(place, names)| {
            members.all[*place].len() == members.count && names.len() > 1 && !place.contains("id")
        });
        let rank = |place: &str| match place {
            "type" => 0,
            "kind" => 1,
            _ if place.ends_with("type") => 2,
            _ => 3,
        };
        let kind = whole.min_by_key(|(place, names)| (rank(place), names.len()));
        let kind = kind.map(|(place, _)| place.clone());
        Self {
            at,
            objects,
            rows,
            members,
            kind,
        }
    }

    /// Returns a place in an object, as a place in a row.
    fn place(&self, inside: &str) -> String {
        match self.at.as_str() {
            "." => inside.to_owned(),
            at => format!("{at}.{inside}"),
        }
    }

    /// Returns the kinds of some objects, as a condition; None if no member tells them from the others.
    fn is(&self, own: &[usize]) -> Option<String> {
        let of = |kind: &str, object: usize| self.members.at(kind, object).and_then(word);
        let names = |kind: &str| -> Option<Vec<String>> {
            let names = own.iter().map(|object| of(kind, *object));
            Some(distinct(names.collect::<Option<_>>()?))
        };
        let tells = |kind: &&String| {
            let others = (0..self.objects.len()).filter(|object| !own.contains(object));
            let mut others = others.filter_map(|object| of(kind, object));
            names(kind).is_some_and(|names| !others.any(|name| names.contains(&name)))
        };
        let all = self.members.kinds().map(|(place, _)| place);
        let rank = |kind: &str| (self.kind.as_deref() != Some(kind), !kind.ends_with("type"));
        let kind = all.filter(tells).min_by_key(|kind| rank(kind))?;
        Some(format!(
            "{{ {} = {} }}",
            key(kind),
            one_or_list(&names(kind)?)
        ))
    }
}

/// Calls in a carrier.
struct Calls {
    carrier: usize,
    own: Vec<usize>,
    name: String,
    arguments: String,
    id: Option<String>,
}

/// Answers in a carrier.
struct Answers {
    carrier: usize,
    own: Vec<usize>,
    id: String,
}

fn key(place: &str) -> String {
    if place.contains('.') {
        quoted(place)
    } else {
        place.to_owned()
    }
}

fn one_or_list(names: &[String]) -> String {
    match names {
        [one] => quoted(one),
        all => list(all),
    }
}

fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Returns a description whose turns are `rows`, all after its name; None if they do not look like turns. `end` is the end
/// of the file's name, if files in folders are not found by it.
pub fn of_rows(rows: &[Value<'_>], are_lines: bool, end: Option<&str>) -> Option<String> {
    if rows.len() < 2 || rows.iter().any(|row| row.kind() != NodeKind::Object) {
        return None;
    }
    let members = Members::of(rows);
    let speaker = speaker(&members)?;
    let carriers = carriers(rows, &members);
    let calls = find_calls(&carriers);
    let answers = calls
        .as_ref()
        .and_then(|calls| find_answers(&carriers, calls));
    let used = |carrier: usize, number: usize| {
        let is_call = calls
            .as_ref()
            .is_some_and(|c| c.carrier == carrier && c.own.contains(&number));
        let is_answer = answers
            .as_ref()
            .is_some_and(|a| a.carrier == carrier && a.own.contains(&number));
        is_call || is_answer
    };
    // A row is a turn if somebody speaks in it, or if it holds a call or an answer.
    let mut is_turn: Vec<bool> = (0..rows.len())
        .map(|row| {
            members
                .at(&speaker, row)
                .and_then(word)
                .is_some_and(|name| role(&name).is_some())
        })
        .collect();
    for (number, carrier) in carriers.iter().enumerate() {
        for (object, row) in carrier.rows.iter().enumerate() {
            is_turn[*row] |= used(number, object);
        }
    }
    let turns: Vec<usize> = (0..rows.len()).filter(|row| is_turn[*row]).collect();
    let parts = carriers
        .iter()
        .position(|carrier| carrier.at != "." && carrier.kind.is_some());
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
    match dialog_id(&members) {
        Some((place, several)) => {
            let _ = writeln!(top, "id = {}", quoted(&format!("[*].{place}")));
            if several && are_lines {
                let _ = writeln!(top, "split = {}", quoted(&place));
            }
        }
        None => {
            top.push_str("# id = \"[*].…\"  # nothing looks like an id; the file's name is one\n");
        }
    }
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
        members: &members,
        is_turn: &is_turn,
        turns: &turns,
    };
    let calling: Option<Vec<usize>> = calls.as_ref().map(|calls| {
        let rows = &carriers[calls.carrier].rows;
        calls.own.iter().map(|object| rows[*object]).collect()
    });
    write_speakers(&mut top, &own, speaker, &calling.unwrap_or_default())?;
    write_texts(
        &mut top,
        &text,
        reasoning,
        parts.map(|number| &carriers[number]),
    );
    if let Some(calls) = calls {
        write_calls(&mut top, &carriers, &calls, answers.as_ref());
    }
    Some(top)
}

/// The rows, and which of them are turns.
struct Own<'o, 'a> {
    members: &'o Members<'a>,
    is_turn: &'o [bool],
    turns: &'o [usize],
}

/// Writes which rows are turns, and who speaks in them; rows that are `calling` have calls. None if no member tells
/// turns from other rows.
fn write_speakers(
    top: &mut String,
    own: &Own<'_, '_>,
    speaker: String,
    calling: &[usize],
) -> Option<()> {
    let Own {
        members,
        is_turn,
        turns,
    } = own;
    let mut kind = None;
    if turns.len() < is_turn.len() {
        let place = telling(members, &speaker, is_turn)?;
        let own = names_at(members, &place, is_turn, true);
        let others = names_at(members, &place, is_turn, false);
        let (is, others) = (one_or_list(&own), list(&others));
        let _ = writeln!(top, "is = {{ {} = {is} }}\nothers = {others}", key(&place));
        kind = Some(place).filter(|place| *place != speaker);
    }
    let mut roles = Roles::default();
    for row in *turns {
        let name = members.at(&speaker, *row).and_then(word);
        match (&name, &kind) {
            (Some(name), _) => roles.add(name, role(name)),
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
    let _ = writeln!(
        top,
        "speaker = {}\nuser = {}\nsystem = {}",
        quoted(&speaker),
        list(&roles.user),
        list(&roles.system)
    );
    if !roles.hidden.is_empty() {
        let _ = writeln!(top, "hidden = {}", list(&roles.hidden));
    }
    Some(())
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
        writeln!(
            top,
            "text = {{ at = {}, separator = \"\\n\" }}",
            quoted(text)
        )
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

/// Returns the place of the speakers: that with the most names of users and systems.
fn speaker(members: &Members<'_>) -> Option<String> {
    let both = members.kinds().filter(|(_, names)| {
        let has = |wanted| names.iter().any(|name| role(name) == Some(wanted));
        has(Role::User) && has(Role::System)
    });
    let rank = |place: &str| {
        let last = place.rsplit('.').next().unwrap_or_default();
        SPEAKERS
            .iter()
            .position(|name| *name == last)
            .map_or(0, |at| SPEAKERS.len() - at)
    };
    let count = |place: &String| {
        let names = members.all[place]
            .iter()
            .filter_map(|(_, value)| word(*value));
        names.filter(|name| role(name).is_some()).count()
    };
    let best = both.max_by_key(|(place, _)| (count(place), rank(place)));
    best.map(|(place, _)| place.clone())
}

/// Returns the rows, and the lists of objects in them, the longest first.
fn carriers<'a>(rows: &[Value<'a>], members: &Members<'a>) -> Vec<Carrier<'a>> {
    let mut lists: Vec<Carrier<'a>> = Vec::new();
    for (place, values) in &members.all {
        let (mut objects, mut numbers) = (Vec::new(), Vec::new());
        for (row, value) in values {
            let elements = value
                .elements()
                .filter(|element| element.kind() == NodeKind::Object);
            for element in elements {
                objects.push(element);
                numbers.push(*row);
            }
        }
        if !objects.is_empty() {
            lists.push(Carrier::new(format!("{place}[*]"), objects, numbers));
        }
    }
    lists.sort_by_key(|carrier| std::cmp::Reverse(carrier.objects.len()));
    lists.push(Carrier::new(
        ".".to_owned(),
        rows.to_vec(),
        (0..rows.len()).collect(),
    ));
    lists
}

fn find_calls(carriers: &[Carrier<'_>]) -> Option<Calls> {
    carriers.iter().enumerate().find_map(|(number, carrier)| {
        let members = &carrier.members;
        let nested = |names: &[&str]| -> Vec<String> {
            let inside = members.all.keys().filter_map(|place| {
                let last = place.rsplit_once('.')?.1;
                names.contains(&last).then(|| place.clone())
            });
            names
                .iter()
                .map(|name| (*name).to_owned())
                .chain(inside)
                .collect()
        };
        let (names, arguments) = (nested(&NAMES), nested(&ARGUMENTS));
        let find = |places: &[String], fits: fn(Value<'_>) -> bool| {
            let places: Vec<_> = places.iter().map(String::as_str).collect();
            members.first(&places, fits)
        };
        let arguments = find(&arguments, is_arguments)?;
        let has_arguments =
            |object: usize| members.at(&arguments, object).is_some_and(is_arguments);
        let name = names.into_iter().find(|place| {
            let own = (0..members.count).filter(|object| has_arguments(*object));
            let named = own.map(|object| members.at(place, object).and_then(word));
            let named: Vec<_> = named.collect();
            !named.is_empty() && named.iter().all(Option::is_some)
        })?;
        let is_call = |object: &usize| {
            has_arguments(*object) && members.at(&name, *object).and_then(word).is_some()
        };
        let own: Vec<_> = (0..members.count).filter(is_call).collect();
        let id = members.all.keys().filter(|place| {
            let last = place.rsplit('.').next().unwrap_or_default().to_lowercase();
            last == "id"
                || last.ends_with("_id") && last.contains("call")
                || last == "callid"
                || last == "toolcallid"
        });
        let values = |place: &str| {
            let all = own
                .iter()
                .map(|object| members.at(place, *object).and_then(word));
            all.collect::<Option<Vec<_>>>()
        };
        let is_id = |place: &&String| {
            values(place).is_some_and(|ids| ids.len() == distinct(ids.clone()).len())
        };
        let mut ids: Vec<_> = id.filter(is_id).collect();
        // The id of the call itself comes before that of its line.
        ids.sort_by_key(|place| !place.to_lowercase().contains("call"));
        let id = ids.first().map(|place| (*place).clone());
        Some(Calls {
            carrier: number,
            own,
            name,
            arguments,
            id,
        })
    })
}

/// Finds the objects with the id of a call that are not calls.
fn find_answers(carriers: &[Carrier<'_>], calls: &Calls) -> Option<Answers> {
    let of_calls = &carriers[calls.carrier];
    let id = calls.id.as_ref()?;
    let ids = calls
        .own
        .iter()
        .filter_map(|object| of_calls.members.at(id, *object).and_then(word));
    let ids = distinct(ids.collect());
    let mut best: Option<Answers> = None;
    for (number, carrier) in carriers.iter().enumerate() {
        for (place, values) in &carrier.members.all {
            let is_own = |object: &usize| number != calls.carrier || !calls.own.contains(object);
            let own = values.iter().filter(|(object, value)| {
                is_own(object) && word(*value).is_some_and(|id| ids.binary_search(&id).is_ok())
            });
            let own: Vec<_> = own.map(|(object, _)| *object).collect();
            let most = best.as_ref().map_or(0, |best| best.own.len());
            if own.len() > most {
                best = Some(Answers {
                    carrier: number,
                    own,
                    id: place.clone(),
                });
            }
        }
    }
    best
}

/// Returns the place of the texts of turns, and the value of `reasoning`.
fn texts(
    members: &Members<'_>,
    turns: &[usize],
    parts: Option<(&Carrier<'_>, usize)>,
    used: &dyn Fn(usize, usize) -> bool,
    is_used: &dyn Fn(usize) -> bool,
) -> Option<(String, Option<String>)> {
    let length = |values: &Values<'_>, is_own: &dyn Fn(usize) -> bool| -> usize {
        let own = values.iter().filter(|(object, _)| is_own(*object));
        let texts = own.filter_map(|(_, value)| value.as_str());
        texts
            .filter(|text| is_utterance(text) || text.contains(' '))
            .map(|text| text.len())
            .sum()
    };
    let rank = |place: &str| {
        let last = place.rsplit('.').next().unwrap_or_default();
        TEXTS
            .iter()
            .position(|name| *name == last)
            .map_or(1, |at| 4 + TEXTS.len() - at)
    };
    let best = |members: &Members<'_>, is_own: &dyn Fn(usize) -> bool| {
        let scored = members
            .all
            .iter()
            .map(|(place, values)| (length(values, is_own) * rank(place), place));
        let most = scored
            .max_by_key(|(score, _)| *score)
            .filter(|(score, _)| *score > 0);
        most.map(|(_, place)| place.clone())
    };
    let direct = best(members, &|row| turns.contains(&row) && !is_used(row));
    let Some((carrier, number)) = parts else {
        return Some((direct?, None));
    };
    let kind_of = |object: usize| {
        let kind = carrier.kind.as_ref()?;
        carrier.members.at(kind, object).and_then(word)
    };
    let is_thought = |object: usize| {
        let kind = kind_of(object).unwrap_or_default().to_lowercase();
        ["think", "thought", "reason"]
            .iter()
            .any(|part| kind.contains(part))
    };
    let is_part = |object: usize| !used(number, object) && turns.contains(&carrier.rows[object]);
    let inside = best(&carrier.members, &|object| {
        is_part(object) && !is_thought(object)
    });
    let thought = best(&carrier.members, &|object| {
        is_part(object) && is_thought(object)
    });
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
    let text = members
        .all
        .get(list)
        .is_some_and(|values| values.iter().any(|(_, value)| is_text(*value)));
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
    let rank = |place: &str| {
        (
            place != speaker,
            of(place, true).len(),
            place.matches('.').count(),
        )
    };
    places
        .filter(tells)
        .min_by_key(|place| rank(place))
        .cloned()
}

/// Returns the member with the id of a row's dialog, and whether there are several dialogs, one after the other.
fn dialog_id(members: &Members<'_>) -> Option<(String, bool)> {
    let found = members.all.iter().filter_map(|(place, values)| {
        let last = place.rsplit('.').next().unwrap_or_default().to_lowercase();
        let is_named = DIALOGS.iter().any(|name| last.contains(name))
            || last == "run"
            || last.starts_with("run_");
        let ids: Vec<_> = values
            .iter()
            .map(|(_, value)| word(*value))
            .collect::<Option<_>>()?;
        let changes = ids.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let several = distinct(ids.clone()).len();
        let is_id = is_named && changes + 1 == several && (several < ids.len() || ids.len() == 1);
        is_id.then_some((values.len(), place, several > 1))
    });
    let best = found.max_by_key(|(count, place, _)| (*count, std::cmp::Reverse(place.len())));
    best.map(|(_, place, several)| (place.clone(), several))
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
    let in_text = calls
        .own
        .iter()
        .filter_map(|object| carrier.members.at(&calls.arguments, *object));
    let arguments = quoted(&calls.arguments);
    if in_text.into_iter().any(is_text) {
        let _ = writeln!(
            toml,
            "arguments = {{ at = {arguments}, json = \"string\" }}"
        );
    } else {
        let _ = writeln!(toml, "arguments = {arguments}");
    }
    let Some(answers) = answers else {
        return;
    };
    let carrier = &carriers[answers.carrier];
    let objects: Vec<_> = answers
        .own
        .iter()
        .map(|object| carrier.objects[*object])
        .collect();
    let members = Members::of(&objects);
    // Beside the id, also where that is deeper in a row.
    let beside = answers.id.rsplit_once('.').map_or("", |(way, _)| way);
    let near = |name: &str| match beside {
        "" => name.to_owned(),
        way => format!("{way}.{name}"),
    };
    let places: Vec<_> = ANSWERS.iter().map(|name| near(name)).collect();
    let Some(at) = places.iter().find(|place| members.all.contains_key(*place)) else {
        return;
    };
    let is_list = members.all[at]
        .iter()
        .any(|(_, value)| value.kind() == NodeKind::Array);
    let at = if is_list {
        format!("{at} | {at}[*].text")
    } else {
        at.clone()
    };
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
