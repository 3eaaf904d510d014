//! A turn has more or fewer votes than the other turns of its dialog.
//!
//! The same number of people judges each turn of a log. Another number means that votes were lost
//! or cast twice, and the shares of the turns cannot be compared. A log may begin with a greeting
//! that nobody judged. An annotator who voted twice counts once; see vote-repeated-annotator.
//!
//! There is no fix: turnwise cannot restore lost votes.
//!
//! ```json bad
//! {"dialogue-id": "d", "turns": [
//!   {"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
//!   {"turn-index": 1, "speaker": "U", "utterance": "Are you a bot?", "annotations": []},
//!   {"turn-index": 2, "speaker": "S", "utterance": "Yes.", "annotations": [
//!     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
//!   {"turn-index": 3, "speaker": "S", "utterance": "No.", "annotations": [
//!     {"annotator-id": "a", "breakdown": "X"}]}]}
//! ```
//!
//! ```json good
//! {"dialogue-id": "d", "turns": [
//!   {"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": []},
//!   {"turn-index": 1, "speaker": "U", "utterance": "Are you a bot?", "annotations": []},
//!   {"turn-index": 2, "speaker": "S", "utterance": "Yes.", "annotations": [
//!     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
//!   {"turn-index": 3, "speaker": "S", "utterance": "No.", "annotations": [
//!     {"annotator-id": "a", "breakdown": "X"}, {"annotator-id": "b", "breakdown": "O"}]}]}
//! ```

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use crate::dialog::{Role, Turn};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::counted;

pub static RULE: Rule = Rule {
    name: "vote-count-differs",
    severity: Severity::Warning,
    on: true,
    source: include_str!("vote_count_differs.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let judged = || {
        let judged = subject.turns().filter(|(number, turn)| {
            turn.speaker.role == Role::System && (*number > 0 || !turn.votes.is_empty())
        });
        judged.map(|(number, turn)| (number, turn, turn.votes.len()))
    };
    let Some((_, _, first)) = judged().next() else {
        return;
    };
    if judged().all(|(_, _, count)| count == first) {
        return;
    }
    let mut times: HashMap<usize, usize> = HashMap::new();
    for (_, _, count) in judged() {
        *times.entry(count).or_default() += 1;
    }
    let alike = |count: usize| times[&count];
    let Some((_, _, usual)) = judged().max_by_key(|(_, _, count)| alike(*count)) else {
        return;
    };
    // If no number is that of most turns, no turn is the odd one.
    if alike(usual) * 2 <= judged().count() || usual == 0 {
        return;
    }
    for (number, turn, count) in judged().filter(|(_, _, count)| *count != usual) {
        if voters(turn) != usual {
            let votes = counted(count as u64, "vote");
            let message = format!("{votes}, but most turns of the dialog have {usual}");
            found.add(subject.location_of(number), message);
        }
    }
}

/// Returns the number of people who voted; each vote without a name counts as another person.
fn voters(turn: &Turn) -> usize {
    let mut known = HashSet::new();
    let named = turn.votes.iter().map(|vote| vote.annotator.as_str());
    let new = named.filter(|name| name.is_empty() || known.insert(*name));
    new.count()
}
