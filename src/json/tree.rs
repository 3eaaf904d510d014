//! A JSON text as a flat vector of nodes with byte ranges.
//!
//! The nodes are in the order of the text: a container comes before its children, a key before its value.
//! `next` skips the children of a node. Strings are decoded on demand.

use std::borrow::Cow;

use super::parse::NOT_NUMBERS;
use super::string;

/// The kind of a node. A key is the string before the value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Null,
    True,
    False,
    Number,
    String,
    Key,
    Array,
    Object,
    /// A text that is not JSON, among values that are: a line, or `NaN`.
    Broken,
}

impl NodeKind {
    /// Returns the name with its article, for messages: "a string".
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Key => "a key",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::Broken => "no JSON",
        }
    }
}

/// A half-open byte range in the text of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Range {
    pub start: u32,
    pub end: u32,
}

impl Range {
    pub fn bytes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub start: u32,
    pub end: u32,
    /// Index of the first node after this one and its children.
    next: u32,
    pub kind: NodeKind,
    /// True for a string or key with an escape; of the node that holds all others, if one is a number that JSON does
    /// not have.
    pub escaped: bool,
}

impl Node {
    /// Returns a node without children. Its `next` stays 0; the next node is the one after it.
    #[inline(always)]
    pub fn leaf(start: u32, end: u32, kind: NodeKind) -> Self {
        Self { start, end, next: 0, kind, escaped: false }
    }

    #[inline(always)]
    pub fn string(start: u32, end: u32, kind: NodeKind, escaped: bool) -> Self {
        Self { escaped, ..Self::leaf(start, end, kind) }
    }

    /// Returns it at another place of a longer text, behind other nodes.
    pub fn moved(self, by: u32, nodes: u32) -> Self {
        Self { start: self.start + by, end: self.end + by, next: self.next + nodes, ..self }
    }

    #[inline(always)]
    pub fn close(&mut self, end: u32, next: u32) {
        self.end = end;
        self.next = next;
    }
}

/// A parsed text. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    text: &'a str,
    /// The first one holds all others. It is the root if there are several values, each on a line.
    nodes: &'a [Node],
    root: usize,
}

