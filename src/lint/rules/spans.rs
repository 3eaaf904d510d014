//! Rules on the spans of single segments.

use std::ops::Range;

use crate::dialog::{Content, Edit, Span};
use crate::lint::engine::{Applicability, Findings, rules};
use crate::lint::facts::alike::{is_blank, trim};
use crate::lint::facts::slots::act_values;
use crate::lint::facts::spans::mention_with_string_index;
use crate::lint::facts::spans::{QuoteElsewhere, QuotesElsewhere};
use crate::lint::facts::spans::{SpanFault, misplaced};
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{
    cuts_word, offer_places, offer_span, quoted, tidied, without_punctuation,
};
use crate::text::{SpanEdge, Units, count, counted, inside_word, is_beside_unit, word_at};

rules! {
    /// A segment's offset is a string, but the corpus uses numbers.
    ///
    /// `"8"` is not `8`: comparing, slicing and sorting by such an offset fail, sometimes silently
    /// (`"10"` sorts before `"8"`). Taskmaster-4 writes all its offsets as strings, so they are not
    /// reported there.
    ///
    /// The fix writes the offset as a number (safe).
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [{"start_index": "8", "end_index": "12", "text": "Dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    "span-string-index": Error => span_string_index;

    /// A segment ends before it starts.
    ///
    /// Such a segment covers nothing, and programs that slice by its offsets get an empty text or fail.
    /// Usually the two offsets were swapped, or an annotator selected from right to left.
    ///
    /// The fix swaps the offsets or moves the segment to its quoted text; it is safe if the quoted text
    /// occurs there exactly. A slot of a simulated dialogue quotes no text, so the fix moves it to
    /// where the turn mentions a value that an act or the state has for it; this is safe if swapping
    /// the offsets gives exactly that place.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [{"start_index": 12, "end_index": 8, "text": "Dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    "span-reversed": Error => span_faults;

    /// A segment is empty or covers only whitespace.
    ///
    /// A label without text is counted, but it has no value to learn or to look up. Often the last
    /// letter of the segment was cut off, or the text that it covered was deleted.
    ///
    /// The fix moves the segment to its quoted text (safe if that occurs once) or deletes the segment
    /// (unsafe). Where segments count words, the fix moves it to where the turn has its quote or, without one, mentions
    /// a value that an act or the state has for it (unsafe).
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "2 for Dune", "segments": [{"start_index": 0, "end_index": 0, "text": "2",
    ///   "annotations": [{"name": "num.tickets"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: «2»{num.tickets} for Dune
    /// ```
    "span-empty": Error => span_faults;

    /// A segment extends past the end of its turn's text.
    ///
    /// Its offsets refer to characters that do not exist, so programs that read the corpus take the
    /// wrong text or fail. Offsets count code points. Slots of simulated dialogues count tokens;
    /// slot-out-of-range checks them.
    ///
    /// The fix moves the segment to its quoted text if that occurs once (safe). Otherwise it ends the
    /// segment at the end of the turn (unsafe), because the text was often cut short.
    ///
    /// The rule does not apply to families whose segments count words, such as the simulated dialogues and
    /// `MultiWOZ`: slot-out-of-range checks those.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [{"start_index": 8, "end_index": 15, "text": "Dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    "span-out-of-range": Error => span_faults;

    /// A segment's offsets count something other than code points.
    ///
    /// Python counts code points, and so do these corpora. Java and JavaScript count UTF-16 units, in
    /// which an emoji counts as two; other programs count bytes, in which every letter beyond ASCII
    /// counts as several; and some give the last character covered instead of the one after it. After
    /// the first character that counts differently, all segments are off.
    ///
    /// A segment is reported if its offsets, counted in another unit, cover exactly the quoted text.
    /// Inclusive ends are reported only if the whole dialog has them.
    ///
    /// The fix converts the offsets to code points (safe). In a format of your own it is not safe if most segments of the
    /// dialog are so, because the `unit` or the `ends` in its description may be what is wrong: `turnwise formats check`
    /// tries others.
    ///
    /// The rule does not apply to families whose segments count words, such as the simulated dialogues and
    /// `MultiWOZ`.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "👍 two for Dune", "segments": [{"start_index": 11, "end_index": 15, "text": "Dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: 👍 two for «Dune»{movie}
    /// ```
    "span-other-unit": Error => span_faults;

    /// A segment's quoted text differs from the text at its offsets.
    ///
    /// The offsets and the quoted text disagree, so two readers of the corpus can learn two different
    /// values. Often the utterance was edited after it was labelled, or the offsets are off by one.
    ///
    /// The fix moves the segment to the occurrence of its quoted text that is nearest to the offsets:
    /// safe if it is the only one, or much nearer than any other. If the offsets cover the same words
    /// with different capitalization or whitespace, the fix changes the quoted text instead (safe). If
    /// the quoted text does not occur, the fix moves the segment to the most similar text (unsafe).
    ///
    /// The rule does not apply to families whose segments have no quotes, such as SGD, nor to those whose quotes
    /// need not be the text, such as `MultiWOZ`: span-quoted-elsewhere checks the latter.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [{"start_index": 7, "end_index": 11, "text": "Dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [{"start_index": 8, "end_index": 12, "text": "dune",
    ///   "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    "span-text-mismatch": Error => span_faults;

    /// A segment covers other words than it quotes, although the turn has these words.
    ///
    /// A program that reads the offsets takes another value than one that reads the quote. Somebody moved the
    /// segment without its quote, or its offsets are off by a word. If this is so of most segments of a turn, the
    /// offsets probably count something else than the rest of the corpus does, or they were made for another
    /// version of the text; then the problem is reported once for the turn, and its segments are not reported as
    /// out of range.
    ///
    /// A quote alone is wrong, or missing, if acts of the turn have other values for the label, such as the text of
    /// the segment.
    ///
    /// The rule is for corpora whose quotes need not be the text, such as those of `multiwoz`: "cheap" for "cheaper"
    /// is all right there. In other corpora, span-text-mismatch reports every segment that differs from its quote.
    ///
    /// The fix moves the segment to the words that it quotes: the nearest ones, if they are in the turn more than
    /// once. For a whole turn, it moves all segments, if each of their quotes is in the turn only once. It is
    /// unsafe, or manual if two places are equally near. A quote that is wrong alone becomes the value that an act has
    /// for the label, or the text of the segment; this is unsafe, too.
    ///
    /// ```json bad
    /// {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
    ///   "span_info": [["Hotel-Inform", "Day", "friday", 3, 3], ["Hotel-Inform", "People", "two", 7, 7]]}]}
    /// ```
    ///
    /// ```json bad
    /// {"goal": {}, "log": [{"text": "two of us on friday , in two rooms", "metadata": {}, "dialog_act": {},
    ///   "span_info": [["Hotel-Inform", "Day", "friday", 4, 5], ["Hotel-Inform", "People", "two", 0, 0]]}]}
    /// ```
    ///
    /// ```json good
    /// {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
    ///   "span_info": [["Hotel-Inform", "Day", "friday", 4, 4], ["Hotel-Inform", "People", "2", 0, 0]]}]}
    /// ```
    "span-quoted-elsewhere": Warning => span_quoted_elsewhere;

    /// A segment starts or ends inside a word.
    ///
    /// Part of a word is not a value, and a model trained on it learns to cut words. Usually the
    /// annotator released the mouse one character too early.
    ///
    /// A word is a run of letters; a number with its separators, `am` or `th`; an abbreviation with its
    /// dots; `o'clock`; or a character with all its marks. A currency sign or `%` belongs to a number in
    /// Taskmaster, and elsewhere if another segment of the dialog with the same label includes it, or an act has
    /// it in its value: in other corpora, the value is often the number alone. The rule does not
    /// report
    ///
    /// - missing spaces (`theAMC`), parts of words with a hyphen, names before `'s`;
    /// - initials without their last dot, if the dot also ends the sentence, or if a value of the state or of an act is
    ///   written without it;
    /// - `A.M` and `P.M` at the end of a sentence, if the turn writes one of them without its last dot elsewhere;
    /// - letters attached to a word: to its start in Hebrew and Arabic, to its end in the scripts of India and Georgia;
    /// - Hangul, and scripts without spaces between words.
    ///
    /// The rule does not apply to families whose segments count words, such as the simulated dialogues and
    /// `MultiWOZ`.
    ///
    /// The fix, which is unsafe, extends the segment to the whole word, or excludes the word if the
    /// segment covers only a small part of it. If there are several possibilities, the fix prefers a
    /// value that is labelled elsewhere in the dialog. There is no fix if the covered part is a value of the state or of
    /// an act (`Afghan` in `Afghanistan`), or if only an ending is cut off (`guesthouses`, `asked`) and another segment of
    /// the dialog covers the same.
    ///
    /// ```text bad
    /// user: at «Thursday Kitche»{name.restaurant}n tonight
    /// ```
    ///
    /// ```text bad
    /// user: for $«12»{price} at «7»{time}:30pm
    /// ```
    ///
    /// ```text good
    /// user: at «Thursday Kitchen»{name.restaurant}'s for «$12»{price} at «7 p.m.»{time}
    /// ```
    "span-cuts-word": Warning => span_cuts_word;

    /// A segment starts or ends with whitespace.
    ///
    /// The whitespace is not part of the value: `"noon "` and `"noon"` count as two values, and
    /// exact-match scores penalize a model that finds the right one.
    ///
    /// The fix excludes the whitespace (safe). If the segment also cuts a word or includes surrounding
    /// punctuation, the fix corrects that too (unsafe).
    ///
    /// The rule does not apply to families whose segments count words, such as the simulated dialogues and
    /// `MultiWOZ`.
    ///
    /// ```text bad
    /// user: in« about 25 minutes»{time.pickup}
    /// ```
    ///
    /// ```text good
    /// user: in «about 25 minutes»{time.pickup}
    /// ```
    "span-edge-space": Warning => span_edge_space;

    /// A segment includes surrounding punctuation.
    ///
    /// The comma after a name belongs to the sentence, not to the name: `"The Grand 12:"` and
    /// `"The Grand 12"` count as two theaters, and a lookup of the first one finds nothing.
    ///
    /// Punctuation that may belong to the value is not reported: the dots of `a.m.`, `St.` and
    /// `Samuel L.` Jackson, a price or a decimal, `C++`, both brackets or quotation marks of a pair,
    /// the mark of a title (`Mamma Mia!`) unless the dialog also has the title without it, and the end
    /// of several sentences or of a long description.
    ///
    /// The fix excludes the punctuation: safe for commas, colons, semicolons and single brackets,
    /// unsafe for everything else.
    ///
    /// The rule does not apply to families whose segments count words, such as the simulated dialogues and
    /// `MultiWOZ`.
    ///
    /// ```text bad
    /// assistant: showing at «The Grand 12:»{name.theater} Dune and Tenet
    /// ```
    ///
    /// ```text bad
    /// user: a table for «7 pm.»{time} please
    /// ```
    ///
    /// A text that an act of the dialog has as a value is a name, and left alone.
    ///
    /// ```text good
    /// user: at «7 p.m.»{time} on «Main St.»{location} for «$12.50»{price}, «Mamma Mia!»{name.movie}
    /// ```
    "span-edge-punctuation": Warning => span_edge_punctuation;
}

fn span_string_index(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut last = None;
    for issue in subject.issues {
        let Some(mention) = mention_with_string_index(subject, issue) else {
            continue;
        };
        // Usually both offsets of a segment are strings; report them once.
        let place = (mention.turn, mention.segment);
        if last.replace(place) == Some(place) {
            continue;
        }
        let Some(span) = mention.of.span else {
            continue;
        };
        let message = format!("the offsets {span} are written as strings");
        let diagnostic = found.add(mention.location(), message);
        // Other rules fix wrong offsets, and those fixes write numbers too.
        if mention.is_valid {
            diagnostic.fix(
                "write them as numbers",
                Applicability::Safe,
                vec![mention.set_span(span)],
            );
        }
    }
}

/// Checks the rules on spans that cannot be right: each such span has one fault, which one rule reports.
fn span_faults(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions() {
        let (Some(span), Some(fault)) = (mention.of.span, misplaced(subject, mention)) else {
            continue;
        };
        if !found.is_of(rule_of(fault)) {
            continue;
        }
        let quote = quoted(mention.of.exact_quote().unwrap_or_default());
        let message = match fault {
            SpanFault::Reversed => format!("span {span} ends before it starts"),
            SpanFault::Empty if span.start == span.end => format!("span {span} is empty"),
            SpanFault::Empty => format!("span {span} covers only whitespace"),
            SpanFault::OutOfRange => {
                let length = count(mention.said);
                format!("span {span} extends past the end of the turn ({length} code points)")
            }
            SpanFault::OtherUnit(unit) => {
                format!("span {span} covers {quote} only if counted in {}", unit.name())
            }
            SpanFault::Mismatch => {
                let covers = quoted(mention.text());
                format!("the segment quotes {quote}, but its offsets cover {covers}")
            }
        };
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, fault);
    }
}

/// Returns the name of the rule that reports a fault.
fn rule_of(fault: SpanFault) -> &'static str {
    match fault {
        SpanFault::Reversed => "span-reversed",
        SpanFault::Empty => "span-empty",
        SpanFault::OutOfRange => "span-out-of-range",
        SpanFault::OtherUnit(_) => "span-other-unit",
        SpanFault::Mismatch => "span-text-mismatch",
    }
}

fn span_quoted_elsewhere(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (turn, _) in subject.turns() {
        let Some(quotes) = QuotesElsewhere::of(subject, turn) else {
            continue;
        };
        if quotes.are_most() {
            whole_turn(subject, turn, &quotes, found);
        } else {
            let of = subject.mentions_of(turn);
            for (position, quote) in &quotes.unsupported {
                unsupported(subject, &of[*position], quote, found);
            }
            // slot-out-of-range reports those outside the text.
            let all = quotes.elsewhere.iter().map(|one| (one, &of[one.segment]));
            for (one, mention) in all.filter(|(_, mention)| mention.bytes.is_some()) {
                elsewhere(mention, one, found);
            }
        }
    }
}

fn whole_turn(
    subject: &Subject<'_>,
    turn: usize,
    QuotesElsewhere { quotes, elsewhere, .. }: &QuotesElsewhere,
    found: &mut Findings<'_>,
) {
    let message = format!(
        "in {} of {}, the quoted words are not at the offsets, but elsewhere in the turn",
        elsewhere.len(),
        counted(*quotes, "segment"),
    );
    let diagnostic = found.add(subject.location_of(turn), message);
    let of = subject.mentions_of(turn);
    let edits = elsewhere.iter().map(|one| match one.places[..] {
        [place] => Some(of.get(one.segment)?.set_span(place)),
        _ => None,
    });
    if let Some(edits) = edits.collect() {
        let them = counted(elsewhere.len(), "segment");
        let title = format!("move {them} to the quoted words");
        diagnostic.fix(title, Applicability::Unsafe, edits);
    }
}

/// Reports a quote that no act has.
fn unsupported(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    quote: &str,
    found: &mut Findings<'_>,
) {
    let (text, label) = (mention.text(), mention.label());
    let (turn, segment) = (mention.turn, mention.segment);
    let of = &subject.dialog.turns[turn];
    let same = of.segments.iter().filter(|other| other.labels == mention.of.labels);
    let is_free = |value: &&str| {
        let mut quotes = same.clone().filter_map(|other| other.quote.as_ref());
        !quotes.any(|other| lower(other) == lower(value))
    };
    let mut values: Vec<&str> = act_values(of, label).filter(is_free).collect();
    values.dedup();
    let said = values.iter().find(|value| lower(value) == lower(text));
    let value = said.or(match values.as_slice() {
        [value] => Some(value),
        _ => None,
    });
    let is_but = match value {
        Some(value) => format!("but an act has {} for {label}", quoted(value)),
        None => format!("but no act has this value for {label}"),
    };
    let message = format!("{} is quoted as {}, {is_but}", quoted(text), quoted(quote));
    let diagnostic = found.add(mention.location(), message);
    let meant = value.copied().unwrap_or(text);
    for text in [meant, text] {
        if text.is_empty() || diagnostic.fixes.len() == 1 && text == meant {
            continue;
        }
        let edit = Edit::SetQuote { turn, segment, text: Some(text.to_owned()) };
        let title = format!("change the quoted text to {}", quoted(text));
        diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
    }
}

/// Reports a segment whose quote the turn has elsewhere.
fn elsewhere(mention: &Mention<'_>, one: &QuoteElsewhere, found: &mut Findings<'_>) {
    let (quote, text) = (quoted(&one.quote), quoted(mention.text()));
    let message = match one.places[..] {
        [_] => format!("{text} is quoted as {quote}, which is elsewhere in the turn"),
        _ => format!("{text} is quoted as {quote}, which is at other places in the turn"),
    };
    let diagnostic = found.add(mention.location(), message);
    let distance = |place: &Span| {
        let span = mention.of.span.unwrap_or(*place);
        place.start.abs_diff(span.start) + place.end.abs_diff(span.end)
    };
    for place in one.places.iter().take(2) {
        let mut nearer = one.places.iter().filter(|other| distance(other) <= distance(place));
        let applicability = match nearer.nth(1) {
            None => Applicability::Unsafe,
            Some(_) => Applicability::Display,
        };
        let title = format!("move to {place}, {quote}");
        diagnostic.fix(title, applicability, vec![mention.set_span(*place)]);
    }
}

fn span_cuts_word(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        if !cuts_word(mention.said, bytes) {
            continue;
        }
        let said = mention.said;
        let is_value = || is_value_in_any_case(subject, mention.text());
        let word = |at, edge| {
            let cut = inside_word(said, at, edge)
                && (!is_beside_unit(said, at) || unit_belongs(subject, mention, at, edge))
                && !(edge == SpanEdge::End && may_end_sentence(said, at, is_value));
            cut.then(|| quoted(&said[word_at(said, at, edge)]))
        };
        let first = word(bytes.start, SpanEdge::Start);
        let last = word(bytes.end, SpanEdge::End);
        let text = quoted(mention.text());
        let message = match (first, last) {
            (Some(first), Some(last)) => {
                format!("{text} starts inside {first} and ends inside {last}")
            }
            (Some(word), None) => format!("{text} starts inside {word}"),
            (None, Some(word)) => format!("{text} ends inside {word}"),
            (None, None) => continue,
        };
        let diagnostic = found.add(mention.location(), message);
        let ending = &said[bytes.end..word_at(said, bytes.end, SpanEdge::End).end];
        let is_elsewhere = || subject.other_with_text(mention, mention.text()).is_some();
        let is_inflected = !inside_word(said, bytes.start, SpanEdge::Start)
            && (ending.chars().all(char::is_alphabetic) && is_value()
                || ENDINGS.contains(&ending) && is_elsewhere());
        if is_inflected {
            continue;
        }
        for range in tidied(subject, mention, bytes) {
            offer_span(diagnostic, mention, range, Applicability::Unsafe);
        }
    }
}

/// True if an act or a state has the text as a value.
fn is_value_in_any_case(subject: &Subject<'_>, text: &str) -> bool {
    let text = text.to_lowercase();
    let mut states = subject.turns().flat_map(|(_, turn)| turn.state.iter().flatten());
    let is_it = |value: &Content| value.as_str().to_lowercase() == text;
    states.any(|slot| is_it(&slot.value)) || values(subject).any(is_it)
}

/// Returns the values of all acts.
fn values<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a Content> {
    let acts = subject.turns().flat_map(|(_, turn)| &turn.acts);
    acts.flat_map(|act| &act.slots).filter_map(|slot| slot.value.as_ref())
}

/// The endings of words without which they may be the value.
const ENDINGS: [&str; 5] = ["s", "es", "d", "ed", "ly"];

/// True if a currency sign or `%` beside byte `at` belongs to the value: in Taskmaster, and elsewhere if an act has the
/// number with it as a value, or a segment with the same label has one.
fn unit_belongs(subject: &Subject<'_>, mention: &Mention<'_>, at: usize, edge: SpanEdge) -> bool {
    let has_sign = |other: &Mention<'_>| {
        let text = other.text();
        let mut sides = text.char_indices().map(|(at, _)| at);
        let at = match edge {
            SpanEdge::Start => sides.nth(1),
            SpanEdge::End => sides.next_back(),
        };
        other.is_valid && at.is_some_and(|at| is_beside_unit(text, at))
    };
    !subject.format.is_described()
        || is_a_value(subject, &mention.said[word_at(mention.said, at, edge)])
        || subject.labelled(mention.label(), usize::MAX).any(has_sign)
}

