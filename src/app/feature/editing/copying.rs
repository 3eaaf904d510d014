//! Copying what is selected: an item of the details, a selection, a segment, or else the turn.

use crate::app::core::{App, Effect};
use crate::app::feature::editing::items;
use crate::app::pane::{Focus, Item};
use crate::dialog::{CallPart, Extent, Payload, Turn};

/// Something to copy: the name of it, and its text.
struct Copied {
    what: String,
    text: Option<String>,
}

/// Copies the text of what is selected.
pub fn copy_text(app: &mut App) {
    let copied = item_text(app).unwrap_or_else(|| text_here(app));
    copy(app, copied);
}

/// Copies the dialog's id.
pub fn copy_id(app: &mut App) {
    let id = app.panes.transcript.dialog.id.clone();
    let text = (!id.is_empty()).then_some(id);
    let what = "id".to_owned();
    copy(app, Copied { what, text });
}

/// Copies the JSON of what is selected.
pub fn copy_json(app: &mut App) {
    let t = &app.panes.transcript;
    if t.hides_here() {
        let until = t.judge.reveal.until();
        app.say(format!("not copied: the JSON contains votes, which are hidden{until}"));
        return;
    }
    let of_item = selected(app).and_then(|item| Some((name_of(item)?, extent_of(app, item)?)));
    let of_segment = || Some(("segment".to_owned(), t.current_segment()?.at));
    let of_turn = || Some(("turn".to_owned(), t.current()?.whole()));
    let found = of_item.or_else(of_segment).or_else(of_turn);
    let Some((of, at)) = found else {
        app.say("no JSON to copy");
        return;
    };
    let text = t.at.and_then(|at| app.workspace.files.text(at).ok());
    let json =
        text.and_then(|text| text.get(at.start as usize..at.end as usize).map(str::to_owned));
    let copied = Copied { what: format!("JSON of the {of}"), text: json };
    copy(app, copied);
}

fn copy(app: &mut App, Copied { what, text }: Copied) {
    match text {
        Some(text) => app.request(Effect::Copy { text, what }),
        None => app.say(format!("no {what} to copy")),
    }
}

/// Returns the selected item of the details, if keys go there.
fn selected(app: &App) -> Option<&Item> {
    let item = app.panes.details.item();
    item.filter(|_| app.panes.focus == Focus::Details)
}

/// Returns the text of the selected item; None if none is selected that has one.
fn item_text(app: &App) -> Option<Copied> {
    let item = selected(app)?;
    Some(Copied { what: name_of(item)?, text: Some(items::said_of(app, item)?) })
}

/// Returns the text of the selection, of the segment or of the turn.
fn text_here(app: &App) -> Copied {
    let t = &app.panes.transcript;
    let covered = |span| Some(t.current()?.covered(span, t.dialog.units)?.to_string());
    let of = |what: &str, text| Copied { what: what.to_owned(), text };
    if let Some(span) = t.selection() {
        return of("selected text", covered(span));
    }
    match t.current_segment().and_then(|segment| covered(segment.span?)) {
        Some(text) => of("text of the segment", Some(text)),
        None => of("text", t.current().map(|turn| turn.text.clone())),
    }
}

/// Returns how messages name an item that can be copied; None if it cannot.
fn name_of(item: &Item) -> Option<String> {
    let part = |part: &CallPart| part.name().to_owned();
    Some(match item {
        Item::Segment { .. } => "segment".to_owned(),
        Item::Api { .. } => "call".to_owned(),
        Item::Values { part: of, .. } | Item::Json { part: of, .. } => part(of),
        Item::Value { name, .. } => format!("value of {name}"),
        Item::Act { .. } => "act".to_owned(),
        Item::ActSlot { .. } => "value of the slot".to_owned(),
        Item::State { slot, .. } => format!("value of {slot}"),
        _ => return None,
    })
}

/// Returns where an item is in the text of its dialog, if it is one piece of it.
fn extent_of(app: &App, item: &Item) -> Option<Extent> {
    let turn: &Turn = app.panes.transcript.dialog.turns.get(item.turn()?)?;
    match item {
        Item::Segment { segment, .. } => Some(turn.segments.get(*segment)?.at),
        Item::Api { call, .. } => Some(turn.calls.get(*call)?.at),
        Item::Value { .. } => Some(items::field(app, item)?.at),
        Item::Json { turn, call, part } => match items::payload(app, *turn, *call, *part)? {
            Payload::Fields(_) => None,
            Payload::Embedded { at, .. } | Payload::Text { at, .. } => Some(*at),
        },
        Item::Act { act, .. } => Some(turn.acts.get(*act)?.at),
        Item::State { .. } => Some(items::state_slot(turn, item)?.at),
        _ => None,
    }
}
