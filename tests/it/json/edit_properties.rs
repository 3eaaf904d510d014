//! Edits of JSON in any layout: the result is JSON, equals the same change of a `serde_json`
//! value, and differs from the text before only where the patch says so.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value as Meant, json};
use turnwise::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree, Value};

use super::odd::{Json, choices, json, print, text};
use super::{set_list, string};

/// Steps from the outermost value: a key or a position.
type Path = Vec<Step>;

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Position(usize),
}

/// One edit of one value; indices choose among the values it can be made on.
#[derive(Clone, Debug)]
enum Op {
    SetString(String),
    SetInteger(i64),
    Replace(NewValue),
    Insert(Index, Vec<NewValue>, Option<Index>),
    Remove(Index, Index),
    AddMember(String, NewValue, Option<Index>),
    SetStrings(Vec<String>),
    SetNames(Vec<String>),
}

fn op() -> impl Strategy<Value = Op> {
    let news = prop::collection::vec(new(), 0..4);
    let texts = || prop::collection::vec(text(), 0..5);
    prop_oneof![
        text().prop_map(Op::SetString),
        any::<i64>().prop_map(Op::SetInteger),
        new().prop_map(Op::Replace),
        (any::<Index>(), news, any::<Option<Index>>()).prop_map(|(i, n, l)| Op::Insert(i, n, l)),
        any::<(Index, Index)>().prop_map(|(from, to)| Op::Remove(from, to)),
        (text(), new(), any::<Option<Index>>()).prop_map(|(k, n, l)| Op::AddMember(k, n, l)),
        texts().prop_map(Op::SetStrings),
        texts().prop_map(Op::SetNames),
    ]
}

fn new() -> impl Strategy<Value = NewValue> {
    let leaf = prop_oneof![
        Just(NewValue::Null),
        any::<bool>().prop_map(NewValue::Bool),
        any::<i64>().prop_map(NewValue::Integer),
        Just(NewValue::Raw("1.50".to_owned())),
        text().prop_map(NewValue::String),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(NewValue::Array),
            prop::collection::btree_map(text(), inner, 0..3)
                .prop_map(|members| NewValue::Object(members.into_iter().collect())),
        ]
    })
}

fn meant(new: &NewValue) -> Meant {
    match new {
        NewValue::Null => Meant::Null,
        NewValue::Bool(value) => json!(value),
        NewValue::Integer(number) => json!(number),
        NewValue::Raw(text) => serde_json::from_str(text).unwrap(),
        NewValue::String(text) => json!(text),
        NewValue::Array(items) => items.iter().map(meant).collect(),
        NewValue::Object(members) | NewValue::Map(members) => {
            let member = |(key, value): &(String, NewValue)| (key.clone(), meant(value));
            Meant::Object(members.iter().map(member).collect())
        }
    }
}

/// Every value of a text with the way to it.
fn paths<'a>(tree: &'a Tree<'a>) -> Vec<(Path, Value<'a>)> {
    let mut found = vec![(Path::new(), tree.root())];
    let mut at = 0;
    while at < found.len() {
        let (path, value) = found[at].clone();
        let below = |step| path.iter().cloned().chain([step]).collect();
        for (i, element) in value.elements().enumerate() {
            found.push((below(Step::Position(i)), element));
        }
        for (key, member) in value.members() {
            let key = key.as_str().unwrap().into_owned();
            found.push((below(Step::Key(key)), member));
        }
        at += 1;
    }
    found
}

fn at_path<'m>(mut value: &'m mut Meant, path: &Path) -> &'m mut Meant {
    for step in path {
        value = match step {
            Step::Key(key) => &mut value[key],
            Step::Position(position) => &mut value[*position],
        };
    }
    value
}

fn name(text: &str) -> NewValue {
    NewValue::Object(vec![("name".to_owned(), NewValue::String(text.to_owned()))])
}

