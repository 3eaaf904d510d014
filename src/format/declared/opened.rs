//! Dialogs with parts that are JSON in strings, which are read and written as if they were there in their place.

use super::description::Description;
use super::shape::Shape;
use super::trail::Trail;
use super::write::Ways;
use crate::dialog::{Dialog, EditError, Extent, Issue};
use crate::format::engine::edit::EditedDialog;
use crate::json::{Editor, NodeKind, OpenedText, Parser, Splice, Tree, Value};

/// Returns the text of a dialog with its strings opened, if the description names any and they are there.
pub fn of(description: &Description, root: Value<'_>) -> Option<OpenedText> {
    if description.json.is_empty() {
        return None;
    }
    let mut trail = Trail::new(description.root(root), root.tree().key());
    let mut strings = Vec::new();
    for place in &description.json {
        trail.each(place, &mut |trail| strings.push(trail.here().value));
    }
    strings.retain(|value| value.kind() == NodeKind::String);
    strings.sort_by_key(|value| value.range().start);
    OpenedText::of(root.tree(), strings)
}

/// Passes a dialog to `look`, with its strings opened.
pub fn look<R>(description: &Description, root: Value<'_>, look: impl FnOnce(Value<'_>) -> R) -> R {
    let opened = of(description, root);
    let mut parser = Parser::new();
    let tree = opened.as_ref().and_then(|opened| {
        let tree = parser.parse_piece_str(opened.text()).ok()?;
        Some((tree, opened.opened(root.range().start as usize)))
    });
    match &tree {
        Some((tree, start)) if !root.is_lines() => {
            look(tree.value_at(*start as u32).unwrap_or(tree.root()))
        }
        Some((tree, _)) => look(tree.root()),
        None => look(root),
    }
}

/// As reading by the places of a description alone; the places of all elements are those in the text of `tree`.
pub fn read(
    description: &'static Description,
    shape: &'static Shape,
    tree: Tree<'_>,
) -> (Dialog, Vec<Issue>) {
    let Some(opened) = of(description, tree.root()) else {
        return super::read::read(description, shape, tree);
    };
    let mut parser = Parser::new();
    let Ok(inner) = parser.parse_piece_str(opened.text()) else {
        return super::read::read(description, shape, tree);
    };
    let (mut dialog, mut issues) = super::read::read(description, shape, inner);
    let change = |at: &mut Extent| *at = moved(*at, |byte| opened.original(byte));
    dialog.each_place(&change);
    for issue in &mut issues {
        change(&mut issue.at);
    }
    (dialog, issues)
}

/// As writing by the places of a description alone: returns the splices that write edits.
///
/// # Errors
/// Like there.
pub fn write<'a>(
    description: &'static Description,
    editor: &Editor<'a>,
    edited: &EditedDialog<'_>,
    ways: &Ways<'a>,
) -> Result<Vec<Splice>, EditError> {
    let opened = of(description, editor.tree().root());
    let mut parser = Parser::new();
    let inner = opened.as_ref().and_then(|opened| {
        let inner = parser.parse_piece_str(opened.text()).ok()?;
        Some((opened, inner))
    });
    let Some((opened, inner)) = inner else {
        return super::write::write(description, editor, edited, ways);
    };
    let inside = |dialog: &Dialog| {
        let mut dialog = dialog.clone();
        dialog.each_place(&|at| *at = moved(*at, |byte| opened.opened(byte)));
        dialog
    };
    let (before, after) = (inside(edited.before), inside(edited.after));
    let others = editor.escapes();
    let editor = Editor::new(&inner, others);
    let edited = EditedDialog { before: &before, after: &after, ..*edited };
    let splices = super::write::write(description, &editor, &edited, &Ways::default())?;
    let closed = |splice: &Splice| opened.closed(splice, others);
    Ok(splices.iter().map(closed).collect())
}

fn moved(at: Extent, byte: impl Fn(usize) -> usize) -> Extent {
    Extent { start: byte(at.start as usize) as u32, end: byte(at.end as usize) as u32 }
}
