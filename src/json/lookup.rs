//! Lookups that an editor needs for its changes, built when first needed and cached, so that many changes
//! to a text read it only once.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::layout::{NewContainer, children, children_pair, holds_containers};
use super::tree::{NodeKind, Parents, Tree, Value};

/// Containers by kind, whether they are on one line, and whether they contain containers.
type Alike<'a> = HashMap<(NodeKind, bool, bool), Rc<[Value<'a>]>>;

/// The byte range of each child of a container.
pub(super) type Children = Rc<[std::ops::Range<usize>]>;

/// The lookup tables of one text. Lists are in the order of the text.
pub(super) struct TextLookup<'a> {
    pub tree: &'a Tree<'a>,
    line_breaks: OnceCell<Vec<u32>>,
    parents: OnceCell<Parents<'a>>,
    /// Objects with a member, which show how the text writes a colon.
    with_colon: OnceCell<Vec<Value<'a>>>,
    /// By the position of the container among the nodes.
    children: RefCell<HashMap<usize, Children>>,
    by_key: RefCell<HashMap<String, Rc<UnderKey<'a>>>>,
    alike: RefCell<Alike<'a>>,
    commas: RefCell<HashMap<(NodeKind, bool), Commas<'a>>>,
}

/// Starts of containers, each with the end of the line of its first child.
type Commas<'a> = Rc<[(u32, &'a str)]>;

/// The values in a text with the same key.
#[derive(Default)]
struct UnderKey<'a> {
    /// Objects with a non-empty container under the key, and that container.
    filled: Vec<(Value<'a>, Value<'a>)>,
    /// Objects with an empty container or a scalar under the key.
    empty: Vec<Value<'a>>,
}

impl<'a> TextLookup<'a> {
    pub fn new(tree: &'a Tree<'a>) -> Self {
        Self {
            tree,
            line_breaks: OnceCell::new(),
            parents: OnceCell::new(),
            with_colon: OnceCell::new(),
            children: RefCell::default(),
            by_key: RefCell::default(),
            alike: RefCell::default(),
            commas: RefCell::default(),
        }
    }

