//! Rules on API calls, their arguments and responses.

mod api_argument_outdated;
mod api_argument_unsupported;
mod api_call_without_request;
mod api_json_broken;
mod api_missing_argument;
mod api_turn_index;
mod api_unknown_argument;
mod api_unknown_name;
mod api_unknown_response;
mod earlier_values;
mod last_value;

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
    &api_json_broken::RULE,
    &api_unknown_name::RULE,
    &api_call_without_request::RULE,
    &api_unknown_argument::RULE,
    &api_missing_argument::RULE,
    &api_unknown_response::RULE,
    &api_turn_index::RULE,
    &api_argument_unsupported::RULE,
    &api_argument_outdated::RULE,
];
