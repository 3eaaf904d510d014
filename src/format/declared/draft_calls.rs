//! Finds the calls and answers in the rows of a file, for drafts.

use super::draft::quoted;
use super::draft_members::{Members, distinct, word};
use crate::json::{NodeKind, Value};

/// Names of members, the likeliest first.
const NAMES: [&str; 9] = [
    "name",
    "tool",
    "tool_name",
    "toolName",
    "function_name",
    "function.name",
    "function",
    "fn",
    "func",
];
const ARGUMENTS: [&str; 9] = [
    "input",
    "arguments",
    "args",
    "parameters",
    "params",
    "kwargs",
    "with",
    "function.arguments",
    "function.args",
];

/// True for an object, or JSON of one in a text.
fn is_arguments(value: Value<'_>) -> bool {
    value.kind() == NodeKind::Object
        || value.as_str().is_some_and(|text| text.trim_start().starts_with('{'))
}

/// Objects in which calls and answers may be: the rows themselves, or the elements of a list in them.
pub struct Carrier<'a> {
    /// The place in a row: `.` or `content[*]`.
    pub at: String,
    pub objects: Vec<Value<'a>>,
    /// The row of each.
    pub rows: Vec<usize>,
    pub members: Members<'a>,
    /// The member that says what they are.
    pub kind: Option<String>,
}

impl<'a> Carrier<'a> {
    fn new(at: String, objects: Vec<Value<'a>>, rows: Vec<usize>) -> Self {
        let members = Members::of(&objects);
        let rank = |place: &str| match place {
            "type" => 0,
            "kind" => 1,
            _ if place.ends_with("type") => 2,
            _ => 3,
        };
        let whole = kinds(&members).filter(|(place, names)| {
            let is_kind = names.len() > 1 || rank(place) < 2;
            members.all[*place].len() == members.count && is_kind && !place.contains("id")
        });
        let kind = whole.min_by_key(|(place, names)| (rank(place), names.len()));
        let kind = kind.map(|(place, _)| place.clone());
        Self { at, objects, rows, members, kind }
    }

    /// Returns a place in an object, as a place in a row.
    pub fn place(&self, inside: &str) -> String {
        match self.at.as_str() {
            "." => inside.to_owned(),
            at => format!("{at}.{inside}"),
        }
    }

    /// Returns the kinds of some objects, as a condition; None if no member tells them from the others.
    pub fn is(&self, own: &[usize]) -> Option<String> {
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
        if own.len() == self.objects.len() && self.kind.is_none() {
            return None;
        }
        let all = kinds(&self.members).map(|(place, _)| place);
        let rank = |kind: &str| (self.kind.as_deref() != Some(kind), !kind.ends_with("type"));
        let kind = all.filter(tells).min_by_key(|kind| rank(kind))?;
        Some(format!("{{ {} = {} }}", key(kind), one_or_list(&names(kind)?)))
    }
}

/// Returns the members that may say what an object is, with their names; an argument of a call does not.
fn kinds<'m>(members: &'m Members<'_>) -> impl Iterator<Item = (&'m String, Vec<String>)> {
    members.kinds().filter(|(place, _)| {
        let outer = place.rsplit_once('.').map_or("", |(outer, _)| outer);
        !outer.split('.').any(|part| ARGUMENTS.contains(&part))
    })
}

/// Calls in a carrier.
pub struct Calls {
    pub carrier: usize,
    pub own: Vec<usize>,
    pub name: String,
    pub arguments: String,
    pub id: Option<String>,
}

/// Answers in a carrier.
pub struct Answers {
    pub carrier: usize,
    pub own: Vec<usize>,
    pub id: String,
}

pub fn key(place: &str) -> String {
    if place.contains('.') { quoted(place) } else { place.to_owned() }
}

pub fn one_or_list(names: &[String]) -> String {
    match names {
        [one] => quoted(one),
        all => list(all),
    }
}

pub fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Returns the rows, and the lists of objects in them, the longest first.
pub fn carriers<'a>(rows: &[Value<'a>], members: &Members<'a>) -> Vec<Carrier<'a>> {
    let mut lists: Vec<Carrier<'a>> = Vec::new();
    for (place, values) in &members.all {
        let (mut objects, mut numbers) = (Vec::new(), Vec::new());
        for (row, value) in values {
            let is_object = |element: &Value<'_>| element.kind() == NodeKind::Object;
            for element in value.elements().filter(is_object) {
                objects.push(element);
                numbers.push(*row);
            }
        }
        if !objects.is_empty() {
            lists.push(Carrier::new(format!("{place}[*]"), objects, numbers));
        }
        let inner = values.iter().flat_map(|(row, value)| {
            let inner = value.elements().flat_map(Value::elements);
            inner.map(move |element| (*row, element))
        });
        let inner = inner.filter(|(_, element)| element.kind() == NodeKind::Object);
        let (numbers, objects): (Vec<_>, Vec<_>) = inner.unzip();
        if !objects.is_empty() {
            lists.push(Carrier::new(format!("{place}[*][*]"), objects, numbers));
        }
    }
    lists.sort_by_key(|carrier| std::cmp::Reverse(carrier.objects.len()));
    lists.push(Carrier::new(".".to_owned(), rows.to_vec(), (0..rows.len()).collect()));
    lists
}

pub fn find_calls(carriers: &[Carrier<'_>]) -> Option<Calls> {
    carriers.iter().enumerate().find_map(|(number, carrier)| {
        let members = &carrier.members;
        let nested = |names: &[&str]| -> Vec<String> {
            let inside = members.all.keys().filter_map(|place| {
                let last = place.rsplit_once('.')?.1;
                names.contains(&last).then(|| place.clone())
            });
            names.iter().map(|name| (*name).to_owned()).chain(inside).collect()
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
            let all = own.iter().map(|object| members.at(place, *object).and_then(word));
            all.collect::<Option<Vec<_>>>()
        };
        let is_id = |place: &&String| {
            values(place).is_some_and(|ids| ids.len() == distinct(ids.clone()).len())
        };
        let mut ids: Vec<_> = id.filter(is_id).collect();
        // The id of the call itself comes before that of its line.
        ids.sort_by_key(|place| !place.to_lowercase().contains("call"));
        let id = ids.first().map(|place| (*place).clone());
        Some(Calls { carrier: number, own, name, arguments, id })
    })
}

/// Finds the id of calls that is not named like one: their member whose values other objects have, too.
pub fn find_id(carriers: &[Carrier<'_>], calls: &mut Calls) {
    let members = &carriers[calls.carrier].members;
    if calls.id.is_some() || calls.own.len() < 2 {
        return;
    }
    for place in members.all.keys().filter(|place| !place.contains('.')) {
        let ids = calls.own.iter().map(|object| members.at(place, *object).and_then(word));
        let ids: Option<Vec<_>> = ids.collect();
        if ids.is_some_and(|ids| ids.len() == distinct(ids.clone()).len()) {
            calls.id = Some(place.clone());
            if find_answers(carriers, calls).is_some() {
                return;
            }
        }
    }
    calls.id = None;
}

/// Finds the objects with the id of a call that are not calls.
pub fn find_answers(carriers: &[Carrier<'_>], calls: &Calls) -> Option<Answers> {
    let of_calls = &carriers[calls.carrier];
    let id = calls.id.as_ref()?;
    let ids = calls.own.iter().filter_map(|object| of_calls.members.at(id, *object).and_then(word));
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
                best = Some(Answers { carrier: number, own, id: place.clone() });
            }
        }
    }
    best
}
