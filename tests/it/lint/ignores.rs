//! Ignored problems, listed in a file next to the corpus.

use turnwise::dialog::Dialog;
use turnwise::json::Parser;
use turnwise::lint::{Diagnostic, DialogPlace, Ignores, IgnoresLine};

use super::{found_in, notation, only};

/// A dialog, and the cut words in it.
fn cut(notation: &str) -> (Dialog, Vec<Diagnostic>) {
    let text = notation::dialog(notation);
    let mut parser = Parser::new();
    let tree = parser.parse_str(&text).unwrap();
    let (dialog, _) = turnwise::format::detect(tree.root()).unwrap().read(tree);
    (dialog, found_in(&text, &only("span-cuts-word")))
}

const TWO: &str = "\
user: at «Thursday Kitche»{restaurant.name.restaurant}n tonight
assistant: «Thursday Kitche»{restaurant.name.restaurant}n it is
user: thanks";

fn ignored(turn: usize) -> Ignores {
    let (dialog, found) = cut(TWO);
    let mut ignores = Ignores::default();
    let diagnostic = found.iter().find(|d| d.location.turn == Some(turn)).unwrap();
    let (file, position) = ("data/a.json", 4);
    let place = DialogPlace { file, position };
    ignores.add(place, &dialog, diagnostic, "as on the sign");
    ignores
}

fn left(ignores: &Ignores, file: &str, notation: &str) -> Vec<Option<usize>> {
    let (dialog, mut found) = cut(notation);
    let all = found.len();
    let parted = ignores.part(DialogPlace { file, position: 4 }, &dialog, &mut found);
    assert_eq!(parted.len() + found.len(), all);
    found.iter().map(|d| d.location.turn).collect()
}

#[test]
fn one_line_lets_one_problem_be() {
    let ignores = ignored(1);
    assert_eq!(left(&ignores, "/somewhere/data/a.json", TWO), [Some(0)]);
    assert_eq!(left(&ignores, "data/b.json", TWO).len(), 2);
    assert_eq!(left(&ignores, "otherdata/a.json", TWO).len(), 2);
}

#[test]
fn turns_may_come_and_go_but_a_changed_quote_is_reported_again() {
    let ignores = ignored(1);
    let more = format!("assistant: hello\nuser: hi\n{TWO}");
    assert_eq!(left(&ignores, "data/a.json", &more), [Some(3)], "the nearest");
    let (_, second) = TWO.split_once('\n').unwrap();
    assert!(left(&ignores, "data/a.json", second).is_empty());
    let mut both = ignored(0);
    both.all.extend(ignores.all);
    assert!(left(&both, "data/a.json", &more).is_empty());
    let other = "user: at «Thursday Kitch»{restaurant.name.restaurant}en tonight";
    assert_eq!(left(&both, "data/a.json", other), [Some(0)]);
}

#[test]
fn lines_are_read_as_they_are_written() {
    let mut ignores = ignored(0);
    ignores.all[0].reason = "«so» it is\nsaid".to_owned();
    assert_eq!(
        ignores.text(),
        "{\"file\":\"data/a.json\",\"dialog\":\"d\",\"rule\":\"span-cuts-word\",\"turn\":0,\
         \"quoted\":\"Thursday Kitche\",\"reason\":\"«so» it is\\nsaid\"}\n"
    );
    let again = Ignores::read(&ignores.text()).unwrap();
    assert_eq!(again, ignores);
    let newer = "\n{\"file\":\"a\",\"dialog\":3,\"rule\":\"r\",\"turn\":null,\"quoted\":\"\",\
                 \"reason\":\"\",\"by\":\"mk\"}\n";
    let read = Ignores::read(newer).unwrap();
    assert_eq!(read.text(), newer.trim_start(), "nothing is lost");
    let note = "{\"note\":\"looked at in March\"}\n";
    let all = format!("{note}{}", ignores.text());
    assert_eq!(Ignores::read(&all).unwrap(), ignores, "others are passed over");
    let line = IgnoresLine::Problem(ignores.all[0].clone());
    assert_eq!(line.removed_from(&all).as_deref(), Some(note));
    assert_eq!(line.removed_from(note), None);
    assert_eq!(line.added_to(note), all);
    assert_eq!(line.added_to(note.trim_end()), all);
    let error = Ignores::read(&newer.replace("\"a\"", "3"));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("line 2: invalid type: integer `3`"), "{error}");
}

/// A line about a dialog excludes it wherever its file and its id are the same; a line of another kind does not.
#[test]
fn a_line_excludes_a_dialog() {
    let text = "{\"file\":\"data/a.json\",\"dialog\":\"d\",\"excluded\":true,\"reason\":\"a test\",\"by\":\"mk\"}\n\
                {\"file\":\"b.json\",\"dialog\":4,\"excluded\":true,\"reason\":\"\"}\n\
                {\"file\":\"c.json\",\"dialog\":\"d\",\"excluded\":false,\"reason\":\"\"}\n";
    let ignores = Ignores::read(text).unwrap();
    assert_eq!(ignores.text(), text, "nothing is lost");
    let excluded = |file, position, id| {
        let place = DialogPlace { file, position };
        ignores.excluding(place, id).is_some()
    };
    assert!(excluded("/x/data/a.json", 0, "d"));
    assert!(excluded("/x/b.json", 4, "e"));
    for (file, position, id) in [
        ("/x/data/a.json", 0, "e"),
        ("/x/other/a.json", 0, "d"),
        ("/x/b.json", 5, "e"),
        ("/x/c.json", 0, "d"),
    ] {
        assert!(!excluded(file, position, id), "{file} {position} {id}");
    }
    let below = ignores.clone().in_folder("/y");
    let place = DialogPlace { file: "/x/data/a.json", position: 0 };
    assert!(below.excluding(place, "d").is_none());
    let error = Ignores::read("\nfile: a.json").unwrap_err().to_string();
    assert_eq!(error, "line 2: not valid JSON at column 2");
    let error = Ignores::read("{\"file\":\"a.json\",\"dialog\":\"d\",\"excluded\":1}");
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("line 1: invalid type: integer `1`"), "{error}");
}
