//! Reads a description, with the checks that its types do not make and the places of its errors.

use super::columns::Column;
use super::description::{Description, TurnRule, Unit};
use super::place::{Place, Step, Target};
use crate::json::{BadText, Position};

/// The most places in `has` and `lacks`.
const MOST_SIGNS: usize = 100;

/// Why a description is wrong.
pub struct Wrong {
    /// The table with the fault; empty for the top of the description.
    pub table: &'static str,
    /// A text of the description.
    pub about: String,
    pub reason: String,
}

impl Wrong {
    pub fn new(table: &'static str, about: &str, reason: &str) -> Self {
        Self { table, about: about.to_owned(), reason: reason.to_owned() }
    }
}

impl Description {
    /// Reads a description from TOML.
    ///
    /// # Errors
    /// If it is not TOML, has unknown or missing keys, or its parts contradict each other.
    pub fn read(text: &str) -> Result<Self, BadText> {
        let mut description: Self =
            toml::from_str(text).map_err(|error| BadText::in_toml(text, &error))?;
        for rule in &mut description.span.0 {
            rule.unit = rule.units.0[0];
        }
        for values in description.state.0.iter_mut().filter_map(|rule| rule.values.as_mut()) {
            // The value itself may be a list, and is then its elements.
            if *values == Place::here() {
                *values = Place::elements();
            }
        }
        check(&description).map_err(|wrong| BadText {
            at: place_of(text, wrong.table, &wrong.about),
            reason: wrong.reason,
        })?;
        Ok(description)
    }
}

/// Checks what the types do not.
fn check(description: &Description) -> Result<(), Wrong> {
    let wrong = |about: &str, reason: &str| Err(Wrong::new("", about, reason));
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let begins = description.name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !begins || !description.name.chars().all(is_name) {
        let reason = "the name of a format may contain letters, digits, hyphens, dots and underscores, and must begin with a letter or digit";
        return wrong("name", reason);
    }
    if description.has.len() + description.lacks.len() > MOST_SIGNS {
        return wrong("has", "`has` and `lacks` together list at most 100 places");
    }
    if description.has.is_empty() {
        let reason = "`has` must name the places by which a dialog of this format is recognized";
        return wrong("name", reason);
    }
    let Some(first) = description.turn.0.first() else {
        return wrong("turn", "there must be a `[turn]`");
    };
    check_files(description)?;
    if let Some(file) = description.ontology.as_ref().and_then(|o| o.file.as_deref())
        && (file.is_empty() || file.starts_with('.') || file.contains(['/', '\\', ':', '\0']))
    {
        let reason = "`file` is the name of a file beside the corpus, without folders";
        return Err(Wrong::new("ontology", file, reason));
    }
    let wrong = |about: &str, reason: &str| Err(Wrong::new("turn", about, reason));
    for rule in &description.turn.0 {
        if rule.at != first.at {
            return wrong(&rule.at.text, "all `[[turn]]` tables must have the same `at`");
        }
        let is_exchange = rule.at == Place::here() && description.turn.0.len() > 1;
        if !is_exchange && !rule.at.steps.last().is_some_and(Step::is_several) {
            let reason = "the place of turns must end in `[*]` or `{*}`; for a dialog that is one exchange, give each speaker a `[[turn]]` table at `.`";
            return wrong(&rule.at.text, reason);
        }
        let at = rule.text.at();
        let several = at.is_several() || !at.or.is_empty();
        match rule.text.separator() {
            None if at.is_several() && at.or.is_empty() => {
                let reason = "a turn has one text; to join it from the elements of a list, use `text = { at = \"…\", separator = \" \" }`";
                return wrong(&at.text, reason);
            }
            Some(_) if !several => {
                let reason = "`separator` joins the elements of a list, so the place of the text must end in `[*]`";
                return wrong(&at.text, reason);
            }
            _ => {}
        }
        if at.all().any(|at| at.is_several() && !at.is_in_one_list()) {
            let reason = "the place of a text must have exactly one `[*]`, because its parts come from one list";
            return wrong(&at.text, reason);
        }
        if description.turn.0.len() > 1 && !(rule.is.0.is_empty() && rule.parts.0.is_empty()) {
            let reason = "a format with several `[[turn]]` tables cannot use `is` or `parts`";
            return wrong("is", reason);
        }
        if rule.opening.as_ref().is_some_and(Place::is_several) {
            return wrong("opening", "`opening` must be the place of a single text");
        }
        if rule.is.0.is_empty() && !rule.others.is_empty() {
            return wrong(
                "others",
                "`others` lists values of the first place in `is`, so add `is`",
            );
        }
        if let Some(branch) = &rule.branch
            && branch.id.is_none()
            && (rule.line.is_none() || rule.after.is_none())
        {
            let reason = "a side branch needs an `id`, or both `line` and `after` in `[turn]`";
            return wrong("branch", reason);
        }
        if rule.line.is_none() && (rule.after.is_some() || rule.back.is_some()) {
            return wrong("after", "`after` and `back` refer to the ids of `line`, so add `line`");
        }
        if rule.last.is_some() && (rule.after.is_none() || rule.replaces.is_some()) {
            return wrong(
                "last",
                "`last` needs `line` and `after`, and cannot be combined with `replaces`",
            );
        }
        check_speakers(description, rule)?;
    }
    check_parts(description)
}

