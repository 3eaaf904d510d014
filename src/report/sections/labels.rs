//! Labels of segments: how often, together with which others, on which texts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Occurrences, Ranked, names, occurring, sampled};
use crate::dialog::{Segment, Short, TurnSpans};
use crate::page::{Bar, Cell, Part, Plot, Section, figures, heads, short, texts};
use crate::report::bounded::{Bounded, Joined};
use crate::report::histogram::Histogram;
use crate::report::sums::SeenDialog;

/// Labels and the texts they are on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LabelSums {
    labels: Bounded<Occurrences>,
    /// Those that the ontologies do not have.
    unknown: Bounded<Occurrences>,
    /// Pairs of labels in a turn, with ` + ` between them.
    pairs: Bounded<u64>,
    /// The labels of each text, in lower case.
    quotes: Bounded<QuoteLabels>,
    /// Lengths of segments in words.
    words: Histogram,
    segments: u64,
    unlabelled: u64,
}

/// How often a text has each label, or several together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct QuoteLabels {
    times: u64,
    labels: BTreeMap<Short, u64>,
}

/// The most bars of the plot of labels.
const BARS: usize = 20;

/// The most labels that are counted for a text; beyond, those first in their order.
const LABELS_OF_A_QUOTE: usize = 64;

/// The most labels of a turn of which pairs are counted.
const LABELS_OF_A_TURN: usize = 24;

impl Joined for QuoteLabels {
    fn join(&mut self, other: Self) {
        self.times += other.times;
        for (label, times) in other.labels {
            *self.labels.entry(label).or_default() += times;
        }
        while self.labels.len() > LABELS_OF_A_QUOTE {
            self.labels.pop_last();
        }
    }
}

impl QuoteLabels {
    /// Returns how often it has a label that is not its most frequent one.
    fn others(&self) -> u64 {
        let all: u64 = self.labels.values().sum();
        all - self.labels.values().max().copied().unwrap_or_default()
    }
}

