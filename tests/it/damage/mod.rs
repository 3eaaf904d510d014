//! Journals that are damaged: nothing that was done is lost without a word, and nothing is made up.

mod mutation;
mod session;

use crate::support::random::Random;
use crate::support::{TempDir, amount};
use mutation::{mutated, of_form_3};
use session::{Session, TURNS};

/// A folder that is removed after the test: in memory if there is such a place, as these tests do not
/// depend on the disk.
fn scratch() -> TempDir {
    let memory = tempfile::tempdir_in("/dev/shm");
    memory.unwrap_or_else(|_| crate::support::scratch())
}

const CASES: u64 = 44;

#[test]
fn whatever_happens_to_many_journals_is_noticed_and_nothing_is_made_up() {
    let mut random = Random(1);
    let mut damaged = 0;
    for seed in 0..amount(10, 50) {
        let home = scratch();
        let mut session = Session::random(home.path(), &mut Random(seed));
        let journal = session.journal.clone();
        if journal.is_empty() {
            continue;
        }
        let (told, texts) = session.recovered(&journal);
        assert!(!told.wrong, "seed {seed}: {told:?}");
        assert_eq!(Some(&texts), session.moments.last(), "seed {seed}");
        for case in 0..CASES {
            let (what, bytes) = mutated(&journal, &mut random);
            let told = format!("seed {seed}, case {case}: {what}");
            damaged += usize::from(check(&mut session, &journal, &bytes, &told));
        }
    }
    assert!(damaged >= amount(300, 1500), "only {damaged} journals were damaged");
}

/// True if the journal is damaged.
fn check(session: &mut Session, whole: &[u8], bytes: &[u8], case: &str) -> bool {
    let (told, texts) = session.recovered(bytes);
    // A journal that was cut off between two lines is one that was never longer.
    let cut = whole.starts_with(bytes) && (bytes.is_empty() || bytes.ends_with(b"\n"));
    assert!(cut || told.wrong, "{case}: nothing is reported");
    if !told.wrong {
        assert!(session.was(&texts), "{case}: {texts:?} was never so");
    }
    for (turn, ever) in session.ever().iter().enumerate() {
        assert!(ever.contains(texts[turn].as_str()), "{case}: {}", texts[turn]);
    }
    let left = std::fs::read(session.place()).unwrap_or_default();
    if told.newer {
        assert!(left == bytes, "{case}: a newer journal was changed");
    } else if !cut {
        assert!(told.damaged, "{case}: {told:?}");
        let kept = session.kept("damaged-1");
        assert!(kept.is_some_and(|kept| kept == bytes), "{case}: it is not kept");
        assert!(told.text.contains(".damaged-1"), "{case}: {told:?}");
        if bytes.len().is_multiple_of(4) {
            // Restored edits are written to the journal as a whole.
            let (told, again) = session.recovered_again();
            assert!(!told.wrong && again == texts, "{case}: {told:?}");
            assert!(session.kept("damaged-2").is_none(), "{case}");
        }
    }
    told.damaged
}

#[test]
fn all_before_a_damaged_byte_is_restored() {
    let home = scratch();
    let turns: Vec<_> = (0..2).flat_map(|d| (0..TURNS).map(move |t| (d, t))).collect();
    let mut session = Session::of_words(home.path(), &turns);
    let (journal, last) = (session.journal.clone(), session.moments.last().unwrap().clone());
    let first = session.moments[0].clone();
    let mut line = 0;
    for at in 0..journal.len() {
        line += usize::from(at > 0 && journal[at - 1] == b'\n');
        // Each line at its beginning, at its end and here and there between.
        let edge = at == 0 || journal[at - 1] == b'\n' || journal[at] == b'\n';
        if !edge && at % 29 != 0 {
            continue;
        }
        let mut bytes = journal.clone();
        bytes[at] ^= 1 << (at % 8);
        let (told, texts) = session.recovered(&bytes);
        assert!(told.damaged, "byte {at}: {told:?}");
        assert!(told.text.contains("cannot be read"), "byte {at}: {told:?}");
        // Lines 0 and 1 are the head and the file's description.
        let restored = line.saturating_sub(2);
        for turn in 0..last.len() {
            let wanted = if turn < restored { &last } else { &first };
            assert_eq!(texts[turn], wanted[turn], "byte {at}, turn {turn}");
        }
    }
}

#[test]
fn journals_of_the_form_before_can_be_read() {
    let mut random = Random(2);
    for seed in 0..12 {
        let home = scratch();
        let mut session = Session::random(home.path(), &mut Random(seed));
        let journal = of_form_3(&session.journal);
        let (told, texts) = session.recovered(&journal);
        assert!(!told.wrong, "seed {seed}: {told:?}");
        assert_eq!(Some(&texts), session.moments.last(), "seed {seed}");
        for _ in 0..10 {
            let mut bytes = journal.clone();
            let at = random.position(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            check(&mut session, &journal, &bytes, &format!("seed {seed}, byte {at}"));
        }
    }
}
