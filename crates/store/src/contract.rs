//! The contract: one suite that every store passes, each case named after the promise that it
//! checks. What the engine promises over the verbs is not here.
//!
//! A store's tests implement [`Harness`], then call [`run`] and [`agrees_with_the_model`].

#![expect(clippy::unwrap_used, reason = "a suite fails by panicking, and says where")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sekali_core::Timestamp;

use crate::verbs::{Clock, Store};

mod claims;
mod clock;
mod comments;
mod documents;
mod dump;
mod fixture;
mod ledger;
mod lists;
mod people;
mod property;
mod proposals;
mod repeats;
mod stale;
mod texts;
mod threads;
mod transactions;
mod transitions;

pub use dump::dump;
pub use property::{Step, agrees_with_the_model, compare, steps};

/// How the suite gets stores to try.
pub trait Harness {
    /// A new, empty store with this clock. What it needs to live (a folder that vanishes with the
    /// test) is held by the harness or by the store itself.
    fn make(&self, clock: Arc<dyn Clock>) -> Box<dyn Store>;

    /// Closes a store and opens it again. A store in memory gives it back as it is.
    fn reopen(&self, store: Box<dyn Store>, clock: Arc<dyn Clock>) -> Box<dyn Store> {
        drop(clock);
        store
    }
}

