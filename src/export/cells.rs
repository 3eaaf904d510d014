//! Cells that several formats write alike.

use serde::Serialize;

use super::payload;
use crate::dialog::{ApiCall, Breakdown, Vote};

/// A vote.
#[derive(Serialize)]
pub struct VoteCell<'a> {
    annotator: &'a str,
    label: Option<&'static str>,
    comment: &'a str,
}

impl<'a> VoteCell<'a> {
    pub fn of(vote: &'a Vote) -> Self {
        Self {
            annotator: &vote.annotator,
            label: vote.breakdown.map(Breakdown::letter),
            comment: &vote.comment,
        }
    }
}

/// A call, its arguments and result as JSON.
#[derive(Serialize)]
pub struct CallCell<'a> {
    name: &'a str,
    arguments: Option<String>,
    response: Option<String>,
}

impl<'a> CallCell<'a> {
    pub fn of(call: &'a ApiCall) -> Self {
        Self {
            name: &call.name,
            arguments: call.arguments.as_ref().and_then(payload::text),
            response: call.response.as_ref().and_then(payload::text),
        }
    }
}
