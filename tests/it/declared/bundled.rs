//! The bundled descriptions: each reads the sample in its file, and uses every place.

use turnwise::format::Family;
use turnwise::format::declared::Trial;
use turnwise::format::{Formats, bundled, descriptions, named};

use super::sessions::{all, opened};
use crate::support::files::saved;

#[test]
fn each_reads_its_own_sample() {
    assert_eq!(bundled().len(), descriptions().count());
    // Those whose lines are turns come last, and are read only if nothing else fits.
    let are_turns: Vec<_> = bundled().iter().map(|f| f.lines_are_turns()).collect();
    assert!(are_turns.is_sorted());
    for (file, text) in descriptions() {
        let format =
            Family::read_from(text, None).unwrap_or_else(|error| panic!("{file}:{error}")).keep();
        assert_eq!(file, format!("{}.toml", format.name()));
        assert!(named(format.name()).is_some(), "{file}");
        let sample = format.description().sample.clone();
        let sample = sample.unwrap_or_else(|| panic!("{file} has no sample"));
        let corpus = opened(&sample, &Formats::default());
        assert_eq!(corpus.format().unwrap().name(), format.name(), "{file}");
        assert_eq!(saved(&corpus), sample.as_bytes());
        let mut trial = Trial::of(format);
        for position in 0..corpus.index().pieces.len() {
            trial.add(&corpus.text(position).unwrap(), true);
        }
        assert_eq!(trial.unmatched().collect::<Vec<_>>(), Vec::<(&str, &str)>::new(), "{file}");
        assert!(trial.issues.is_empty(), "{file}: {:?}", trial.issues);
        assert!(trial.refused.is_empty() && trial.lost == 0, "{file}: {:?}", trial.refused);
        assert!(trial.counts.turns > 1, "{file}");
    }
}

#[test]
fn a_copy_of_a_bundled_description_reads_the_same() {
    for (file, text) in descriptions() {
        let own = Family::read_from(text, None).unwrap().keep();
        let sample = own.description().sample.clone().unwrap();
        let formats = Formats::with(vec![own]);
        assert!(std::ptr::eq(opened(&sample, &formats).format().unwrap(), own), "{file}");
        assert_eq!(all(&sample, &formats), all(&sample, &Formats::default()), "{file}");
    }
}
