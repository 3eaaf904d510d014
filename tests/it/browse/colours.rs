//! A colour means one thing: red is for errors, amber for warnings.

use ratatui::style::Color;
use serde_json::{Value, json};
use turnwise::app::pane::Ink;
use turnwise::lint::Severity;
use turnwise::text::width;
use turnwise::view::theme::THEMES;
use turnwise::view::{Colours, Theme};

use super::Driver;

/// The colour of an ink in the theme of the tests.
fn colour(ink: Ink) -> Color {
    let theme = Theme::read(THEMES[0].1, Colours::True).unwrap();
    theme.ink(ink).fg.unwrap()
}

/// A dialog of Taskmaster-3 whose first turn has a segment that ends at `end`; the second one is `text`.
fn dialog(id: &str, end: usize, text: &str) -> Value {
    let segment = json!({"start_index": 0, "end_index": end, "text": "two seats",
                         "annotations": [{"name": "num.tickets"}]});
    json!({"conversation_id": id, "vertical": "v", "utterances": [
        {"index": 0, "speaker": "user", "text": "two seats please", "segments": [segment]},
        {"index": 1, "speaker": "assistant", "text": text, "segments": []}]})
}

#[test]
fn warnings_are_amber_and_errors_red() {
    let dialogs = json!([dialog("worn", 9, ""), dialog("wrong", 90, "Which day?")]);
    let mut driver = Driver::open(&[("corpus.json", dialogs.to_string())], 140, 40);
    for (id, severity, ink) in
        [("worn", Severity::Warning, Ink::Warning), ("wrong", Severity::Error, Ink::Error)]
    {
        let problems = &driver.app.panes.transcript.problems;
        let worst = problems.iter().map(|problem| problem.severity).max();
        assert_eq!(worst, Some(severity), "{problems:?}");
        let cells = driver.cells();
        let signs = driver.screen();
        let mut signs = signs.lines().enumerate().filter_map(|(row, line)| {
            let in_header = row == 0;
            let in_row = line.starts_with("▸") && line.contains(id);
            (in_header || in_row).then_some(())?;
            let byte = line.find('▲')?;
            Some((width(&line[..byte]) as u16, row as u16))
        });
        for place in [signs.next().unwrap(), signs.next().unwrap()] {
            assert_eq!(cells[place].fg, colour(ink), "{id}\n{}", driver.screen());
        }
        drop(signs);
        driver.press("J");
    }
}

/// A turn's votes: one X, or thirty of all kinds.
fn log(votes: &[&str]) -> String {
    let votes = votes.iter().enumerate().map(|(n, vote)| {
        json!({"breakdown": vote, "comment": "", "ungrammatical-sentence": "O",
               "annotator-id": format!("a{n}")})
    });
    let turn = |number: usize, speaker: &str, annotations: Value| {
        json!({"turn-index": number, "speaker": speaker, "time": "", "annotations": annotations,
               "utterance": format!("turn number {number}")})
    };
    let turns = [turn(0, "U", json!([])), turn(1, "S", votes.collect())];
    json!({"dialogue-id": "one", "speaker-id": "s", "group-id": "g", "turns": turns}).to_string()
}

#[test]
fn vote_bars_are_equally_heavy_and_one_vote_has_a_short_one() {
    let bars = |votes: &[&str]| {
        let mut driver = Driver::open(&[("a.log.json", log(votes))], 140, 30);
        driver.press("j");
        let screen = driver.screen();
        let bars = screen.chars().filter(|sign| "─═┅■".contains(*sign)).count();
        assert!(!screen.contains(['█', '░', '▒']), "{screen}");
        assert!(bars > 0, "{screen}");
        bars
    };
    // One in the transcript, one in the details.
    assert_eq!(bars(&["X"]), 2 + 2);
    let thirty: Vec<_> = ["O", "T", "X"].into_iter().cycle().take(30).collect();
    assert!(bars(&thirty) > 24, "{}", bars(&thirty));
}