impl<'a> Tree<'a> {
    /// `nodes` must be one that holds all others, and those of at least one complete value.
    pub(super) fn new(text: &'a str, nodes: &'a [Node]) -> Self {
        let first = 1 + usize::from(nodes[1].kind == NodeKind::Key);
        let is_only = match nodes[first].kind {
            NodeKind::Array | NodeKind::Object => nodes[first].next as usize,
            _ => first + 1,
        } == nodes.len();
        Self { text, nodes, root: if is_only { first } else { 0 } }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the outermost value; an array of all values if there are several, each on a line.
    pub fn root(&'a self) -> Value<'a> {
        Value { tree: self, id: self.root }
    }

    /// Returns the root if it is an array, otherwise an array of which it is the only element.
    pub fn list(&'a self) -> Value<'a> {
        match self.root().kind() {
            NodeKind::Array => self.root(),
            _ => Value { tree: self, id: 0 },
        }
    }

    /// Returns the key of the root, if the text is a member of an object.
    pub fn key(&'a self) -> Option<Value<'a>> {
        (self.nodes[1].kind == NodeKind::Key).then_some(Value { tree: self, id: 1 })
    }

    /// Returns every value of the text, in order. Keys are not values.
    pub fn values(&'a self) -> impl Iterator<Item = Value<'a>> {
        (1..self.nodes.len())
            .map(move |id| Value { tree: self, id })
            .filter(|v| v.kind() != NodeKind::Key)
    }

    /// Returns every object of the text, in order.
    pub fn objects(&'a self) -> impl Iterator<Item = Value<'a>> {
        let nodes = self.nodes.iter().enumerate().skip(1);
        let objects = nodes.filter(|(_, node)| node.kind == NodeKind::Object);
        objects.map(|(id, _)| Value { tree: self, id })
    }

    /// Returns the value with an [`id`](Value::id) of this tree.
    pub(super) fn value_of(&'a self, id: usize) -> Value<'a> {
        Value { tree: self, id }
    }

    /// Returns the first number that JSON does not have, such as `NaN`.
    pub fn not_number(&'a self) -> Option<Value<'a>> {
        let is_it = |value: &Value<'_>| {
            value.kind() == NodeKind::Broken && NOT_NUMBERS.contains(&value.raw())
        };
        self.nodes[0].escaped.then(|| self.values().find(is_it)).flatten()
    }

    /// Returns the value that starts at byte `start`, if there is one.
    pub fn value_at(&'a self, start: u32) -> Option<Value<'a>> {
        let found = self.nodes[1..].binary_search_by_key(&start, |node| node.start);
        let id = 1 + found.ok()?;
        (self.nodes[id].kind != NodeKind::Key).then_some(Value { tree: self, id })
    }

    /// Returns the containers of all values.
    pub(super) fn parents(&'a self) -> Parents<'a> {
        let mut open: Vec<u32> = Vec::new();
        let parent = |(id, node): (usize, &Node)| {
            while open.last().is_some_and(|&o| self.nodes[o as usize].end <= node.start) {
                open.pop();
            }
            let parent = open.last().copied();
            if matches!(node.kind, NodeKind::Array | NodeKind::Object) {
                open.push(id as u32);
            }
            parent.unwrap_or(u32::MAX)
        };
        let of = self.nodes.iter().enumerate().map(parent).collect();
        Parents { tree: self, of }
    }
}

/// The container of each value of a tree.
pub(super) struct Parents<'a> {
    tree: &'a Tree<'a>,
    /// Indexed by node; for the root, an index past all nodes.
    of: Vec<u32>,
}

impl<'a> Parents<'a> {
    /// Returns the object or array that holds `value`; None for the root.
    pub fn of(&self, value: Value<'_>) -> Option<Value<'a>> {
        let id = self.of[value.id] as usize;
        // Nothing holds the root.
        (id < self.of.len() && value.id != self.tree.root).then_some(Value { tree: self.tree, id })
    }
}

/// 2⁵³: doubles represent all integers up to here exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// One value of a [`Tree`]. It is only two words, because values are passed around everywhere.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    tree: &'a Tree<'a>,
    id: usize,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.kind(), self.raw())
    }
}

impl<'a> Value<'a> {
    /// Returns its position among the nodes of its text.
    pub(super) fn id(self) -> usize {
        self.id
    }

    /// True for the list of the lines of a text, which has no brackets.
    pub fn is_lines(self) -> bool {
        self.id == 0
    }

    #[inline(always)]
    fn node(self) -> Node {
        self.tree.nodes[self.id]
    }

    #[inline(always)]
    fn next(self) -> usize {
        match self.node() {
            Node { kind: NodeKind::Array | NodeKind::Object, next, .. } => next as usize,
            _ => self.id + 1,
        }
    }

    pub fn tree(self) -> &'a Tree<'a> {
        self.tree
    }

    #[inline(always)]
    pub fn kind(self) -> NodeKind {
        self.node().kind
    }

    #[inline(always)]
    pub fn range(self) -> Range {
        let node = self.node();
        Range { start: node.start, end: node.end }
    }

    /// Returns the value as it is written.
    #[inline]
    pub fn raw(self) -> &'a str {
        &self.tree.text[self.range().bytes()]
    }

    /// Returns the decoded text of a string or key. A lone surrogate becomes U+FFFD.
    #[inline(always)]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let node = self.node();
        if !matches!(node.kind, NodeKind::String | NodeKind::Key) {
            return None;
        }
        let quoted = &self.tree.text[node.start as usize + 1..node.end as usize - 1];
        Some(if node.escaped { string::decode(quoted) } else { Cow::Borrowed(quoted) })
    }

    /// Returns the decoded text of a string or key with an escape; None for all others.
    #[inline]
    pub fn escaped_str(self) -> Option<Cow<'a, str>> {
        self.node().escaped.then(|| string::decode(self.quoted()))
    }

    /// Returns the inside of a string or key as it is written. Empty for other values.
    #[inline(always)]
    pub fn quoted(self) -> &'a str {
        let Range { start, end } = self.range();
        match self.kind() {
            NodeKind::String | NodeKind::Key => {
                &self.tree.text[start as usize + 1..end as usize - 1]
            }
            _ => "",
        }
    }

    /// Returns a number without a fraction in any spelling (`29`, `29.0`, `2.9e1`), like "integer" in JSON
    /// Schema. None for everything else and for fractional spellings beyond ±2⁵³.
    pub fn as_integer(self) -> Option<i64> {
        if self.kind() != NodeKind::Number {
            return None;
        }
        let raw = self.raw();
        // Fast path for nearly all integers: up to 18 digits without a sign fit.
        let digit = |number: i64, byte: u8| {
            let digit = byte.is_ascii_digit().then(|| byte - b'0');
            Some(number * 10 + i64::from(digit?))
        };
        if raw.len() <= 18
            && let Some(integer) = raw.bytes().try_fold(0, digit)
        {
            return Some(integer);
        }
        if let Ok(integer) = raw.parse::<i64>() {
            return Some(integer);
        }
        let number = self.as_number()?;
        (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
    }

    /// Returns the double nearest to a number.
    pub fn as_number(self) -> Option<f64> {
        if self.kind() == NodeKind::Number { self.raw().parse().ok() } else { None }
    }

    /// True for an array or an object.
    pub fn is_container(self) -> bool {
        matches!(self.kind(), NodeKind::Array | NodeKind::Object)
    }

    /// True for an array or an object that is not empty.
    pub fn has_children(self) -> bool {
        self.elements().next().is_some() || self.members().next().is_some()
    }

    /// Returns the elements of an array; none for other values.
    pub fn elements(self) -> Elements<'a> {
        let end = if self.kind() == NodeKind::Array { self.next() } else { self.id + 1 };
        Elements { next: Value { tree: self.tree, id: self.id + 1 }, end }
    }

    /// Returns the members of an object, each with key and value; none for other values.
    pub fn members(self) -> Members<'a> {
        let end = if self.kind() == NodeKind::Object { self.next() } else { self.id + 1 };
        Members { next: Value { tree: self.tree, id: self.id + 1 }, end }
    }

    /// Returns the value of the member `key`; the last one if the key is repeated, as in most JSON readers.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.member(key).map(|(_, value)| value)
    }

