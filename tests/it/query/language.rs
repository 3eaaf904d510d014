//! Queries are parsed and printed without loss, and errors name their place.

use proptest::prelude::*;
use turnwise::query::Query;

/// Conditions and texts of each kind, as users type them.
const SINGLE: &[&str] = &[
    "in:result",
    "label:date",
    "label:\"two words\"",
    "label:\"say \"\"no\"\"\"",
    "api:book*",
    "speaker:user",
    "problem:",
    "problem:span",
    "arg:num.tickets=2",
    "arg:date!=\"next week\"",
    "result:price>=10.5",
    "act:inform",
    "slot:date",
    "state:hotel-*=?",
    "intent:find",
    "service:Hotels_1",
    "field:meta.source=\"a=b\"",
    "annotator:mk",
    "majority:X",
    "gold:T",
    "failed:",
    "failed:book*",
    "tie",
    "judged",
    "mine",
    "votes>=3",
    "votes.x<2",
    "entropy>1.25",
    "turn=0",
    "words!=4",
    "turns>20",
    "id:dlg*",
    "file:logs/",
    "family:sgd",
    "edited",
    "excluded",
    "question:polite=yes",
    "question:=verdict",
    "question:=quality=",
    "verdict:fail",
    "verdict!=pass",
    "quality<3",
    "code:\"a b\"",
    "code=\"\"",
    "(question:a=$v then verdict!=$v)",
    "tag:wrong-date",
    "note:\"no such date\"",
    "by:mk",
    "\"two tickets\"",
    "\"or\"",
    "\"(\"",
    "/tick(et)?s\\/x/",
    "label:date=\"two words\"",
    "arg:price=$20",
    "api:=book",
    "label:=date=today",
    "arg:=\"two words\"!=b",
    "id:=a*",
    "arg:price=\"$m\"",
    "arg:price=\\$m",
    "arg:price!=\"\\$m\"",
    "(arg:a=$m then state:b!=$m)",
    "(label:a=$_1 or field:b=$_1)",
    "(slot:a=$x result:b<=$x not arg:c=$x)",
];

fn query() -> impl Strategy<Value = String> {
    let single = prop::sample::select(SINGLE).prop_map(str::to_owned);
    single.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let joined =
            |sign: &'static str| two.clone().prop_map(move |(a, b)| format!("({a} {sign} {b})"));
        prop_oneof![
            joined(""),
            joined("and"),
            joined("or"),
            joined("then"),
            joined("then within 3"),
            joined("next"),
            two.clone().prop_map(|(a, b)| format!("(not {a} before {b})")),
            inner.clone().prop_map(|a| format!("not {a}")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.prop_map(|a| format!("dialog({a})")),
        ]
    })
}

proptest! {
    #[test]
    fn a_printed_query_is_the_same_query(text in query()) {
        let parsed: Query = match text.parse::<Query>() {
            // Inside of "not", and on one side of "or" alone, variables are given no values.
            Err(error) if error.to_string().contains('$') => return Ok(()),
            parsed => parsed.unwrap_or_else(|error| panic!("{text}: {error}")),
        };
        let printed = parsed.to_string();
        let again = printed.parse::<Query>();
        prop_assert_eq!(again.as_ref(), Ok(&parsed), "{}", printed);
        prop_assert_eq!(again.unwrap().to_string(), printed);
    }

    /// Any text is a query or has an error within it.
    #[test]
    fn no_text_is_too_odd(text in "[a-z:()/\"\\-<=>!.* é]{0,30}|(not |\\(|-|dialog\\(){0,200}tie") {
        match text.parse::<Query>() {
            Ok(query) => prop_assert_eq!(query.to_string().parse::<Query>(), Ok(query)),
            Err(error) => prop_assert!(text.get(error.at.clone()).is_some(), "{:?}", error),
        }
    }
}

#[test]
fn a_sentence_is_one_text() {
    for text in [
        "two tickets or three",
        "not today",
        "it's 9:10",
        "she said “no”",
        "it was a tie",
        "-5 degrees",
        "price > 10",
        "code: 5",
        "quality = good",
        "verdict",
    ] {
        let query: Query = text.parse().unwrap();
        assert_eq!(query.as_text().map(turnwise::query::Pattern::as_str), Some(text), "{text}");
    }
}

#[test]
fn operators_hold_together_by_their_rank() {
    for (text, explicit) in [
        ("label:a label:b or label:c", "(label:a label:b) or label:c"),
        ("label:a or label:b then label:c", "(label:a or label:b) then label:c"),
        ("label:a then label:b next label:c", "(label:a then label:b) next label:c"),
        ("-label:a label:b", "(not label:a) label:b"),
        ("two tickets label:a", "\"two tickets\" label:a"),
        ("label:a and label:b", "label:a label:b"),
        ("verdict:fail", "question:=verdict=fail"),
        ("verdict:!=fail", "verdict!=fail"),
        ("quality>=3", "question:=quality>=3"),
        (
            "not (label:a label:b) before label:c or label:d",
            "(not (label:a label:b) before (label:c or label:d))",
        ),
    ] {
        let parse = |text: &str| text.parse::<Query>().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(parse(text), parse(explicit), "{text}");
    }
}

/// Asserts that a query is refused at a place, and how the message begins or what is in it.
fn is_refused(text: &str, place: &str, message: &str) {
    let error = text.parse::<Query>().expect_err(text);
    assert!(error.to_string().contains(message), "{text}: {error}");
    assert_eq!(&text[error.at], place, "{text}");
}

