//! What answers say.

super::texts! {
    ERROR = "error", "galat";
    HINT = "hint:", "petunjuk:";
    SEE_HELP = "{command} shows how it is written.", "{command} menunjukkan cara menulisnya.";
    HINT_PANIC = "Please report this. Whether something was changed is not known; asking again is safe.",
        "Mohon laporkan. Belum pasti apakah ada yang berubah; aman untuk diulang.";
    HINT_OUTPUT = "Ask again with an output that can be written; nothing is done twice.",
        "Ulangi dengan keluaran yang dapat ditulis; tidak ada yang dilakukan dua kali.";
    HINT_NAMED_BY_SETTINGS = "The last store of your settings ({settings}) was taken; name another with --store.",
        "Yang dipakai adalah berkas terakhir di pengaturan Anda ({settings}); sebutkan yang lain dengan --store.";
    HINT_MAKE_STORE = "Create it with: sekali init --store {store}, or name another with --store.",
        "Buat dengan: sekali init --store {store}, atau sebutkan yang lain dengan --store.";
    HINT_STORE_EXISTS = "Add a room to it with: sekali room add SLUG --store {store}, or make another store with: sekali init --store PATH.",
        "Tambahkan ruang dengan: sekali room add SLUG --store {store}, atau buat berkas lain dengan: sekali init --store JALUR.";
    HINT_ADD_AGENT = "A maintainer adds this agent with: {command}.", "Pengelola menambahkan agen AI ini dengan: {command}.";
    HINT_ADD_MEMBER = "A maintainer adds you with: {command}.", "Pengelola menambahkan Anda dengan: {command}.";
    HINT_AGENT = "{name} is an agent, and an agent only proposes: leave this to a person in the room.",
        "{name} adalah agen AI, dan agen AI hanya mengusulkan: serahkan ini kepada orang di ruang ini.";
    HINT_GIVE_ROLE = "A maintainer gives you the role with: {command}.", "Pengelola memberi Anda peran itu dengan: {command}.";
    HINT_LOOK_AGAIN = "See what it is now, and its digest, with: {command}.",
        "Lihat keadaannya sekarang, beserta sidik isinya, dengan: {command}.";
    HINT_REBASE = "Carry it on with: {command}, or make it again from the current documents; look at the new diff, then apply it.",
        "Sesuaikan dengan: {command}, atau buat lagi dari dokumen yang sekarang; lihat perubahannya, lalu terapkan.";
    HINT_APPLY_FIRST = "Apply first what it continues, with: {command}; then this one.",
        "Terapkan dahulu yang dilanjutkannya, dengan: {command}; lalu usulan ini.";
    HINT_REOPEN = "A member can reopen it with: {command}.", "Anggota dapat membukanya lagi dengan: {command}.";
    HINT_TAKEN_BACK = "See what took it back with: {command}.", "Lihat yang mengembalikannya dengan: {command}.";
    HINT_JSON_EDIT = "Correct what is named: a list of operations as RFC 6902 has it, or a merge patch as RFC 7396 has it.",
        "Perbaiki yang disebut: daftar operasi menurut RFC 6902, atau tambalan gabung menurut RFC 7396.";
    HINT_REVERT = "If it should not stand, propose to take it back with: {command}.",
        "Bila seharusnya tidak diterapkan, usulkan pengembaliannya dengan: {command}.";
    HINT_STANDING = "See where it stands with: {command}.", "Lihat statusnya dengan: {command}.";
    HINT_NOT_APPLIED = "See where it stands with: {command}; one that waits can be rejected or withdrawn instead.",
        "Lihat statusnya dengan: {command}; usulan yang menunggu dapat ditolak atau ditarik saja.";
    HINT_DONE_BY = "Look at the proposal that did it with: {command}; withdraw this one if it is the same.",
        "Lihat usulan yang sudah melakukannya dengan: {command}; tarik usulan ini bila sama.";
    HINT_PATCH_AGAIN = "Make the patch again from the document as it is now: {command}.",
        "Buat ulang tambalannya dari dokumen yang sekarang: {command}.";
    HINT_PATH_LIKE = "Did you mean {path}? All of them are listed by: {command}.",
        "Maksud Anda {path}? Semuanya ditampilkan oleh: {command}.";
    HINT_SET_ROLE = "Change the role with: {command}.", "Ubah perannya dengan: {command}.";
    HINT_APPLY_BLIND = "Look with: sekali show {n} --diff; then: sekali apply {n} --digest {digest}. Or --yes, if nobody needs to look.",
        "Lihat dengan: sekali show {n} --diff; lalu: sekali apply {n} --digest {digest}. Atau --yes, bila tidak perlu dilihat.";
    HINT_DEMO_EXISTS = "Look at it with: sekali list --store {store}, or build it anew with --fresh.",
        "Lihat dengan: sekali list --store {store}, atau buat lagi dengan --fresh.";
    HINT_NOT_DEMO = "Only a demo store is ever replaced; name another file with --store.",
        "Hanya berkas contoh yang boleh diganti; sebutkan berkas lain dengan --store.";
    HINT_NOT_EMPTY = "Name a new folder, or write into this one with --force.",
        "Sebutkan folder baru, atau tulis ke folder ini dengan --force.";
    HINT_STORE_FILE = "The store's own files are never content; name others.",
        "Berkas milik Sekali sendiri tidak pernah menjadi isi; sebutkan yang lain.";
    HINT_READ_FILE = "Check the file's name and whether you may read it.",
        "Periksa nama berkasnya dan apakah Anda boleh membacanya.";
    HINT_INSIDE = "Name files in the folder of the proposal file or below, without .. and links that lead out.",
        "Sebutkan berkas di folder berkas usulan atau di bawahnya, tanpa .. dan tanpa tautan ke luar.";
    HINT_LINK = "Put the file itself there, or leave it out of the folder.",
        "Taruh berkas aslinya di sana, atau keluarkan dari folder itu.";
    HINT_WRITE = "Check the folder and whether you may write there, and free some space where it is full.",
        "Periksa foldernya dan apakah Anda boleh menulis di sana, dan kosongkan ruang bila penuh.";
    HINT_IN_THE_WAY = "Move it away, or name another folder.", "Pindahkan dahulu, atau sebutkan folder lain.";
    HINT_LANDED = "See whether it landed with: sekali show {id}. If it is not found, propose again; with --key that is always safe.",
        "Periksa apakah tercatat dengan: sekali show {id}. Bila tidak ditemukan, ajukan lagi; dengan --key itu selalu aman.";
    HINT_DONE_UNSEEN = "It is done and need not be asked again. See what is there with: {command}.",
        "Sudah dilakukan dan tidak perlu diulang. Lihat keadaannya dengan: {command}.";
    HINT_ADD_ROOM = "Add one with: sekali room add SLUG.", "Tambahkan dengan: sekali room add SLUG.";
    HINT_NO_HOME = "Name the store with --store PATH or SEKALI_STORE.", "Sebutkan berkasnya dengan --store JALUR atau SEKALI_STORE.";
    HINT_AS = "Name one with --as NAME or SEKALI_AS.", "Sebutkan dengan --as NAMA atau SEKALI_AS.";
    HINT_SETTINGS = "Correct the file or remove it; flags and SEKALI_* work without it.",
        "Perbaiki atau hapus berkas itu; opsi dan SEKALI_* berlaku tanpanya.";
    HINT_BASE = "Write --base for a path that something else on the command line changes.",
        "Tulis --base untuk jalur yang diubah oleh opsi lain di baris perintah ini.";
    SIDE = "SIDE", "SISI";
    HINT_TAKE = "Choose for each of them: {command}; or revise the proposal. A side is now (what is there), after (what the proposal wants), base, or of lines now+after and after+now. Nothing was written.",
        "Pilih untuk masing-masing: {command}; atau revisi usulannya. Sisi: now (yang ada sekarang), after (yang diinginkan usulan), base (versi dasar), atau untuk baris now+after dan after+now. Tidak ada yang ditulis.";
    CONFLICT_LOOK = "both sides: {command}", "kedua sisi: {command}";
    HINT_REVERT_LATER = "Take the later proposals back with it: {command}; or propose the change by hand.",
        "Kembalikan juga usulan sesudahnya: {command}; atau usulkan perubahannya sendiri.";
    HINT_BASE_NOW = "Name the digest of a version that the document has or had; those of now are in: {command}.",
        "Sebutkan sidik versi yang dimiliki atau pernah dimiliki dokumennya; yang sekarang ada di: {command}.";
    HINT_REVERT_BY_HAND = "Propose the change by hand, with sekali propose; nothing was written.",
        "Usulkan perubahannya sendiri, dengan sekali propose; tidak ada yang ditulis.";

    OUTPUT_FAILED = "Could not write the output: {error}.", "Keluaran tidak dapat ditulis: {error}.";
    PANICKED = "Something in Sekali went wrong: {message}", "Ada yang salah di dalam Sekali: {message}";
    NOT_WRITTEN = "Could not write {path}: {error}.", "{path} tidak dapat ditulis: {error}.";
    NOT_REMOVED = "Could not remove {path}: {error}.", "{path} tidak dapat dihapus: {error}.";
    NOT_READ = "could not read {path}: {error}.", "{path} tidak dapat dibaca: {error}.";
    IS_NO_FOLDER = "{path} is not a folder; nothing was written.", "{path} bukan folder; tidak ada yang ditulis.";
    IS_NOT_EMPTY = "{path} is a folder that is not empty; nothing was written.",
        "{path} adalah folder yang tidak kosong; tidak ada yang ditulis.";
    IS_NO_FOLDER_OR_LINK = "{path} is not a folder, or is a link; links are not followed.",
        "{path} bukan folder, atau merupakan tautan; tautan tidak diikuti.";
    IS_A_FOLDER = "{path} is a folder; a document cannot be written there.",
        "{path} adalah folder; dokumen tidak dapat ditulis di sana.";
    IS_OF_THE_STORE = "{path} would overwrite a file of the store.", "{path} akan menimpa berkas milik Sekali.";
    NEVER_CONTENT = "{path} belongs to the store and is never read as content.",
        "{path} milik Sekali dan tidak pernah dibaca sebagai isi.";
    NAMED_OUTSIDE = "{name} is not a name below the folder of the proposal file.",
        "{name} bukan nama di bawah folder berkas usulan.";
    LEADS_OUT = "{name} leads out of the folder of the proposal file by a link.",
        "{name} keluar dari folder berkas usulan lewat tautan.";
    NAMES_NO_FILE = "{name} is not a file.", "{name} bukan berkas.";
    TOO_MUCH = "a submission may have at most {limit} bytes; with this file it has more.",
        "kiriman paling banyak {limit} byte; dengan berkas ini lebih.";
    FILE_TOO_LARGE = "a proposal file may have at most {limit} bytes; this has {value}.",
        "berkas usulan paling banyak {limit} byte; ini {value}.";
    NAME_NOT_UTF8 = "the name of {path} is not UTF-8.", "nama {path} bukan UTF-8.";
    IS_A_LINK = "{path} is a symbolic link; links are not followed.",
        "{path} adalah tautan simbolik; tautan tidak diikuti.";
    IS_ODD = "{path} is neither a file nor a folder.", "{path} bukan berkas dan bukan folder.";
    NOT_A_DEMO = "{path} is not a demo store; it was left as it is.",
        "{path} bukan berkas contoh; dibiarkan seperti adanya.";

    USE_NO_COMMAND = "There is no command {name}.", "Tidak ada perintah {name}.";
    USE_NO_COMMAND_LIKE = "There is no command {name}; did you mean {like}?",
        "Tidak ada perintah {name}; maksud Anda {like}?";
    USE_NO_OPTION = "{name} is not known here.", "{name} tidak dikenal di sini.";
    USE_NO_OPTION_LIKE = "{name} is not known here; did you mean {like}?",
        "{name} tidak dikenal di sini; maksud Anda {like}?";
    USE_GROUP = "sekali {group} needs one of: {names}.", "sekali {group} perlu salah satu dari: {names}.";
    USE_NEEDS_VALUE = "{name} needs a value.", "{name} memerlukan nilai.";
    USE_VALUE = "{name} cannot be {value}: {reason}.", "{name} tidak dapat berisi {value}: {reason}.";
    USE_VALUES = "{name} has too many or too few values.", "Jumlah nilai {name} tidak tepat.";
    USE_TWICE = "{name} stands twice.", "{name} ditulis dua kali.";
    USE_CONFLICT = "{name} cannot stand together with {other}.", "{name} tidak dapat ditulis bersama {other}.";
    USE_MISSING = "This needs {names}.", "Perintah ini memerlukan {names}.";
    ONE_OF_OPTIONS = "one of {options}", "salah satu dari {options}";
    USE_NOT_UTF8 = "An argument is not UTF-8.", "Ada bagian perintah yang bukan UTF-8.";
    USE_WRONG = "It is not written as a command is.", "Perintahnya tidak ditulis dengan benar.";
    USE_INPUT_TWICE = "Standard input (-) stands twice; it can be read once.",
        "Masukan baku (-) ditulis dua kali; hanya dapat dibaca sekali.";
    USE_BASE = "--base {text}: expected PATH=DIGEST or PATH=absent.",
        "--base {text}: seharusnya JALUR=SIDIK atau JALUR=absent.";
    USE_BASE_UNUSED = "--base {path}: nothing is proposed for this path.",
        "--base {path}: tidak ada yang diusulkan untuk jalur ini.";
    USE_PUT = "--put {text}: expected PATH=FILE.", "--put {text}: seharusnya JALUR=BERKAS.";
    USE_JSON_PATCH = "--json-patch {text}: expected PATH=FILE.", "--json-patch {text}: seharusnya JALUR=BERKAS.";
    USE_MERGE_PATCH = "--merge-patch {text}: expected PATH=FILE.", "--merge-patch {text}: seharusnya JALUR=BERKAS.";
    USE_RENAME = "--rename {text}: expected OLD=NEW.", "--rename {text}: seharusnya LAMA=BARU.";
    USE_CURSOR = "--cursor {cursor} is not one that a page of this list ended with.",
        "--cursor {cursor} bukan akhir halaman dari daftar ini.";
    USE_BLIND = "Nobody can be asked here: apply #{n} needs --digest or --yes.",
        "Tidak ada yang dapat ditanya di sini: apply #{n} memerlukan --digest atau --yes.";
    USE_NO_PERSON = "{name} is no person; a person makes a store and maintains its room.",
        "{name} bukan orang; oranglah yang membuat berkas ruang dan mengelola ruangnya.";
    USE_ENV_UTF8 = "{name} is not UTF-8.", "{name} bukan UTF-8.";
    USE_ENV_LANG = "SEKALI_LANG is {value}; it can be en or id.", "SEKALI_LANG berisi {value}; isinya en atau id.";
    USE_NO_HOME = "There is no home folder to look for a store in.",
        "Folder pengguna (home) tidak ada, jadi berkas ruang tidak dapat dicari di sana.";
    USE_NO_USER = "The operating system names no user to act as.",
        "Sistem operasi tidak menyebut nama pengguna untuk bertindak.";
    USE_SETTINGS_READ = "Could not read the settings {path}: {error}.",
        "Pengaturan {path} tidak dapat dibaca: {error}.";
    USE_SETTINGS_WRONG = "The settings {path} are wrong at line {line}: {what}.",
        "Pengaturan {path} salah pada baris {line}: {what}.";
    WANT_ONE_OF = "it can be {words}", "isinya {words}";
    WANT_NUMBER = "a proposal's number is 1 or more, such as 12", "nomor usulan adalah 1 atau lebih, misalnya 12";
    WANT_NUMBER_OR_ID = "a proposal's number is 1 or more, such as 12; its id is a UUID",
        "nomor usulan adalah 1 atau lebih, misalnya 12; idnya sebuah UUID";
    WANT_COUNT = "a number from {least} to {most}", "bilangan dari {least} sampai {most}";
    WANT_DIGEST = "\"sha256:\" and 64 lower-case hex digits", "\"sha256:\" dan 64 angka heksadesimal huruf kecil";
    WANT_VERSION = "a version is an entry and a change within it, such as 12.0",
        "versi adalah catatan dan perubahan di dalamnya, misalnya 12.0";
    WANT_PART = "a document's path, or PATH:HUNK with a hunk from 1, such as menu.md:2",
        "jalur sebuah dokumen, atau JALUR:POTONGAN dengan potongan mulai 1, misalnya menu.md:2";
    WANT_SIDES = "PATH=SIDE,... with a side for each conflict: now, after, now+after, after+now or base",
        "JALUR=SISI,... dengan satu sisi untuk setiap bentrok: now, after, now+after, after+now, atau base";
    WANT_TIME = "an RFC 3339 time with a zone, such as 2026-11-30T17:00:00+07:00",
        "waktu RFC 3339 dengan zona, misalnya 2026-11-30T17:00:00+07:00";
    WANT_TIME_OR_NONE = "an RFC 3339 time with a zone, such as 2026-11-30T17:00:00+07:00, or none",
        "waktu RFC 3339 dengan zona, misalnya 2026-11-30T17:00:00+07:00, atau none";
    WANT_SECONDS = "a number of seconds, 0 or more, such as 60", "jumlah detik, 0 atau lebih, misalnya 60";

    WARNING = "warning:", "peringatan:";
    SKIPPED = "skipped: {path} ({why})", "dilewati: {path} ({why})";
    SKIPPED_GIT = "belongs to Git", "milik Git";
    SKIPPED_STORE = "belongs to the store", "milik berkas ruang";

    GIVEN_TWICE = "{path} is put more than once; the last content counts.",
        "{path} diisi lebih dari sekali; yang dipakai adalah isi terakhir.";

    START = "Proposals that run once. Pressing Apply again changes nothing.",
        "Usulan yang dijalankan sekali saja. Menekan Terapkan lagi tidak mengubah apa pun.";
    STORE = "Store", "Berkas ruang";
    STORE_USED = "Store: {store}", "Berkas ruang: {store}";
    BY_SETTINGS = "the desktop's last, last_store in {settings}", "yang terakhir dibuka aplikasi, last_store di {settings}";
    BY_DEFAULT = "the default place", "tempat bawaan";
    START_NO_STORE = "Store: {store}, not made yet", "Berkas ruang: {store}, belum dibuat";
    START_STEPS = "First steps", "Langkah pertama";
    START_DEMO = "a small shop to try everything on", "toko kecil untuk mencoba semuanya";
    START_INIT = "a store of your own", "berkas ruang milik Anda";
    START_PROPOSE = "how changes are proposed", "cara mengusulkan perubahan";
    START_LIST = "the proposals of the room", "usulan-usulan di ruang";
    START_APPLY = "look at a proposal and apply it", "lihat sebuah usulan dan terapkan";
    START_HELP = "every command", "semua perintah";

    INIT_DONE = "Made {path} with the room {room}. You are its maintainer: {name}.",
        "Berkas {path} dibuat dengan ruang {room}. Anda pengelolanya: {name}.";
    INIT_FOLLOWS = "Commands still go to {other}. To have them go to the new store, write this, or --store with each:",
        "Perintah lain masih memakai {other}. Agar memakai berkas yang baru, tulis baris ini, atau --store pada setiap perintah:";
    INIT_NEXT = "Next: sekali propose --title \"…\" --put PATH=FILE{store}", "Berikutnya: sekali propose --title \"…\" --put JALUR=BERKAS{store}";
    ROOM_ADDED = "Added the room {room}. You are its maintainer: {name}.", "Ruang {room} ditambahkan. Anda pengelolanya: {name}.";
    ROOMS_NONE = "This store has no room yet.", "Berkas ini belum punya ruang.";
    ROOM = "Room", "Ruang";
    TITLE = "Title", "Judul";
    YOU = "You", "Anda";
    YOU_NOBODY = "{name}, not a member of this room", "{name}, bukan anggota ruang ini";
    PROPOSALS = "Proposals", "Usulan";
    LEDGER = "Ledger", "Buku penerapan";
    LEDGER_FIGURES = "{entries}, root {root}", "{entries}, akar {root}";
    MADE = "Made", "Dibuat";

    MEMBER_ADDED = "{name} is in the room {room} now: {role}.", "{name} kini ada di ruang {room}: {role}.";
    MEMBER_SET = "{name} in the room {room} is now: {role}.", "{name} di ruang {room} kini: {role}.";
    ROLE_MEMBER = "member", "anggota";
    ROLE_REVIEWER = "reviewer", "peninjau";
    ROLE_MAINTAINER = "maintainer", "pengelola";
    ROLE_NONE = "no role", "tanpa peran";
    KIND_PERSON = "person", "orang";
    KIND_AGENT = "agent", "agen AI";
    KIND_SOURCE = "source", "sumber";
    KIND_SYSTEM = "system user", "pengguna sistem";
    NAME = "Name", "Nama";
    KIND = "Kind", "Jenis";
    ROLE = "Role", "Peran";
    ADDED = "Added", "Ditambahkan";

    PATH = "Path", "Jalur";
    SIZE = "Size", "Ukuran";
    MODE = "Mode", "Mode";
    CHANGED = "Changed", "Diubah";
    BY_PROPOSAL = "By", "Oleh";
    VERSION = "Version", "Versi";
    WHAT = "What", "Apa";
    WHEN = "When", "Kapan";
    WHO = "Who", "Siapa";
    PROPOSAL = "Proposal", "Usulan";
    DOCUMENTS_NONE = "No documents yet.", "Belum ada dokumen.";
    DOC_EXPORTED = "Wrote {documents} ({size}) to {dir}.", "{documents} ({size}) ditulis ke {dir}.";

    STATE = "State", "Status";
    AUTHOR = "Author", "Pengusul";
    STATE_WAITING = "waiting", "menunggu";
    STATE_APPLIED = "applied", "diterapkan";
    STATE_REJECTED = "rejected", "ditolak";
    STATE_WITHDRAWN = "withdrawn", "ditarik";
    STATE_EXPIRED = "expired", "lewat batas waktu";
    STALE = "stale", "dasarnya sudah berubah";
    EFFECT_DONE = "effect done by #{n}", "tindakan sudah dilakukan #{n}";
    PROPOSALS_NONE = "No proposals here.", "Tidak ada usulan di sini.";
    MORE = "More: {command}", "Selanjutnya: {command}";

    OP_CREATE = "new", "baru";
    OP_REPLACE = "changed", "diubah";
    OP_RENAME = "moved", "dipindah";
    OP_DELETE = "deleted", "dihapus";
    MODE_CHANGED = "mode {before} → {after}", "mode {before} → {after}";
    BINARY = "binary, {size}", "biner, {size}";
    BINARY_BOTH = "binary, {before} → {size}", "biner, {before} → {size}";
    UNCOUNTED = "lines not counted, {size}", "baris tidak dihitung, {size}";
    UNCOUNTED_BOTH = "lines not counted, {before} → {size}", "baris tidak dihitung, {before} → {size}";
    TOO_LARGE = "too large to compare here", "terlalu besar untuk dibandingkan di sini";
    AS_DATA = "control characters in {path}: its lines are given as binary data, which makes them exactly",
        "karakter kendali dalam {path}: barisnya ditulis sebagai data biner, yang membuatnya persis sama";
    UNAVAILABLE = "the content can no longer be read", "isinya tidak dapat dibaca lagi";
    NO_NEWLINE = "no line end at the end of the file", "tidak ada ganti baris di akhir berkas";

    SHOW_PROPOSED = "proposed by {author}, {at}", "diusulkan oleh {author}, {at}";
    SHOW_BY = "by {author}, {at}", "oleh {author}, {at}";
    SHOW_REVISION = "revision {n}", "revisi {n}";
    DIGEST = "Digest", "Sidik isi";
    WHY = "Why", "Alasan";
    CHANGES = "Changes", "Perubahan";
    CHECKS = "Checks", "Pemeriksaan";
    EFFECT_KEYS = "Effect keys", "Kunci tindakan";
    VALID_UNTIL = "Valid until", "Berlaku sampai";
    CORRELATION = "Correlation", "Korelasi";
    REVISIONS = "Revisions", "Revisi";
    REPEATS = "Repeats", "Ulangan";
    RECEIPT = "Receipt", "Bukti penerapan";
    DECISION = "Decision", "Keputusan";
    SAME_EFFECT = "Also names one of its effect keys: {proposals}", "Juga menyebut salah satu kunci tindakannya: {proposals}";
    CHECK_BASE = "the base is current", "dasarnya masih berlaku";
    CHECK_BASE_NOT = "the base has moved", "dasarnya sudah berubah";
    CHECK_MOVED_BY = "{path} was changed by #{n} (entry {seq})", "{path} diubah oleh #{n} (catatan {seq})";
    CHECK_MOVED = "{path} is not what it was", "{path} tidak seperti semula";
    CHECK_EFFECT = "no other proposal has had its effect", "tindakannya belum dilakukan oleh usulan lain";
    CHECK_EFFECT_NOT = "its effect was already had by {proposals}", "tindakannya sudah dilakukan oleh {proposals}";
    CHECK_VALID = "still valid", "batas waktunya belum lewat";
    CHECK_VALID_NOT = "its validity is over", "batas waktunya sudah lewat";
    CHECK_SIMILAR = "no other proposal has equal changes", "tidak ada usulan lain dengan perubahan yang sama";
    CHECK_SIMILAR_NOT = "possible duplicate of {proposals}", "mungkin duplikat dari {proposals}";
    DECIDED = "{state} by {name}, {at}", "{state} oleh {name}, {at}";
    RECEIPT_LINE = "applied by {name}, {at}, {door}: entry {seq}", "diterapkan oleh {name}, {at}, {door}: catatan {seq}";
    RECEIPT_ROOT = "{command} shows the entry, and the ledger's size and root",
        "{command} menunjukkan catatan itu, serta ukuran dan akar buku penerapan";
    RECEIPT_SEEN = "the digest was on screen", "sidik isinya terlihat di layar";
    RECEIPT_UNSEEN = "without looking (--yes)", "tanpa dilihat (--yes)";
    OS_USER = "system user {name}", "pengguna sistem {name}";
    REPEAT_LINE = "{at} by {name}, {door}", "{at} oleh {name}, {door}";
    REPEAT_ONCE = "pressed once more; nothing changed", "ditekan sekali lagi; tidak ada yang berubah";
    REPEAT_COUNT = "pressed {n} times more; nothing changed", "ditekan lagi {n} kali; tidak ada yang berubah";
    ESCAPED = "Control characters of the documents are shown as codes here; what makes the same again is: sekali show {n} --patch",
        "Karakter kontrol dalam dokumen ditampilkan sebagai kode di sini; yang menghasilkan isi yang sama adalah: sekali show {n} --patch";
    TO_APPLY = "To apply it: sekali apply {n} --digest {digest}", "Untuk menerapkan: sekali apply {n} --digest {digest}";
    DOOR_DESKTOP = "on the desktop", "di desktop";
    DOOR_CLI = "on the command line", "di baris perintah";
    DOOR_HTTP = "over HTTP", "lewat HTTP";
    DOOR_WEBHOOK = "by a webhook", "lewat webhook";
    DOOR_MCP = "over MCP", "lewat MCP";

    PROPOSED = "Proposed as #{n}: {title}", "Diajukan sebagai #{n}: {title}";
    PROPOSED_REPLAY = "Already proposed as #{n} under this key ({state}). Nothing was added.",
        "Sudah diajukan sebagai #{n} dengan kunci ini ({state}). Tidak ada yang ditambahkan.";
    REVISED = "#{n} is at revision {revision} now: {title}", "#{n} kini revisi {revision}: {title}";
    NOTE_MOVED_HUNK = "Hunk {hunk} of {path} was found at line {found}; the patch says {line}.",
        "Potongan {hunk} dari {path} ditemukan pada baris {found}; tambalannya menyebut {line}.";
    NOTE_STALE = "What it is based on has changed since: sekali rebase {n} brings both together.",
        "Dasarnya sudah berubah: sekali rebase {n} menggabungkan keduanya.";
    NEXT_REBASE = "To carry it onto the documents as they are now: {command}",
        "Untuk menyesuaikannya dengan versi terbaru: {command}";
    NEXT_APPLY_FIRST = "To apply first what it continues: {command}", "Untuk menerapkan dahulu yang dilanjutkannya: {command}";
    REBASED = "Rebased #{n} as revision {revision}: {title}", "#{n} disesuaikan menjadi revisi {revision}: {title}";
    REBASED_NOT = "#{n} is based on the documents as they are; nothing changed.",
        "#{n} sudah sesuai dengan versi terbaru; tidak ada yang berubah.";
    REBASED_NOT_TAKEN = "There was nothing to choose, so --take counted for nothing.",
        "Tidak ada yang perlu dipilih, jadi --take tidak dipakai.";
    SPLIT_DONE = "Split #{n}: what stays is revision {revision}, the rest is #{rest}.",
        "#{n} dipecah: yang tetap menjadi revisi {revision}, sisanya #{rest}.";
    SPLIT_WAITS = "#{rest} continues #{n}: apply #{n} first.", "#{rest} melanjutkan #{n}: terapkan #{n} dahulu.";
    REVERT_TITLE = "Revert #{n}: {title}", "Kembalikan #{n}: {title}";
    REVERT_TITLE_MANY = "Revert {proposals}", "Kembalikan {proposals}";
    REST_TITLE = "{title} (rest)", "{title} (sisanya)";
    CONFLICT_MOVED = "it is {path} by now", "kini di {path}";
    CONFLICT_BY = "changed by #{n}", "diubah oleh #{n}";
    CONFLICT_AT = "conflict {k}, line {line}:", "bentrok {k}, baris {line}:";
    CONFLICT_BASE = "base", "base (dasarnya)";
    CONFLICT_NOW = "now", "now (yang ada sekarang)";
    CONFLICT_AFTER = "after", "after (yang diusulkan)";
    CONFLICT_WHOLE = "the whole document", "seluruh dokumen";
    CONFLICT_NOTHING = "(nothing)", "(tidak ada)";
    CONFLICT_CUT = "… (there is more than is shown)", "… (masih ada lagi yang tidak ditampilkan)";
    TALK = "Talk", "Diskusi";
    TALK_EARLIER = "{n} earlier; the last 200 are in: {command}", "{n} yang lebih lama; 200 yang terakhir ada di: {command}";
    TALK_ON = "on {path}, line {line}, revision {revision}", "pada {path}, baris {line}, revisi {revision}";
    TALK_ON_BEFORE = "on {path}, line {line} before the change, revision {revision}",
        "pada {path}, baris {line} sebelum perubahan, revisi {revision}";
    TALK_COMMENT = "comment", "komentar";
    TALK_ASK = "asks for changes", "minta perubahan";
    TALK_ASK_ANSWERED = "asked for changes, answered", "minta perubahan, sudah dijawab";
    TALK_ANSWER = "answers {n}", "menjawab {n}";
    CHECK_ASKED = "no changes are asked for", "tidak ada yang meminta perubahan";
    CHECK_ASKED_NOT = "changes are asked for: comment {comments}", "ada yang meminta perubahan: komentar {comments}";
    COMMENTED = "Comment {comment} on #{n}.", "Komentar {comment} pada #{n} tercatat.";
    COMMENTED_ASK = "Comment {comment} on #{n} asks for changes; Apply shows it until it is answered.",
        "Komentar {comment} pada #{n} meminta perubahan; Terapkan menunjukkannya sampai dijawab.";
    COMMENTED_ANSWER = "Comment {comment} on #{n} answers {answered}.", "Komentar {comment} pada #{n} menjawab {answered}.";
    COMMENTED_REPLAY = "This was said before under the same key: comment {comment} on #{n}. Nothing was written.",
        "Ini sudah disampaikan dengan kunci yang sama: komentar {comment} pada #{n}. Tidak ada yang ditulis.";
    COMMENT_NEXT = "Read the talk: {command}", "Baca diskusinya: {command}";
    WANT_LINE = "PATH:LINE, or PATH:-LINE for a line as it was; lines are counted from 1",
        "JALUR:BARIS, atau JALUR:-BARIS untuk baris sebelumnya; baris dihitung mulai dari 1";
    USE_TEXT_UTF8 = "the text is not UTF-8", "teksnya bukan UTF-8";
    LINK_REVERTS = "Takes back {proposals}.", "Mengembalikan {proposals}.";
    LINK_REVERTED = "Taken back by {proposals}.", "Dikembalikan oleh {proposals}.";
    LINK_REVERT_WAITS = "{proposals} waits to take it back.", "{proposals} menunggu untuk mengembalikannya.";
    LINK_SPLIT_FROM = "Split from {proposals}.", "Dipecah dari {proposals}.";
    LINK_SPLIT_INTO = "The rest of it is {proposals}.", "Sisanya adalah {proposals}.";
    REBASED_FROM = "rebased from {n}", "disesuaikan dari {n}";
    CHECK_AWAITS = "continues #{n}, which has not been applied yet", "melanjutkan #{n}, yang belum diterapkan";
    PROPOSED_NEXT = "Look at it: sekali show {n} --diff", "Lihat: sekali show {n} --diff";
    NOTE_SIMILAR = "Its changes equal those of {proposals}.", "Perubahannya sama dengan {proposals}.";
    NOTE_DONE = "The effect {key} was already had by #{n}: this one cannot be applied.",
        "Tindakan {key} sudah dilakukan oleh #{n}: usulan ini tidak dapat diterapkan.";

    ASK = "Apply #{n} now? [y/N] ", "Terapkan #{n} sekarang? [y/T] ";
    NOT_APPLIED = "Not applied; nothing changed.", "Tidak diterapkan; tidak ada yang berubah.";
    APPLIED = "Applied #{n} as entry {seq}, {at}.", "#{n} diterapkan sebagai catatan {seq}, {at}.";
    REPLAYED = "Already applied by {name}, {at}. Pressing Apply again changes nothing.",
        "Sudah diterapkan oleh {name}, {at}. Menekan Terapkan lagi tidak mengubah apa pun.";
    REPLAYED_COUNT = "Entry {seq}; pressed {n} times in all.", "Catatan {seq}; seluruhnya ditekan {n} kali.";
    NOT_KEPT = "This repeat could not be written down.", "Ulangan ini tidak dapat dicatat.";
    REJECTED_DONE = "Rejected #{n}. It can be reopened: sekali reopen {n}", "#{n} ditolak. Dapat dibuka lagi: sekali reopen {n}";
    REOPENED_DONE = "#{n} waits again.", "#{n} menunggu lagi.";
    WITHDRAWN_DONE = "#{n} was withdrawn.", "#{n} ditarik.";
    WAIT_STILL = "#{n} is still waiting.", "#{n} masih menunggu.";
    WAIT_DECIDED = "#{n} is {state}.", "#{n} {state}.";

    SEQ = "Entry", "Catatan";
    KIND_APPLIED = "applied", "diterapkan";
    KIND_REJECTED = "rejected", "ditolak";
    KIND_REOPENED = "reopened", "dibuka lagi";
    KIND_WITHDRAWN = "withdrawn", "ditarik";
    DOOR = "Door", "Pintu";
    LEDGER_HEAD = "{entries} in all, root {root}", "Seluruhnya {entries}, akar {root}";
    LEDGER_NONE = "No entries yet: nothing was decided.", "Belum ada catatan: belum ada yang diputuskan.";
    AND_MORE = "{path} and {n} more", "{path} dan {n} lagi";
    EXPORTED = "Exported {entries} to {dir}.", "{entries} diekspor ke {dir}.";
    EXPORTED_ROOT = "Root: {root}", "Akar: {root}";
    EXPORTED_VERIFY = "To verify it without Sekali: docs/format.md, or python3 tests/second/verify.py {dir} in its repository.",
        "Untuk memeriksanya tanpa Sekali: docs/format.md, atau python3 tests/second/verify.py {dir} di repositorinya.";
    EXPORTING = "Exporting", "Mengekspor";

    LAYER = "Where", "Di mana";
    LAYER_APPLY = "applied again", "penerapan ulang";
    LAYER_KEY = "sent again", "kiriman ulang";
    LAYER_EFFECT = "same effect", "tindakan sama";
    TIMES = "Times", "Kali";
    OTHER_CONTENT = "Other content", "Isi lain";
    FIRST = "First", "Pertama";
    LAST = "Last", "Terakhir";
    KEY = "Key", "Kunci";
    DUPLICATES_NONE = "Nothing was repeated.", "Tidak ada yang berulang.";

    CHECKING = "Checking", "Memeriksa";
    OK = "ok", "baik";
    WARN = "warning", "peringatan";
    BAD = "damage", "rusak";
    DOC_INTEGRITY = "SQLite's integrity", "keutuhan SQLite";
    DOC_FOREIGN_KEYS = "foreign keys", "kunci asing";
    DOC_LEDGER = "ledger, proposals, contents and documents: {rooms}, {entries}, {proposals}, {documents}",
        "buku penerapan, usulan, isi, dan dokumen: {rooms}, {entries}, {proposals}, {documents}";
    DOC_SIZE = "size: {store}, write-ahead log {wal}", "ukuran: {store}, log tulis {wal}";
    DOC_LOCK_FREE = "lock: free", "kunci berkas: bebas";
    DOC_LOCK_HELD = "lock: another process is writing now", "kunci berkas: proses lain sedang menulis";
    DOC_PLACE = "file system and folder", "sistem berkas dan folder";
    WARN_NETWORK_FILE_SYSTEM = "The store is on a network file system, where SQLite's locks are not safe; move it to a local disk.",
        "Berkas ruang berada di sistem berkas jaringan, tempat penguncian SQLite tidak aman; pindahkan ke disk lokal.";
    WARN_SYNC_FOLDER = "The store is in a folder that another program copies while it is written; move it out.",
        "Berkas ruang berada di folder yang disalin oleh program lain selagi ditulis; pindahkan dari sana.";
    WARN_HARD_LINKED = "The store's file has several names (hard links); opened by two of them at once it would be damaged, because its lock and log go by the name. Keep one.",
        "Berkas ruang punya beberapa nama (tautan keras); bila dibuka dengan dua nama sekaligus, berkas akan rusak, karena kunci dan lognya mengikuti nama. Sisakan satu.";
    WARN_READ_ONLY = "The store can be read but not written; give yourself write permission on the file and its folder.",
        "Berkas ruang dapat dibaca, tetapi tidak dapat ditulis; beri izin tulis pada berkas dan foldernya.";
    WARN_DISK_FULL = "The store can be read but not written, because the disk is full.",
        "Berkas ruang dapat dibaca, tetapi tidak dapat ditulis, karena disk penuh.";
    WARN_SIGNING_KEY = "The signing key beside the store cannot be read, or others can read it; put it back, or make it yours alone with chmod 600.",
        "Kunci tanda tangan di samping berkas ruang tidak dapat dibaca, atau dapat dibaca orang lain; kembalikan, atau jadikan milik Anda sendiri dengan chmod 600.";
    WARN_KEY_OPEN = "Others can read the signing key {path} (mode {mode}); chmod 600 it.",
        "Kunci tanda tangan {path} dapat dibaca orang lain (mode {mode}); jadikan milik Anda sendiri dengan chmod 600.";
    WARN_KEY_UNREADABLE = "The signing key {path} cannot be read; put it back, or give yourself the right to read it.",
        "Kunci tanda tangan {path} tidak dapat dibaca; kembalikan, atau beri diri Anda izin membacanya.";
    WARN_WAL_LARGE = "The write-ahead log has grown large; something may have been reading for long.",
        "Log tulis sudah besar; mungkin ada yang terus membaca sejak lama.";
    WARN_BOTH = "Room {room}: {document} is a document, and {below} needs it to be a folder; rename one of them.",
        "Ruang {room}: {document} adalah dokumen, padahal {below} memerlukannya sebagai folder; ganti nama salah satunya.";
    WARN_LOCK = "The lock file beside the store is no file, or cannot be opened or locked.",
        "Kunci berkas (.lock) di samping berkas ruang bukan berkas biasa, atau tidak dapat dibuka atau dikunci.";
    DOC_SOUND = "The store is sound.", "Berkas ruang utuh.";
    DOC_WARNED = "The store is sound, with warnings.", "Berkas ruang utuh, dengan peringatan.";
    DOC_DAMAGED = "The store is damaged.", "Berkas ruang rusak.";

    DEMO_BUILDING = "Building the demo", "Membuat contoh";
    DEMO_DONE = "The demo is in {path}: room {room}, {proposals}, {entries}.",
        "Contoh ada di {path}: ruang {room}, {proposals}, {entries}.";
    DEMO_TRY = "Try:", "Coba:";

    COUNT_DOCUMENTS = "{n} documents", "{n} dokumen";
    COUNT_DOCUMENT = "1 document", "1 dokumen";
    COUNT_PROPOSALS = "{n} proposals", "{n} usulan";
    COUNT_PROPOSAL = "1 proposal", "1 usulan";
    COUNT_ENTRIES = "{n} entries", "{n} catatan";
    COUNT_ENTRY = "1 entry", "1 catatan";
    COUNT_ROOMS = "{n} rooms", "{n} ruang";
    COUNT_ROOM = "1 room", "1 ruang";
    UNIT_BYTES = "{n} B", "{n} B";
    AGENT_NAME = "{name} (agent)", "{name} (agen AI)";
}
