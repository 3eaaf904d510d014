//! The lossless JSON layer: valid and invalid JSON, the pieces of a file, the text that an edit writes.

mod edit_empty;
mod edit_layouts;
mod edit_lists;
mod edit_properties;
mod edit_strings;
mod invalid;
mod odd;
mod parse_properties;
mod pieces;
mod valid;
mod verdicts;

use turnwise::json::{Editor, Escapes, NewValue, Parser, Patch, Splice, Value};

/// `before` after an edit of the value that `path` leads to: keys and positions with dots between.
fn edited(
    before: &str,
    path: &str,
    edit: impl for<'a> Fn(&Editor<'a>, Value<'a>) -> Vec<Splice>,
) -> String {
    let mut parser = Parser::new();
    let tree = parser.parse_str(before).unwrap();
    let editor = Editor::new(&tree, Escapes::default());
    let splices = edit(&editor, at(tree.root(), path));
    let changed = Patch::new(splices).unwrap().apply(before);
    Parser::new().parse_str(&changed).unwrap();
    changed
}

fn at<'a>(root: Value<'a>, path: &str) -> Value<'a> {
    let steps = path.split('.').filter(|step| !step.is_empty());
    steps.fold(root, |value, step| match step.parse() {
        Ok(position) => value.elements().nth(position).unwrap(),
        Err(_) => value.get(step).unwrap(),
    })
}

fn string(text: &str) -> NewValue {
    NewValue::String(text.to_owned())
}

fn object(members: &[(&str, NewValue)]) -> NewValue {
    let member = |(key, value): &(&str, NewValue)| ((*key).to_owned(), value.clone());
    NewValue::Object(members.iter().map(member).collect())
}
