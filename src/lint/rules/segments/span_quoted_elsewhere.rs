//! Most segments of a turn cover other words than they quote, although the turn has these words.
//!
//! The offsets probably count something else than the rest of the corpus does, or they were made for another
//! version of the text. The problem is reported once for the turn, and its segments are not reported as out of
//! range. The rule is for corpora whose quotes need not be the text, such as those of `multiwoz`; in others, every segment
//! that differs from its quote is reported.
//!
//! The fix moves the segments to the words that they quote, if each of these is in the turn only once
//! (unsafe).
//!
//! ```json bad
//! {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
//!   "span_info": [["Hotel-Inform", "Day", "friday", 3, 3], ["Hotel-Inform", "People", "two", 7, 7]]}]}
//! ```
//!
//! ```json good
//! {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
//!   "span_info": [["Hotel-Inform", "Day", "friday", 4, 4], ["Hotel-Inform", "People", "2", 0, 0]]}]}
//! ```

use crate::dialog::Edit;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::elsewhere::QuotesElsewhere;
use crate::text::counted;

pub static RULE: Rule = Rule {
    name: "span-quoted-elsewhere",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_quoted_elsewhere.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (turn, _) in subject.turns() {
        let Some(QuotesElsewhere { quotes, elsewhere }) = QuotesElsewhere::of(subject, turn) else {
            continue;
        };
        let message = format!(
            "{} of {} cover other words than they quote, and the turn has these words elsewhere",
            elsewhere.len(),
            counted(quotes, "segment"),
        );
        let diagnostic = found.add(subject.spot_of(turn), message);
        let edits = elsewhere.iter().map(|(segment, place)| {
            place.map(|place| Edit::SetSpan {
                turn,
                segment: *segment,
                start: place.start,
                end: place.end,
            })
        });
        if let Some(edits) = edits.collect() {
            let them = counted(elsewhere.len(), "segment");
            let title = format!("move {them} to the quoted words");
            diagnostic.fix(title, Applicability::Unsafe, edits);
        }
    }
}
