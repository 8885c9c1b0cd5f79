//! Split: part of a waiting proposal becomes its next revision, and the rest a new proposal, in one
//! transaction. Where a document is divided by hunks, the rest is based on what was taken: applied one
//! after the other, both come to exactly what the whole would have been.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;
use std::sync::Arc;

use sekali_core::change::{NetChange, Version};
use sekali_core::decide;
use sekali_core::diff::{self, DiffKind};
use sekali_core::hash::Digest;
use sekali_core::{ActorId, Code, DocPath, Op, ProposalId, Refusal, limit, text};
use sekali_store::{ChangeRow, ContentRow, LinkKind, ProposalRow, RoomRow, SubmittedRow, Write, read, write};
use uuid::Uuid;

use crate::apply::documents::displaced;
use crate::rebase::{Waiting, few_enough};
use crate::rooms::refused;
use crate::submit::prepare::{Made, Prepared, Said, commit, prepared};
use crate::submit::{Proposed, in_future, lost_revision, may_revise, written};
use crate::{Answer, Caller, Engine, Failure, keep, no_proposal, refuse};

/// What stays in the proposal that is split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// A document of it, by the path afterwards.
    pub path: DocPath,
    /// Hunks of its difference as it is shown, from 1; `None` takes the whole change.
    pub hunks: Option<Vec<u32>>,
}

/// What is to be split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The digest of the revision that is split, where the caller knows it.
    pub seen: Option<Digest>,
    /// What stays.
    pub take: Vec<Taken>,
    /// The title of the rest; by default that of the whole with `(rest)`.
    pub title: Option<String>,
}

/// Both parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The proposal that was split, as it is now.
    pub taken: Proposed,
    /// The new one.
    pub rest: Proposed,
}

impl Engine {
    /// Splits a waiting proposal.
    ///
    /// # Errors
    /// `proposal.invalid` naming what cannot be taken, and where nothing or everything would stay;
    /// `proposal.changed` where it has another digest; and as [`Engine::revise`].
    pub fn split(&self, caller: &Caller, room: &str, number: u64, asked: &Split) -> Result<Parts, Failure> {
        if let Some(title) = &asked.title {
            text::title("title", title)?;
        }
        let room = self.room(room)?;
        let id = ProposalId::new(Uuid::now_v7());
        let plan = read(self.store(), |tx| {
            let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
            let author = may_revise(tx, &room, caller, &proposal)?.id;
            let waiting = Waiting::of(tx, &room, number)?;
            if let Some(seen) = asked.seen
                && seen != waiting.row.digest
            {
                let standing = tx.standing(room.key, waiting.proposal.id)?.ok_or_else(lost_revision)?;
                return Err(decide::not_taken(number, &standing).into());
            }
            whole_effect(&waiting)?;
            let wanted = Wanted::of(&waiting, &asked.take)?;
            let mut parts = Division::default();
            for (ordinal, hunks) in (0u32..).zip(&wanted.0) {
                let row = &waiting.changes[ordinal as usize];
                let after = waiting.after(tx, &room, ordinal)?;
                match hunks {
                    Part::Stays => parts.taken.whole(row, after)?,
                    Part::Goes => parts.rest.whole(row, after)?,
                    Part::Hunks(hunks) => {
                        let base = waiting.base(tx, &room, &row.change)?;
                        let (base, after) = match (base, after) {
                            (Some(base), Some(after)) => (base, after),
                            (None, _) => {
                                return Err(undivided(&row.change.path, ("created", "dibuat")).into());
                            }
                            (_, None) => {
                                return Err(undivided(&row.change.path, ("deleted", "dihapus")).into());
                            }
                        };
                        parts.divide(row, &base.content, after.content, hunks)?;
                    }
                }
            }
            if parts.rest.made.changes.is_empty() {
                return Err(everything_stays().into());
            }
            let mut plan = Plan::of(&room, id, caller, author, &waiting, asked, parts);
            for part in [&mut plan.taken, &mut plan.rest] {
                let net: Vec<NetChange> = part.new.changes.iter().map(|row| row.change.clone()).collect();
                part.moved = displaced(tx, room.key, &net, None)?;
            }
            Ok::<_, Failure>(plan)
        })?;
        let plan = Arc::new(plan);
        Ok(write(self.store(), move |tx| plan.write(tx))??)
    }
}