/// Checks what a rule says of the speakers of turns.
fn check_speakers(description: &Description, rule: &TurnRule) -> Result<(), Wrong> {
    let wrong = |about: &str, reason: &str| Err(Wrong::new("turn", about, reason));
    let roles = [("user", &rule.user), ("system", &rule.system), ("hidden", &rule.hidden)];
    let mut before: Vec<(&str, &String)> = Vec::new();
    for (role, name) in roles.iter().flat_map(|(role, all)| all.iter().map(move |n| (*role, n))) {
        if let Some((other, _)) = before.iter().find(|(own, n)| *own != role && *n == name) {
            let reason =
                format!("{name:?} is in both `{other}` and `{role}`; a speaker has one role");
            return wrong(name, &reason);
        }
        before.push((role, name));
    }
    if rule.speaker.is_some() && !rule.alternate.is_empty() {
        let reason = "use either `speaker` or `alternate`, not both";
        return wrong("alternate", reason);
    }
    if let Some(prefix) = &rule.prefix {
        if prefix.is_empty() || rule.speaker.is_some() || !rule.alternate.is_empty() {
            let reason = "`prefix` is the text after the speaker's name; it cannot be empty or combined with `speaker` or `alternate`";
            return wrong("prefix", reason);
        }
        if rule.tokens.is_some() || !description.span.0.is_empty() {
            let reason = "`prefix` cannot be used with spans or `tokens`, because their positions would include the speaker's name";
            return wrong("prefix", reason);
        }
    }
    Ok(())
}

/// Checks what a description says about files.
fn check_files(description: &Description) -> Result<(), Wrong> {
    let wrong = |about: &str, reason: &str| Err(Wrong::new("", about, reason));
    if description.split.is_some() && !description.lines_are_turns() {
        let reason = "`split` needs lines that are turns; write `dialogs = \".\"`, and begin `at` in `[turn]` with `[*]`";
        return wrong("split", reason);
    }
    let is_pattern = |name: &String| {
        let rest = name.strip_prefix('*').unwrap_or(name);
        rest.len() > 1 && !rest.contains(['/', '\\', '*', '?', '['])
    };
    if let Some(name) = description.files.iter().find(|name| !is_pattern(name)) {
        let reason =
            "`files` lists file names, or patterns that begin with `*`, such as \"*.traj\"";
        return wrong(name, reason);
    }
    Ok(())
}

