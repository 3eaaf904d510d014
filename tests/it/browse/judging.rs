//! Judging breakdown logs: keys in, votes in the file.

use std::path::Path;

use serde_json::Value;
use turnwise::app::settings::Reveal;
use turnwise::app::{Blind, Effect, Msg, session};
use turnwise::query::{CONDITIONS, Query};
use turnwise::workspace::QueueKind;

use super::fixtures::log;
use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

fn judge() -> Driver {
    let mut driver = Driver::demo(LOG, 120, 40);
    driver.judge_as("mk");
    driver
}

/// The breakdowns of `annotator`, turn by turn.
fn votes(driver: &Driver, file: usize, annotator: &str) -> Vec<(usize, String)> {
    let log: Value = serde_json::from_slice(&driver.bytes(file)).unwrap();
    let turns = log["turns"].as_array().unwrap().iter().enumerate();
    let own = turns.flat_map(|(number, turn)| {
        let votes = turn["annotations"].as_array().unwrap();
        let own = votes.iter().filter(|vote| vote["annotator-id"] == annotator);
        own.map(move |vote| (number, vote["breakdown"].as_str().unwrap().to_owned()))
    });
    own.collect()
}

#[test]
fn one_key_judges_a_turn_and_goes_on_to_the_next() {
    let mut driver = judge();
    let system = driver.app.panes.transcript.dialog.turns.iter().filter(|t| t.speaker.name == "S");
    let count = system.count();
    driver.shows("judged 0/").shows("turn 1 ·");
    let keys = ["o", "t", "x"];
    for i in 0..count {
        driver.press(keys[i % 3]);
    }
    driver.shows(&format!("judged {count}/{count}")).shows("queue done: all system turns");
    let cast = votes(&driver, 0, "mk");
    assert_eq!(cast.len(), count);
    let letters: String = cast.iter().map(|(_, vote)| vote.as_str()).collect();
    assert!(letters.starts_with("OTXOTX"), "{letters}");
    for _ in 0..count {
        driver.press("u");
    }
    assert_eq!(votes(&driver, 0, "mk"), []);
    driver.shows("judged 0/").shows_not("unsaved");
}

/// Nor is a corpus whose annotators have no names at fault when somebody votes in it.
#[test]
fn a_vote_that_names_nobody_is_kept_and_never_changed() {
    let log = log("d", &[("S", &[("", "X"), ("", "X")])]);
    let mut driver = Driver::open(&[("d.log.json", log)], 120, 40);
    driver.judge_as("mk").shows("2 votes without an id").press("esc").shows_not("▲");
    driver.press("space o").shows("judged 1/1").shows_not("▲");
    driver.run("adjudicate").press("f7 O d").shows_not("unsaved 2");
    let votes = driver.app.panes.transcript.dialog.turns[0].votes.iter();
    let letters: Vec<_> = votes.map(|v| v.breakdown.unwrap().letter()).collect();
    assert_eq!(letters, ["X", "X", "O"]);
}

#[test]
fn a_log_that_is_being_judged_has_no_problem_for_that() {
    let log = log("d", &[("S", &[("a", "X"), ("b", "X")][..]); 4]);
    let mut driver = Driver::open(&[("d.log.json", log)], 120, 40);
    let counted = |driver: &Driver| {
        let mut problems = driver.app.panes.transcript.problems.iter();
        problems.any(|d| d.rule.name == "vote-count-differs")
    };
    driver.press("o").type_text("mk").press("enter");
    for key in ["x", "x", "t"] {
        assert!(!counted(&driver));
        driver.press(key);
    }
    driver.shows("judged 4/4");
    assert!(!counted(&driver));
}

