//! Adds, changes and removes values in the style of their neighbours.
//!
//! An [`Editor`] returns [`Splice`]s of the tree's text and changes nothing itself. A changed string
//! keeps the spelling of every character that stays; a changed integer stays a string if it was one; a
//! new object takes its key order and layout from a sibling.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::layout::{Gaps, indent_of, last_indent};
use super::lookup::TextLookup;
use super::patch::{Overlap, Patch, RemovedChildren, Splice};
use super::render::{NewValue, NewValuePlace};
use super::string::{Escapes, StringChars};
use super::string_edit::respelled;
use super::tree::{NodeKind, Tree, Value};

/// Returns the bytes between the brackets of a container; lines have none.
fn inside(container: Value<'_>) -> Range<usize> {
    let whole = container.range().bytes();
    if container.is_lines() { whole } else { whole.start + 1..whole.end - 1 }
}

/// Makes changes to one text, in its own style.
pub struct Editor<'a> {
    pub(super) lookup: TextLookup<'a>,
    pub(super) escapes: Escapes,
}

impl<'a> Editor<'a> {
    /// `file` are the escapes of the rest of the file, used if the text itself does not show them.
    pub fn new(tree: &'a Tree<'a>, file: Escapes) -> Self {
        Self { lookup: TextLookup::new(tree), escapes: Escapes::seen_in(tree.text()).or(file) }
    }

    pub fn tree(&self) -> &'a Tree<'a> {
        self.lookup.tree
    }

    /// Returns the escapes of the text, or else those of its file.
    pub fn escapes(&self) -> Escapes {
        self.escapes
    }

