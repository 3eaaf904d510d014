//! Tests of `src/ontology/near.rs`.

use turnwise::ontology::*;

fn names(name: &str) -> Vec<&'static str> {
    let known =
        ["name.movie", "name.theater", "flight1_detail.date", "flight2_detail.date", "to", "type"];
    near(name, known.into_iter()).iter().map(|n| n.name).collect()
}

#[test]
fn the_nearest_are_found() {
    assert_eq!(names("Name_Movie"), ["name.movie"]);
    assert_eq!(names("name.theatre"), ["name.theater"]);
    assert_eq!(names("name.moveis"), ["name.movie"]);
    assert_eq!(names("flight2_details.date"), ["flight2_detail.date"]);
    let either = ["flight1_detail.date", "flight2_detail.date"];
    assert_eq!(names("flight3_detail.date"), either);
    assert_eq!(names("seating"), [""; 0]);
    assert_eq!(names("from"), [""; 0]);
    assert_eq!(names("typ"), [""; 0]);
}