/// In a window near the turn, so that no vote key is typed into it unseen.
#[test]
fn an_id_is_asked_for_once_and_then_the_vote_is_cast() {
    let mut driver = Driver::demo(LOG, 80, 24);
    driver.press("x enter").shows("you need an annotator id to judge").press("esc");
    driver.press("o").shows("Before your first vote").type_text("otx").shows("otx");
    let (_, title) = driver.place_of("Before your first vote");
    assert_eq!(driver.cursor().1, title + 1);
    // A click in the window does nothing.
    driver.click(40, title + 1).shows("Before your first vote");
    driver.press("esc").shows_not("annotator id");
    assert!(votes(&driver, 0, "otx").is_empty());
    // A cancelled vote is not cast later; an id that nobody can have is refused.
    driver.press("j").run("annotator").shows("Set your annotator id");
    driver.type_text("kk").press("enter").shows("you judge as kk");
    assert!(votes(&driver, 0, "kk").is_empty());
    let mut driver = Driver::demo(LOG, 120, 40);
    driver.press("x").type_text("crowd").press("enter").shows("choose another id").shows("crowd");
    driver.press("C-u").type_text(&"k".repeat(65)).press("enter");
    driver.shows("at most 64 characters").press("C-u");
    driver.type_text("so #slow").press("enter").shows("an annotator id cannot contain `#`");
    driver.press("C-u");
    // The vote still waits for the id.
    driver.tell(Msg::Paste("mk\n".to_owned()));
    driver.press("enter").shows("judged 1/").shows("mk  judged 1/");
    assert!(driver.wanted.contains(&Effect::RememberAnnotator("mk".to_owned())));
    assert_eq!(votes(&driver, 0, "mk").len(), 1);
    // The prompt names the id that is known; typing does not add to it.
    driver.run("annotator").shows("your annotator id (now mk)");
    driver.type_text("js").press("enter").shows("you judge as js").shows("js  judged 0/");
    // The login name is proposed; what is typed takes its place.
    let mut driver = Driver::demo(LOG, 120, 40);
    driver.app.judging.login = "kim".to_owned();
    driver.press("x").shows("kim").type_text("mk").shows_not("kim").press("esc");
    driver.press("2 j x enter").shows("kim  judged 1/");
}

#[test]
fn a_vote_is_changed_commented_marked_and_withdrawn() {
    let mut driver = judge();
    let turn = driver.turn();
    driver.press("o").press(&format!("{turn} G")).shows("you O");
    driver.press("x").press(&format!("{turn} G")).shows("you X");
    driver.press("c").shows("Your comment").type_text("evasive").press("enter");
    driver.press("C-g").shows("marked as ungrammatical").shows("you X ungr.");
    let log: Value = serde_json::from_slice(&driver.bytes(0)).unwrap();
    let vote = log["turns"][turn]["annotations"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&vote["breakdown"], &vote["comment"]), (&"X".into(), &"evasive".into()));
    assert_eq!(vote["ungrammatical-sentence"], "X");
    driver.press("C-g").shows("not marked").press("backspace");
    assert_eq!(votes(&driver, 0, "mk"), []);
    let before = driver.bytes(0);
    driver.press("home x").shows("is a user turn; only system turns are judged");
    assert!(driver.bytes(0) == before);
}

#[test]
fn the_blind_get_no_json_of_votes_until_they_end_blind_mode() {
    let mut driver = judge();
    driver.press("b").shows("votes are hidden until");
    driver.press("S").shows("the JSON is hidden until you have").shows_not("annotator-id");
    driver.press("C-y").shows("contains votes, which are hidden");
    driver.press("b").shows("others' votes are shown");
    driver.app.judging.blind = Blind::Always;
    driver.press("b").shows("blind mode was set at the start");
}

/// True if the screen tells others' votes: by their counts beside a bar, or by the entropy.
fn tells_votes(driver: &mut Driver) -> bool {
    driver.app.panes.details.show("answers");
    let screen = driver.press("j k").screen();
    screen.contains("entropy") || screen.contains("  O ") && screen.contains("  X ")
}