/// Long enough for any machine; only a store that waits where it must not waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A clock that stands where a test puts it.
#[derive(Debug)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// A clock that stands at these milliseconds since 1970.
    pub fn at_ms(ms: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(ms)))
    }

    /// Puts it elsewhere.
    pub fn set_ms(&self, ms: i64) {
        self.0.store(ms, Ordering::SeqCst);
    }

    /// Moves it on, or back.
    pub fn advance_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn wall(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

/// One case: it panics where the store breaks the promise that it is named after.
pub type Case = fn(&dyn Harness);

macro_rules! cases {
    ($($module:ident :: $case:ident,)+) => {
        /// Every case, by module and name.
        pub const CASES: &[(&str, Case)] =
            &[$((concat!(stringify!($module), "::", stringify!($case)), $module::$case)),+];
    };
}

cases! {
    people::a_slug_is_given_once_and_rooms_stand_in_the_order_in_which_they_were_made,
    people::a_new_room_is_empty,
    people::a_name_is_given_once_among_its_kind,
    people::actors_are_listed_by_name_without_system_users,
    people::a_role_is_a_persons_alone_and_can_be_taken,
    people::a_system_user_is_added_once,
    people::numbers_are_dense_whatever_was_undone,
    proposals::a_proposal_is_read_back_as_it_was_written,
    proposals::revisions_stand_first_to_last_and_changes_in_order,
    proposals::content_of_any_size_comes_back_byte_for_byte,
    proposals::what_was_submitted_comes_back_verbatim,
    proposals::links_are_seen_from_both_sides,
    proposals::a_submission_key_is_kept_once_for_each_actor,
    proposals::equal_changes_are_named_oldest_first_at_most_eight,
    proposals::who_names_an_effect_is_found_by_the_current_revision,
    claims::a_proposal_is_claimed_once_and_the_second_gets_the_first_receipt,
    claims::an_undone_claim_leaves_the_next_one_to_win,
    transitions::an_open_row_is_taken_once_and_only_by_its_digest,
    transitions::an_open_row_is_swapped_only_by_its_digest,
    transitions::of_two_transitions_the_first_wins,
    transitions::of_many_transitions_at_once_exactly_one_wins,
    claims::many_claims_at_once_give_one_winner_and_one_receipt,
    transitions::what_was_rejected_can_be_taken_back_once_what_was_withdrawn_never,
    transitions::where_a_proposal_stands_is_one_row,
    transitions::a_lost_transition_is_told_which_row_stands_in_its_way,
    claims::an_effect_is_had_once_for_each_generation,
    claims::an_undone_effect_is_free,
    claims::rooms_do_not_see_each_other,
    documents::a_document_is_created_only_where_nothing_is,
    documents::a_path_is_a_document_or_a_folder_and_never_both,
    documents::a_document_is_replaced_only_where_content_and_mode_are_the_base,
    documents::content_that_came_back_is_current_and_its_newer_commitment_is_told,
    documents::a_document_is_taken_only_where_content_and_mode_are_the_base,
    documents::paths_meet_under_case_and_composition,
    documents::a_rename_by_case_alone_moves_one_document,
    documents::two_documents_swap_places,
    documents::documents_are_paged_in_the_order_of_their_keys,
    documents::versions_chain_through_replace_rename_and_delete,
    ledger::the_tree_agrees_with_its_definition_at_every_size,
    ledger::entries_are_dense_and_each_quotes_the_one_before,
    ledger::stored_bytes_are_the_spliced_bytes,
    ledger::an_undone_entry_leaves_the_head_where_it_was,
    ledger::entries_are_paged,
    ledger::counts_follow_every_transition,
    lists::proposals_are_listed_newest_first_in_each_state,
    lists::a_list_is_paged_without_a_gap,
    lists::expiry_is_derived_and_half_open,
    lists::a_row_shows_the_current_revision,
    stale::a_waiting_proposal_is_stale_when_what_it_replaces_has_moved,
    stale::a_waiting_proposal_is_stale_when_its_place_is_occupied,
    stale::a_waiting_proposal_is_stale_when_a_folder_is_in_the_way,
    stale::only_waiting_proposals_are_stale,
    repeats::repeats_are_counted_with_the_first_and_last_time,
    repeats::the_first_and_last_twenty_attempts_are_kept,
    repeats::evidence_is_kept_apart_by_layer_source_and_key,
    repeats::evidence_is_paged_last_first,
    repeats::evidence_of_one_instant_is_paged_without_a_gap,
    clock::now_is_the_later_of_the_wall_and_the_last_instant,
    clock::the_wall_is_the_clock_whatever_rooms_have_seen,
    clock::a_clock_far_behind_is_flagged_and_nothing_expires,
    clock::reading_the_time_writes_nothing,
    comments::comments_are_numbered_within_their_proposal_and_come_back_as_they_were_written,
    comments::comments_are_paged,
    comments::a_talk_in_short_has_its_count_its_open_asks_and_its_last_comment,
    comments::under_one_key_there_is_one_comment_of_each_author,
    texts::texts_come_back_as_they_were_written,
    texts::content_comes_back_byte_for_byte,
    texts::numbers_and_instants_come_back_at_their_edges,
    transactions::a_job_that_is_undone_fails_or_panics_leaves_nothing_of_any_verb,
    transactions::whoever_is_alone_writes_at_once_or_not_at_all,
    transactions::a_write_reads_what_it_wrote,
    transactions::nobody_reads_what_is_not_committed,
    transactions::a_snapshot_stands_still,
    transactions::the_answer_of_a_failed_job_is_its_own_error,
    transactions::a_write_that_breaks_a_constraint_fails_and_leaves_nothing,
    transactions::change_seq_grows_with_each_committed_write_of_the_room_alone,
    transactions::what_was_committed_is_there_when_the_store_is_opened_again,
    threads::many_writers_lose_no_update,
    threads::writers_that_fail_take_no_other_down,
    threads::a_wait_ends_with_another_threads_write,
    threads::a_wait_ends_at_once_or_in_time,
}

/// Runs every case on new stores.
///
/// # Panics
/// After the last case, naming each that failed; what each said is on stderr.
pub fn run(harness: &dyn Harness) {
    let failed: Vec<&str> = CASES
        .iter()
        .filter(|(_, case)| catch_unwind(AssertUnwindSafe(|| case(harness))).is_err())
        .map(|(name, _)| *name)
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {} promises are broken:\n  {}",
        failed.len(),
        CASES.len(),
        failed.join("\n  ")
    );
}