    fn line_breaks(&self) -> &[u32] {
        self.line_breaks.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.tree.text().as_bytes());
            breaks.map(|at| at as u32).collect()
        })
    }

    /// Returns the start of the line that contains byte `at`.
    pub fn line_start(&self, at: usize) -> usize {
        let breaks = self.line_breaks();
        let before = breaks.partition_point(|&line_break| (line_break as usize) < at);
        before.checked_sub(1).map_or(0, |i| breaks[i] as usize + 1)
    }

    pub fn is_on_one_line(&self, container: Value<'_>) -> bool {
        self.line_start(container.range().end as usize) <= container.range().start as usize
    }

    /// Returns the object or array that contains `value`; None for the root.
    pub fn parent(&self, value: Value<'_>) -> Option<Value<'a>> {
        self.parents.get_or_init(|| self.tree.parents()).of(value)
    }

    pub fn children(&self, container: Value<'_>) -> Children {
        let mut known = self.children.borrow_mut();
        let children = known.entry(container.id()).or_insert_with(|| children(container).into());
        Rc::clone(children)
    }

    fn under(&self, key: &str) -> Rc<UnderKey<'a>> {
        if let Some(known) = self.by_key.borrow().get(key) {
            return Rc::clone(known);
        }
        let mut under = UnderKey::default();
        for object in self.objects() {
            match object.get(key) {
                Some(value) if value.has_children() => under.filled.push((object, value)),
                Some(_) => under.empty.push(object),
                None => {}
            }
        }
        let under = Rc::new(under);
        let mut known = self.by_key.borrow_mut();
        known.insert(key.to_owned(), Rc::clone(&under));
        under
    }

    fn objects(&self) -> impl Iterator<Item = Value<'a>> {
        self.tree.objects()
    }

    /// Returns the non-empty container nearest to `near` with the same key elsewhere in the text.
    pub fn namesake(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let start = near.range().start;
        let under = self.under(key);
        let filled = &under.filled;
        let start_of = |(_, value): &(Value<'a>, Value<'a>)| value.range().start;
        // Values are in the order of the objects that contain them, unless one object is inside another.
        if filled.is_sorted_by_key(start_of) {
            let place = filled.partition_point(|pair| start_of(pair) < start);
            let own = usize::from(filled.get(place).is_some_and(|pair| start_of(pair) == start));
            let around = [place.checked_sub(1), Some(place + own)];
            let around = around.into_iter().flatten().filter_map(|i| filled.get(i));
            let nearest = around.min_by_key(|pair| start_of(pair).abs_diff(start));
            return nearest.map(|(_, value)| *value);
        }
        let others = filled.iter().filter(|pair| start_of(pair) != start);
        let nearest = others.min_by_key(|pair| start_of(pair).abs_diff(start));
        nearest.map(|(_, value)| *value)
    }

    /// Returns the object nearest to `near` that has the member `key`, preferably with a non-empty container.
    pub fn holder(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let at = near.range().start;
        let under = self.under(key);
        let filled = nearest(&under.filled, at, |(object, _)| object.range().start);
        let filled = filled.map(|(object, _)| *object);
        filled.or_else(|| nearest(&under.empty, at, |v| v.range().start).copied())
    }

    /// Returns the object nearest to byte `at` that has a member.
    pub fn with_colon(&self, at: u32) -> Option<Value<'a>> {
        let objects = self.with_colon.get_or_init(|| {
            let filled = self.objects().filter(|v| v.members().next().is_some());
            filled.collect()
        });
        nearest(objects, at, |v| v.range().start).copied()
    }

    /// Returns the non-empty container most similar to `wanted`; among equals, the nearest.
    pub fn most_alike(&self, wanted: NewContainer) -> Option<Value<'a>> {
        let key = (wanted.kind, wanted.of_containers, wanted.on_one_line);
        let known = self.alike.borrow().get(&key).cloned();
        let alike = known.unwrap_or_else(|| {
            let alike: Rc<[_]> = self.all_alike(wanted).into();
            self.alike.borrow_mut().insert(key, Rc::clone(&alike));
            alike
        });
        nearest(&alike, wanted.at as u32, |v| v.range().start).copied()
    }

    fn all_alike(&self, wanted: NewContainer) -> Vec<Value<'a>> {
        let differences = |v: &Value<'a>| {
            (
                wanted.on_one_line && !self.is_on_one_line(*v),
                v.kind() != wanted.kind,
                holds_containers(*v) != wanted.of_containers,
            )
        };
        let filled = self.tree.values().filter(|v| v.has_children());
        let all: Vec<_> = filled.map(|v| (differences(&v), v)).collect();
        let fewest = all.iter().map(|(differences, _)| *differences).min();
        let best = all.into_iter().filter(|(d, _)| Some(*d) == fewest);
        best.map(|(_, v)| v).collect()
    }

    /// Returns the text with the comma after a first child, up to the end of its line, as an example. It is from the
    /// container nearest to byte `at` that has several children and is on one line or on many, as
    /// `many_lines` says, and preferably is of this `kind`.
    pub fn comma(&self, kind: NodeKind, many_lines: bool, at: u32) -> Option<&'a str> {
        let key = (kind, many_lines);
        let known = self.commas.borrow().get(&key).cloned();
        let commas = known.unwrap_or_else(|| {
            let commas: Commas<'a> = self.all_commas(kind, many_lines).into();
            self.commas.borrow_mut().insert(key, Rc::clone(&commas));
            commas
        });
        let place = commas.partition_point(|(start, _)| *start < at);
        let around = commas[..place].last().into_iter().chain(commas.get(place));
        let nearest = around.min_by_key(|(start, comma)| (start.abs_diff(at), *comma));
        nearest.map(|(_, comma)| *comma)
    }

    fn all_commas(&self, kind: NodeKind, many_lines: bool) -> Vec<(u32, &'a str)> {
        let comma = |v: Value<'a>| {
            let (end, start) = children_pair(v)?;
            let gap = &self.tree.text()[end..start];
            // Of several lines, only the end of the first can be copied; if commas start lines, there is
            // no such text.
            let first = gap.split('\n').next().unwrap_or(gap);
            let fits = gap.contains('\n') == many_lines && first.contains(',');
            fits.then_some((v.range().start, first.trim_end_matches('\r')))
        };
        let of_kind = |same: bool| {
            let values = self.tree.values();
            let values = values.filter(move |v| (v.kind() == kind) == same);
            values.filter_map(comma).collect::<Vec<_>>()
        };
        let same = of_kind(true);
        if same.is_empty() { of_kind(false) } else { same }
    }
}

/// Returns the item that starts nearest to byte `at`; on a tie, the one before it. Items are in text order.
fn nearest<T>(items: &[T], at: u32, start: impl Fn(&T) -> u32) -> Option<&T> {
    let place = items.partition_point(|item| start(item) < at);
    let around = items[..place].last().into_iter().chain(items.get(place));
    around.min_by_key(|item| start(item).abs_diff(at))
}
