//! The families in Rust, and what several of them share.

pub mod chat;
pub mod dataset_info;
pub mod dbdc;
pub mod dbdc_labels;
pub mod dbdc_log;
pub mod exchange;
pub mod exchange_write;
pub mod gold;
pub mod message_parts;
pub mod messages;
pub mod new_message;
pub mod sharegpt;
pub mod sim;
pub mod sim_gen;
pub mod taskmaster;
pub mod taskmaster_1_2;
pub mod taskmaster_3;
pub mod taskmaster_4;
