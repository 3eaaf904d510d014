//! Adds, changes and removes values in the style of their neighbours.
//!
//! An [`Editor`] returns [`Splice`]s of the tree's text and changes nothing itself. A changed string
//! keeps the spelling of every character that stays; a changed integer stays a string if it was one; a
//! new object takes its key order and layout from a sibling.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::layout::{Gaps, indent_of, last_indent};
use super::lookup::TextLookup;
use super::patch::{ChangedChildren, NewChild, Overlap, Patch, Splice};
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
        let index = index.min(self.lookup.children(array).len());
        let new = new.iter().map(|value| NewChild { key: None, value: value.clone() });
        let like = like.filter(|v| v.elements().next().is_some());
        self.changed(array, index..index, new.collect(), like)
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
        // After all keys that come before it in `like` and exist here too.
        let before = like.map(|v| {
            let keys = v.members().map(|(k, _)| k).take_while(|k| !k.is_text(key));
            let before: HashSet<&str> = keys.map(Value::raw).collect();
            let here = object.members().enumerate();
            let here = here.filter(|(_, (k, _))| before.contains(k.raw()));
            here.last().map_or(0, |(position, _)| position + 1)
        });
        let index = before.unwrap_or(self.lookup.children(object).len());
        let new = vec![NewChild { key: Some(key.to_owned()), value: new.clone() }];
        self.changed(object, index..index, new, like)
    }

    /// Adds the member `key` to `object` behind so many of its members.
    pub fn insert_member(
        &self,
        object: Value<'a>,
        behind: usize,
        key: &str,
        new: &NewValue,
    ) -> Splice {
        let new = vec![NewChild { key: Some(key.to_owned()), value: new.clone() }];
        self.changed(object, behind..behind, new, None)
    }

    /// Removes the elements `range` of an array, or members of an object, with one comma each.
    pub fn remove(&self, container: Value<'a>, range: Range<usize>) -> Splice {
        self.changed(container, range, Vec::new(), None)
    }

    /// Returns the splice that replaces children of a container. [`Editor::patch`] joins several of one container, so that
    /// the right number of commas remains.
    fn changed(
        &self,
        container: Value<'a>,
        removed: Range<usize>,
        new: Vec<NewChild>,
        like: Option<Value<'a>>,
    ) -> Splice {
        let like = like.map(Value::id);
        let change = ChangedChildren { container: container.id(), removed, new, like };
        let splice = self.joined(container, &[&change]).pop();
        let start = container.range().bytes().start;
        let splice = splice.unwrap_or_else(|| Splice::new(start..start, ""));
        Splice { children: Some(change), ..splice }
    }

    /// Returns the splices of several changes of the children of one container. Those that stay keep what is between them.
    fn joined(&self, container: Value<'a>, changes: &[&ChangedChildren]) -> Vec<Splice> {
        let children = self.lookup.children(container);
        let is_removed = |place: usize| changes.iter().any(|c| c.removed.contains(&place));
        let kept: Vec<usize> = (0..children.len()).filter(|place| !is_removed(*place)).collect();
        let mut new: Vec<_> = changes.iter().filter(|change| !change.new.is_empty()).collect();
        new.sort_by_key(|change| change.removed.start);
        if children.is_empty() {
            return self.fill(container, &new).into_iter().collect();
        }
        if kept.is_empty() && new.is_empty() {
            return vec![Splice::new(inside(container), "")];
        }
        let mut splices = Vec::new();
        // What comes between two children that stay, or before the first, or behind the last.
        for gap in 0..=kept.len() {
            let start = gap.checked_sub(1).map_or(0, |before| kept[before] + 1);
            let end = kept.get(gap).copied().unwrap_or(children.len());
            let is_in = |change: &&&&ChangedChildren| (start..=end).contains(&change.removed.start);
            let mut written = Vec::new();
            for change in new.iter().filter(is_in) {
                written.extend(self.written(container, change));
            }
            let (bytes, text) = if gap < kept.len() {
                let each = written.iter().map(|(text, between)| text.clone() + between);
                (children[start].start..children[end].start, each.collect())
            } else if start > 0 {
                let each = written.iter().map(|(text, between)| between.clone() + text);
                (children[start - 1].end..children[end - 1].end, each.collect::<String>())
            } else {
                let mut all = written.iter();
                let first = all.next().map_or(String::new(), |(text, _)| text.clone());
                let each = all.fold(first, |all, (text, between)| all + between + text);
                (children[0].start..children[end - 1].end, each)
            };
            if !(bytes.is_empty() && text.is_empty()) {
                splices.push(Splice::new(bytes, text));
            }
        }
        splices
    }

    /// Returns new children of a container that is not empty, each as its text and what is between it and the next.
    fn written(&self, container: Value<'a>, change: &ChangedChildren) -> Vec<(String, String)> {
        let children = self.lookup.children(container);
        let index = change.removed.start;
        let Some((gaps, last)) = Gaps::of(&self.lookup, container, index).zip(children.last())
        else {
            return Vec::new();
        };
        let beside = children.get(index).unwrap_or(last);
        let beside = self.tree().value_at(beside.start as u32);
        let beside = beside.filter(|_| container.kind() != NodeKind::Object);
        let like = change.like.map(|like| self.tree().value_of(like));
        let texts = change.new.iter().map(|NewChild { key, value }| {
            let mut written = String::new();
            let own_like = match key {
                Some(key) => {
                    self.string(key, &mut written);
                    written.push_str(&gaps.colon);
                    like.and_then(|like| like.get(key))
                }
                None => beside,
            };
            let indent = match beside {
                // Next to a sibling, so at the same depth.
                Some(v) if v.is_container() => indent_of(&self.lookup, v),
                _ => last_indent(&gaps.between).unwrap_or(&gaps.indent),
            };
            let place = NewValuePlace::inside(&self.lookup, container, indent);
            self.render(value, own_like, place, &mut written);
            (written, gaps.between.clone())
        });
        texts.collect()
    }

    /// Fills an empty container.
    fn fill(&self, container: Value<'a>, changes: &[&&ChangedChildren]) -> Option<Splice> {
        let like = changes.first()?.like.map(|like| self.tree().value_of(like));
        let new = changes.iter().flat_map(|change| &change.new).cloned();
        let new = if container.kind() == NodeKind::Object {
            NewValue::Object(new.filter_map(|new| Some((new.key?, new.value))).collect())
        } else {
            NewValue::Array(new.map(|new| new.value).collect())
        };
        let mut written = String::new();
        self.render(&new, like, NewValuePlace::of(&self.lookup, container), &mut written);
        Some(Splice::new(inside(container), &written[1..written.len() - 1]))
    }

    /// Like [`Editor::remove`], for the element that starts at byte `start`; None if there is none.
    pub fn remove_at(&self, array: Value<'a>, start: u32) -> Option<Splice> {
        let children = self.lookup.children(array);
        let place = children.binary_search_by_key(&(start as usize), |child| child.start);
        let place = place.ok()?;
        Some(self.remove(array, place..place + 1))
    }

    /// Returns the patch of these splices, with those of the children of one container joined.
    ///
    /// # Errors
    /// If two of them change the same bytes.
    pub fn patch(&self, splices: Vec<Splice>) -> Result<Patch, Overlap> {
        let (changed, mut all): (Vec<_>, Vec<_>) =
            splices.into_iter().partition(|splice| splice.children.is_some());
        let mut of_containers: BTreeMap<usize, Vec<&ChangedChildren>> = BTreeMap::new();
        for change in changed.iter().filter_map(|splice| splice.children.as_ref()) {
            of_containers.entry(change.container).or_default().push(change);
        }
        for (container, changes) in &of_containers {
            all.extend(self.joined(self.tree().value_of(*container), changes));
        }
        Patch::new(all)
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