/// What becomes of each change.
enum Part {
    Stays,
    Goes,
    Hunks(Vec<u32>),
}

/// The parts of each change, in order.
struct Wanted(Vec<Part>);

impl Wanted {
    fn of(waiting: &Waiting, take: &[Taken]) -> Result<Self, Refusal> {
        let mut parts: Vec<Part> = waiting.changes.iter().map(|_| Part::Goes).collect();
        few_enough(take.len())?;
        let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, row) in waiting.changes.iter().enumerate() {
            by_path.entry(row.change.path.key()).or_default().push(place);
        }
        for (index, taken) in take.iter().enumerate() {
            let places = places_of(waiting, by_path.get(taken.path.key()), taken);
            if places.is_empty() {
                return Err(waiting.does_not_change(index, &taken.path));
            }
            if taken.hunks.as_ref().is_some_and(Vec::is_empty) {
                let field = format!("take[{index}].hunks");
                return Err(Refusal::field(
                    Code::ProposalInvalid,
                    &field,
                    format!("{field}: name at least one hunk, or null for the whole change."),
                )
                .said(format!(
                    "{field}: sebutkan paling sedikit satu potongan, atau null untuk seluruhnya."
                )));
            }
            for place in places {
                parts[place] = match (&taken.hunks, std::mem::replace(&mut parts[place], Part::Stays)) {
                    (None, _) | (Some(_), Part::Stays) => Part::Stays,
                    (Some(more), Part::Goes) => Part::Hunks(more.clone()),
                    (Some(more), Part::Hunks(mut hunks)) => {
                        hunks.extend(more);
                        Part::Hunks(hunks)
                    }
                };
            }
        }
        if parts.iter().all(|part| matches!(part, Part::Goes)) {
            return Err(Refusal::field(
                Code::ProposalInvalid,
                "take",
                "take: name at least one change that stays.",
            )
            .said("take: sebutkan paling sedikit satu perubahan yang tetap."));
        }
        if parts.iter().all(|part| matches!(part, Part::Stays)) {
            return Err(everything_stays());
        }
        if let Some((one, two)) = inseparable(waiting, &parts) {
            return Err(Refusal::field(
                Code::ProposalInvalid,
                "take",
                format!("take: the changes of {one} and {two} need each other; they stay together or go together."),
            )
            .said(format!(
                "take: perubahan {one} dan {two} saling memerlukan; keduanya tetap bersama atau pergi bersama."
            ))
            .with(|f| f.path = Some(two.to_string())));
        }
        Ok(Self(parts))
    }
}

/// The changes that are meant of those of a path: there may be two, where a document goes and another moves
/// to its place. Hunks are of the one that has both sides.
fn places_of(waiting: &Waiting, of_path: Option<&Vec<usize>>, taken: &Taken) -> Vec<usize> {
    let mut places = of_path.cloned().unwrap_or_default();
    if taken.hunks.is_some() && places.len() > 1 {
        places.retain(|place| {
            let change = &waiting.changes[*place].change;
            change.base.is_some() && change.after.is_some()
        });
    }
    places
}

/// An effect that was declared is one, and has no parts. What an idempotency key implies stays with the
/// proposal that it was sent for.
fn whole_effect(waiting: &Waiting) -> Result<(), Refusal> {
    let declared = waiting.row.effect_keys.iter().find(|effect| !effect.is_derived());
    let Some(effect) = declared else { return Ok(()) };
    let (number, key) = (waiting.proposal.number, &effect.key);
    Err(Refusal::field(
        Code::ProposalInvalid,
        "take",
        format!("take: #{number} declares the effect {key:?}, and an effect has no parts. Withdraw it, and propose each part with an effect key of its own."),
    )
    .said(format!("take: #{number} menyatakan tindakan {key:?}, dan sebuah tindakan tidak dapat dibagi. Tarik usulan itu, lalu usulkan tiap bagian dengan kunci tindakannya sendiri."))
    .with(|f| f.value = Some(key.clone())))
}

