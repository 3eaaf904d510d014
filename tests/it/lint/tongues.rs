//! Slips in dialogs of many languages and scripts, with prices, times, abbreviations, hyphens, emoji, in
//! the form of every version of Taskmaster: correct ones have no problems, and wrong ones are fixed.

use serde_json::{Value, json};
use turnwise::lint::{Selection, Severity};

use super::slips::{SLIPS, Slip, Tallies, check, shows_in_the_quote, try_dialog};
use super::{found_in, notation};

/// Languages with spaces between words.
const WORDS: &[&str] = &[
    "user: a table at «Osteria del Porto»{restaurant.name.restaurant} at «7:30 p.m.»{restaurant.time.reservation} for «me & my sister»{restaurant.num.guests}
assistant: «Osteria del Porto»{restaurant.name.restaurant} has «7:30 p.m.»{restaurant.time.reservation} or «8 o'clock»{restaurant.time.reservation}, about «$42.50»{restaurant.price_range} each
user: «8 o'clock»{restaurant.time.reservation} it is, «Osteria del Porto»{restaurant.name.restaurant}'s terrace please 👍",
    "user: 👋 we'd like «non-stop»{flight_search.stops} to «St. John's»{flight_search.destination1} on «May 3rd»{flight_search.date.depart_origin}
assistant: «Air Petrel»{flight1_detail.airline} leaves at «6:05 am»{flight1_detail.from.time}: «$1,299»{flight1_detail.fare}, is that o.k.?
user: not «6:05 am»{flight_search.time_of_day}; «the afternoon»{flight_search.time_of_day}, under «$900»{flight_search.price_range}",
    "user: zwei Karten für «Der blaue Dachs»{movie_search.name.movie} um «19:45 Uhr»{movie_search.time.start} in «Köln-Mülheim»{movie_search.location.theater}
assistant: «Der blaue Dachs»{movie_search.name.movie} läuft im «Filmhof Süd»{movie_search.name.theater}, «12,50 €»{movie_search.price.ticket} pro Karte
user: gut, «morgen Abend»{movie_search.time.start} im «Filmhof Süd»{movie_search.name.theater}",
    "user: je cherche «L'Heure Bleue»{movie_search.name.movie} à «Évry»{movie_search.location.theater}, vers «19h30»{movie_search.time.start}
assistant: «L'Heure Bleue»{movie_search.name.movie} passe au «Cinéma Arlequin»{movie_search.name.theater} à «20h10»{movie_search.time.start}
user: alors «deux places»{movie_search.num.tickets} au «Cinéma Arlequin»{movie_search.name.theater}",
    "user: два билета на «Синий барсук»{movie_search.name.movie} в «Тверь»{movie_search.location.theater} на «завтра»{movie_search.time.start}
assistant: «Синий барсук»{movie_search.name.movie} идёт в «Кинотеатр Рассвет»{movie_search.name.theater} в «18:20»{movie_search.time.start}
user: да, «Кинотеатр Рассвет»{movie_search.name.theater}, по «350 ₽»{movie_search.price.ticket}",
    "user: ένα τραπέζι στο «Λιμάνι Πέντε»{restaurant.name.restaurant} για «τέσσερα άτομα»{restaurant.num.guests} αύριο
assistant: το «Λιμάνι Πέντε»{restaurant.name.restaurant} έχει θέση στις «21:15»{restaurant.time.reservation}, στη «Θεσσαλονίκη»{restaurant.location}",
    "user: אני רוצה לטוס אל «חיפה»{flight_search.destination1} ביום «שישי»{flight_search.date.depart_origin}
assistant: יש טיסה אל «חיפה»{flight_search.destination1} עם «ארקיע»{flight_search.airline} בשעה «14:05»{flight1_detail.from.time}",
    "user: أريد السفر إلى «دمشق»{flight_search.destination1} يوم «خميس»{flight_search.date.depart_origin}
assistant: توجد رحلة إلى «دمشق»{flight_search.destination1} عند «14:05»{flight1_detail.from.time} مع «طيران نجم»{flight1_detail.airline}",
];

/// Scripts in which the letters do not tell where a word ends.
const LETTERS: &[&str] = &[
    "user: «東京»{flight_search.origin}から«札幌»{flight_search.destination1}まで、«３月７日»{flight_search.date.depart_origin}にお願いします😀
assistant: «札幌»{flight_search.destination1}行きは«午前９時»{flight1_detail.from.time}、«１２,８００円»{flight1_detail.fare}です",
    "user: 想看「«蓝獾»{movie_search.name.movie}」，«今晚八点»{movie_search.time.start}左右，在«虹口»{movie_search.location.theater}
assistant: 👍«蓝獾»{movie_search.name.movie}在«晨光影院»{movie_search.name.theater}«20:10»{movie_search.time.start}开始，每张«￥45»{movie_search.price.ticket}",
    "user: «부산»{flight_search.destination1}으로 가는 «내일 아침»{flight_search.date.depart_origin} 비행기요
assistant: «오전 9시»{flight1_detail.from.time}에 «부산»{flight_search.destination1}행이 있고 «4만 5천원»{flight1_detail.fare}입니다",
    "user: मुझे «जयपुर»{flight_search.destination1} जाना है, «शुक्रवार»{flight_search.date.depart_origin} को
assistant: «जयपुर»{flight_search.destination1} की उड़ान «सुबह सात बजे»{flight1_detail.from.time} है, «₹4,200»{flight1_detail.fare} में",
    "user: อยากไป«เชียงใหม่»{flight_search.destination1}วัน«ศุกร์»{flight_search.date.depart_origin}
assistant: มีเที่ยวบินไป«เชียงใหม่»{flight_search.destination1}ตอน«07:15»{flight1_detail.from.time}ราคา«1,290 บาท»{flight1_detail.fare}",
];

/// The dialog in the form of each version.
fn forms(notation: &str) -> Vec<Value> {
    let two: Value = serde_json::from_str(&notation::dialog(notation)).unwrap();
    let three = notation::taskmaster_3(notation, "Movie Tickets");
    let mut four = notation::taskmaster_3(notation, "Coffee Ordering");
    for utterance in four["utterances"].as_array_mut().unwrap() {
        utterance["annotations"] = json!([]);
        let segments = utterance["segments"].as_array_mut();
        for segment in segments.into_iter().flatten() {
            for key in ["start_index", "end_index"] {
                segment[key] = json!(segment[key].to_string());
            }
            segment["annotator_id"] = json!("a1");
        }
    }
    vec![two, three, four]
}

fn selection() -> Selection {
    let mut selection = Selection::default();
    // The labels are those of Taskmaster-2.
    selection.ignore("label-unknown").unwrap();
    selection
}

#[test]
fn correct_dialogs_have_no_problems() {
    for dialog in WORDS.iter().chain(LETTERS).flat_map(|text| forms(text)) {
        let found = found_in(&dialog.to_string(), &selection());
        let bad = found.iter().find(|d| d.severity > Severity::Note);
        assert!(bad.is_none(), "{bad:?}\n{dialog}");
    }
}

#[test]
fn slips_are_found_and_repaired_in_any_script() {
    let quoted: Vec<Slip> =
        SLIPS.iter().copied().filter(|slip| shows_in_the_quote(*slip)).collect();
    let mut tallies = Tallies::default();
    for (texts, slips) in [(WORDS, SLIPS), (LETTERS, &quoted)] {
        for dialog in texts.iter().flat_map(|text| forms(text)) {
            try_dialog(&dialog, slips, &mut tallies);
        }
    }
    check(&tallies);
}
