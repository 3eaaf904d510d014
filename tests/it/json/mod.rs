//! The lossless JSON layer: valid and invalid JSON, the pieces of a file, the text that an edit writes.

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

use turnwise::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

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

/// Changes an array so that it has an element for each of `texts`, touching only elements that differ. `text_of` returns the
/// string that holds the text of an element; `new` makes a whole element.
fn set_list<'a>(
    editor: &Editor<'a>,
    array: Value<'a>,
    texts: &[&str],
    text_of: impl Fn(Value<'a>) -> Option<Value<'a>>,
    new: impl Fn(&str) -> NewValue,
) -> Vec<Splice> {
    let old: Vec<_> = array.elements().collect();
    let same = |element: &Value<'a>, text: &str| {
        text_of(*element).is_some_and(|v| v.kind() == NodeKind::String && v.is_text(text))
    };
    let head = old.iter().zip(texts).take_while(|(v, t)| same(v, t)).count();
    let most = old.len().min(texts.len()) - head;
    let tail = old.iter().rev().zip(texts.iter().rev());
    let tail = tail.take(most).take_while(|(v, t)| same(v, t)).count();
    let (old_end, new_end) = (old.len() - tail, texts.len() - tail);
    let both = old_end.min(new_end);
    let changed = (head..both).filter(|&i| !same(&old[i], texts[i]));
    let mut splices: Vec<_> = changed
        .map(|i| match text_of(old[i]) {
            Some(value) => editor.replace(value, &NewValue::String(texts[i].to_owned())),
            None => editor.replace(old[i], &new(texts[i])),
        })
        .collect();
    if both < new_end {
        let more: Vec<_> = texts[both..new_end].iter().map(|text| new(text)).collect();
        splices.push(editor.insert(array, both, &more, None));
    } else if both < old_end {
        splices.push(editor.remove(array, both..old_end));
    }
    splices
}
