//! Edits of texts, judgements, tags and values, applied to dialogs by themselves.

use turnwise::dialog::*;
use turnwise::text::{Splitting, Units};

/// Returns a dialog of one turn, with segments on `spans` that quote the text they cover.
pub fn dialog(text: &str, spans: &[(u32, u32)]) -> Dialog {
    let segment = |&(start, end): &(u32, u32)| {
        let span = Span { start, end };
        let quote = turnwise::text::slice(text, start as usize, end as usize).map(Short::from);
        Segment { span: Some(span), quote, ..Segment::default() }
    };
    let segments = spans.iter().map(segment).collect();
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = vec![Turn { text: text.to_owned(), segments, ..Turn::default() }];
    dialog
}

/// Returns the texts that the segments cover and quote.
pub fn quotes(dialog: &Dialog) -> Vec<(Short, Short)> {
    let turn = &dialog.turns[0];
    let covered = |s: &Segment| turn.covered(s.span?, Units::CodePoints);
    let both = |s: &Segment| (covered(s).unwrap_or_default(), s.quote.clone().unwrap_or_default());
    turn.segments.iter().map(both).collect()
}

#[test]
fn segments_without_a_place_do_not_stay_behind_unnoticed() {
    let mut before = dialog("two for Dune at seven", &[(0, 3), (8, 12), (16, 21)]);
    before.turns[0].segments[0].span = None;
    let set = |text: &str, drop| {
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop, shrink: false };
        edit.apply(&before)
    };
    let why = |text: &str| set(text, false).expect_err(text).to_string();
    assert_eq!(
        why("2 for Dune at seven"),
        "the offsets of segment 0 cannot be read; add \"drop\": true to remove it"
    );
    assert_eq!(
        why("2 for Alien at seven"),
        "the new text cuts segment 1, and the offsets of segment 0 cannot be read; \
         add \"drop\": true to remove them"
    );
    let after = set("2 for Dune at seven", true).expect("dropped");
    assert_eq!(quotes(&after)[0].0, "Dune");
    let same = set("two for Dune at seven", false);
    assert_eq!(same.as_ref(), Ok(&before));
}

#[test]
fn a_cut_segment_covers_the_rest_if_the_edit_asks_for_it() {
    let before = dialog("two for Dune Part Two at seven pm", &[(0, 3), (8, 21), (25, 33)]);
    let set = |text: &str, drop| {
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop, shrink: true };
        let after = edit.apply(&before)?;
        let quotes = quotes(&after);
        assert!(quotes.iter().all(|(covered, quote)| covered == quote));
        let quotes = quotes.into_iter().map(|(_, quote)| quote.to_string());
        Ok::<_, EditError>(quotes.collect::<Vec<_>>())
    };
    let kept = |text: &str| set(text, false).expect("fits");
    assert_eq!(kept("two for Dune Part at 7 pm"), ["two", "Dune Part", "7 pm"]);
    assert_eq!(kept("two for Dune Two at seven pm"), ["two", "Dune Two", "seven pm"]);
    let refused = set("two for Dune Part Two", false).expect_err("nothing is left of one");
    assert!(refused.to_string().contains("cuts segment 2; add \"drop\""));
    assert_eq!(set("two for Dune", true), Ok(vec!["two".to_owned(), "Dune".to_owned()]));
    let asked =
        Edit::SetText { turn: 0, text: "two for Dune".to_owned(), drop: false, shrink: false };
    assert_eq!(
        asked.apply(&before).expect_err("cut").to_string(),
        "the new text cuts segment 1, 2; add \"shrink\": true to keep what is left of \
         segment 1, or \"drop\": true to remove them"
    );
}

fn voted(spans: &[(u32, u32)], votes: &[&str]) -> Dialog {
    let vote = |annotator: &&str| Vote { annotator: (*annotator).into(), ..Vote::default() };
    let mut dialog = dialog("two for Dune", spans);
    dialog.turns[0].votes = votes.iter().map(vote).collect();
    dialog
}

#[test]
fn a_vote_depends_on_the_text_and_not_on_other_votes() {
    let edit = Edit::CastVote {
        turn: 0,
        annotator: "mk".to_owned(),
        breakdown: Breakdown::X,
        comment: None,
        ungrammatical: None,
    };
    let on = |dialog: &Dialog| EditContext::of(&edit, dialog);
    let old = voted(&[], &["kk"]);
    assert_eq!(on(&old), on(&voted(&[(0, 3)], &["kk", "js"])));
    assert_ne!(on(&old), on(&voted(&[], &["kk", "mk"])));
    let mut other = old.clone();
    other.turns[0].text.push('!');
    assert_ne!(on(&old), on(&other));
}

