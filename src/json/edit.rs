//! Adds, changes and removes values in the style of their neighbours.
//!
//! An [`Editor`] returns [`Splice`]s of the tree's text and changes nothing itself. A changed string
//! keeps the spelling of every character that stays; a changed integer stays a string if it was one; a
//! new object takes its key order and layout from a sibling.

use super::layout::{Gaps, children, indent_of, last_indent};
use super::patch::Splice;
use super::render::{New, Place};
use super::respell::respell;
use super::string::{Escapes, Units};
use super::tree::{Kind, Tree, Value};

/// Makes changes to one text, in its own style.
pub struct Editor<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) escapes: Escapes,
}

impl<'a> Editor<'a> {
    /// `file` are the escapes of the rest of the file, used if the text itself does not show them.
    pub fn new(tree: &'a Tree<'a>, file: Escapes) -> Self {
        Self {
            tree,
            escapes: Escapes::seen_in(tree.text()).or(file),
        }
    }

    pub fn tree(&self) -> &'a Tree<'a> {
        self.tree
    }

    /// Changes the string or key `value` to `text`. Characters that stay keep their spelling.
    pub fn set_string(&self, value: Value<'_>, text: &str) -> Splice {
        let start = value.range().start as usize + 1;
        let escapes = Escapes::seen_in(value.quoted()).or(self.escapes);
        let (range, written) = respell(value.quoted(), text, escapes);
        Splice::new(start + range.start..start + range.end, written)
    }

    /// A new string with the characters `range` (code points, half-open) of the string `value`, spelled
    /// as they are there: there is no other way to write half of a surrogate pair.
    pub fn quote(&self, value: Value<'_>, range: std::ops::Range<usize>) -> New {
        let quoted = value.quoted();
        let units = Units::new(quoted).skip(range.start).take(range.len());
        let spelled: String = units.map(|unit| &quoted[unit.start..unit.end]).collect();
        New::Raw(format!("\"{spelled}\""))
    }

    /// Changes `value` to the integer `number`. A string of digits stays a string.
    pub fn set_integer(&self, value: Value<'_>, number: i64) -> Splice {
        let written = match value.kind() {
            Kind::String => format!("\"{number}\""),
            _ => number.to_string(),
        };
        Splice::new(value.range().bytes(), written)
    }

    /// Replaces `value` by `new`, in the same layout if both are containers.
    pub fn replace(&self, value: Value<'a>, new: &New) -> Splice {
        match (value.kind(), new) {
            (Kind::String, New::String(text)) => self.set_string(value, text),
            _ => self.replace_like(value, new, Some(value)),
        }
    }

    /// Replaces `value` by `new`, in the layout of `like`.
    pub fn replace_like(&self, value: Value<'a>, new: &New, like: Option<Value<'a>>) -> Splice {
        let mut written = String::new();
        self.render(new, like, Place::of(value), &mut written);
        Splice::new(value.range().bytes(), written)
    }

    /// Inserts the values `new` into `array`, the first one as element `index`. If the array is empty,
    /// the layout is that of `like`, an array elsewhere.
    pub fn insert(
        &self,
        array: Value<'a>,
        index: usize,
        new: &[New],
        like: Option<Value<'a>>,
    ) -> Splice {
        let elements: Vec<_> = array.elements().collect();
        let index = index.min(elements.len());
        let Some(gaps) = Gaps::of(array, index) else {
            return self.fill(array, new, like);
        };
        let sibling = elements[index.min(elements.len() - 1)];
        let indent = match sibling.kind() {
            // Next to a sibling, so at the same depth.
            Kind::Array | Kind::Object => indent_of(sibling),
            _ => last_indent(&gaps.between).unwrap_or(&gaps.indent),
        };
        let mut written = String::new();
        for value in new {
            if index == elements.len() {
                written.push_str(&gaps.between);
            }
            self.render(
                value,
                Some(sibling),
                Place::inside(array, indent),
                &mut written,
            );
            if index < elements.len() {
                written.push_str(&gaps.between);
            }
        }
        let at = match elements.get(index) {
            Some(next) => next.range().start,
            None => sibling.range().end,
        };
        Splice::new(at as usize..at as usize, written)
    }

    /// Fills an empty array.
    fn fill(&self, array: Value<'a>, new: &[New], like: Option<Value<'a>>) -> Splice {
        let range = array.range().bytes();
        if new.is_empty() {
            return Splice::new(range.start..range.start, "");
        }
        let like = like.filter(|v| v.elements().next().is_some());
        let mut written = String::new();
        let new = New::Array(new.to_vec());
        self.render(&new, like, Place::of(array), &mut written);
        let inner = written
            .strip_prefix('[')
            .and_then(|w| w.strip_suffix(']'))
            .unwrap_or(&written);
        Splice::new(range.start + 1..range.end - 1, inner)
    }

