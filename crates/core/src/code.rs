//! Every refusal and failure by its dotted code: one append-only list. A code exists only if
//! someone branches on it. What it means on each door is decided here, by exhaustive match.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The language of hints and of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Indonesian.
    Id,
}

impl Lang {
    /// `en` or `id`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Id => "id",
        }
    }

    /// Chooses between two texts.
    pub const fn pick<'a>(self, en: &'a str, id: &'a str) -> &'a str {
        match self {
            Self::En => en,
            Self::Id => id,
        }
    }

    /// Reads a language tag such as `id`, `id_ID.UTF-8` or `en-GB`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_', '.', ',', ';']).next()?.trim().to_ascii_lowercase().as_str() {
            "en" => Some(Self::En),
            "id" | "in" => Some(Self::Id),
            _ => None,
        }
    }
}

/// The kind of a code: who must act next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The request is understood and refused; nothing changed.
    Refused,
    /// What is named is not there.
    NotFound,
    /// The state forbids it.
    Conflict,
    /// The actor may not.
    Denied,
    /// The store cannot be reached now.
    Busy,
    /// It may or may not have happened.
    Unknown,
    /// The store is damaged or foreign.
    Corrupt,
    /// A defect of Sekali.
    Bug,
}

/// Whether and when asking again makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// The same request will be refused again.
    Never,
    /// The same request is safe to repeat now.
    Same,
    /// After a rebase.
    AfterRebase,
    /// After looking at what is there now.
    AfterRefresh,
    /// When the store is back.
    Later,
    /// By somebody who may.
    OtherActor,
}

impl Retry {
    /// The word in the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Same => "same",
            Self::AfterRebase => "after_rebase",
            Self::AfterRefresh => "after_refresh",
            Self::Later => "later",
            Self::OtherActor => "other_actor",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $kind:ident, $retry:ident, $status:literal, $en:literal, $id:literal;)+) => {
        /// A dotted code (docs/ARCHITECTURE.md, "Errors").
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $variant),+ }

        impl Code {
            /// Every code, in the order in which they were added.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The dotted text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Who must act next.
            pub const fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind),+ }
            }

            /// Whether asking again makes sense.
            pub const fn retry(self) -> Retry {
                match self { $(Self::$variant => Retry::$retry),+ }
            }

            /// The HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// The next step, in one sentence.
            pub const fn hint(self, lang: Lang) -> &'static str {
                match (self, lang) {
                    $((Self::$variant, Lang::En) => $en, (Self::$variant, Lang::Id) => $id,)+
                }
            }
        }
    };
}