/// Two changes on different sides of which one needs the place that the other leaves.
fn inseparable<'w>(waiting: &'w Waiting, parts: &[Part]) -> Option<(&'w DocPath, &'w DocPath)> {
    let places = |row: &'w ChangeRow| std::iter::once(&row.change.path).chain(row.change.from.as_ref());
    let mut going: BTreeMap<&str, &DocPath> = BTreeMap::new();
    for (row, part) in waiting.changes.iter().zip(parts) {
        if matches!(part, Part::Goes) {
            going.extend(places(row).map(|path| (path.key(), &row.change.path)));
        }
    }
    for (row, part) in waiting.changes.iter().zip(parts) {
        if matches!(part, Part::Goes) {
            continue;
        }
        for path in places(row) {
            let key = path.key();
            // The very place, a folder of it, or what is below it.
            let folders = key.match_indices('/').map(|(end, _)| &key[..end]);
            let above = folders.chain([key]).find_map(|place| going.get(place));
            let below = || {
                let start = format!("{key}/");
                let next = going.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded)).next();
                next.filter(|(place, _)| place.starts_with(&start)).map(|(_, path)| path)
            };
            if let Some(other) = above.or_else(below) {
                return Some((&row.change.path, other));
            }
        }
    }
    None
}

fn everything_stays() -> Refusal {
    Refusal::field(Code::ProposalInvalid, "take", "take: everything would stay; nothing would be split off.")
        .said("take: semuanya akan tetap; tidak ada yang dipisahkan.")
}

/// A document that has no parts to choose from.
fn undivided(path: &DocPath, (why, id): (&str, &str)) -> Refusal {
    Refusal::field(
        Code::ProposalInvalid,
        "take",
        format!("take: {path} cannot be divided by hunks: it is {why}. Take it whole."),
    )
    .said(format!("take: {path} tidak dapat dibagi per potongan: dokumen ini {id}. Ambil seluruhnya."))
    .with(|f| f.path = Some(path.to_string()))
}

/// Both sets of changes.
#[derive(Default)]
struct Division {
    taken: Side,
    rest: Side,
}

#[derive(Default)]
struct Side {
    made: Made,
}

impl Side {
    fn push(&mut self, row: ChangeRow, content: Option<ContentRow>) {
        self.made.changes.push(row);
        self.made.contents.push(content);
    }

    /// A change as it is, its content under a salt of its own.
    fn whole(&mut self, row: &ChangeRow, after: Option<sekali_core::resolve::Held>) -> Result<(), Failure> {
        let (after, content) = match after {
            None => (None, None),
            Some(held) => {
                let (version, content) = commit(held.content, held.mode)?;
                (Some(version), Some(content))
            }
        };
        let change = NetChange { after, ..row.change.clone() };
        self.push(ChangeRow { change, ..row.clone() }, content);
        Ok(())
    }
}

impl Division {
    /// A change by hunks: what is taken is made on what the whole was made on, with its move and its
    /// mode, and the rest on that.
    fn divide(&mut self, row: &ChangeRow, base: &[u8], after: Vec<u8>, hunks: &[u32]) -> Result<(), Failure> {
        let path = &row.change.path;
        let mode = row.change.after.as_ref().ok_or_else(lost_revision)?.mode;
        let (kind, count) = diff::count_hunks(base, &after);
        match kind {
            DiffKind::Text => {}
            DiffKind::Binary => return Err(undivided(path, ("not text", "bukan teks")).into()),
            DiffKind::TooLarge => return Err(undivided(path, ("too large", "terlalu besar")).into()),
        }
        for hunk in hunks {
            if *hunk == 0 || *hunk > count {
                return Err(Refusal::field(
                    Code::ProposalInvalid,
                    "take",
                    format!("take: {path} has no hunk {hunk}; it has {count}."),
                )
                .said(format!("take: {path} tidak punya potongan {hunk}; ada {count}."))
                .with(|f| {
                    f.path = Some(path.to_string());
                    f.value = Some(hunk.to_string());
                })
                .into());
            }
        }
        let taken = diff::with_hunks(base, &after, hunks);
        if taken == after {
            let held = sekali_core::resolve::Held { content: after, mode };
            return self.taken.whole(row, Some(held));
        }
        let (_, added, removed) = diff::stat(base, &taken);
        let (_, more, less) = diff::stat(&taken, &after);
        let (between, content) = commit(taken, mode)?;
        let (last, last_content) = commit(after, mode)?;
        let first = NetChange { after: Some(between.clone()), ..row.change.clone() };
        self.taken.push(
            ChangeRow { change: first, added, removed, moved: Vec::new(), ..row.clone() },
            Some(content),
        );
        self.rest.push(
            ChangeRow {
                change: onto(path, between, last),
                added: more,
                removed: less,
                binary: false,
                submitted_base: None,
                moved: Vec::new(),
            },
            Some(last_content),
        );
        Ok(())
    }
}