#[test]
fn long_texts_that_differ_at_their_end_are_distinct() {
    let edit = Edit::SetIntents { turn: 0, intents: Vec::new() };
    let mut long = voted(&[], &[]);
    long.turns[0].text = "é".repeat(2000);
    let one = EditContext::of(&edit, &long).expect("a turn");
    assert!(one.to_string().len() < 2000 + 30);
    long.turns[0].text.push('!');
    assert_ne!(EditContext::of(&edit, &long), Some(one));
}

fn of_texts(texts: &[&str]) -> Dialog {
    let mut dialog = Dialog::new(Units::CodePoints);
    "d".clone_into(&mut dialog.id);
    let turn = |text: &&str| Turn { text: (*text).to_owned(), ..Turn::default() };
    dialog.turns = texts.iter().map(turn).collect();
    dialog
}

#[test]
fn a_judgement_notices_that_what_it_judged_has_changed() {
    let before = of_texts(&["hi", "Grüße aus Köln"]);
    let span = Place { span: Some([10, 14]), ..Place::turn(1) };
    let [whole, turn, span] =
        [Place::DIALOG, Place::turn(1), span].map(|place| Judgement::of(&before, place));
    assert_eq!((turn.quote.as_str(), span.quote.as_str()), ("Grüße aus Köln", "Köln"));
    let after = of_texts(&["hello", "Grüße aus Köln"]);
    let fit = [&whole, &turn, &span].map(|judgement| judgement.fits(&after));
    assert_eq!(fit, [false, true, true]);
    assert!(!turn.fits(&of_texts(&["hi"])));
    // One that quotes nothing, of a model, fits whatever the text is.
    let bare = Judgement { quote: String::new(), digest: String::new(), ..turn };
    assert!(bare.fits(&before));
    // As long as there is what it is about.
    assert!(!bare.fits(&of_texts(&["hi"])));
    let pointing = Judgement { at: Some(2), ..Judgement::default() };
    assert!(!pointing.fits(&before));
}

#[test]
fn files_are_named_by_the_ends_of_their_paths() {
    let of = |file: &str, path: &str| {
        let file = file.to_owned();
        let judgement = Judgement { file, ..Judgement::default() };
        judgement.is_of_file(path)
    };
    assert!(of("", "/x/a.json") && of("a.json", "/x/a.json") && of("x/a.json", "/x/a.json"));
    assert!(of("x/a.json", r"C:\x\a.json"));
    assert!(!of("a.json", "/x/aa.json") && !of("y/x/a.json", "x/a.json"));
}

#[test]
fn long_texts_are_quoted_by_their_beginning() {
    let long = "é".repeat(100);
    let judgement = Judgement::of(&of_texts(&[&long]), Place::turn(0));
    assert_eq!(judgement.quote.chars().count(), 81);
    assert!(!judgement.fits(&of_texts(&[&format!("{long}!")])));
}

#[test]
fn lines_leave_out_what_is_empty() {
    let mut judgement = Judgement::of(&of_texts(&["hi"]), Place::turn(0));
    judgement.by = "mk".to_owned();
    judgement.value = Some(Answer::Number(4.into()));
    let line = serde_json::to_string(&judgement).unwrap();
    assert!(
        line.starts_with(r#"{"dialog":"d","turn":0,"value":4,"by":"mk","quote":"hi","digest":""#),
        "{line}"
    );
    assert_eq!(serde_json::from_str::<Judgement>(&line).unwrap(), judgement);
}

#[test]
fn many_spans_cover_what_each_alone_covers() {
    for text in ["two for Dune", "zwei für Dünen 世界", ""] {
        let mut turn = Turn { text: text.to_owned(), ..Turn::default() };
        turn.tokens = text.split(' ').map(Short::from).collect();
        turn.tokens.insert(1, "unsaid".into());
        for units in [Units::CodePoints, Units::Tokens(Splitting::Spaces)] {
            let places = turn.places(units);
            for (start, end) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b))) {
                let span = Span { start, end };
                assert_eq!(places.bytes_of(span), turn.bytes_of(span, units), "{text}");
                assert_eq!(turn.spans(units).covered(span), turn.covered(span, units));
            }
        }
    }
}