codes! {
    /// No proposal has this number.
    ProposalNotFound = "proposal.not_found", NotFound, Never, 404,
        "List the proposals of the room and check the number.",
        "Lihat daftar usulan di ruang ini, lalu periksa nomornya.";
    /// The proposal has another revision than the one seen.
    ProposalChanged = "proposal.changed", Conflict, AfterRefresh, 412,
        "Read the new revision, then apply it.",
        "Baca revisi terbarunya, lalu terapkan.";
    /// What the proposal was based on has moved.
    ProposalStale = "proposal.stale", Conflict, AfterRebase, 412,
        "Revise the proposal against the current documents, look at the new diff, then apply it.",
        "Sesuaikan usulan dengan versi terbaru, lihat perubahannya, lalu terapkan.";
    /// A person rejected it.
    ProposalRejected = "proposal.rejected", Conflict, Never, 409,
        "A member can reopen it.",
        "Anggota dapat membukanya lagi.";
    /// It was taken back.
    ProposalWithdrawn = "proposal.withdrawn", Conflict, Never, 410,
        "Submit a new proposal if it is still wanted.",
        "Ajukan usulan baru bila masih diperlukan.";
    /// Its validity has ended.
    ProposalExpired = "proposal.expired", Conflict, Never, 410,
        "Revise it with a later validity, or submit it again.",
        "Revisi dengan batas waktu baru, atau ajukan lagi.";
    /// Another revision of it was applied than the one seen.
    ProposalAppliedOther = "proposal.applied_other", Conflict, Never, 412,
        "Compare the applied revision with yours; propose what is missing.",
        "Bandingkan revisi yang sudah diterapkan dengan yang Anda lihat; ajukan yang belum ada.";
    /// It was applied, so it can no longer be rejected, revised or withdrawn.
    ProposalAlreadyApplied = "proposal.already_applied", Conflict, Never, 409,
        "Propose the inverse change if it should not stand.",
        "Ajukan pengembalian bila perubahan itu tidak seharusnya ada.";
    /// Only what was rejected can be reopened.
    ProposalNotRejected = "proposal.not_rejected", Conflict, Never, 409,
        "Look at its state; only a rejected proposal can be reopened.",
        "Periksa statusnya; hanya usulan yang ditolak yang dapat dibuka lagi.";
    /// The documents already say what it wants.
    ProposalNoChange = "proposal.no_change", Refused, Never, 409,
        "Nothing needs to be done: the documents already have this content.",
        "Tidak perlu melakukan apa pun: isi dokumen sudah seperti ini.";
    /// The proposal is not well formed.
    ProposalInvalid = "proposal.invalid", Refused, Never, 400,
        "Correct the named field and submit again.",
        "Perbaiki isian yang disebut, lalu ajukan lagi.";
    /// Another proposal has already had this effect.
    EffectAlreadyDone = "effect.already_done", Conflict, Never, 409,
        "Look at the proposal that did it; withdraw this one if it is the same.",
        "Lihat usulan yang sudah melakukannya; tarik usulan ini bila isinya sama.";
    /// The same idempotency key came with other content.
    KeyReused = "key.reused", Refused, Never, 422,
        "Use a new key for new content, or send the first content again.",
        "Pakai kunci baru untuk isi baru, atau kirim ulang isi yang pertama.";
    /// Nobody of this name is in the room.
    ActorUnknown = "actor.unknown", Denied, OtherActor, 403,
        "Ask a maintainer to add you: sekali member add NAME --role member.",
        "Minta pengelola menambahkan Anda: sekali member add NAMA --role member.";
    /// The role does not allow it.
    ActorDenied = "actor.denied", Denied, OtherActor, 403,
        "Ask somebody who may.",
        "Minta bantuan orang yang berwenang.";
    /// No room has this name.
    RoomNotFound = "room.not_found", NotFound, Never, 404,
        "List the rooms with: sekali room list.",
        "Lihat daftar ruang dengan: sekali room list.";
    /// The store has several rooms and none was named.
    RoomAmbiguous = "room.ambiguous", Refused, Never, 400,
        "Name one with --room or SEKALI_ROOM.",
        "Sebutkan salah satu dengan --room atau SEKALI_ROOM.";
    /// A room of this name exists.
    RoomExists = "room.exists", Conflict, Never, 409,
        "Choose another slug, or use the room that exists.",
        "Pilih nama pendek lain, atau pakai ruang yang sudah ada.";
    /// The room's slug or title is not well formed.
    RoomInvalid = "room.invalid", Refused, Never, 400,
        "Use lower-case letters, digits and single hyphens, at most 63.",
        "Pakai huruf kecil, angka, dan tanda hubung tunggal, paling banyak 63.";
    /// A member of this name exists.
    MemberExists = "member.exists", Conflict, Never, 409,
        "Change the role with: sekali member set NAME --role ROLE.",
        "Ubah perannya dengan: sekali member set NAMA --role PERAN.";
    /// No member has this name.
    MemberNotFound = "member.not_found", NotFound, Never, 404,
        "List the members with: sekali member list.",
        "Lihat daftar anggota dengan: sekali member list.";
    /// The member's name or role is not well formed.
    MemberInvalid = "member.invalid", Refused, Never, 400,
        "A person needs a role; an agent (agent:NAME) has none.",
        "Orang perlu peran; agen AI (agent:NAMA) tidak punya peran.";
    /// A room keeps at least one maintainer.
    MemberLastMaintainer = "member.last_maintainer", Conflict, Never, 409,
        "Make somebody else a maintainer first.",
        "Jadikan orang lain pengelola lebih dahulu.";
    /// No document has this path.
    DocumentNotFound = "document.not_found", NotFound, Never, 404,
        "List the documents with: sekali doc list.",
        "Lihat daftar dokumen dengan: sekali doc list.";
    /// A document stands where a new one should be.
    DocumentExists = "document.exists", Conflict, Never, 409,
        "Choose another path, or delete the document in the same proposal first.",
        "Pilih jalur lain, atau hapus dokumen itu lebih dahulu dalam usulan yang sama.";
    /// The path cannot be a document's.
    PathInvalid = "path.invalid", Refused, Never, 400,
        "Use a relative path with / between names, without reserved names.",
        "Pakai jalur relatif dengan / di antara nama, tanpa nama terlarang.";
    /// Two paths differ only by case or composition.
    PathCollision = "path.collision", Conflict, Never, 409,
        "Use the path that exists, exactly as it is written, or choose another name.",
        "Pakai jalur yang sudah ada persis seperti tertulis, atau pilih nama lain.";
    /// The body is not JSON, or has duplicate members.
    BodyInvalidJson = "body.invalid_json", Refused, Never, 400,
        "Send one JSON value in UTF-8, each member once.",
        "Kirim satu nilai JSON dalam UTF-8, setiap anggota sekali saja.";
    /// The body is JSON but not of the form asked for.
    BodyInvalid = "body.invalid", Refused, Never, 400,
        "Correct the named member and send again: sekali schema proposal shows the form.",
        "Perbaiki anggota yang disebut, lalu kirim lagi: sekali schema proposal menunjukkan bentuknya.";
    /// The body is too large.
    BodyTooLarge = "body.too_large", Refused, Never, 413,
        "Split the submission into several proposals.",
        "Pecah kiriman menjadi beberapa usulan.";
    /// A named limit is exceeded.
    LimitExceeded = "limit.exceeded", Refused, Never, 400,
        "Shorten what is named, or split the proposal.",
        "Pendekkan bagian yang disebut, atau pecah usulannya.";
    /// There is no store at this path.
    StoreNotFound = "store.not_found", NotFound, Never, 404,
        "Create one with: sekali init, or name another with --store.",
        "Buat dengan: sekali init, atau sebutkan yang lain dengan --store.";
    /// A store is there already.
    StoreExists = "store.exists", Conflict, Never, 409,
        "Open it, or add a room to it with: sekali room add SLUG.",
        "Buka berkas itu, atau tambahkan ruang dengan: sekali room add SLUG.";
    /// The file is not a Sekali store.
    StoreForeign = "store.foreign", Corrupt, Never, 503,
        "Name another file with --store; this one was left untouched.",
        "Sebutkan berkas lain dengan --store; berkas ini tidak disentuh.";
    /// The store is damaged.
    StoreDamaged = "store.damaged", Corrupt, Never, 503,
        "Stop writing, keep a copy of the file, and run: sekali doctor.",
        "Berhenti menulis, simpan salinan berkasnya, lalu jalankan: sekali doctor.";
    /// A newer Sekali made the store.
    StoreNewer = "store.newer", Corrupt, Never, 503,
        "Open it with a newer Sekali; nothing was changed.",
        "Buka dengan Sekali yang lebih baru; tidak ada yang berubah.";
    /// The store can be read but not written.
    StoreReadOnly = "store.read_only", Busy, Later, 503,
        "Give yourself write permission on the file and its folder, then press again.",
        "Beri izin tulis pada berkas dan foldernya, lalu tekan lagi.";
    /// The disk is full.
    StoreFull = "store.full", Busy, Later, 503,
        "Free some space on the disk, then press again; nothing was changed.",
        "Kosongkan sebagian ruang disk, lalu tekan lagi; tidak ada yang berubah.";
    /// Another process holds the store.
    StoreBusy = "store.busy", Busy, Same, 503,
        "Press again: nothing was changed, and it is safe.",
        "Tekan lagi: tidak ada yang berubah, dan aman.";
    /// The file was moved or replaced while open.
    StoreMoved = "store.moved", Busy, Later, 503,
        "Put the file back or open it at its new place; nothing was changed.",
        "Kembalikan berkasnya atau buka di tempat barunya; tidak ada yang berubah.";
    /// The commit failed in a way that leaves open whether it landed.
    StoreOutcomeUnknown = "store.outcome_unknown", Unknown, Same, 503,
        "Press again: it is done at most once, and if it landed you will see its receipt. A new proposal without a key: look at the list first.",
        "Tekan lagi: paling banyak terjadi sekali, dan bila sudah tercatat, buktinya ditampilkan. Usulan baru tanpa kunci: lihat daftarnya dulu.";
    /// The disk reported an error.
    StoreIo = "store.io", Busy, Later, 503,
        "Check the disk, then press again; nothing was changed.",
        "Periksa disk, lalu tekan lagi; tidak ada yang berubah.";
    /// There is no such route.
    RequestNotFound = "request.not_found", NotFound, Never, 404,
        "See /v1/openapi.json for the routes.",
        "Lihat /v1/openapi.json untuk daftar rute.";
    /// The request came without the token, from a foreign page, or in the wrong form.
    RequestDenied = "request.denied", Denied, Never, 403,
        "Send the token of this launch and a JSON content type.",
        "Kirim token sesi ini dan jenis isi JSON.";
    /// A defect of Sekali.
    Internal = "internal", Bug, Never, 500,
        "Please report this; asking again is safe.",
        "Mohon laporkan; mengulanginya aman.";
}

impl Code {
    /// The exit status of the command line: 1 refused or not found, 2 usage, 3 unavailable or
    /// unknown and safe to repeat, 4 damaged, 70 internal.
    pub const fn exit(self) -> u8 {
        match self.kind() {
            _ if matches!(self, Self::RoomAmbiguous) => 2,
            Kind::Refused | Kind::NotFound | Kind::Conflict | Kind::Denied => 1,
            Kind::Busy | Kind::Unknown => 3,
            Kind::Corrupt => 4,
            Kind::Bug => 70,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_codes() {
        let table: Vec<String> = Code::ALL
            .iter()
            .map(|c| {
                format!("{c} | {:?} | {} | {} | exit {}", c.kind(), c.retry().as_str(), c.status(), c.exit())
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn every_code_has_a_hint_in_both_languages() {
        for code in Code::ALL {
            let (en, id) = (code.hint(Lang::En), code.hint(Lang::Id));
            assert!(en.ends_with('.') && id.ends_with('.') && en != id, "{code}");
        }
    }
}