#[test]
fn blind_judges_choose_when_others_votes_are_shown() {
    for (reveal, first, last) in
        [(Reveal::Turn, true, true), (Reveal::Dialog, false, true), (Reveal::Never, false, false)]
    {
        let mut driver = judge();
        driver.app.settings.reveal = reveal;
        driver.press("b").shows("votes are hidden");
        let first_turn = driver.turn();
        assert!(!tells_votes(&mut driver), "{reveal:?}");
        let is_ever = reveal != Reveal::Never;
        driver.shows(if is_ever { "votes are hidden until" } else { "votes are hidden" });
        driver.press("x").press(&format!("{first_turn} G"));
        assert_eq!(tells_votes(&mut driver), first, "{reveal:?}");
        // One's own vote is always shown.
        driver.shows(if first { "you" } else { "you X" });
        let count = driver.app.judging.progress().unwrap().1;
        driver.press("space");
        for _ in 1..count {
            driver.press("o");
        }
        driver.shows(&format!("judged {count}/{count}"));
        driver.press(&format!("{first_turn} G"));
        assert_eq!(tells_votes(&mut driver), last, "{reveal:?}");
        // As the JSON.
        driver.press("S");
        assert_eq!(driver.screen().contains("annotator-id"), last, "{reveal:?}");
    }
}

#[test]
fn no_search_tells_a_blind_judge_others_votes() {
    let on_votes = CONDITIONS.iter().filter(|key| {
        let query: Query = key.example.parse().unwrap();
        query.on_others_judgements().is_some()
    });
    let on_votes: Vec<_> = on_votes.map(|key| key.example).collect();
    assert!(on_votes.len() >= 7, "{on_votes:?}");
    let hidden = "would reveal others' votes, which are hidden · b shows them";
    for query in on_votes {
        for asked in [query, &format!("speaker:S or not {query}")] {
            for keys in ["/", "F"] {
                let mut driver = judge();
                driver.press("b");
                let before = driver.app.panes.transcript.hits.len();
                driver.press(keys).type_text(asked);
                assert_eq!(driver.app.panes.transcript.hits.len(), before, "{asked}");
                if keys == "/" {
                    driver.shows("would reveal others' votes");
                }
                driver.press("enter").shows(hidden);
                assert!(driver.app.search.query.is_none(), "{asked}");
            }
        }
        // One that is there when the votes are hidden ends.
        let mut driver = judge();
        driver.find(query);
        assert!(driver.app.search.query.is_some(), "{query}");
        driver.press("b").shows("the search has ended");
        assert!(driver.app.search.query.is_none(), "{query}");
    }
    let mut driver = judge();
    driver.app.judging.blind = Blind::Always;
    driver.find("majority:X").shows("start without --blind");
    driver.find("mine");
    assert!(driver.app.search.query.is_some());
}

#[test]
fn right_after_a_vote_every_key_is_about_that_vote() {
    for logs in [vec![demo(LOG)], vec![demo(LOG), demo("dbdc/demo_002.log.json")]] {
        let mut driver = Driver::open(&logs, 120, 40);
        driver.judge_as("mk");
        // The last turn of the first log, which leads to the other one.
        driver.press("G");
        let last = driver.app.place();
        driver.press("o");
        assert_ne!(driver.app.place(), last);
        driver.press("backspace");
        assert_eq!(driver.app.place(), last);
        assert_eq!(votes(&driver, 0, "mk"), []);
        driver.press("x");
        assert_eq!(votes(&driver, 0, "mk").len(), 1);
    }
}