/// True if the dot at byte `at` of `text` follows initials, and may as well end the sentence: a capital follows, or
/// the initials are a value without it.
fn may_end_sentence(text: &str, at: usize, is_value: impl FnOnce() -> bool) -> bool {
    let (before, after) = text.split_at(at);
    let mut left = before.chars().rev();
    let (Some(last), Some('.'), Some(rest)) = (left.next(), left.next(), after.strip_prefix('.'))
    else {
        return false;
    };
    let is_half_of_day =
        matches!(left.next(), Some('A' | 'P' | 'a' | 'p')) && matches!(last, 'M' | 'm');
    let mut rest = rest.chars().skip_while(|c| !c.is_alphanumeric());
    let starts_sentence = rest.next().is_none_or(char::is_uppercase);
    let is_bare_elsewhere = || {
        // "a.m" says of "p.m." how the turn writes both.
        let is_half =
            |at: usize| ["a.", "A.", "p.", "P."].iter().any(|of| text[..at].ends_with(of));
        let halves = text.match_indices(['m', 'M']).filter(|(at, _)| is_half(*at));
        let mut ends = halves.map(|(at, _)| at + 1).filter(|end| *end != at);
        ends.any(|end| !text[end..].starts_with(|c: char| c == '.' || c.is_alphanumeric()))
    };
    if is_half_of_day {
        return starts_sentence && is_bare_elsewhere();
    }
    last.is_uppercase() && (starts_sentence || is_value())
}

