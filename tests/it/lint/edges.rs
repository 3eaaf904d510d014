//! Edges of segments: mistakes, their first fixes, and edges that are correct.

use turnwise::lint::Applicability::Unsafe;
use turnwise::lint::{Fix, Selection};

use super::{found_in, notation};

fn selection() -> Selection {
    let mut selection = Selection::none();
    for rule in ["span-cuts-word", "span-edge-space", "span-edge-punctuation"] {
        selection.select(rule).unwrap();
    }
    selection
}

/// The quote of a turn's segment after its first fix; None if there is no problem.
fn first_repair(turn: &str) -> Option<String> {
    let dialog = notation::dialog(&format!("user: {turn}"));
    let found = found_in(&dialog, &selection());
    let fix: &Fix = found.first()?.fixes.first()?;
    let quoted = fix.title.split_once('"').expect("a text").1;
    Some(quoted.trim_end_matches('"').to_owned())
}

#[test]
fn slips_and_their_first_repair() {
    for (turn, repaired) in [
        ("at «Thursday Kitche»n tonight", "Thursday Kitchen"),
        ("at T«hursday Kitchen» tonight", "Thursday Kitchen"),
        ("at A«MC Mercado 24.»", "AMC Mercado 24"),
        ("at T«hursday Kitchen »tonight", "Thursday Kitchen"),
        ("at «Thursday Kitchen t»onight", "Thursday Kitchen"),
        ("at «Thursday Kitchen a»nd", "Thursday Kitchen"),
        ("at« Thursday Kitche»n", "Thursday Kitchen"),
        ("for $«12.50»{price} each", "$12.50"),
        ("for «$12.5»{price}0 each", "$12.50"),
        ("for «$12»{price}.50 each", "$12.50"),
        ("about «3»,200 people", "3,200"),
        ("about «92»% positive", "92%"),
        ("at «7»:30pm", "7:30pm"),
        ("at «7:30»pm", "7:30pm"),
        ("at «7 p»{time}.m.", "7 p.m."),
        ("at «7 p.m»{time}. or later", "7 p.m."),
        ("the «4»th", "4th"),
        ("at 8 «o»'clock", "o'clock"),
        ("from O'«Hare»", "O'Hare"),
        ("at «The Grand 12:» Dune", "The Grand 12"),
        ("a table for «7 pm.»{time}", "7 pm"),
        ("under «Marisol.»{name.person}", "Marisol"),
        ("at the «bar», not «the patio,»", "the patio"),
        ("at the «patio (»covered)", "patio"),
        ("a «pool)» or two", "pool"),
        ("see «\"Dune» tonight\"", "Dune"),
        ("at Thursday «Kitchen'»s", "Kitchen"),
        ("is it «cheap?»{price}", "cheap"),
        ("in «row H.»{seat} Thanks", "row H"),
        ("to «Zürich，»", "Zürich"),
        ("«Café Étoil»e", "Café Étoile"),
        ("в «Кинотеатр Рассве»т сегодня", "Кинотеатр Рассвет"),
        ("στο «Λιμάνι,» παρακαλώ", "Λιμάνι"),
        ("ב«תל אבי»ב מחר", "תל אביב"),
        ("إلى «القاهر»ة غدا", "القاهرة"),
        ("إلى «القاهرة،» غدا", "القاهرة"),
        ("मुझे द«िल्ली» जाना है", "दिल्ली"),
        ("मुझे «दिल्ली।»", "दिल्ली"),
        ("映画は「«ドゥーン」»です", "ドゥーン"),
        ("«東京、»大阪", "東京"),
        ("«７時。»{time}", "７時"),
        ("at «19»h30 tonight", "19h30"),
        ("für «12»{price},50 € pro Karte", "12,50"),
        ("see «„Dune»{name.movie}“ tonight", "Dune"),
        ("a flag 🇩«🇪», please", "🇩🇪"),
    ] {
        assert_eq!(first_repair(turn).as_deref(), Some(repaired), "{turn}");
    }
}

#[test]
fn what_is_left_alone() {
    for turn in [
        "at «7 p.m.»{time} or «9:30 a. m.»{time} tonight",
        "on «Main St.»{location} near «Samuel L.»{name.person} Jackson",
        "«Monsters, Inc.»{name.movie} or «E.T.»{name.movie} in the «U.S.»",
        "for «$12.50»{price} or «179$»{price} or «€45»{price}",
        "«Mamma Mia!»{name.movie} or «Who's Next?»{name.album}",
        "«(half) cheese» and «cheese (half)»",
        "see «\"Dune\"» tonight",
        "a «12\"» pizza in «C++» at «5'»",
        "at the«AMC Mercado»{name.theater}", // The space before it is missing.
        "«Thursday Kitchen»'s menu, or «L'Artusi»",
        "a «sci»-fi film, «non-stop»",
        "at «7 or 8», rows «3-5»",
        "«It is close. It is quiet.»{hotel.other_detail}",
        "«The beach is near the hotel.»{hotel.other_detail}",
        "de l'«orangerie»",
        "«東京»に行きます、«서울»에서",
        "ל«ירושלים» או ב«תל אביב»",
        "بال«قاهرة» و«دبي»",
        "«तीन» लोग «दिल्ली» में",
        "«თბილის»ში",
        "«駅から歩いて五分です。»{hotel.other_detail}",
        "«けいおん！»{name.movie}を見たい",
        "sehen wir «„Dune“»",
        "vers «19h30» à «12,50 €»{price}",
        "一张«《沙丘》»的票",
        "we are «👨‍👩‍👧» and «🇩🇪»",
        "«.5» miles",
    ] {
        assert_eq!(first_repair(turn), None, "{turn}");
    }
}

#[test]
fn a_mark_that_the_dialog_leaves_out_elsewhere_does_not_belong_to_the_name() {
    let dialog = notation::dialog(
        "user: is «Dune?»{name.movie} any good\nassistant: «Dune»{name.movie} is great",
    );
    let found = found_in(&dialog, &selection());
    assert_eq!(found[0].fixes[0].title, "end at 7, \"Dune\"");
}

#[test]
fn what_the_dialog_says_elsewhere_is_the_likelier_repair() {
    let dialog = notation::dialog(
        "user: at «AMC Kabuki »{name.theater}8\nassistant: «AMC Kabuki 8»{name.theater} it is",
    );
    let found = found_in(&dialog, &selection());
    assert_eq!(found[0].fixes[0].title, "end at 15, \"AMC Kabuki 8\"");
    assert_eq!(found[0].fixes[0].applicability, Unsafe);
    assert_eq!(found[0].fixes[1].title, "end at 13, \"AMC Kabuki\"");
}