#[test]
fn queues_lead_through_all_logs() {
    let logs = [demo(LOG), demo("dbdc/demo_002.log.json")];
    let mut driver = Driver::open(&logs, 120, 40);
    driver.judge_as("mk");
    for (command, shown) in [
        ("queue_ties", "ties"),
        ("queue_undecided", "absolute majority"),
        ("queue_entropy", "lowest agreement first"),
        ("queue_all", "all system turns"),
    ] {
        driver.run(command).shows(shown);
    }
    let all = driver.app.judging.progress().unwrap().1;
    for _ in 0..all {
        driver.press("t");
    }
    driver.shows(&format!("judged {all}/{all}"));
    assert_eq!(votes(&driver, 0, "mk").len() + votes(&driver, 1, "mk").len(), all);
    driver.run("queue_sample").shows("sample size");
    driver.press("enter").shows("drawn with seed 1");
    let drawn = driver.app.judging.queue.clone().unwrap();
    driver.press("5").run("queue_ties");
    driver.run("queue_sample").press("enter");
    assert_eq!(driver.app.judging.queue.clone().unwrap(), drawn);
    // That queue is empty, so the annotator continues with the current one.
    driver.run("queue_detector");
    driver.shows("nothing to judge in the queue: turns where a detector disagrees");
    driver.shows(" sampled turns");
    assert_eq!(driver.app.judging.queue.clone().unwrap(), drawn);
}

#[test]
fn time_is_shown_as_it_passes() {
    let mut driver = judge();
    let minute = |driver: &mut Driver, seconds| {
        driver.tell(Msg::Now(std::time::Duration::from_secs(seconds)));
    };
    driver.press("o").shows_not(" min, about");
    minute(&mut driver, 30);
    driver.press("o").shows("about 4 min left").shows_not("0 min");
    // Pauses do not count.
    minute(&mut driver, 30 + 3600);
    driver.press("o").shows("1 min, about 6 min left");
}

#[test]
fn a_comment_right_after_a_vote_is_on_that_vote() {
    let mut driver = judge();
    driver.press("x").shows("turn 3 ·");
    driver.press("c").type_text("e gives no answer").press("enter").shows("turn 3 ·");
    driver.press("C-g").shows("turn 1 is marked as ungrammatical").shows("turn 3 ·");
    let log: Value = serde_json::from_slice(&driver.bytes(0)).unwrap();
    let own = log["turns"][1]["annotations"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&own["annotator-id"], &own["comment"]),
        (&"mk".into(), &"e gives no answer".into())
    );
    // Elsewhere there is nothing to comment on.
    driver.press("5 G c").shows("you have not judged this turn yet");
    driver.press("4 G backspace").shows("only system turns");
}

/// An annotator who has judged a turn sees the votes of others there, so that nobody who is blind takes their id.
#[test]
fn the_blind_take_no_id_of_somebody_who_has_judged() {
    let annotator = |driver: &mut Driver, id: &str| {
        driver.run("annotator").type_text(id).press("enter");
    };
    for known in ["mk", ""] {
        let mut driver = judge();
        driver.app.judging.blind = Blind::Always;
        driver.judge_as(known);
        let turns = driver.app.panes.transcript.dialog.turns.clone();
        let mut votes = turns.iter().flat_map(|turn| &turn.votes);
        let other = votes.next().unwrap().annotator.to_string();
        annotator(&mut driver, &other);
        driver.shows("has judged in these files; if that is you, start with --annotator");
        driver.press("esc j k").shows("votes are hidden until");
        assert_eq!(driver.app.judging.annotator, known);
        annotator(&mut driver, "new");
        // Who judges now may leave it so.
        driver.shows("you judge as new").press("o");
        annotator(&mut driver, "new");
        driver.shows("you judge as new");
    }
    // So it is with answers to other questions, and with votes in logs beside a corpus.
    let mut driver = Driver::demo("taskmaster-1.json", 120, 40);
    driver.app.workspace.files.logs.folders = vec![Path::new("/corpora/votes").into()];
    driver.press("V j o").type_text("other").press("enter");
    driver.app.judging.blind = Blind::Always;
    driver.judge_as("mk");
    annotator(&mut driver, "other");
    driver.shows("has judged in these files");
}

