//! The figures of real logs, as the packages `krippendorff`, `statsmodels` and `scipy` give them for
//! Python.

use std::path::PathBuf;

use super::{Survey, survey};
use turnwise::export::labels;
use turnwise::judging::{AnswerFigures, RatedQuestion};
use turnwise::votes::{
    Annotator, Bootstrap, Distances, LabelGrouping, Pairing, Score, ScoredTurn, VoteSource,
    verdicts,
};

use crate::support::files::{open, open_path, real_files, skipped};

/// The known facts about the logs in a folder.
struct Known {
    folder: &'static str,
    turns: u64,
    labels: [u64; 3],
    annotators: usize,
    strict: [u64; 3],
    lenient: [u64; 2],
    ties: u64,
    no_absolute_majority: u64,
    /// Percent agreement, Fleiss' kappa, alpha nominal and ordinal, entropy.
    statistics: [f64; 5],
}

const KNOWN: [Known; 3] = [
    Known {
        folder: "dbdc3/en/IRIS_100",
        turns: 1000,
        labels: [9861, 8328, 11811],
        annotators: 351,
        strict: [352, 166, 482],
        lenient: [210, 790],
        ties: 39,
        no_absolute_majority: 520,
        statistics: [
            0.409_349_425_287_356_35,
            0.104_932_299_802_056_84,
            0.104_962_135_392_063_56,
            0.162_996_235_296_094_3,
            1.373_539_163_371_364_7,
        ],
    },
    Known {
        folder: "dbdc3/en-unnamed-annotators",
        turns: 100,
        labels: [909, 925, 1166],
        annotators: 0,
        strict: [38, 24, 38],
        lenient: [10, 90],
        ties: 11,
        no_absolute_majority: 73,
        statistics: [
            0.378_091_954_022_988_45,
            0.060_646_686_520_568_684,
            0.060_959_804_291_728_65,
            0.112_833_481_698_481_06,
            1.442_643_613_990_906_2,
        ],
    },
    Known {
        folder: "dbdc3/ja/DCM",
        turns: 550,
        labels: [6731, 5135, 4634],
        annotators: 340,
        strict: [228, 179, 143],
        lenient: [201, 349],
        ties: 18,
        no_absolute_majority: 152,
        statistics: [
            0.539_335_423_197_492_2,
            0.299_749_245_846_548_3,
            0.299_791_685_286_194_7,
            0.458_423_813_973_113_5,
            1.072_245_682_793_785_8,
        ],
    },
];

/// The logs in a folder of the real corpora; None, with a notice, if they are missing.
fn logs(folder: &str) -> Option<Vec<PathBuf>> {
    let mut files = real_files(folder)?;
    files.retain(|path| path.parent().is_some_and(|parent| parent.ends_with(folder)));
    if files.is_empty() {
        skipped(folder, "the real corpora have none of it");
    }
    (!files.is_empty()).then_some(files)
}

fn dialogs(files: &[PathBuf]) -> Vec<turnwise::dialog::Dialog> {
    let open = |path: &PathBuf| open_path(path).unwrap().dialog(0).unwrap().unwrap().0;
    files.iter().map(open).collect()
}

#[test]
fn statistics_equal_those_of_other_implementations_in_real_corpora() {
    for known in &KNOWN {
        let Some(files) = logs(known.folder) else {
            continue;
        };
        let dialogs = dialogs(&files);
        let Survey { tallies, annotators, anonymous } = survey(&dialogs);
        let told = known.folder;
        assert_eq!(
            (tallies.turns(), tallies.categories(|_| true)),
            (known.turns, known.labels.to_vec()),
            "{told}"
        );
        assert_eq!(annotators.len(), known.annotators, "{told}");
        let named = annotators.values().map(Annotator::votes).sum::<u64>();
        assert_eq!(named + anonymous, tallies.votes(), "{told}");
        let invalid = dialogs.iter().map(turnwise::votes::InvalidVotes::of);
        assert!(
            invalid.into_iter().all(|of| of == turnwise::votes::InvalidVotes::default()),
            "{told}"
        );
        let (question, set) = super::answers(&dialogs);
        let none = Bootstrap { draws: 0, seed: 0 };
        let figures = AnswerFigures::total(&RatedQuestion::new(&question, none, &set));
        let strict: Vec<u64> = figures.values.iter().map(|value| value.majority).collect();
        assert_eq!((strict, figures.lenient), (known.strict.into(), Some(known.lenient)), "{told}");
        assert_eq!(tallies.ties(), known.ties, "{told}");
        assert_eq!(tallies.without_absolute_majority(), known.no_absolute_majority, "{told}");
        let found = [
            tallies.agreement(),
            tallies.fleiss_kappa(),
            tallies.alpha(&Distances::Nominal),
            tallies.alpha(&Distances::Ordinal),
            tallies.entropy(),
        ];
        for (found, known) in found.into_iter().zip(known.statistics) {
            assert!((found.unwrap() - known).abs() < 1e-9, "{told}: {found:?} {known}");
        }
    }
}

#[test]
fn two_annotators_of_real_logs() {
    let Some(files) = logs("dbdc3/en/YI_100") else {
        return;
    };
    let dialogs = dialogs(&files);
    let one = &survey(&dialogs).annotators["ka83cwdm"];
    assert_eq!(one.counts(3), [393, 407, 189]);
    assert!((one.with_rest().unwrap() - 0.353_474_425_577_908_67).abs() < 1e-9);
    assert!((one.with_majority(0.0).unwrap() - 0.425_682_507_583_417_6).abs() < 1e-9);
    let table = super::table(&dialogs);
    let [first, second] = ["9ytxn4vr", "ka83cwdm"].map(|id| table.annotator(id).unwrap());
    let confusion = table.ratings.confusion(first, second);
    assert_eq!(confusion.turns, [[344, 356, 164], [31, 38, 16], [1, 1, 0]]);
    assert!((confusion.kappa().unwrap() - 0.008_216_612_109_193_161).abs() < 1e-9);
}

/// A crowd of real logs scores like a detector that is never wrong.
#[test]
fn the_crowd_of_real_logs_agrees_with_itself() {
    let mut logs = Vec::new();
    for folder in ["dbdc3/en/CIC_115", "dbdc3/ja/DCM"] {
        logs.extend(self::logs(folder).into_iter().flatten());
    }
    for threshold in [0.0, 0.4] {
        let mut score = Score::new(threshold, Pairing::Order);
        for path in &logs {
            let (dialog, _) = open_path(path).unwrap().dialog(0).unwrap().unwrap();
            let verdicts = verdicts(&dialog, &VoteSource::Crowd, threshold).unwrap();
            let text = labels::text(&dialog.id, &verdicts).unwrap();
            let read = open(text.into_bytes());
            let (read, issues) = read.dialog(0).unwrap().unwrap();
            assert_eq!(issues, [], "{}", path.display());
            assert_eq!(score.add(&ScoredTurn::of(&dialog), &read), Ok(vec![]));
        }
        if !logs.is_empty() {
            assert_eq!(score.accuracy(), Ok(1.0));
            assert_eq!(score.squared_error(LabelGrouping::Each), Ok(0.0));
            assert!(score.divergence(LabelGrouping::Each).unwrap().abs() < 1e-12);
        }
    }
}
