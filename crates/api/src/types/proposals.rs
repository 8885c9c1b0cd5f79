//! Proposals as lists show them, and one with everything that a person looks at before Apply.

use sekali_core::decide::{Awaits, Displaced, Standing};
use sekali_core::hash::{self, Digest};
use sekali_core::{Code, Door, Mode, Op, ProposalId, State, Timestamp};
use sekali_engine::look::{ListedView, ProposalView};
use sekali_store::{AttemptRow, ChangeRow, LinkKind, RepeatRow};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ActorRef, Receipt, Talk};
use crate::words;

/// What a revision touches, in figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Touches {
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Documents changed.
    pub documents: u64,
    /// Files of the linked folder; none yet.
    pub files: u64,
    /// Messages; none yet.
    pub messages: u64,
}

impl From<sekali_store::Touches> for Touches {
    fn from(t: sekali_store::Touches) -> Self {
        Self { added: t.added, removed: t.removed, documents: t.documents, files: 0, messages: 0 }
    }
}

/// A proposal as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProposalItem {
    /// Its number, for people.
    pub proposal: u64,
    /// Its id.
    #[schema(value_type = words::Id)]
    pub id: ProposalId,
    /// Of the current revision.
    pub title: String,
    /// Where it stands.
    #[schema(value_type = words::State)]
    pub state: State,
    /// Who submitted it.
    pub author: ActorRef,
    /// When.
    #[schema(value_type = words::Time)]
    pub created_at: Timestamp,
    /// The revision that counts: the open one, or the one that was decided.
    pub revision: u32,
    /// Its digest: what Apply carries.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// In figures.
    pub touches: Touches,
    /// It waits, and its base has moved.
    pub stale: bool,
    /// It waits, and one of its effects was already had by this other proposal: Apply would refuse it.
    #[schema(required)]
    pub effect_done_by: Option<u64>,
    /// It waits, and this other proposal has equal changes. A flag: Apply does not refuse for it.
    #[schema(required)]
    pub possible_duplicate_of: Option<u64>,
    /// What is said about it.
    pub talk: Talk,
}

impl From<ListedView> for ProposalItem {
    fn from(ListedView { row, effect_done_by, possible_duplicate_of, talk }: ListedView) -> Self {
        Self {
            proposal: row.number,
            id: row.id,
            title: row.title,
            state: row.state,
            author: ActorRef::from(&row.author),
            created_at: row.created_at,
            revision: row.revision,
            digest: row.digest,
            touches: row.touches.into(),
            stale: row.stale,
            effect_done_by,
            possible_duplicate_of,
            talk: talk.into(),
        }
    }
}

/// One page of proposals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProposalPage {
    /// Newest first.
    pub items: Vec<ProposalItem>,
    /// The cursor of the next page.
    #[schema(required)]
    pub next: Option<String>,
}

/// A proposal with everything that a person looks at before pressing Apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProposalDetail {
    /// What lists show of it.
    #[serde(flatten)]
    pub item: ProposalItem,
    /// Markdown.
    pub why: String,
    /// What it does, permanently.
    pub effect_keys: Vec<EffectKey>,
    /// Until when it may be applied.
    #[schema(required, value_type = Option<words::Time>)]
    pub valid_until: Option<Timestamp>,
    /// The submitter's id for it.
    #[schema(required)]
    pub correlation: Option<String>,
    /// All of them, first to last.
    pub revisions: Vec<RevisionItem>,
    /// One of each kind, always in the same order. Of a decided proposal they all hold.
    pub checks: Vec<Check>,
    /// The changes of the current revision, in order.
    pub changes: Vec<Change>,
    /// How it was closed.
    #[schema(required)]
    pub decision: Option<Decision>,
    /// The receipt of an applied one.
    #[schema(required)]
    pub receipt: Option<Receipt>,
    /// Evidence of repeated presses.
    pub duplicates: Duplicates,
    /// Other proposals that it has to do with.
    pub links: Links,
    /// Other proposals with equal changes.
    pub possible_duplicates: Vec<u64>,
}

/// A permanent identity of what a proposal does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EffectKey {
    /// The key.
    pub key: String,
    /// Raised only by a person's decision.
    pub generation: u32,
}

/// A revision, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RevisionItem {
    /// From 1.
    pub revision: u32,
    /// Its digest.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// One line.
    pub title: String,
    /// Who wrote it.
    pub author: ActorRef,
    /// When.
    #[schema(value_type = words::Time)]
    pub created_at: Timestamp,
    /// The revision of this proposal that was carried onto newer documents to make it.
    #[schema(required)]
    pub rebased_from: Option<u32>,
}