/// Which turns a queue holds tells where others disagree.
#[test]
fn the_blind_get_no_queue_that_depends_on_votes() {
    let asked = "adjudicate queue_ties queue_undecided queue_entropy queue_gold queue_detector";
    for command in asked.split(' ') {
        let mut driver = judge();
        driver.press("b");
        let before = driver.app.place();
        driver.run(command).shows("would reveal others' votes, which are hidden · b shows them");
        driver.press("esc").shows("judged 0/");
        assert_eq!(driver.app.place(), before, "{command}");
        assert!(!driver.app.judging.adjudicates);
        // One that is there when the votes are hidden ends, also that of the last session.
        if command.starts_with("queue") {
            let mut driver = judge();
            driver.run(command);
            let was = driver.app.judging.wanted.clone();
            driver.press("b");
            assert_eq!(driver.app.judging.wanted, QueueKind::All, "{command}");
            let mut left = session::session(&driver.app);
            left.place.judging = Some(was);
            session::restore(&mut driver.app, left);
            assert_eq!(driver.app.judging.wanted, QueueKind::All, "{command}");
        }
    }
    let mut driver = judge();
    driver.press("b").run("queue_all").shows("queue \"all system turns\"");
}

/// The annotator's own comments are theirs to find.
#[test]
fn the_blind_find_their_own_comments_alone() {
    let mut driver = judge();
    driver.press("esc");
    let turns = driver.app.panes.transcript.dialog.turns.clone();
    let mut others = turns.iter().flat_map(|turn| &turn.votes);
    let theirs = others.find(|vote| vote.comment.len() > 5).unwrap();
    let theirs = theirs.comment.to_string();
    let judged = turns.iter().position(|turn| turn.votes.iter().any(|vote| vote.comment == theirs));
    driver.press(&format!("{} G", judged.unwrap().to_string().replace("", " ")));
    driver.press("o c").type_text("my word").press("enter b /");
    driver.type_text("in:comment").press("enter").shows("1 of 1");
    driver.press("/ C-u").type_text(&format!("in:comment \"{theirs}\"")).press("enter");
    assert_eq!(driver.app.search.count(), 0);
}

/// Blind mode and hiding what follows belong to an annotator in a corpus, and the header shows the one.
#[test]
fn blind_mode_is_kept_for_each_annotator_and_shown() {
    let mut mk = judge();
    mk.shows_not("  blind").press("b B j").shows("  blind");
    for (annotator, blind) in [("mk", true), ("kk", false)] {
        let mut next = mk.next_run(&[demo(LOG)], annotator);
        next.press("j");
        let header = next.screen().lines().next().unwrap_or_default().to_owned();
        assert_eq!(header.contains("  blind"), blind, "{annotator}: {header}");
        assert_eq!(next.app.judging.blind == Blind::Yes, blind);
        assert_eq!(next.app.judging.hides_later, blind);
    }
}

