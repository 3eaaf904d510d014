//! Much input at once, pastes, and input that no keyboard sends.

use turnwise::text::grouped;

use super::corpora::numbered;
use super::setup::Setup;
use crate::support::amount;

/// Keys up and down that never reach an end, and the sum of their steps.
fn walk(keys: usize) -> (String, i64) {
    let (mut random, mut sum) = (0x2545_f491_4f6c_dd1d_u64, 0);
    let mut key = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let down = random.is_multiple_of(2);
        sum += if down { 1 } else { -1 };
        if down { 'j' } else { 'k' }
    };
    let keys = (0..keys).map(|_| key()).collect();
    (keys, sum)
}

#[test]
fn many_keys_in_one_burst_are_all_handled() {
    let mut terminal = Setup::text("corpus.json", numbered(1, 3000)).start();
    terminal.shows("turn 0 · 3,000 turns").keys("1500g").shows("turn 1,500 ·");
    let (keys, sum) = walk(amount(5_000, 20_000));
    // The prompt comes last: once it is there, all keys before it were handled.
    terminal.keys(&keys).keys("#").shows("go to dialog");
    terminal.shows(&format!("turn {} · 3,000 turns", grouped(1500 + sum)));
}

#[test]
fn bursts_and_pastes_arrive_whole_in_the_search_line() {
    let mut terminal = Setup::text("corpus.json", numbered(1, 3)).start();
    terminal.shows("said 0.0").keys("/").shows("find text, or in:");
    terminal.keys(&"世".repeat(2000)).keys("!").shows("世世世!");
    terminal.keys("\r").shows("no hits: 世世世").keys("/\u{15}").shows("find text, or in:");
    let text = "a long story ".repeat(4000);
    terminal.keys(&format!("\x1b[200~{text}the end\x1b[201~"));
    terminal.shows("a long story the end").keys("\r").shows("no hits: a long story");
}

#[test]
fn paste_goes_into_the_line_and_runs_nothing() {
    let mut terminal = Setup::text("corpus.json", numbered(1, 40)).start();
    terminal.shows("said 0.0").keys("/");
    terminal.shows("find text, or in:").keys("\x1b[200~said\r0.31\x1b[201~");
    terminal.shows("find said 0.31").keys("\r").shows("said 0.31: 1 of 1").shows("turn 31 ·");
    terminal.keys("\x1b").shows_not("said 0.31: 1 of 1");
    terminal.keys("\x1b[200~q\rJ\x1b[201~").shows("nothing here to paste text into");
    terminal.keys("j").shows("turn 32 ·");
}

#[test]
fn keys_that_nobody_knows_do_no_harm() {
    let mut terminal = Setup::text("corpus.json", numbered(1, 40)).start();
    terminal.shows("said 0.0");
    // Keys of other keyboards, reports that nobody asked for, bytes that are not text.
    for odd in [
        "\x1b[34~",
        "\x1b[99;99R",
        "\x1b[I",
        "\x1b[O",
        "\x1b[?1;2c",
        "\u{80}",
        "\x1f",
        "\x1bOz",
        "\x1bP>|kitty(0.35)\x1b\\",
        "\x1b]52;c;cXE=\x07",
    ] {
        terminal.keys(odd);
    }
    terminal.keys("12g").shows("turn 12 ·");
}

/// A terminal may answer after the program has stopped waiting. Its answers open no palette and cast no vote.
#[test]
fn late_answers_of_the_terminal_do_not_act_as_keys() {
    let mut terminal = Setup::demo("taskmaster-3.json").annotator("new").size(130, 40).start();
    terminal.shows("judged 0/").keys("o").shows("judged 1/").shows("●1 unsaved");
    let before = terminal.settled();
    for answer in [
        "\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c",
        "\x1b]11;rgb:ffff/ffff/ffff\x07",
        "\x1bP>|kitty(0.35)\x1b\\",
        "\x1b_Gi=31;OK\x1b\\\x1b^o\x1b\\\x1bXo\x1b\\",
    ] {
        terminal.keys(answer);
    }
    assert_eq!(terminal.settled(), before);
    // Escape, and the beginning of an answer without a rest, are keys.
    terminal.keys("?").shows("Help: judging").keys("\x1b").shows_not("Help: judging").keys("\x1b]");
    terminal.shows("] is not bound here");
}