/// What is looked at before Apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// Nothing that it is based on has moved.
    Base,
    /// No other proposal has had its effect.
    EffectKey,
    /// Its validity has not ended.
    ValidUntil,
    /// No other proposal has equal changes. A flag: Apply does not refuse for it.
    PossibleDuplicate,
    /// Nobody has asked for changes without an answer. A flag: Apply does not refuse for it.
    ChangesAsked,
}

/// One check.
#[expect(clippy::struct_field_names, reason = "the member's name on the wire")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Check {
    /// Which.
    pub check: CheckName,
    /// It holds.
    pub ok: bool,
    /// What Apply would be refused with.
    #[schema(required, value_type = Option<words::Code>)]
    pub code: Option<Code>,
    /// One English sentence where it does not hold.
    #[schema(required)]
    pub detail: Option<String>,
    /// The proposals in question.
    pub proposals: Vec<u64>,
    /// What moved.
    pub moved: Vec<Moved>,
}

impl Check {
    fn holds(check: CheckName) -> Self {
        Self { check, ok: true, code: None, detail: None, proposals: Vec::new(), moved: Vec::new() }
    }
}

/// A document that is not what the proposal was based on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Moved {
    /// The document.
    pub path: String,
    /// What the proposal was based on.
    #[schema(value_type = words::Side)]
    pub expected: String,
    /// What is there now.
    #[schema(value_type = words::Side)]
    pub now: String,
    /// The applied proposal that moved it, where one is known.
    #[schema(required)]
    pub by: Option<MovedBy>,
}

/// Who moved a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct MovedBy {
    /// The applied proposal.
    pub proposal: u64,
    /// Its ledger entry.
    pub seq: u64,
}

impl From<&Displaced> for Moved {
    fn from(displaced: &Displaced) -> Self {
        Self {
            path: displaced.path.to_string(),
            expected: hash::or_absent(displaced.expected.as_ref()),
            now: hash::or_absent(displaced.now.as_ref()),
            by: displaced.by.map(|(proposal, seq)| MovedBy { proposal, seq }),
        }
    }
}

impl From<&sekali_core::Moved> for Moved {
    fn from(moved: &sekali_core::Moved) -> Self {
        let by = moved.by.as_ref().map(|by| MovedBy { proposal: by.proposal, seq: by.seq });
        Self { path: moved.path.clone(), expected: moved.expected.clone(), now: moved.now.clone(), by }
    }
}

/// One net change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Change {
    /// `documents`.
    pub r#in: String,
    /// What happens.
    #[schema(value_type = words::Op)]
    pub op: Op,
    /// The path afterwards; of a deleted one, before.
    pub path: String,
    /// Where a renamed document was.
    #[schema(required)]
    pub from: Option<String>,
    /// What must be there, as the digest quotes it.
    #[schema(value_type = words::Side)]
    pub base: String,
    /// What is there afterwards, as the digest quotes it.
    #[schema(value_type = words::Side)]
    pub after: String,
    /// The mode afterwards.
    #[schema(required, value_type = Option<words::Mode>)]
    pub mode: Option<Mode>,
    /// The mode before.
    #[schema(required, value_type = Option<words::Mode>)]
    pub mode_before: Option<Mode>,
    /// Size afterwards, in bytes.
    #[schema(required)]
    pub bytes: Option<u64>,
    /// Size before, in bytes.
    #[schema(required)]
    pub bytes_before: Option<u64>,
    /// One side is not text.
    pub binary: bool,
    /// One side is too large for lines to be counted: `added` and `removed` are 0.
    pub uncounted: bool,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Hunks of its patch that were found elsewhere than they say.
    pub moved_hunks: Vec<MovedHunk>,
}

/// A hunk of a patch that was found elsewhere than it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct MovedHunk {
    /// Which of the document's hunks, from 1.
    pub hunk: u32,
    /// The line that its header names, from 1.
    pub line: u32,
    /// The line at which it was found.
    pub found: u32,
}

impl From<&sekali_core::change::MovedHunk> for MovedHunk {
    fn from(moved: &sekali_core::change::MovedHunk) -> Self {
        Self { hunk: moved.hunk, line: moved.line, found: moved.found }
    }
}