#[test]
fn answers_of_chosen_annotators_are_shown_and_counted_alone_with_ones_own() {
    let mut driver = Driver::demo(LOG, 120, 40);
    let turns = &driver.app.panes.transcript.dialog.turns;
    let voted = turns.iter().find(|turn| turn.votes.len() > 2).unwrap();
    let ids: Vec<String> = voted.votes.iter().map(|of| of.annotator.to_string()).take(2).collect();
    let before = driver.bytes(0);
    "mk".clone_into(&mut driver.app.judging.annotator);
    driver.app.judging.only.clone_from(&ids);
    driver.press("down up").shows(&format!("2 votes of {}", ids[0]));
    driver.shows(&format!("answers of {}", ids[0]));
    let count = |driver: &Driver| {
        let turns = driver.app.panes.transcript.dialog.turns.iter();
        turns.map(|turn| turn.votes.len()).collect::<Vec<_>>()
    };
    assert!(count(&driver).iter().all(|votes| *votes <= 2), "{:?}", count(&driver));
    // What is not shown stays.
    driver.press("x");
    assert_eq!(votes(&driver, 0, "mk").len(), 1);
    assert_eq!(count(&driver).iter().max(), Some(&3));
    driver.press("u");
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn backspace_that_empties_a_line_neither_leaves_it_nor_withdraws_a_vote() {
    let mut driver = judge();
    driver.press("x 1 G c").type_text("odd");
    driver.press("backspace backspace backspace backspace backspace").shows("Your comment");
    driver.press("esc").shows("judged 1/");
    driver.press("1 G c").type_text("no").press("enter 1 G c");
    driver.press("backspace backspace backspace").shows("Your comment");
    driver.press("esc").shows("judged 1/");
    // A line in which nothing was yet is left at once.
    driver.press(": backspace").shows("turn 1 ·");
    assert!(driver.app.windows.open.is_none());
    driver.press("/ backspace");
    assert!(driver.app.windows.open.is_none());
}

#[test]
fn a_comment_that_is_given_up_leads_on_like_one_that_is_made() {
    let mut driver = judge();
    driver.press("o").shows("turn 3 ·");
    driver.press("c").shows("turn 1 ·").press("esc");
    driver.shows("turn 3 ·").press("x").shows("judged 2/");
    driver.press("c backspace").shows("turn 5 ·");
    // An annotator who went back by hand stays there.
    driver.press("1 G c esc").shows("turn 1 ·").shows("you O");
}

#[test]
fn a_vote_that_leads_into_another_dialog_is_reported_there() {
    let logs = [demo(LOG), demo("dbdc/demo_002.log.json")];
    let mut driver = Driver::open(&logs, 120, 40);
    driver.judge_as("mk").press("1 9 G x").shows("X on turn 19 of demo_001");
    assert_eq!(driver.app.panes.transcript.dialog.id, "demo_002");
    driver.press("C-g").shows("turn 19 of demo_001 is marked as ungrammatical");
    assert_eq!(driver.app.panes.transcript.dialog.id, "demo_002");
    driver.press("o").shows("O on turn 1").shows_not("of demo_00");
}

#[test]
fn a_later_start_counts_judged_turns_of_the_queue() {
    for queue in ["queue_ties", "queue_undecided", "queue_entropy"] {
        let begin = |log: String| {
            let mut driver = Driver::open(&[(LOG, log)], 120, 40);
            driver.judge_as("mk").run(queue);
            driver
        };
        let mut driver = begin(demo("dbdc/demo_002.log.json").1);
        let before: Vec<_> = driver.app.judging.queue.iter().flatten().copied().collect();
        assert!(!before.is_empty(), "{queue}");
        driver.press("x");
        let judged = driver.app.judging.progress();
        assert_eq!(judged, Some((1, before.len())), "{queue}");
        let again = begin(String::from_utf8(driver.bytes(0)).unwrap());
        assert_eq!(again.app.judging.progress(), judged, "{queue}");
        let after = again.app.judging.queue.iter().flatten();
        let turns: Vec<_> = after.map(|item| item.turn).collect();
        let turns_before: Vec<_> = before.iter().map(|item| item.turn).collect();
        assert_eq!(turns, turns_before, "{queue}");
    }
}

/// An opening that others have not judged is not to be judged, also after one has; and one begins behind it.
#[test]
fn an_opening_left_out_stays_left_out() {
    let (name, text) = demo(LOG);
    let mut log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let turns = log["turns"].as_array_mut().unwrap();
    turns.remove(0);
    turns[0]["annotations"] = serde_json::json!([]);
    let text = serde_json::to_string_pretty(&log).unwrap();
    let mut driver = Driver::open(&[(name, text)], 120, 40);
    driver.judge_as("mk").press("esc").shows("turn 2 ·").shows("judged 0/9");
    driver.press("0 g x").shows("judged 0/9");
    driver.run("queue_all").shows("judged 0/9").shows_not("judged 1/");
}

/// The problem that an annotator has voted twice tells both votes.
#[test]
fn problems_of_votes_are_hidden_from_the_blind() {
    let log = log("d", &[("S", &[("a", "T"), ("a", "X")])]);
    let mut driver = Driver::open(&[("d.log.json", log)], 120, 40);
    driver.judge_as("mk").press("n").shows("voted twice").press("b").shows_not("voted twice");
    driver.press("o").shows("voted twice");
}