#[test]
fn spellings_of_a_tag_are_one() {
    let known = ["Größe".to_owned(), "wrong tool".to_owned()];
    assert_eq!(spelled_tag("gro\u{308}ße", &known), "Größe");
    assert_eq!(spelled_tag("Wrong-Tool", &known), "wrong tool");
    assert_eq!(spelled_tag(" Too  slow ", &known), "Too-slow");
}

#[test]
fn tags_of_notes_have_a_number_sign() {
    let note = "It made up #invented-date, and #wrong_tool. #";
    let tags: Vec<_> = tags_in_note(note).collect();
    assert_eq!(tags, ["invented-date", "wrong_tool"]);
}

#[test]
fn a_tag_is_renamed_in_notes_and_answers() {
    let texts = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let judgement = Judgement {
        note: "A #Slow, #slower\nanswer #slow".to_owned(),
        tags: texts(&["Slow", "slower", "late"]),
        value: Some(Answer::Several(texts(&["slow"]))),
        ..Judgement::default()
    };
    let renamed = judgement.with_tag(&texts(&["Slow", "slow"]), "late");
    assert_eq!(renamed.note, "A #late, #slower\nanswer #late");
    assert_eq!(renamed.tags, ["late", "slower"]);
    assert_eq!(renamed.value, Some(Answer::Several(texts(&["late"]))));
}

#[test]
fn places_are_those_after_the_edit() {
    let before = dialog("two for Dune Part Two at seven", &[(0, 3), (8, 21), (25, 30)]);
    for text in [
        "two for Dune Part Two at seven",
        "zwei für Dune Part Two at seven pm",
        "two for Dune Part at seven",
        "two for Dune Two at 7",
        "",
    ] {
        let places = before.turns[0].places_in(text, Units::CodePoints);
        let shown = places.iter().filter_map(|place| match place {
            NewPlace::At(bytes) | NewPlace::Left(bytes) => Some(&text[bytes.clone()]),
            NewPlace::Lost | NewPlace::Unknown => None,
        });
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop: true, shrink: true };
        let after = edit.apply(&before).expect("dropped");
        let meant = quotes(&after).into_iter().map(|(covered, _)| covered);
        assert_eq!(shown.collect::<Vec<_>>(), meant.collect::<Vec<_>>());
    }
}

#[test]
fn segments_without_a_place_are_cut_lost_or_unknown() {
    let mut before = dialog("two for Dune Part Two", &[(0, 3), (4, 7), (8, 21)]);
    before.turns[0].segments[1].span = None;
    let places = before.turns[0].places_in("2 for Dune", Units::CodePoints);
    assert_eq!(places, [NewPlace::Lost, NewPlace::Unknown, NewPlace::Left(6..10)]);
}

#[test]
fn values_other_than_texts_keep_their_spelling() {
    let number = Content::Raw("1".into());
    let numbers = "0 1 -0.0 1e3 1E400 1.50 1e-7 1000.0 12345678901234567890123 9007199254740993";
    for text in numbers.split(' ').chain(["null", "true", "false"]) {
        let value = EditValue::like(Some(&number), text);
        assert_eq!(value.content(), Content::Raw(text.into()));
        let record = serde_json::to_string(&value).unwrap();
        let read: EditValue = serde_json::from_str(&record).unwrap();
        assert_eq!(read.content(), value.content(), "{record}");
    }
    for text in ["007", "", " 1", "1 ", "NaN", "inf", "[1]", "\"1\"", "+1", "1."] {
        let value = EditValue::like(Some(&number), text);
        assert_eq!(value, EditValue::Text(text.to_owned()));
    }
    assert!(serde_json::from_str::<EditValue>(r#"{"json":"007"}"#).is_err());
}

#[test]
fn a_value_is_copied_as_it_is_or_not_at_all() {
    let raw = |raw: &str| Content::Raw(raw.into());
    for content in [
        Content::Text("[\"a\"]".into()),
        Content::Text("1".into()),
        raw("1.50"),
        raw("null"),
        raw(r#"["a", "b"]"#),
        raw(r#"["a", 1e3, null, "\"é"]"#),
    ] {
        let value = EditValue::of(&content).unwrap();
        assert_eq!(value.content(), content);
    }
    for content in [raw("{}"), raw(r#"["a", ["b"]]"#), raw(r#"[{"a": 1}, 2]"#)] {
        assert_eq!(EditValue::of(&content), None);
    }
}