    /// Adds the member `key` to `object`, at its place in `like`, if that is given and has the key.
    pub fn add_member(
        &self,
        object: Value<'a>,
        key: &str,
        new: &New,
        like: Option<Value<'a>>,
    ) -> Splice {
        let like = like.filter(|v| v.member(key).is_some());
        let members: Vec<_> = object.members().collect();
        // After all keys that come before it in `like` and exist here too.
        let before = like.map(|v| {
            let keys = v.members().map(|(k, _)| k).take_while(|k| !k.is_text(key));
            let here = keys.filter_map(|k| members.iter().position(|(m, _)| m.raw() == k.raw()));
            here.max().map_or(0, |position| position + 1)
        });
        let index = before.unwrap_or(members.len());
        let Some(gaps) = Gaps::of(object, index) else {
            let first = New::Object(vec![(key.to_owned(), new.clone())]);
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
        self.render(new, value_like, Place::inside(object, indent), &mut written);
        if index < members.len() {
            written.push_str(&gaps.between);
        }
        let at = match members.get(index) {
            Some((next, _)) => next.range().start as usize,
            None => object_end(&members),
        };
        Splice::new(at..at, written)
    }

    /// Removes the elements `range` of an array, or members of an object, with one comma each.
    pub fn remove(&self, container: Value<'_>, range: std::ops::Range<usize>) -> Splice {
        let children = children(container);
        let whole = container.range().bytes();
        if range.is_empty() {
            return Splice::new(whole.start..whole.start, "");
        }
        if range.len() == children.len() {
            return Splice::new(whole.start + 1..whole.end - 1, "");
        }
        match children.get(range.end) {
            Some(next) => Splice::new(children[range.start].start..next.start, ""),
            None => Splice::new(
                children[range.start - 1].end..children[range.end - 1].end,
                "",
            ),
        }
    }

    /// Changes an array of strings to `texts`. Touches only those that differ.
    pub fn set_strings(&self, array: Value<'a>, texts: &[&str]) -> Vec<Splice> {
        self.set_list(array, texts, Some, |text| New::String(text.to_owned()))
    }

    /// Changes an array so that it has an element for each of `texts`. Touches only elements that differ.
    /// `text_of` returns the string that holds the text of an element; `new` makes a whole element.
    pub fn set_list(
        &self,
        array: Value<'a>,
        texts: &[&str],
        text_of: impl Fn(Value<'a>) -> Option<Value<'a>>,
        new: impl Fn(&str) -> New,
    ) -> Vec<Splice> {
        let old: Vec<_> = array.elements().collect();
        let same = |element: &Value<'a>, text: &str| {
            text_of(*element).is_some_and(|v| v.kind() == Kind::String && v.is_text(text))
        };
        let head = old
            .iter()
            .zip(texts)
            .take_while(|(v, t)| same(v, t))
            .count();
        let most = old.len().min(texts.len()) - head;
        let tail = old.iter().rev().zip(texts.iter().rev());
        let tail = tail.take(most).take_while(|(v, t)| same(v, t)).count();
        let (old_end, new_end) = (old.len() - tail, texts.len() - tail);
        let both = old_end.min(new_end);
        let changed = (head..both).filter(|&i| !same(&old[i], texts[i]));
        let mut splices: Vec<_> = changed
            .map(|i| match text_of(old[i]) {
                Some(value) => self.replace(value, &New::String(texts[i].to_owned())),
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

    /// The container nearest to `near` that is not empty and has the same key elsewhere in the text.
    pub fn namesake(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let at = near.range().start;
        let objects = self.tree.values().filter(|v| v.kind() == Kind::Object);
        objects
            .filter_map(|object| object.get(key))
            .filter(|v| v.range().start != at && !children(*v).is_empty())
            .min_by_key(|v| v.range().start.abs_diff(at))
    }

    /// The object nearest to `near` that has the member `key`, preferably one that is not empty.
    pub fn holder(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let at = near.range().start;
        let objects = self.tree.values().filter(|v| v.kind() == Kind::Object);
        let holders = objects.filter_map(|v| Some((v, children(v.get(key)?).is_empty())));
        let nearest = holders.min_by_key(|(v, empty)| (*empty, v.range().start.abs_diff(at)));
        nearest.map(|(holder, _)| holder)
    }
}

fn object_end(members: &[(Value<'_>, Value<'_>)]) -> usize {
    members
        .last()
        .map_or(0, |(_, value)| value.range().end as usize)
}
