//! Exporting a ledger as a folder (docs/format.md, "Export"): the exact bytes of the entries, and
//! what is needed to recompute every hash without Sekali. Reads in short pages; files get their
//! names only once they are whole.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sekali_core::revision::digest_of;
use sekali_core::role::Action;
use sekali_core::tree::Frontier;
use sekali_core::{Code, Commitment, LeafHash, ProposalId, Refusal};
use sekali_store::{RoomRow, StoreError, read};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::{Caller, Engine, Failure, acting};

/// Entries read in one snapshot.
const PAGE: u32 = 500;

/// What to export, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// A folder that is not there yet, or is empty.
    pub out: PathBuf,
    /// `ledger.jsonl`, `revisions.jsonl`, `root.json`.
    pub jsonl: bool,
    /// `ledger.csv`.
    pub csv: bool,
    /// `contents.jsonl`.
    pub content: bool,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Entries.
    pub entries: u64,
    /// The root over them, in hex.
    pub root: String,
    /// The files.
    pub files: Vec<ExportedFile>,
}

/// One file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name in the folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of it, in hex.
    pub sha256: String,
}

/// The members of an entry that an export needs.
#[derive(Deserialize)]
struct Entry {
    seq: u64,
    at: String,
    kind: String,
    proposal: u64,
    proposal_id: ProposalId,
    revision: u32,
    actor: String,
    door: String,
    digest: String,
    reason: Option<String>,
    #[serde(default)]
    changes: Vec<EntryChange>,
}

#[derive(Deserialize)]
struct EntryChange {
    path: String,
    after: String,
}

