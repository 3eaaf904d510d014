//! The cost of each rule, next to that of reading a dialog at all.
//!
//! `cargo bench --bench rules`; the corpus is a file named by `TURNWISE_BENCH`, or else the demo
//! dialogs of Taskmaster-3. Every line lints the same dialogs with one rule alone; the cost of the line
//! `nothing` is part of all of them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::OnceLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use turnwise::dialog::{Dialog, Issue};
use turnwise::format::detect;
use turnwise::json::{FileLayout, Finder, Parser, Piece, Tree};
use turnwise::lint::{Check, Linter, ParsedDialog, RULES, Selection};
use turnwise::ontology::Ontologies;

/// The most dialogs of the corpus to lint.
const DIALOGS: usize = 2000;

fn main() {
    divan::main();
}

fn corpus() -> &'static (Vec<u8>, Vec<Piece>) {
    static CORPUS: OnceLock<(Vec<u8>, Vec<Piece>)> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let path = std::env::var("TURNWISE_BENCH")
            .unwrap_or_else(|_| "assets/demo/taskmaster-3.json".to_owned());
        let bytes = std::fs::read(path).unwrap();
        let mut finder = Finder::new();
        finder.feed(&bytes);
        let mut pieces = match finder.finish().layout {
            FileLayout::Array(pieces) | FileLayout::Lines(pieces) => pieces,
            other => panic!("the corpus should be a list, not {other:?}"),
        };
        pieces.truncate(DIALOGS);
        (bytes, pieces)
    })
}

/// Lints every dialog, as often as divan wants; reading is not timed.
fn bench(bencher: Bencher<'_, '_>, selection: &Selection) {
    let (bytes, pieces) = corpus();
    let mut parsers: Vec<Parser> = pieces.iter().map(|_| Parser::new()).collect();
    let texts = pieces.iter().map(|p| &bytes[p.start as usize..p.end as usize]);
    let trees: Vec<Tree<'_>> =
        parsers.iter_mut().zip(texts).map(|(parser, text)| parser.parse(text).unwrap()).collect();
    let dialogs: Vec<(Dialog, Vec<Issue>, _)> = trees
        .iter()
        .map(|tree| {
            let format = detect(tree.root()).unwrap();
            let (dialog, issues) = format.read(*tree);
            (dialog, issues, format)
        })
        .collect();
    let linter = Linter {
        selection: selection.clone(),
        ontologies: Ontologies::built_in().unwrap(),
        ..Linter::default()
    };
    bencher.counter(ItemsCount::new(dialogs.len())).bench_local(|| {
        for ((dialog, issues, format), tree) in dialogs.iter().zip(&trees) {
            black_box(linter.find(ParsedDialog { dialog, issues, format, tree: *tree }));
        }
    });
}

fn rules() -> impl Iterator<Item = &'static str> {
    let of_dialogs = RULES.iter().filter(|rule| matches!(rule.check, Check::Dialog(_)));
    of_dialogs.map(|rule| rule.name)
}

#[divan::bench(args = rules(), sample_count = 10)]
fn one(bencher: Bencher<'_, '_>, rule: &str) {
    let mut selection = Selection::none();
    selection.select(rule).unwrap();
    bench(bencher, &selection);
}

/// The first words of names: rules of one group share computed data.
fn groups() -> Vec<&'static str> {
    let mut groups: Vec<_> = rules().map(|name| name.split('-').next().unwrap()).collect();
    groups.dedup();
    groups
}

#[divan::bench(args = groups(), sample_count = 10)]
fn group(bencher: Bencher<'_, '_>, name: &str) {
    let mut selection = Selection::none();
    for rule in rules().filter(|rule| rule.split('-').next() == Some(name)) {
        selection.select(rule).unwrap();
    }
    bench(bencher, &selection);
}

#[divan::bench(sample_count = 10)]
fn nothing(bencher: Bencher<'_, '_>) {
    bench(bencher, &Selection::none());
}

#[divan::bench(sample_count = 10)]
fn everything(bencher: Bencher<'_, '_>) {
    bench(bencher, &Selection::default());
}

/// A dialog's text read and looked at by all rules, as after every edit.
#[divan::bench]
fn looked_at_again(bencher: Bencher<'_, '_>) {
    let (bytes, pieces) = corpus();
    let texts = pieces.iter().map(|p| &bytes[p.start as usize..p.end as usize]);
    let longest = texts.max_by_key(|text| text.len()).unwrap();
    let linter = Linter { ontologies: Ontologies::built_in().unwrap(), ..Linter::default() };
    bencher.bench_local(|| {
        let mut parser = Parser::new();
        let tree = parser.parse(longest).unwrap();
        let format = detect(tree.root()).unwrap();
        let (dialog, issues) = format.read(tree);
        let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
        black_box(linter.find(read).len())
    });
}