impl From<&ChangeRow> for Change {
    fn from(row: &ChangeRow) -> Self {
        let (base, after) = (row.change.base.as_ref(), row.change.after.as_ref());
        Self {
            r#in: sekali_core::change::DOCUMENTS.to_owned(),
            op: row.change.op,
            path: row.change.path.to_string(),
            from: row.change.from.as_ref().map(ToString::to_string),
            base: hash::or_absent(base.map(|side| &side.commitment)),
            after: hash::or_absent(after.map(|side| &side.commitment)),
            mode: after.map(|side| side.mode),
            mode_before: base.map(|side| side.mode),
            bytes: after.map(|side| side.bytes),
            bytes_before: base.map(|side| side.bytes),
            binary: row.binary,
            uncounted: row.uncounted(),
            added: row.added,
            removed: row.removed,
            moved_hunks: row.moved.iter().map(MovedHunk::from).collect(),
        }
    }
}

/// How a proposal was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Decision {
    /// `rejected` or `withdrawn`.
    #[schema(value_type = words::State)]
    pub state: State,
    /// By whom.
    pub by: ActorRef,
    /// When.
    #[schema(value_type = words::Time)]
    pub at: Timestamp,
    /// Why.
    #[schema(required)]
    pub reason: Option<String>,
    /// The ledger entry.
    pub seq: u64,
}

/// Evidence of repeated presses of Apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Duplicates {
    /// How often.
    pub count: u64,
    /// The first time.
    #[schema(required, value_type = Option<words::Time>)]
    pub first_at: Option<Timestamp>,
    /// The last time.
    #[schema(required, value_type = Option<words::Time>)]
    pub last_at: Option<Timestamp>,
    /// The kept attempts, newest first: the first twenty and the last twenty are.
    pub recent: Vec<Attempt>,
}

impl Duplicates {
    fn of(repeats: Option<&RepeatRow>, attempts: &[AttemptRow]) -> Self {
        let recent = attempts.iter().rev();
        Self {
            count: repeats.map_or(0, |row| row.count),
            first_at: repeats.map(|row| row.first_at),
            last_at: repeats.map(|row| row.last_at),
            recent: recent.map(|a| Attempt { at: a.at, actor: a.actor.clone(), door: a.door }).collect(),
        }
    }
}

/// One repeated press.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Attempt {
    /// When.
    #[schema(value_type = words::Time)]
    pub at: Timestamp,
    /// By whom, by name.
    pub actor: String,
    /// Through which door.
    #[schema(value_type = words::Door)]
    pub door: Door,
}

/// Other proposals that one has to do with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Links {
    /// The proposal that this one takes back; of several the one with the highest number.
    #[schema(required)]
    pub reverts: Option<u64>,
    /// The others that it takes back.
    pub also_reverts: Vec<u64>,
    /// The applied proposal that takes this one back, and is not taken back itself.
    #[schema(required)]
    pub reverted_by: Option<u64>,
    /// The newest proposal that waits to take this one back.
    #[schema(required)]
    pub revert_waiting: Option<u64>,
    /// The proposal that this one was split from.
    #[schema(required)]
    pub split_from: Option<u64>,
    /// The same, where it has not been applied yet and this one is based on what it will leave.
    #[schema(required)]
    pub awaits: Option<u64>,
    /// Those that were split from this one.
    pub split_into: Vec<u64>,
    /// Proposals that name one of its effect keys.
    pub same_effect: Vec<u64>,
}

impl Links {
    fn of(view: &ProposalView) -> Self {
        let ProposalView { links: rows, reverted_by, revert_waiting, .. } = view;
        let (reverted_by, revert_waiting) = (*reverted_by, *revert_waiting);
        let awaits = view.awaits.and_then(Awaits::waiting);
        let same_effect = view.same_effect.clone();
        let all = |kind, outgoing| {
            let rows = rows.iter().filter(move |row| row.kind == kind && row.outgoing == outgoing);
            rows.map(|row| row.number)
        };
        // In the order of their numbers: what was proposed last is at the end.
        let mut reverts: Vec<u64> = all(LinkKind::Reverts, true).collect();
        Self {
            reverts: reverts.pop(),
            also_reverts: reverts,
            reverted_by,
            revert_waiting,
            split_from: all(LinkKind::SplitFrom, true).next(),
            awaits,
            split_into: all(LinkKind::SplitFrom, false).collect(),
            same_effect,
        }
    }
}