impl Engine {
    /// Exports the ledger of a room as it is at this moment; applies go on meanwhile.
    ///
    /// # Errors
    /// `actor.denied` but for maintainers, `folder.occupied` naming `out` where the folder is not
    /// empty, `store.io` and `store.full` for the folder's disk. Nothing is left under a final name
    /// unless every file is whole.
    pub fn export(
        &self,
        caller: &Caller,
        room: &str,
        options: &Options,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Report, Failure> {
        let room = self.room(room)?;
        let head = read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Export)?;
            Ok::<_, Failure>(tx.head(room.key)?)
        })?;
        prepare(&options.out)?;
        let mut files = Files::create(options)?;
        let mut seen = Seen::default();
        let mut frontier = Frontier::default();
        let mut done = 0;
        while done < head.size {
            let page = read(self.store(), |tx| tx.entries(room.key, done, PAGE))?;
            if page.is_empty() {
                return Err(StoreError::damaged(format!(
                    "The ledger ends at entry {done}, before its head."
                ))
                .into());
            }
            for row in page.into_iter().take_while(|row| row.seq <= head.size) {
                // An export is handed on as proof: what does not hold is not written.
                if row.seq != done + 1 || LeafHash::of(&row.bytes) != row.leaf {
                    return Err(
                        StoreError::damaged(format!("Entry {} is not what was hashed.", done + 1)).into()
                    );
                }
                frontier.append(&row.leaf);
                let entry: Entry = serde_json::from_slice(&row.bytes)
                    .map_err(|e| StoreError::caused(Code::StoreDamaged, "An entry cannot be read.", e))?;
                files.entry(&row.bytes)?;
                files.csv_row(row.seq, &entry, &row.leaf.hex())?;
                self.rest(&room, &entry, &mut files, &mut seen)?;
                done = row.seq;
            }
            progress(done, head.size);
        }
        if frontier.root() != head.root {
            return Err(StoreError::damaged("The root of the ledger is not the root of its entries.").into());
        }
        files.root(&room, head.size, &head.root)?;
        Ok(Report { entries: head.size, root: hex::encode(head.root), files: files.finish()? })
    }

    /// The revision that an entry names, and the contents of an applied one, each once.
    fn rest(&self, room: &RoomRow, entry: &Entry, files: &mut Files, seen: &mut Seen) -> Result<(), Failure> {
        if files.jsonl.is_some() && seen.revisions.insert((entry.proposal_id, entry.revision)) {
            let row = read(self.store(), |tx| tx.revision(room.key, entry.proposal_id, entry.revision))?;
            let row =
                row.ok_or_else(|| StoreError::damaged("An entry names a revision that is not there."))?;
            if digest_of(&row.canonical).to_string() != entry.digest {
                return Err(StoreError::damaged(format!(
                    "Revision {} of #{} does not have the digest that its entry names.",
                    entry.revision, entry.proposal
                ))
                .into());
            }
            files.revision(&entry.digest, &row.canonical)?;
        }
        if files.contents.is_some() && entry.kind == "applied" {
            for (ordinal, change) in (0u32..).zip(&entry.changes) {
                let content = read(self.store(), |tx| {
                    tx.content(room.key, entry.proposal_id, entry.revision, ordinal)
                })?;
                let Some(content) = content else { continue };
                let commitment = Commitment::of(&content.salt, &content.content);
                if commitment != content.commitment || commitment.to_string() != change.after {
                    return Err(StoreError::damaged(format!(
                        "The content of {} in entry {} is not what was committed to.",
                        change.path, entry.seq
                    ))
                    .into());
                }
                if seen.contents.insert(commitment) {
                    files.content(&content)?;
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Seen {
    revisions: HashSet<(ProposalId, u32)>,
    contents: HashSet<Commitment>,
}

/// The folder must be new or empty, so that an export never mixes with another.
fn prepare(out: &Path) -> Result<(), Failure> {
    let refuse = |en: &str, id: &str| {
        let shown = out.display().to_string();
        Refusal::field(Code::FolderOccupied, "out", format!("out: {shown} {en}."))
            .said(format!("out: {shown} {id}."))
            .with(|f| f.value = Some(shown))
    };
    if out.exists() {
        if !out.is_dir() {
            return Err(
                refuse("is a file; an export is a folder", "adalah berkas; ekspor adalah folder").into()
            );
        }
        let mut entries = fs::read_dir(out).map_err(|e| disk(out, e))?;
        if entries.next().is_some() {
            return Err(
                refuse("is not empty; name a new folder", "tidak kosong; sebutkan folder baru").into()
            );
        }
        return Ok(());
    }
    Ok(fs::create_dir_all(out).map_err(|e| disk(out, e))?)
}

fn disk(path: &Path, error: io::Error) -> StoreError {
    let code = match error.kind() {
        io::ErrorKind::StorageFull => Code::StoreFull,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Code::StoreReadOnly,
        _ => Code::StoreIo,
    };
    StoreError::caused(code, format!("Could not write {}: {error}.", path.display()), error)
        .said(format!("{} tidak dapat ditulis.", path.display()))
}

/// A file under a temporary name, with its hash.
struct Part {
    name: &'static str,
    path: PathBuf,
    out: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl Part {
    fn create(folder: &Path, name: &'static str) -> Result<Self, StoreError> {
        let path = folder.join(format!("{name}.part"));
        let file = File::create_new(&path).map_err(|e| disk(&path, e))?;
        Ok(Self { name, path, out: BufWriter::with_capacity(1 << 16, file), hash: Sha256::new(), bytes: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|e| disk(&self.path, e))
    }

    fn close(mut self) -> Result<(PathBuf, ExportedFile), StoreError> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_all()).map_err(|e| disk(&self.path, e))?;
        let file = ExportedFile {
            name: self.name.to_owned(),
            bytes: self.bytes,
            sha256: hex::encode(self.hash.finalize()),
        };
        Ok((self.path, file))
    }
}

struct Files {
    out: PathBuf,
    /// Entries, revisions and root.
    jsonl: Option<[Part; 3]>,
    csv: Option<Part>,
    contents: Option<Part>,
    finished: bool,
}

impl Files {
    fn create(options: &Options) -> Result<Self, StoreError> {
        let part = |name| Part::create(&options.out, name);
        let mut files =
            Self { out: options.out.clone(), jsonl: None, csv: None, contents: None, finished: false };
        if options.jsonl {
            files.jsonl = Some([part("ledger.jsonl")?, part("revisions.jsonl")?, part("root.json")?]);
        }
        if options.csv {
            let mut csv = part("ledger.csv")?;
            csv.write(b"seq,at,kind,proposal,revision,actor_id,door,digest,changes,reason,leaf\r\n")?;
            files.csv = Some(csv);
        }
        if options.content {
            files.contents = Some(part("contents.jsonl")?);
        }
        Ok(files)
    }

    fn entry(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let Some([ledger, ..]) = &mut self.jsonl else {
            return Ok(());
        };
        ledger.write(bytes)?;
        ledger.write(b"\n")
    }

    fn revision(&mut self, digest: &str, canonical: &[u8]) -> Result<(), StoreError> {
        let Some([_, revisions, _]) = &mut self.jsonl else {
            return Ok(());
        };
        revisions.write(format!("{{\"digest\":\"{digest}\",\"revision\":").as_bytes())?;
        revisions.write(canonical)?;
        revisions.write(b"}\n")
    }

    fn root(&mut self, room: &RoomRow, size: u64, root: &[u8; 32]) -> Result<(), StoreError> {
        let Some([_, _, file]) = &mut self.jsonl else {
            return Ok(());
        };
        let text = format!(
            "{{\"format\":\"sekali.export/1\",\"room\":\"{}\",\"size\":{size},\"root\":\"{}\"}}\n",
            room.id,
            hex::encode(root)
        );
        file.write(text.as_bytes())
    }

    fn content(&mut self, content: &sekali_store::ContentRow) -> Result<(), StoreError> {
        let Some(file) = &mut self.contents else {
            return Ok(());
        };
        let line = format!(
            "{{\"commitment\":\"{}\",\"salt\":\"{}\",\"base64\":\"{}\"}}\n",
            content.commitment,
            hex::encode(content.salt.as_bytes()),
            STANDARD.encode(&content.content)
        );
        file.write(line.as_bytes())
    }

    fn csv_row(&mut self, seq: u64, entry: &Entry, leaf: &str) -> Result<(), StoreError> {
        let Some(file) = &mut self.csv else {
            return Ok(());
        };
        let changes = if entry.kind == "applied" { entry.changes.len().to_string() } else { String::new() };
        let reason = entry.reason.as_deref().map(cell).unwrap_or_default();
        let mut record = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        let written = record.write_record([
            &seq.to_string(),
            &entry.at,
            &entry.kind,
            &entry.proposal.to_string(),
            &entry.revision.to_string(),
            &entry.actor,
            &entry.door,
            &entry.digest,
            &changes,
            &reason,
            leaf,
        ]);
        let bytes = written
            .map_err(csv_failed)
            .and_then(|()| record.into_inner().map_err(|e| csv_failed(e.into_error().into())))?;
        file.write(&bytes)
    }

    /// Every file is whole: only now do they get their names.
    fn finish(mut self) -> Result<Vec<ExportedFile>, StoreError> {
        let parts: Vec<Part> = self
            .jsonl
            .take()
            .into_iter()
            .flatten()
            .chain(self.csv.take())
            .chain(self.contents.take())
            .collect();
        let closed = parts.into_iter().map(Part::close).collect::<Result<Vec<_>, _>>()?;
        let mut files = Vec::with_capacity(closed.len());
        for (path, file) in closed {
            fs::rename(&path, self.out.join(&file.name)).map_err(|e| disk(&path, e))?;
            files.push(file);
        }
        self.finished = true;
        Ok(files)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for name in ["ledger.jsonl", "revisions.jsonl", "root.json", "ledger.csv", "contents.jsonl"] {
            // What could not be finished must not look like an export.
            let _ = fs::remove_file(self.out.join(format!("{name}.part")));
        }
    }
}

fn csv_failed(error: csv::Error) -> StoreError {
    StoreError::caused(Code::StoreIo, "Could not write a CSV record.", error)
}

/// A text that a spreadsheet would run as a formula gets an apostrophe before it, as does one that
/// begins with an apostrophe: taking one leading apostrophe away gives the text back, always.
fn cell(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\'']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_formula_is_neutralised_reversibly() {
        for text in ["=1+1", "+1", "-1", "@x", "\t=1", "'=1", "'", "plain", ""] {
            let shown = cell(text);
            assert!(!shown.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "{shown}");
            let back = shown.strip_prefix('\'').unwrap_or(&shown);
            assert_eq!(back, text);
        }
    }
}
