//! Tests of `src/app/pane/label_colours.rs`.

use turnwise::app::pane::label_colours::*;
use turnwise::app::pane::*;
use turnwise::app::settings::LabelPins;
use turnwise::dialog::Short;

fn labels(names: &[&str]) -> Vec<Short> {
    names.iter().map(|name| (*name).into()).collect()
}

fn numbers(of: &[&str], order: &LabelOrder) -> Vec<Ink> {
    let colours = LabelColours::new(&labels(of), order);
    of.iter().map(|label| colours.ink(label, order)).collect()
}

#[test]
fn a_label_keeps_its_colour_unless_another_of_the_dialog_has_it() {
    let names: Vec<_> = (0..40).map(|number| format!("l{number}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let order = LabelOrder::new(&labels(&names), LabelPins::default());
    assert_eq!(numbers(&["l3", "l0"], &order), [3, 0].map(Ink::Label));
    assert_eq!(numbers(&["l33", "l2"], &order), [1, 2].map(Ink::Label));
    assert_eq!(numbers(&["l33", "l1"], &order), [2, 1].map(Ink::Label));
    let mut all = numbers(&names, &order);
    all.dedup();
    assert_eq!(all.len(), 40);
}

#[test]
fn names_are_shortened_by_the_parts_that_all_share() {
    let short = |of: &[&str]| {
        let colours = LabelColours::new(&labels(of), &LabelOrder::default());
        let short: Vec<_> = of.iter().map(|label| colours.short(label).to_owned()).collect();
        short.join(" ")
    };
    assert_eq!(short(&["hotel.name", "hotel.names.all"]), "name names.all");
    assert_eq!(short(&["hotel.name", "hostel.name"]), "hotel.name hostel.name");
    assert_eq!(short(&["hotel.name"]), "hotel.name");
    assert_eq!(short(&["a.b.", "a.b.c"]), "b. b.c");
    let order = LabelOrder::default();
    let opened = LabelColours::new(&labels(&["hotel.name", "hotel.stars"]), &order);
    for (added, shown) in [("taxi.name", "name"), ("stars", "hotel.name")] {
        let edited = labels(&["hotel.name", "hotel.stars", added]);
        let edited = LabelColours::new(&edited, &order).shortened_as(&opened);
        assert_eq!((edited.short("hotel.name"), edited.short(added)), (shown, added));
    }
}

#[test]
fn a_pinned_colour_comes_first() {
    let pins = "a = { colour = 2 }\nb = { digit = 1 }";
    let pins: LabelPins = toml::from_str(pins).unwrap();
    let order = LabelOrder::new(&labels(&["b", "c", "a"]), pins);
    assert_eq!(numbers(&["b", "c", "a"], &order), [0, 2, 1].map(Ink::Label));
}