/// The splices of `op` on `value`; also makes the change in `after`. `others` may be imitated.
fn edit<'a>(
    op: &Op,
    editor: &Editor<'a>,
    value: Value<'a>,
    others: &[(Path, Value<'a>)],
    after: &mut Meant,
) -> Vec<Splice> {
    let imitated = |index: &Option<Index>| index.map(|index| index.get(others).1);
    match op {
        Op::SetString(text) => {
            *after = json!(text);
            vec![editor.set_string(value, text)]
        }
        Op::SetInteger(number) => {
            *after = match value.kind() {
                NodeKind::String => json!(number.to_string()),
                _ => json!(number),
            };
            vec![editor.set_integer(value, *number)]
        }
        Op::Replace(new) => {
            *after = meant(new);
            vec![editor.replace(value, new)]
        }
        Op::Insert(index, news, like) => {
            let list = after.as_array_mut().unwrap();
            let at = index.index(list.len() + 1);
            list.splice(at..at, news.iter().map(meant));
            vec![editor.insert(value, at, news, imitated(like))]
        }
        Op::Remove(from, to) => {
            let count = value.elements().count() + value.members().count();
            let from = from.index(count + 1);
            let to = from + to.index(count - from + 1);
            match after {
                Meant::Array(list) => drop(list.drain(from..to)),
                Meant::Object(map) => {
                    let members = value.members().skip(from).take(to - from);
                    members.for_each(|(key, _)| drop(map.remove(&*key.as_str().unwrap())));
                }
                _ => unreachable!(),
            }
            vec![editor.remove(value, from..to)]
        }
        Op::AddMember(key, new, like) => {
            let map: &mut Map<_, _> = after.as_object_mut().unwrap();
            if map.contains_key(key) {
                return Vec::new();
            }
            map.insert(key.clone(), meant(new));
            vec![editor.add_member(value, key, new, imitated(like))]
        }
        Op::SetStrings(texts) => {
            *after = json!(texts);
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            set_list(editor, value, &texts, Some, string)
        }
        Op::SetNames(texts) => {
            let list = after.as_array_mut().unwrap();
            list.resize(texts.len(), Meant::Null);
            for (element, text) in list.iter_mut().zip(texts) {
                *element = json!({ "name": text });
            }
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            set_list(editor, value, &texts, |v| v.get("name"), name)
        }
    }
}

/// The kinds of values that an edit can be made on.
fn fits(op: &Op, kind: NodeKind) -> bool {
    match op {
        Op::SetString(_) => kind == NodeKind::String,
        Op::SetInteger(_) => matches!(kind, NodeKind::Number | NodeKind::String),
        Op::Replace(_) => true,
        Op::Remove(..) => matches!(kind, NodeKind::Array | NodeKind::Object),
        Op::Insert(..) | Op::SetStrings(_) | Op::SetNames(_) => kind == NodeKind::Array,
        Op::AddMember(..) => kind == NodeKind::Object,
    }
}

fn check(before: &str, splices: Vec<Splice>, after: &Meant) -> Result<(), TestCaseError> {
    let patch = Patch::new(splices).unwrap();
    let changed = patch.apply(before);
    let read = serde_json::from_str::<Meant>(changed.trim_start_matches('\u{feff}')).ok();
    prop_assert_eq!(read.as_ref(), Some(after), "{:?}", changed);
    prop_assert!(Parser::new().parse_str(&changed).is_ok());
    prop_assert_eq!(patch.invert(before).apply(&changed), before);
    // The parts between the splices are the same in both, in the same order.
    let (mut old, mut new) = (0, 0);
    for splice in patch.splices() {
        let kept = splice.range.start - old;
        prop_assert_eq!(&before[old..old + kept], &changed[new..new + kept]);
        old = splice.range.end;
        new += kept + splice.text.len();
    }
    prop_assert_eq!(&before[old..], &changed[new..]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn edits_say_what_was_meant(
        json in json(4),
        mut choices in choices(),
        op in op(),
        target in any::<Index>(),
    ) {
        let before = print(&json, &mut choices).text;
        let mut parser = Parser::new();
        let tree = parser.parse_str(&before).unwrap();
        let mut after: Meant = serde_json::from_str(before.trim_start_matches('\u{feff}')).unwrap();
        let values = paths(&tree);
        let fitting: Vec<_> = values.iter().filter(|(_, v)| fits(&op, v.kind())).collect();
        prop_assume!(!fitting.is_empty());
        let (path, value) = target.get(&fitting);
        let editor = Editor::new(&tree, Escapes::default());
        let splices = edit(&op, &editor, *value, &values, at_path(&mut after, path));
        check(&before, splices, &after)?;
    }

    /// Only what differs is written: a text that stays is not touched at all.
    #[test]
    fn setting_the_same_text_changes_nothing(json in json(4), mut choices in choices()) {
        let before = print(&json, &mut choices).text;
        let mut parser = Parser::new();
        let tree = parser.parse_str(&before).unwrap();
        let editor = Editor::new(&tree, Escapes::default());
        for value in tree.values().filter(|v| v.kind() == NodeKind::String) {
            let splice = editor.set_string(value, &value.as_str().unwrap());
            prop_assert!(Patch::new(vec![splice]).unwrap().splices().is_empty());
        }
    }

    /// Adding something and removing it leads back to the same bytes.
    #[test]
    fn an_inserted_value_can_be_removed(
        json in json(4),
        mut choices in choices(),
        target in any::<Index>(),
        at in any::<Index>(),
        new in new(),
    ) {
        let before = print(&Json::Array(vec![json]), &mut choices).text;
        let mut parser = Parser::new();
        let tree = parser.parse_str(&before).unwrap();
        let filled: Vec<_> = tree.values().filter(|v| v.elements().next().is_some()).collect();
        let array = target.get(&filled);
        let at = at.index(array.elements().count() + 1);
        let editor = Editor::new(&tree, Escapes::default());
        let insert = editor.insert(*array, at, std::slice::from_ref(&new), None);
        let changed = Patch::new(vec![insert]).unwrap().apply(&before);
        let mut parser = Parser::new();
        let tree = parser.parse_str(&changed).unwrap();
        let array = tree.value_at(array.range().start).unwrap();
        let remove = Editor::new(&tree, Escapes::default()).remove(array, at..at + 1);
        prop_assert_eq!(Patch::new(vec![remove]).unwrap().apply(&changed), before);
    }
}
