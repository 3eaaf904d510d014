//! Rules on chats: roles, calls of tools and their answers, arguments.

mod call_arguments;
mod chat_answer_orphan;
mod chat_argument_missing;
mod chat_argument_type;
mod chat_argument_unknown;
mod chat_arguments_broken;
mod chat_arguments_twice;
mod chat_call_id_repeated;
mod chat_call_unanswered;
mod chat_empty_assistant;
mod chat_ends_without_assistant;
mod chat_mixed_types;
mod chat_role_unknown;
mod chat_roles_not_alternating;
mod chat_system_not_first;
mod chat_tool_undeclared;
mod profiles;

pub use chat_mixed_types::MemberTypes;
pub use profiles::{PROFILES, Profile, profile};

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
    &chat_role_unknown::RULE,
    &chat_system_not_first::RULE,
    &chat_roles_not_alternating::RULE,
    &chat_ends_without_assistant::RULE,
    &chat_empty_assistant::RULE,
    &chat_call_unanswered::RULE,
    &chat_answer_orphan::RULE,
    &chat_call_id_repeated::RULE,
    &chat_arguments_broken::RULE,
    &chat_arguments_twice::RULE,
    &chat_tool_undeclared::RULE,
    &chat_argument_unknown::RULE,
    &chat_argument_missing::RULE,
    &chat_argument_type::RULE,
    &chat_mixed_types::RULE,
];