impl LabelSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let (dialog, ontology) = (seen.dialog, seen.ontology);
        let mut of_turn: Vec<&str> = Vec::new();
        for turn in dialog.turns.iter().filter(|turn| !turn.segments.is_empty()) {
            of_turn.clear();
            let spans = turn.spans(dialog.units);
            for segment in &turn.segments {
                self.segments += 1;
                self.unlabelled += u64::from(segment.labels.is_empty());
                if let Some(text) = text_of(segment, &turn.text, &spans) {
                    self.add_quote(text, segment);
                }
                of_turn.extend(segment.labels.iter().map(|label| label.name.as_str()));
            }
            self.labels.add_turn(&mut of_turn);
            let unknown = of_turn.iter().filter(|name| !ontology.knows_label(name));
            self.unknown.add_turn(&mut unknown.copied().collect::<Vec<_>>());
            of_turn.dedup();
            of_turn.truncate(LABELS_OF_A_TURN);
            for (i, one) in of_turn.iter().enumerate() {
                for other in &of_turn[i + 1..] {
                    if let Some(count) = self.pairs.of(&format!("{one} + {other}")) {
                        *count += 1;
                    }
                }
            }
        }
    }

    fn add_quote(&mut self, text: &str, segment: &Segment) {
        self.words.add(text.split_whitespace().count() as u64);
        let text = short(&text.to_lowercase());
        if let Some(quote) = self.quotes.of(&text) {
            quote.times += 1;
            let labels = labels_of(segment);
            match quote.labels.get_mut(labels.as_ref()) {
                Some(times) => *times += 1,
                None => {
                    quote.labels.insert(labels.into(), 1);
                }
            }
            while quote.labels.len() > LABELS_OF_A_QUOTE {
                quote.labels.pop_last();
            }
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.labels.join(other.labels);
        self.unknown.join(other.unknown);
        self.pairs.join(other.pairs);
        self.quotes.join(other.quotes);
        self.words.join(&other.words);
        self.segments += other.segments;
        self.unlabelled += other.unlabelled;
    }

    pub fn settle(&mut self) {
        self.labels.settle();
        self.unknown.settle();
        self.pairs.settle();
        self.quotes.settle();
    }

    /// Returns the labels; None without segments.
    pub fn section(&self, paths: &str) -> Option<Section> {
        if self.segments == 0 {
            return None;
        }
        let named = [
            ("segments", Cell::Count(self.segments)),
            ("without a label", Cell::Count(self.unlabelled)),
            ("labels", names(&self.labels)),
            ("texts", names(&self.quotes)),
            ("words a segment", Cell::mean(self.words.mean())),
        ];
        let mut parts = vec![figures(named)];
        let greatest = self.labels.greatest(BARS, |of| of.times);
        let bar = |(label, of): &(&str, &Occurrences)| Bar::new(short(label), of.times);
        let bars = greatest.iter().map(bar);
        parts.push(Part::Plot(Plot::bars("Segments by label", "segments", bars)));
        parts.extend(occurring("Labels", "label", &self.labels));
        parts.extend(sampled(&self.labels, "labels"));
        parts.extend(occurring("Labels that the ontology does not have", "label", &self.unknown));
        let plot = self.words.plot("Segments by their number of words", "segments");
        parts.extend(plot.map(Part::Plot));
        let pairs =
            Ranked { caption: "Labels in the same turn", heads: heads(["labels", "turns"]) };
        parts.extend(pairs.of(&self.pairs, |n| *n, |n| vec![Cell::Count(*n)]));
        let cells = |quote: &QuoteLabels| vec![Cell::Count(quote.times), labels(quote)];
        let quotes = Ranked {
            caption: "The most frequent texts",
            heads: [&heads(["text", "segments"])[..], &texts(["labels"])].concat(),
        };
        parts.extend(quotes.of(&self.quotes, |quote| quote.times, cells));
        let cells = |quote: &QuoteLabels| vec![Cell::Count(quote.others()), labels(quote)];
        let quotes = Ranked {
            caption: "Texts with several labels, by the count of all but the most frequent label",
            heads: [&heads(["text", "other labels"])[..], &texts(["labels"])].concat(),
        };
        parts.extend(quotes.of(&self.quotes, QuoteLabels::others, cells));
        parts.extend(sampled(&self.quotes, "texts"));
        parts.push(Part::Text(
            "The command counts how often each label occurs; the condition label: also finds acts and slots by name."
                .to_owned(),
        ));
        Some(Section {
            name: "labels",
            title: "Labels",
            commands: vec![format!("turnwise find 'label:*' {paths} --count-by label")],
            parts,
        })
    }
}

/// Returns the labels of a segment; several with ` + ` between them.
fn labels_of(segment: &Segment) -> Cow<'_, str> {
    match segment.labels.as_slice() {
        [] => Cow::Borrowed("(none)"),
        [label] => Cow::Borrowed(&label.name),
        several => {
            let mut names: Vec<_> = several.iter().map(|label| label.name.as_str()).collect();
            names.sort_unstable();
            Cow::Owned(names.join(" + "))
        }
    }
}

/// Returns the labels of a text with their numbers, the most frequent first.
fn labels(quote: &QuoteLabels) -> Cell {
    let mut all: Vec<_> = quote.labels.iter().collect();
    all.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
    let left_out = all.len().saturating_sub(4);
    all.truncate(4);
    let each = all.iter().map(|(label, times)| format!("{} {times}", short(label)));
    let mut text = each.collect::<Vec<_>>().join(", ");
    if left_out > 0 {
        text.push_str(", and ");
        text.push_str(&left_out.to_string());
        text.push_str(" more");
    }
    Cell::Text(text)
}

/// Returns the text under a segment, or its quote.
fn text_of<'t>(segment: &'t Segment, text: &'t str, spans: &TurnSpans<'_>) -> Option<&'t str> {
    let under = segment.span.and_then(|span| text.get(spans.bytes_of(span)));
    let under = under.filter(|text| !text.is_empty());
    under.or(segment.quote.as_deref())
}