    /// Returns the object or array that holds `value`; None for the root.
    pub fn parent(&self, value: Value<'_>) -> Option<Value<'a>> {
        self.lookup.parent(value)
    }

    /// Changes the string or key `value` to `text`. Characters that stay keep their spelling.
    pub fn set_string(&self, value: Value<'_>, text: &str) -> Splice {
        let start = value.range().start as usize + 1;
        let escapes = Escapes::seen_in(value.quoted()).or(self.escapes);
        let (range, written) = respelled(value.quoted(), text, escapes);
        Splice::new(start + range.start..start + range.end, written)
    }

    /// Returns a new string with the characters `range` (code points, half-open) of the string `value`, spelled
    /// as they are there: there is no other way to write half of a surrogate pair.
    pub fn quote(&self, value: Value<'_>, range: Range<usize>) -> NewValue {
        let quoted = value.quoted();
        let units = StringChars::new(quoted).skip(range.start).take(range.len());
        let spelled: String = units.map(|unit| &quoted[unit.start..unit.end]).collect();
        NewValue::Raw(format!("\"{spelled}\""))
    }

    /// Changes `value` to the integer `number`. A string of digits stays a string.
    pub fn set_integer(&self, value: Value<'_>, number: i64) -> Splice {
        let written = match value.kind() {
            NodeKind::String => format!("\"{number}\""),
            _ => number.to_string(),
        };
        Splice::new(value.range().bytes(), written)
    }

    /// Replaces `value` by `new`, in the same layout if both are containers.
    pub fn replace(&self, value: Value<'a>, new: &NewValue) -> Splice {
        match (value.kind(), new) {
            (NodeKind::String, NewValue::String(text)) => self.set_string(value, text),
            _ => self.replace_like(value, new, Some(value)),
        }
    }

    /// Replaces `value` by `new`, in the layout of `like`.
    pub fn replace_like(
        &self,
        value: Value<'a>,
        new: &NewValue,
        like: Option<Value<'a>>,
    ) -> Splice {
        let mut written = String::new();
        self.render(new, like, NewValuePlace::of(&self.lookup, value), &mut written);
        Splice::new(value.range().bytes(), written)
    }

    /// Inserts the values `new` into `array`, the first one as element `index`, or after all others if
    /// there are fewer. If the array is empty, the layout is that of `like`, an array elsewhere.
    pub fn insert(
        &self,
        array: Value<'a>,
        index: usize,
        new: &[NewValue],
        like: Option<Value<'a>>,
    ) -> Splice {
        let elements = self.lookup.children(array);
        let index = index.min(elements.len());
        let (Some(gaps), Some(last)) = (Gaps::of(&self.lookup, array, index), elements.last())
        else {
            return self.fill(array, new, like);
        };
        let beside = elements.get(index).unwrap_or(last);
        let sibling = self.tree().value_at(beside.start as u32);
        let indent = match sibling {
            // Next to a sibling, so at the same depth.
            Some(v) if matches!(v.kind(), NodeKind::Array | NodeKind::Object) => {
                indent_of(&self.lookup, v)
            }
            _ => last_indent(&gaps.between).unwrap_or(&gaps.indent),
        };
        let mut written = String::new();
        for value in new {
            if index == elements.len() {
                written.push_str(&gaps.between);
            }
            let place = NewValuePlace::inside(&self.lookup, array, indent);
            self.render(value, sibling, place, &mut written);
            if index < elements.len() {
                written.push_str(&gaps.between);
            }
        }
        let at = elements.get(index).map_or(last.end, |next| next.start);
        Splice::new(at..at, written)
    }

    /// Fills an empty array.
    fn fill(&self, array: Value<'a>, new: &[NewValue], like: Option<Value<'a>>) -> Splice {
        let range = array.range().bytes();
        if new.is_empty() {
            return Splice::new(range.start..range.start, "");
        }
        let like = like.filter(|v| v.elements().next().is_some());
        let mut written = String::new();
        let new = NewValue::Array(new.to_vec());
        self.render(&new, like, NewValuePlace::of(&self.lookup, array), &mut written);
        let inner = written.strip_prefix('[').and_then(|w| w.strip_suffix(']')).unwrap_or(&written);
        Splice::new(range.start + 1..range.end - 1, inner)
    }

    /// Adds the member `key` to `object`, at its place in `like`, if that is given and has the key.
    pub fn add_member(
        &self,
        object: Value<'a>,
        key: &str,
        new: &NewValue,
        like: Option<Value<'a>>,
    ) -> Splice {
        let like = like.filter(|v| v.member(key).is_some());
        let members = self.lookup.children(object);
        // After all keys that come before it in `like` and exist here too.
        let before = like.map(|v| {
            let keys = v.members().map(|(k, _)| k).take_while(|k| !k.is_text(key));
            let before: HashSet<&str> = keys.map(Value::raw).collect();
            let here = object.members().enumerate();
            let here = here.filter(|(_, (k, _))| before.contains(k.raw()));
            here.last().map_or(0, |(position, _)| position + 1)
        });
        let index = before.unwrap_or(members.len());
        let Some(gaps) = Gaps::of(&self.lookup, object, index) else {
            let first = NewValue::Object(vec![(key.to_owned(), new.clone())]);
            return self.replace_like(object, &first, like);
        };
        let indent = last_indent(&gaps.between).unwrap_or(&gaps.indent);
        let mut written = String::new();
        if index == members.len() {
            written.push_str(&gaps.between);
        }
        self.string(key, &mut written);
        written.push_str(&gaps.colon);
        let value_like = like.and_then(|v| v.get(key));
        let place = NewValuePlace::inside(&self.lookup, object, indent);
        self.render(new, value_like, place, &mut written);
        if index < members.len() {
            written.push_str(&gaps.between);
        }
        let last = members.last().map_or(0, |last| last.end);
        let at = members.get(index).map_or(last, |next| next.start);
        Splice::new(at..at, written)
    }

    /// Removes the elements `range` of an array, or members of an object, with one comma each. If several
    /// ranges of one container are removed, [`Editor::patch`] divides the commas among them.
    pub fn remove(&self, container: Value<'_>, range: Range<usize>) -> Splice {
        let children = self.lookup.children(container);
        let whole = container.range().bytes();
        if range.is_empty() {
            return Splice::new(whole.start..whole.start, "");
        }
        let bytes = if range.len() == children.len() {
            inside(container)
        } else {
            match children.get(range.end) {
                Some(next) => children[range.start].start..next.start,
                None => children[range.start - 1].end..children[range.end - 1].end,
            }
        };
        let removed = RemovedChildren { container: container.id(), children: range };
        Splice::removal(bytes, removed)
    }

    /// Like [`Editor::remove`], for the element that starts at byte `start`; None if there is none.
    pub fn remove_at(&self, array: Value<'_>, start: u32) -> Option<Splice> {
        let children = self.lookup.children(array);
        let place = children.binary_search_by_key(&(start as usize), |child| child.start);
        let place = place.ok()?;
        Some(self.remove(array, place..place + 1))
    }

    /// Returns the patch of these splices. Children of one container that several of them remove are removed together, so that
    /// the right number of commas remains.
    ///
    /// # Errors
    /// If two of them change the same bytes.
    pub fn patch(&self, splices: Vec<Splice>) -> Result<Patch, Overlap> {
        let mut removed: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for splice in &splices {
            if let Some(RemovedChildren { container, children }) = &splice.removed {
                removed.entry(*container).or_default().push(children.clone());
            }
        }
        removed.retain(|_, children| children.len() > 1);
        let is_alone = |splice: &Splice| {
            let own = splice.removed.as_ref();
            own.is_none_or(|own| !removed.contains_key(&own.container))
        };
        let mut all: Vec<_> = splices.into_iter().filter(is_alone).collect();
        for (container, mut children) in removed {
            children.sort_by_key(|children| children.start);
            let container = self.tree().value_of(container);
            let mut joined: Vec<Range<usize>> = Vec::new();
            for next in children {
                match joined.last_mut().filter(|last| next.start <= last.end) {
                    Some(last) => last.end = last.end.max(next.end),
                    None => joined.push(next),
                }
            }
            all.extend(joined.into_iter().map(|children| self.remove(container, children)));
        }
        Patch::new(all)
    }

    /// Changes an array of strings to `texts`. Touches only those that differ.
    pub fn set_strings(&self, array: Value<'a>, texts: &[&str]) -> Vec<Splice> {
        self.set_list(array, texts, Some, |text| NewValue::String(text.to_owned()))
    }

    /// Changes an array so that it has an element for each of `texts`. Touches only elements that differ.
    /// `text_of` returns the string that holds the text of an element; `new` makes a whole element.
    pub fn set_list(
        &self,
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
                Some(value) => self.replace(value, &NewValue::String(texts[i].to_owned())),
                None => self.replace(old[i], &new(texts[i])),
            })
            .collect();
        if both < new_end {
            let more: Vec<_> = texts[both..new_end].iter().map(|text| new(text)).collect();
            splices.push(self.insert(array, both, &more, None));
        } else if both < old_end {
            splices.push(self.remove(array, both..old_end));
        }
        splices
    }

    /// Returns the container nearest to `near` that is not empty and has the same key elsewhere in the text.
    pub fn namesake(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        self.lookup.namesake(key, near)
    }

    /// Returns the object nearest to `near` that has the member `key`, preferably one that is not empty.
    pub fn holder(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        self.lookup.holder(key, near)
    }
}