fn span_edge_space(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        let text = mention.text();
        let message = match (text.starts_with(is_blank), text.ends_with(is_blank)) {
            (false, false) => continue,
            (true, false) => "starts with whitespace",
            (false, true) => "ends with whitespace",
            (true, true) => "starts and ends with whitespace",
        };
        let trimmed = trim(mention.said, bytes.clone());
        let diagnostic = found.add(mention.location(), format!("{} {message}", quoted(text)));
        for range in tidied(subject, mention, bytes) {
            let applicability =
                if range == trimmed { Applicability::Safe } else { Applicability::Unsafe };
            offer_span(diagnostic, mention, range, applicability);
        }
        offer_span(diagnostic, mention, trimmed, Applicability::Unsafe);
    }
}

fn span_edge_punctuation(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = mention.bytes.clone() else {
            continue;
        };
        let Some(bare) = without_punctuation(subject, mention, bytes.clone()) else {
            continue;
        };
        if is_a_value(subject, mention.text()) {
            continue;
        }
        let left = left_out(mention.said, &bytes, &bare);
        let side = match (bytes.start < bare.start, bare.end < bytes.end) {
            (true, true) => "surrounding",
            (true, false) => "leading",
            (false, _) => "trailing",
        };
        let (text, marks) = (quoted(mention.text()), quoted(&left));
        let message = format!("{text} includes the {side} {marks}");
        let diagnostic = found.add(mention.location(), message);
        let never = |c: char| ",;:，；：、()[]{} ".contains(c);
        for range in tidied(subject, mention, &bytes) {
            let applicability = if range == bare && left.chars().all(never) {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            offer_span(diagnostic, mention, range, applicability);
        }
    }
}

/// True if an act has the text as a value: it is a name that ends in a mark, such as "Donato & Co.".
fn is_a_value(subject: &Subject<'_>, text: &str) -> bool {
    values(subject).any(|value| value.as_str() == text)
}

/// Returns the text of `whole` that is not in `part`.
fn left_out(text: &str, whole: &Range<usize>, part: &Range<usize>) -> String {
    [&text[whole.start..part.start], &text[part.end..whole.end]].concat()
}