fn check_parts(description: &Description) -> Result<(), Wrong> {
    let mut turns = description.turns().skip(1);
    if let Some(up) = turns.find(|at| at.all().any(|at| at.up > 0)) {
        return Err(Wrong::new("turn", &up.text, "the place of a turn cannot begin with `^`"));
    }
    for rule in description.vote.0.iter().filter(|rule| rule.answer.is_none()) {
        let unused = [
            ("annotator", &rule.annotator),
            ("comment", &rule.comment),
            ("ungrammatical", &rule.ungrammatical),
        ];
        if let Some((key, _)) = unused.iter().find(|(_, place)| place.is_some()) {
            let reason = format!(
                "`{key}` has no use here, because turnwise shows judgements on a scale as fields, one for each value"
            );
            return Err(Wrong::new("vote", key, &reason));
        }
    }
    for rule in &description.act.0 {
        let is_list = |values: &Place| values.is_one_list();
        if let Some(canonical) = &rule.canonical
            && !(canonical.is_one_list() && rule.values.as_ref().is_some_and(is_list))
        {
            let reason =
                "`canonical` is a list beside the list of `values`, so both must end in `[*]`";
            return Err(Wrong::new("act", &canonical.text, reason));
        }
    }
    let wrong = |about: &str, reason: &str| Err(Wrong::new("span", about, reason));
    let (mut tokens, mut others) = (false, false);
    for rule in &description.span.0 {
        for unit in &rule.units.0 {
            match unit.splitting() {
                Some(_) => tokens = true,
                None => others = true,
            }
        }
        if rule.units.0.contains(&Unit::Tokens)
            && description.turn.0.iter().all(|turn| turn.tokens.is_none())
        {
            return wrong("tokens", "spans that count tokens need `tokens` in `[turn]`");
        }
        for place in [&rule.start, &rule.end] {
            if place.is_several() || place.target != Target::Value {
                return wrong(&place.text, "an offset must be one value");
            }
        }
    }
    if tokens && others {
        let reason = "spans must all count words or tokens, or all count characters or bytes";
        return wrong("unit", reason);
    }
    let columns = description.columns();
    let mut lists = columns.iter().filter(|column| column.what.may_be_several());
    if let Some(Column { table, place, .. }) = lists.find(|column| column.place.is_shared()) {
        let reason = "a place with `[*]` or `{*}` cannot begin with `^`, because every element would have the same values";
        return Err(Wrong::new(table, &place.text, reason));
    }
    let any = |about: &str, reason: &str| Err(Wrong::new("", about, reason));
    let several = description.turn.0.len() > 1;
    let role = |of: &Option<String>, before: bool| match of.as_deref() {
        None | Some("user" | "system") => Ok(()),
        Some("turn-before") if before => Ok(()),
        Some(other) => any(other, "`of` must be \"user\" or \"system\""),
    };
    let of = (description.span.0.iter().map(|rule| &rule.of))
        .chain(description.act.0.iter().map(|rule| &rule.of))
        .chain(description.call.0.iter().map(|rule| &rule.of));
    for of in of {
        role(of, false)?;
        if several && of.is_none() {
            let reason = "with several `[[turn]]` tables, `of` must name the speaker of this part";
            return any("turn", reason);
        }
    }
    description.state.0.iter().try_for_each(|rule| role(&rule.of, true))
}

/// Returns the position of `about` in a description, from its table `table` on if that is not empty, preferably in
/// quotes, and not in its sample.
pub fn place_of(text: &str, table: &str, about: &str) -> Option<Position> {
    let table = text.find(&format!("\n[{table}]")).or(text.find(&format!("\n[[{table}]]")));
    let sample = text.find("'''").zip(text.rfind("'''"));
    let is_code = |at: &usize| sample.is_none_or(|(start, end)| *at < start || *at > end);
    let find = |wanted: &str, from: usize| {
        let mut all = text.match_indices(wanted).map(|(at, _)| at);
        all.find(|at| *at >= from && is_code(at))
    };
    let in_quotes = format!("\"{about}\"");
    let quoted = |from: usize| find(&in_quotes, from).map(|at| at + 1);
    let from = table.unwrap_or(0);
    let inside = quoted(from).or_else(|| find(about, from));
    let at = inside.or_else(|| quoted(0)).or_else(|| find(about, 0))?;
    Some(Position::of(text.as_bytes(), at))
}
