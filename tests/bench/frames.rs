//! The cost of a key before the terminal sees it: the state, the cells, the difference.
//!
//! `cargo bench --bench frames`; `TURNWISE_BENCH` names a corpus, else a demo is read.

#![allow(clippy::expect_used)]

use std::hint::black_box;
use turnwise::app::input::Keymap;

use divan::Bencher;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use turnwise::app::settings::Settings;
use turnwise::app::{App, Msg};
use turnwise::corpus::{Bytes, index_all};
use turnwise::shell::KEYMAPS;
use turnwise::view::theme::THEMES;
use turnwise::view::{Colours, Theme, draw};
use turnwise::workspace::LintContext;

fn main() {
    divan::main();
}

const SIZE: Size = Size::new(160, 50);

fn app() -> App {
    let path = std::env::var("TURNWISE_BENCH")
        .unwrap_or_else(|_| "assets/demo/taskmaster-3.json".to_owned());
    app_on(std::fs::read(path).expect("the corpus can be read"))
}

fn app_on(bytes: Vec<u8>) -> App {
    let index = index_all(&bytes, false).expect("in memory");
    let keymap = Keymap::read(KEYMAPS[0].1).expect("it is tested");
    let mut app = App::new(vec!["corpus.json".to_owned()], keymap, Settings::default());
    app.update(Msg::Resize(SIZE));
    app.update(Msg::Opened {
        file: 0,
        bytes: Bytes::from(bytes),
        index: Box::new(index),
        complete: true,
    });
    app
}

fn theme() -> Theme {
    Theme::read(THEMES[0].1, Colours::True).expect("it is tested")
}

fn terminal() -> Terminal<TestBackend> {
    Terminal::new(TestBackend::new(SIZE.width, SIZE.height)).expect("it is in memory")
}

/// Down and up again.
#[divan::bench(args = ["down up", "l h", "J K", "pgdn pgup"])]
fn update(bencher: Bencher, keys: &str) {
    let mut app = app();
    let keys: Vec<_> = keys.split(' ').map(|key| key.parse().expect("a key")).collect();
    bencher.bench_local(|| {
        for key in &keys {
            black_box(app.update(Msg::Key(*key)));
        }
    });
}

/// Two keys that move an edge of a segment there and back: each time the edit is made, and its dialog
/// read and looked at by all rules again, for the screen and for the list.
#[divan::bench]
fn nudge_there_and_back(bencher: Bencher) {
    let mut app = app();
    app.update(Msg::Rules(Box::new(LintContext {
        paths: vec!["corpus.json".to_owned()],
        ..LintContext::default()
    })));
    let key = |key: &str| Msg::Key(key.parse().expect("a key"));
    app.update(key("right"));
    bencher.bench_local(|| {
        black_box(app.update(key("]")));
        black_box(app.update(key("[")));
    });
}

#[divan::bench]
fn paint(bencher: Bencher) {
    let (app, theme, mut terminal) = (app(), theme(), terminal());
    bencher.bench_local(|| {
        let drawn = terminal.draw(|frame| draw(&app, &theme, frame));
        black_box(drawn.expect("it is in memory"));
    });
}

/// There and back again, where one of the turns has an utterance of a megabyte.
#[divan::bench]
fn long_utterance(bencher: Bencher) {
    let turn = |index: usize, text: &str| {
        format!(
            r#"{{"speaker":"user","index":{index},"text":"{text}","segments":[{{"start_index":0,"end_index":4,"text":"some","annotations":[]}}]}}"#
        )
    };
    let long = "some words that go on, and on; ".repeat(1 << 15);
    let turns = [turn(0, "some"), turn(1, &long), turn(2, "some more")].join(",");
    let mut app = app_on(
        format!(r#"[{{"conversation_id":"a","instruction_id":"b","utterances":[{turns}]}}]"#)
            .into_bytes(),
    );
    let key = |key: &str| Msg::Key(key.parse().expect("a key"));
    bencher.bench_local(|| {
        app.update(key("1"));
        app.update(key("g"));
        black_box(app.update(key("g")));
    });
}
