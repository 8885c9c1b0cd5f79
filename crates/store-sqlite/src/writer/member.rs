//! One caller and its job, from the queue to its answer.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sekali_core::Code;
use sekali_store::{Job, StoreError};

const WAITING: u8 = 0;
const TAKEN: u8 = 1;
const GIVEN_UP: u8 = 2;

/// One caller and its job.
pub(super) struct Member {
    pub(super) job: Arc<Job>,
    state: AtomicU8,
    pub(super) answer: Mutex<Option<Result<(), StoreError>>>,
    answered: Condvar,
}

impl Member {
    pub(super) fn of(job: Arc<Job>) -> Arc<Self> {
        Arc::new(Self {
            job,
            state: AtomicU8::new(WAITING),
            answer: Mutex::new(None),
            answered: Condvar::new(),
        })
    }

    /// Either the writer takes a member or its caller gives up; never both.
    fn settle(&self, state: u8) -> bool {
        self.state.compare_exchange(WAITING, state, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// The writer takes the member, or has taken it before (in a group that died).
    pub(super) fn take(&self) -> bool {
        self.settle(TAKEN) || self.state.load(Ordering::Acquire) == TAKEN
    }

    pub(super) fn answer(&self, answer: Result<(), StoreError>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.answered.notify_one();
    }

    pub(super) fn wait(&self, deadline: Duration) -> Result<(), StoreError> {
        let started = Instant::now();
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(answer) = answer.take() {
                return answer;
            }
            let left = deadline.saturating_sub(started.elapsed());
            if left.is_zero() && self.settle(GIVEN_UP) {
                return Err(StoreError::new(
                    Code::StoreBusy,
                    format!("Others have been writing for {} ms; this was not begun.", deadline.as_millis()),
                ));
            }
            // Once taken, the outcome must be awaited, however long the disk takes.
            answer = if left.is_zero() {
                self.answered.wait(answer).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.answered.wait_timeout(answer, left).unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

/// A member in the writer's hands. Whatever happens to the writer, its caller is answered: if the
/// writer's thread unwinds past it, what was taken may or may not have been committed (P6).
pub(super) struct Ticket(pub(super) Arc<Member>);

impl Drop for Ticket {
    fn drop(&mut self) {
        // Answering twice is harmless: the caller has taken the first answer and gone.
        if self.0.settle(GIVEN_UP) {
            self.0.answer(Err(StoreError::new(Code::Internal, "The writer stopped before this was begun.")));
        } else if std::thread::panicking() && self.0.state.load(Ordering::Acquire) == TAKEN {
            self.0.answer(Err(StoreError::new(
                Code::StoreOutcomeUnknown,
                "The writer failed; whether this landed is not known yet, and asking again is safe.",
            )));
        }
    }
}