fn onto(path: &DocPath, base: Version, after: Version) -> NetChange {
    NetChange { op: Op::Replace, path: path.clone(), from: None, base: Some(base), after: Some(after) }
}

/// Both parts, ready to be written.
struct Plan {
    room: RoomRow,
    caller: Caller,
    author: ActorId,
    proposal: ProposalRow,
    replaced: Digest,
    taken: Prepared,
    id: ProposalId,
    rest: Prepared,
}

impl Plan {
    fn of(
        room: &RoomRow,
        id: ProposalId,
        caller: &Caller,
        author: ActorId,
        waiting: &Waiting,
        asked: &Split,
        parts: Division,
    ) -> Self {
        let (stays, goes) = edits_by_part(&waiting.edits, &parts);
        let title = asked.title.clone().unwrap_or_else(|| {
            const REST: &str = " (rest)";
            text::cut(&waiting.row.title, limit::TITLE_CHARS - REST.len()) + REST
        });
        let rest = Said {
            proposal: id,
            revision: 1,
            author,
            title,
            why: waiting.row.why.clone(),
            valid_until: waiting.row.valid_until,
            // Both could not have what the idempotency key implies.
            effect_keys: Vec::new(),
            rebased_from: None,
        };
        Self {
            room: room.clone(),
            caller: caller.clone(),
            author,
            proposal: waiting.proposal.clone(),
            replaced: waiting.row.digest,
            taken: prepared(room, waiting.next(author, None), parts.taken.made, stays),
            id,
            rest: prepared(room, rest, parts.rest.made, goes),
        }
    }

    fn write(&self, tx: &mut dyn Write) -> Answer<Parts> {
        let (room, proposal) = (self.room.key, &self.proposal);
        if let Err(failure) = may_revise(&*tx, &self.room, &self.caller, proposal) {
            return refused(failure);
        }
        let now = tx.now(room)?;
        if let Err(refusal) = in_future(self.taken.new.row.valid_until, now) {
            return refuse(refusal);
        }
        if !tx.swap_open(room, proposal.id, &self.replaced, &self.taken.open())? {
            let standing = tx.standing(room, proposal.id)?.ok_or_else(lost_revision)?;
            return refuse(decide::not_taken(proposal.number, &standing));
        }
        tx.insert_revision(room, proposal.id, now.at, &self.taken.new)?;
        let number = tx.next_number(room)?;
        let row = ProposalRow {
            id: self.id,
            number,
            author: self.author,
            door: self.caller.door,
            created_at: now.at,
            correlation: proposal.correlation.clone(),
        };
        tx.insert_proposal(room, &row)?;
        tx.insert_revision(room, self.id, now.at, &self.rest.new)?;
        tx.open(room, self.id, &self.rest.open())?;
        tx.link(room, self.id, LinkKind::SplitFrom, proposal.id)?;
        let taken = written(&*tx, &self.room, proposal.number, proposal.id, &self.taken)?;
        let rest = written(&*tx, &self.room, number, self.id, &self.rest)?;
        keep(Parts { taken, rest })
    }
}

/// Edits of JSON values go with the change that they are, where it was not divided.
fn edits_by_part(edits: &[SubmittedRow], parts: &Division) -> (Vec<SubmittedRow>, Vec<SubmittedRow>) {
    let keys = |side: &Side| -> HashSet<String> {
        let changes = side.made.changes.iter().map(|row| &row.change);
        changes
            .flat_map(|change| change.from.iter().chain([&change.path]))
            .map(|path| path.key().to_owned())
            .collect()
    };
    let (taken, rest) = (keys(&parts.taken), keys(&parts.rest));
    let only = |here: &HashSet<String>, there: &HashSet<String>| {
        let mine = |path: &DocPath| here.contains(path.key()) && !there.contains(path.key());
        edits.iter().filter(|row| row.path.as_ref().is_some_and(mine)).cloned().collect()
    };
    (only(&taken, &rest), only(&rest, &taken))
}