impl From<ProposalView> for ProposalDetail {
    fn from(view: ProposalView) -> Self {
        let (checks, links) = (checks(&view), Links::of(&view));
        let waits = view.state == State::Waiting;
        let (receipt, decision) = match &view.standing {
            Standing::Open(_) => (None, None),
            Standing::Applied(facts) => (Some(Receipt::from(facts)), None),
            Standing::Closed(closed) => {
                let by = view.decided_by.as_ref().map(ActorRef::from);
                (
                    None,
                    by.map(|by| Decision {
                        state: closed.state,
                        by,
                        at: closed.at,
                        reason: closed.reason.clone(),
                        seq: closed.seq,
                    }),
                )
            }
        };
        let revisions = view.revisions.iter().map(|revision| RevisionItem {
            revision: revision.row.revision,
            digest: revision.row.digest,
            title: revision.row.title.clone(),
            author: ActorRef::from(&revision.author),
            created_at: revision.row.created_at,
            rebased_from: revision.row.rebased_from,
        });
        let effect_keys = view.current.effect_keys.iter();
        Self {
            checks,
            receipt,
            decision,
            revisions: revisions.collect(),
            effect_keys: effect_keys
                .map(|effect| EffectKey { key: effect.key.clone(), generation: effect.generation })
                .collect(),
            changes: view.changes.iter().map(Change::from).collect(),
            duplicates: Duplicates::of(view.repeats.as_ref(), &view.attempts),
            item: ProposalItem {
                proposal: view.proposal.number,
                id: view.proposal.id,
                title: view.current.title,
                state: view.state,
                author: ActorRef::from(&view.author),
                created_at: view.proposal.created_at,
                revision: view.current.revision,
                digest: view.current.digest,
                touches: view.current.touches.into(),
                stale: waits && !view.moved.is_empty(),
                effect_done_by: view.effects_done.iter().flatten().next().copied().filter(|_| waits),
                possible_duplicate_of: view.possible_duplicates.first().copied().filter(|_| waits),
                talk: view.talk.into(),
            },
            why: view.current.why,
            valid_until: view.current.valid_until,
            correlation: view.proposal.correlation,
            links,
            possible_duplicates: view.possible_duplicates,
        }
    }
}

/// The checks of a proposal, in the order in which they are shown.
fn checks(view: &ProposalView) -> Vec<Check> {
    let open = matches!(view.standing, Standing::Open(_));
    let mut base = Check::holds(CheckName::Base);
    let mut effect = Check::holds(CheckName::EffectKey);
    let mut valid = Check::holds(CheckName::ValidUntil);
    let mut similar = Check::holds(CheckName::PossibleDuplicate);
    if open && !view.moved.is_empty() {
        let refusal = sekali_core::decide::stale(view.proposal.number, &view.moved, view.awaits);
        base.fail(refusal.code, refusal.detail);
        base.moved = view.moved.iter().map(Moved::from).collect();
        base.proposals =
            distinct(view.moved.iter().filter_map(|moved| moved.by.map(|(proposal, _)| proposal)));
        if let Some(other) = view.awaits.and_then(Awaits::waiting) {
            base.proposals = vec![other];
        }
    }
    let done: Vec<(&str, u64)> = view
        .current
        .effect_keys
        .iter()
        .zip(&view.effects_done)
        .filter_map(|(effect, by)| by.map(|by| (effect.key.as_str(), by)))
        .collect();
    if open && let Some((key, by)) = done.first() {
        effect.fail(Code::EffectAlreadyDone, format!("The effect {key:?} was already had by #{by}."));
        effect.proposals = distinct(done.iter().map(|(_, by)| *by));
    }
    if view.state == State::Expired
        && let Some(end) = view.current.valid_until
    {
        valid.fail(Code::ProposalExpired, format!("It was valid until {end}, which is over."));
    }
    if open && let Some(other) = view.possible_duplicates.first() {
        similar.ok = false;
        similar.detail = Some(format!("Its changes equal those of #{other}."));
        similar.proposals.clone_from(&view.possible_duplicates);
    }
    let mut asked = Check::holds(CheckName::ChangesAsked);
    if open && let [first, more @ ..] = &*view.talk.open_asks {
        asked.ok = false;
        let comments = if more.is_empty() { "comment" } else { "comments" };
        let named: Vec<String> = std::iter::once(first).chain(more).map(ToString::to_string).collect();
        asked.detail = Some(format!("Changes are asked for in {comments} {}.", named.join(", ")));
    }
    vec![base, effect, valid, similar, asked]
}

impl Check {
    fn fail(&mut self, code: Code, detail: String) {
        (self.ok, self.code, self.detail) = (false, Some(code), Some(detail));
    }
}

fn distinct(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut seen = Vec::new();
    for number in numbers {
        if !seen.contains(&number) {
            seen.push(number);
        }
    }
    seen
}
