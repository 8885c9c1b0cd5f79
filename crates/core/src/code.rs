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
    /// Every word.
    pub const ALL: &'static [Self] =
        &[Self::Never, Self::Same, Self::AfterRebase, Self::AfterRefresh, Self::Later, Self::OtherActor];

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
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $kind:ident, $retry:ident, $status:literal, $en:literal, $id:literal, $happened:literal;)+) => {
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

            /// What happened, in Indonesian, where nothing more exact was said: on the wire it is
            /// said in English, by whoever refused.
            pub const fn happened(self) -> &'static str {
                match self { $(Self::$variant => $happened),+ }
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
        "Lihat daftar usulan di ruang ini, lalu periksa nomornya.",
        "Usulan ini tidak ada di ruang ini.";
    /// The proposal has another revision than the one seen.
    ProposalChanged = "proposal.changed", Conflict, AfterRefresh, 412,
        "Read the proposal as it is now, then decide on its digest.",
        "Baca usulan ini seperti adanya sekarang, lalu putuskan dengan sidik isinya.",
        "Ada revisi yang lebih baru daripada yang Anda baca.";
    /// What the proposal was based on has moved.
    ProposalStale = "proposal.stale", Conflict, AfterRebase, 412,
        "Rebase the proposal, or make it again from the current documents; look at the new diff, then apply it.",
        "Sesuaikan usulan dengan versi terbaru, atau buat lagi dari dokumen yang sekarang; lihat perubahannya, lalu terapkan.",
        "Dasarnya sudah berubah sejak usulan ini dibuat.";
    /// A person rejected it.
    ProposalRejected = "proposal.rejected", Conflict, Never, 409,
        "A member can reopen it.",
        "Anggota dapat membukanya lagi.",
        "Usulan ini sudah ditolak.";
    /// It was taken back.
    ProposalWithdrawn = "proposal.withdrawn", Conflict, Never, 410,
        "Submit a new proposal if it is still wanted.",
        "Ajukan usulan baru bila masih diperlukan.",
        "Usulan ini sudah ditarik.";
    /// Its validity has ended.
    ProposalExpired = "proposal.expired", Conflict, Never, 410,
        "Revise it with a later validity, or submit it again.",
        "Revisi dengan batas waktu baru, atau ajukan lagi.",
        "Usulan ini sudah lewat batas waktu.";
    /// Another revision of it was applied than the one seen.
    ProposalAppliedOther = "proposal.applied_other", Conflict, Never, 412,
        "Compare the applied revision with yours; propose what is missing.",
        "Bandingkan revisi yang sudah diterapkan dengan yang Anda lihat; ajukan yang belum ada.",
        "Revisi lain dari usulan ini sudah diterapkan sebelumnya.";
    /// It was applied, so it can no longer be rejected, revised or withdrawn.
    ProposalAlreadyApplied = "proposal.already_applied", Conflict, Never, 409,
        "Propose the inverse change if it should not stand.",
        "Ajukan pengembalian bila perubahan itu tidak seharusnya ada.",
        "Usulan ini sudah diterapkan.";
    /// Only what was rejected can be reopened.
    ProposalNotRejected = "proposal.not_rejected", Conflict, Never, 409,
        "Look at its state; only a rejected proposal can be reopened.",
        "Periksa statusnya; hanya usulan yang ditolak yang dapat dibuka lagi.",
        "Hanya usulan yang ditolak yang bisa dibuka lagi, dan usulan ini tidak ditolak.";
    /// The documents already say what it wants.
    ProposalNoChange = "proposal.no_change", Refused, Never, 409,
        "Nothing needs to be done; a proposal that still waits for it can be withdrawn.",
        "Tidak perlu melakukan apa pun; usulan yang masih menunggu dapat ditarik.",
        "Tidak ada yang akan berubah: dokumennya sudah seperti hasil yang diminta.";
    /// The proposal is not well formed.
    ProposalInvalid = "proposal.invalid", Refused, Never, 400,
        "Correct the named field and submit again.",
        "Perbaiki isian yang disebut, lalu ajukan lagi.",
        "Usulan ini tidak sah.";
    /// Another proposal has already had this effect.
    EffectAlreadyDone = "effect.already_done", Conflict, Never, 409,
        "Look at the proposal that did it; withdraw this one if it is the same.",
        "Lihat usulan yang sudah melakukannya; tarik usulan ini bila isinya sama.",
        "Ini sudah dilakukan oleh usulan lain.";
    /// The same idempotency key came with other content.
    KeyReused = "key.reused", Refused, Never, 422,
        "Use a new key for new content, or send the first content again.",
        "Pakai kunci baru untuk isi baru, atau kirim ulang isi yang pertama.",
        "Kunci ini pernah dipakai untuk isi lain.";
    /// Nobody of this name is in the room.
    ActorUnknown = "actor.unknown", Denied, OtherActor, 403,
        "Ask a maintainer to add you.",
        "Minta pengelola menambahkan Anda.",
        "Anda belum dikenal di ruang ini.";
    /// The role does not allow it.
    ActorDenied = "actor.denied", Denied, OtherActor, 403,
        "Ask somebody who may.",
        "Minta bantuan orang yang berwenang.",
        "Peran Anda tidak mengizinkan ini.";
    /// No room has this name.
    RoomNotFound = "room.not_found", NotFound, Never, 404,
        "List the rooms with: sekali room list.",
        "Lihat daftar ruang dengan: sekali room list.",
        "Ruang ini tidak ada di berkas ruang.";
    /// The store has several rooms and none was named.
    RoomAmbiguous = "room.ambiguous", Refused, Never, 400,
        "Name one with --room or SEKALI_ROOM.",
        "Sebutkan salah satu dengan --room atau SEKALI_ROOM.",
        "Ada beberapa ruang dan belum disebut yang mana.";
    /// A room of this name exists.
    RoomExists = "room.exists", Conflict, Never, 409,
        "Choose another slug, or use the room that exists.",
        "Pilih nama pendek lain, atau pakai ruang yang sudah ada.",
        "Ruang dengan nama pendek ini sudah ada.";
    /// The room's slug or title is not well formed.
    RoomInvalid = "room.invalid", Refused, Never, 400,
        "Use lower-case letters, digits and single hyphens, at most 63.",
        "Pakai huruf kecil, angka, dan tanda hubung tunggal, paling banyak 63.",
        "Nama ini tidak bisa dipakai untuk ruang.";
    /// A member of this name exists.
    MemberExists = "member.exists", Conflict, Never, 409,
        "Choose another name; the role of a member who is there can be changed.",
        "Pilih nama lain; peran anggota yang sudah ada dapat diubah.",
        "Anggota ini sudah ada di ruang.";
    /// No member has this name.
    MemberNotFound = "member.not_found", NotFound, Never, 404,
        "List the members with: sekali member list.",
        "Lihat daftar anggota dengan: sekali member list.",
        "Anggota ini tidak ada di ruang.";
    /// The member's name or role is not well formed.
    MemberInvalid = "member.invalid", Refused, Never, 400,
        "Write the name on one line, such as Ani or agent:drafting; a person needs a role, an agent has none.",
        "Tulis namanya dalam satu baris, misalnya Ani atau agent:penulis; orang perlu peran, agen AI tidak.",
        "Nama atau peran ini tidak bisa dipakai.";
    /// A room keeps at least one maintainer.
    MemberLastMaintainer = "member.last_maintainer", Conflict, Never, 409,
        "Make somebody else a maintainer first.",
        "Jadikan orang lain pengelola lebih dahulu.",
        "Ruang ini tidak akan punya pengelola lagi.";
    /// No document has this path.
    DocumentNotFound = "document.not_found", NotFound, Never, 404,
        "List the documents with: sekali doc list.",
        "Lihat daftar dokumen dengan: sekali doc list.",
        "Dokumen ini tidak ada di ruang.";
    /// A document stands where a new one should be.
    DocumentExists = "document.exists", Conflict, Never, 409,
        "Choose another path, or delete the document in the same proposal first.",
        "Pilih jalur lain, atau hapus dokumen itu lebih dahulu dalam usulan yang sama.",
        "Dokumen dengan jalur ini sudah ada.";
    /// The path cannot be a document's.
    PathInvalid = "path.invalid", Refused, Never, 400,
        "Use a relative path with / between names, without \\, : and reserved names.",
        "Pakai jalur relatif dengan / di antara nama, tanpa \\, :, dan nama terlarang.",
        "Jalur ini tidak bisa dipakai.";
    /// Two paths differ only by case or composition, or one is the other's folder.
    PathCollision = "path.collision", Conflict, Never, 409,
        "Use the path that exists, exactly as it is written, choose another name, or take the other away in the same proposal.",
        "Pakai jalur yang sudah ada persis seperti tertulis, pilih nama lain, atau hapus yang lain itu dalam usulan yang sama.",
        "Jalur ini bertabrakan dengan yang sudah ada: beda huruf besar-kecil atau aksen saja, atau sebagai folder.";
    /// The body is not JSON.
    BodyInvalidJson = "body.invalid_json", Refused, Never, 400,
        "Send one JSON value in UTF-8.",
        "Kirim satu nilai JSON dalam UTF-8.",
        "Yang dikirim bukan JSON yang sah.";
    /// The body is JSON but not of the form asked for.
    BodyInvalid = "body.invalid", Refused, Never, 400,
        "Correct the named member and send again: sekali schema proposal shows the form.",
        "Perbaiki isian yang disebut, lalu kirim lagi: sekali schema proposal menunjukkan bentuknya.",
        "Yang dikirim tidak berbentuk seperti yang diharapkan.";
    /// The body is too large.
    BodyTooLarge = "body.too_large", Refused, Never, 413,
        "Split the submission into several proposals.",
        "Pecah kiriman menjadi beberapa usulan.",
        "Yang dikirim terlalu besar.";
    /// A named limit is exceeded.
    LimitExceeded = "limit.exceeded", Refused, Never, 400,
        "Shorten what is named, or split the proposal.",
        "Pendekkan bagian yang disebut, atau pecah usulannya.",
        "Ini melebihi batas.";
    /// There is no store at this path.
    StoreNotFound = "store.not_found", NotFound, Never, 404,
        "Create one with: sekali init, or name another with --store.",
        "Buat dengan: sekali init, atau sebutkan yang lain dengan --store.",
        "Tidak ada berkas ruang di tempat ini.";
    /// A store is there already.
    StoreExists = "store.exists", Conflict, Never, 409,
        "Open it, or add a room to it with: sekali room add SLUG.",
        "Buka berkas itu, atau tambahkan ruang dengan: sekali room add SLUG.",
        "Sudah ada berkas di tempat ini.";
    /// The file is not a Sekali store.
    StoreForeign = "store.foreign", Corrupt, Never, 503,
        "Name another file with --store; this one was left untouched.",
        "Sebutkan berkas lain dengan --store; berkas ini tidak disentuh.",
        "Berkas ini bukan berkas ruang Sekali.";
    /// The store is damaged.
    StoreDamaged = "store.damaged", Corrupt, Never, 503,
        "Stop writing, keep a copy of the file, and run: sekali doctor.",
        "Berhenti menulis, simpan salinan berkasnya, lalu jalankan: sekali doctor.",
        "Berkas ruang ini rusak.";
    /// A newer Sekali made the store.
    StoreNewer = "store.newer", Corrupt, Never, 503,
        "Open it with a newer Sekali; nothing was changed.",
        "Buka dengan Sekali yang lebih baru; tidak ada yang berubah.",
        "Berkas ruang ini ditulis oleh Sekali yang lebih baru.";
    /// The store can be read but not written.
    StoreReadOnly = "store.read_only", Busy, Later, 503,
        "Give yourself write permission on the file and its folder, then press again.",
        "Beri izin tulis pada berkas dan foldernya, lalu tekan lagi.",
        "Berkas ruang tidak bisa ditulisi.";
    /// The disk is full.
    StoreFull = "store.full", Busy, Later, 503,
        "Free some space on the disk, then press again; nothing was changed.",
        "Kosongkan sebagian ruang disk, lalu tekan lagi; tidak ada yang berubah.",
        "Disk penuh.";
    /// Another process holds the store.
    StoreBusy = "store.busy", Busy, Same, 503,
        "Press again: nothing was changed, and it is safe.",
        "Tekan lagi: tidak ada yang berubah, dan aman.",
        "Berkas ruang sedang sibuk.";
    /// The file was moved or replaced while open.
    StoreMoved = "store.moved", Busy, Later, 503,
        "Put the file back or open it at its new place; nothing was changed.",
        "Kembalikan berkasnya atau buka di tempat barunya; tidak ada yang berubah.",
        "Berkas ruang dipindah atau diganti saat masih terbuka.";
    /// The commit failed in a way that leaves open whether it landed.
    StoreOutcomeUnknown = "store.outcome_unknown", Unknown, Same, 503,
        "Press again: it is done at most once, and if it landed you will see its receipt. A new proposal without a key: look first whether its id is there.",
        "Tekan lagi: paling banyak terjadi sekali, dan bila sudah tercatat, buktinya ditampilkan. Usulan baru tanpa kunci: periksa dulu apakah idnya sudah ada.",
        "Belum pasti apakah ini tercatat.";
    /// The disk reported an error.
    StoreIo = "store.io", Busy, Later, 503,
        "Check the disk and the folder, then try again; nothing was changed.",
        "Periksa disk dan foldernya, lalu coba lagi; tidak ada yang berubah.",
        "Disk melaporkan kesalahan.";
    /// There is no such route.
    RequestNotFound = "request.not_found", NotFound, Never, 404,
        "See /v1/openapi.json for the routes.",
        "Lihat /v1/openapi.json untuk daftar rute.",
        "Sekali tidak punya apa pun di alamat ini.";
    /// The request came without the token, from a foreign page, or in the wrong form.
    RequestDenied = "request.denied", Denied, Never, 403,
        "Send the token of this launch and a JSON content type.",
        "Kirim token sesi ini dan jenis isi JSON.",
        "Sekali tidak menerima token jendela ini.";
    /// A defect of Sekali.
    Internal = "internal", Bug, Never, 500,
        "Please report this; asking again is safe.",
        "Mohon laporkan; mengulanginya aman.",
        "Ada yang salah di dalam Sekali.";
    /// What stands in a folder is in the way of what was to be written there.
    FolderOccupied = "folder.occupied", Conflict, Never, 409,
        "Name a folder that is new or empty.",
        "Sebutkan folder yang baru atau kosong.",
        "Isi folder ini menghalangi yang akan ditulis.";
    /// A patch or a JSON edit cannot be read.
    PatchInvalid = "patch.invalid", Refused, Never, 400,
        "Make the patch again with diff -u or git diff, a JSON edit as RFC 6902 or RFC 7396 has it, or submit the whole content.",
        "Buat ulang tambalannya dengan diff -u atau git diff, suntingan JSON menurut RFC 6902 atau RFC 7396, atau ajukan isi lengkapnya.",
        "Tambalan ini tidak terbaca.";
    /// A patch or a JSON edit is not of what the document holds.
    PatchMismatch = "patch.mismatch", Conflict, AfterRefresh, 409,
        "Make the patch again from the document as it is now.",
        "Buat ulang tambalannya dari dokumen yang sekarang.",
        "Tambalan ini tidak cocok dengan isi dokumen yang sekarang.";
    /// Both sides changed the same place: a person decides.
    ProposalConflict = "proposal.conflict", Conflict, AfterRefresh, 409,
        "Look at each conflict. In a rebase choose a side for each, or revise the proposal; in a revert take back what came later too, or propose the change by hand. Nothing was written.",
        "Lihat setiap bentrok. Saat menyesuaikan, pilih satu sisi untuk masing-masing, atau revisi usulannya; saat mengembalikan, kembalikan juga yang datang sesudahnya, atau usulkan perubahannya sendiri. Tidak ada yang ditulis.",
        "Tempat yang sama sudah diubah dengan cara lain.";
    /// Only what was applied can be taken back.
    ProposalNotApplied = "proposal.not_applied", Conflict, Never, 409,
        "Look at its state: a proposal that waits can be rejected or withdrawn instead.",
        "Periksa statusnya: usulan yang menunggu dapat ditolak atau ditarik saja.",
        "Hanya usulan yang sudah diterapkan yang dapat dikembalikan.";
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
    fn every_advice_of_a_code_is_listed() {
        for code in Code::ALL {
            assert!(Retry::ALL.contains(&code.retry()), "{code}");
        }
    }

    #[test]
    fn every_code_has_a_hint_in_both_languages() {
        for code in Code::ALL {
            let (en, id) = (code.hint(Lang::En), code.hint(Lang::Id));
            assert!(en.ends_with('.') && id.ends_with('.') && en != id, "{code}");
            assert!(code.happened().ends_with('.'), "{code}");
        }
    }
}