#[test]
fn errors_name_the_place_and_the_way_on() {
    for (text, place, message) in [
        ("(label:a", "(", "this parenthesis is not closed"),
        ("label:a then", "", "expected a condition or a text after \"then\""),
        ("label:a or or label:b", "or", "expected a condition or a text after \"or\""),
        ("dialog()", ")", "expected a condition or a text in the parentheses"),
        ("lable:date", "lable", "unknown condition \"lable\"; did you mean \"label\"? (to search"),
        (
            "label:a colour:red",
            "colour",
            "unknown condition \"colour\"; to search for the text itself",
        ),
        ("label:", "", "type a name or part of a name after `label:`"),
        ("turns>many", "many", "`turns` needs a number, as in `turns>2`"),
        ("arg:price>x", "x", "`the value` needs a number, as in `the value>2`"),
        ("votes.y>3", "votes.y", "did you mean \"votes.o\"?"),
        ("tie or wrds>40", "wrds", "did you mean \"words\"?"),
        ("majority:Q", "Q", "`majority` needs one of O, T and X"),
        ("in:reply two", "reply", "`in:` needs one of utterance, argument, result, reasoning"),
        ("in:result two in:argument three", "in:argument", "must be in one place"),
        ("/a(/", "/a(/", "malformed regular expression: unclosed group"),
        ("label:a then within x label:b", "within", "\"within\" needs a number of turns"),
        ("label:a before label:b", "label:a before", "\"before\" must come after a single \"not\""),
    ] {
        is_refused(text, place, message);
    }
}

#[test]
fn variables_without_a_value_are_errors_at_their_place() {
    let other_side =
        "has a value only on another side of \"or\"; give it a value on this side, too";
    let in_not = "inside \"not\", `=$m` only compares and sets no value";
    for (text, place, message) in [
        ("api:book arg:movie!=$m", "$m", "nothing gives $m a value; add a condition"),
        ("arg:a=$m then (arg:b=$m2 or arg:c!=$m2)", "$m2", other_side),
        ("(arg:a=$m or api:b) then arg:c<$m", "$m", other_side),
        ("api:a -(arg:movie=$m)", "$m", in_not),
        ("not (arg:a=$n) before state:a=$n then not (arg:b=$m then arg:b!=$m)", "$m", in_not),
        ("arg:a=$m-x", "$m-x", "the name of a variable consists of letters, digits"),
    ] {
        is_refused(text, place, message);
    }
}

/// Each step is a level of the query, and levels are on the stack.
#[test]
fn there_is_an_end_to_the_steps_of_a_query() {
    let steps = |count: usize| format!("label:a{}", " then label:a".repeat(count));
    assert!(steps(64).parse::<Query>().is_ok());
    let inside = format!("{}{}{}", "(".repeat(60), steps(64), ")".repeat(60));
    assert!(inside.parse::<Query>().is_ok());
    for (text, last) in [
        (steps(65), "then"),
        (format!("({}) next label:b", steps(64)), "next"),
        ("label:a next ".repeat(9000) + "label:b", "next"),
    ] {
        let error = text.parse::<Query>().unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("a query has at most 64 steps"), "{message}");
        assert_eq!(&text[error.at], last);
    }
}

/// Variables are tried one inside another.
#[test]
fn there_is_an_end_to_the_variables_of_a_query() {
    let query = |count: usize| {
        let one = |number| format!("arg:a=$m{number} arg:b!=$m{number}");
        (0..count).map(one).collect::<Vec<_>>().join(" ")
    };
    assert!(query(16).parse::<Query>().is_ok());
    let text = query(5_000);
    let error = text.parse::<Query>().unwrap_err();
    assert_eq!(error.to_string(), "a query has at most 16 variables");
    assert_eq!(&text[error.at], "$m16");
}

/// A dollar sign before a letter names a variable only without quotes and backslash, and only in values.
#[test]
fn dollar_signs_that_name_no_variable_are_text() {
    for (text, same) in [
        ("arg:a=\\$m", "arg:a=\"$m\""),
        ("arg:a=$20", "arg:a=\"$20\""),
        ("arg:a=$", "arg:a=\"$\""),
        ("api:$m", "api:\"$m\""),
        ("arg:$m=1", "arg:\"$m\"=\"1\""),
        ("pay $m label:a", "\"pay $m\" label:a"),
    ] {
        let query: Query = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(Ok(&query), same.parse().as_ref(), "{text}");
        assert!(query.variables().is_empty());
    }
    let query: Query = "arg:a=$m state:b!=$n2 slot:c=$n2".parse().unwrap();
    assert_eq!(query.variables(), ["m", "n2"]);
    assert_eq!(
        query.explained(),
        "turns with argument a=$m with state b!=$n2 with an act's slot c=$n2; $m, $n2 each have the same value throughout"
    );
}

/// A regular expression that would take very long elsewhere is refused or takes linear time.
#[test]
fn regular_expressions_do_not_explode() {
    let error = "/(a{1000}){1000}/".parse::<Query>().unwrap_err();
    assert!(error.to_string().starts_with("malformed regular expression"), "{error}");
    assert!("/(a+)+$/".parse::<Query>().is_ok());
}

/// It is not searched for as it is written.
#[test]
fn a_pattern_that_is_too_long_is_an_error() {
    let long = "a*?".repeat(40_000);
    for query in ["id:", "label:", "field:", "field:a=", "state:a!=", "file:x or arg:b="] {
        let text = format!("{query}{long}");
        let error = text.parse::<Query>().unwrap_err();
        assert!(error.to_string().contains("too long"), "{query}: {error}");
        let (_, value) = query.rsplit_once([':', '=']).unwrap();
        assert_eq!(&text[error.at], format!("{value}{long}"), "{query}");
    }
    let asterisks = format!("id:{}", "*".repeat(60_000));
    assert!(asterisks.parse::<Query>().is_ok());
}