    /// Like [`Value::get`], with the key.
    pub fn member(self, key: &str) -> Option<(Value<'a>, Value<'a>)> {
        self.members().filter(|(k, _)| k.is_text(key)).last()
    }

    /// True for a string or key that decodes to `text`.
    #[inline(always)]
    pub fn is_text(self, text: &str) -> bool {
        let Node { start, end, kind, escaped, .. } = self.node();
        if escaped {
            return self.escaped_str().is_some_and(|decoded| decoded == text);
        }
        // Compares bytes, because the ends of strings are known to be character boundaries.
        let bytes = self.tree.text.as_bytes();
        matches!(kind, NodeKind::String | NodeKind::Key)
            && &bytes[start as usize + 1..end as usize - 1] == text.as_bytes()
    }
}

/// Iterator of [`Value::elements`].
#[derive(Clone)]
pub struct Elements<'a> {
    next: Value<'a>,
    end: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        let value = self.next;
        if value.id >= self.end {
            return None;
        }
        self.next.id = value.next();
        Some(value)
    }

    /// Exact, because walking over the elements twice is cheaper than collecting into a vector that has
    /// to grow.
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (mut id, mut count) = (self.next.id, 0);
        while id < self.end {
            let value = Value { tree: self.next.tree, id };
            id = value.next();
            count += 1;
        }
        (count, Some(count))
    }
}

/// Iterator of [`Value::members`].
#[derive(Clone)]
pub struct Members<'a> {
    next: Value<'a>,
    end: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Value<'a>, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        let key = self.next;
        if key.id >= self.end {
            return None;
        }
        let value = Value { tree: key.tree, id: key.id + 1 };
        self.next.id = value.next();
        Some((key, value))
    }
}
