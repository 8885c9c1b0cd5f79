//! What `--help` says. Each command: what it does, how it is written, its arguments, examples.

super::texts! {
    USAGE = "Usage:", "Cara pakai:";
    ARGUMENTS = "Arguments", "Argumen";
    OPTIONS = "Options", "Opsi";
    GLOBALS = "Everywhere", "Di semua perintah";
    COMMANDS = "Commands", "Perintah";
    EXAMPLES = "Examples:", "Contoh:";

    TOP_ABOUT = "Sekali: proposals that run once. Pressing Apply again changes nothing.",
        "Sekali: usulan yang dijalankan sekali saja. Menekan Terapkan lagi tidak mengubah apa pun.";
    TOP_MORE = "People and AI agents propose changes to the documents of a room. A member reads the diff and applies it: once, whatever is pressed twice. Each decision is an entry of the room's ledger.\n\nWhat a flag does not say is read from SEKALI_STORE, SEKALI_ROOM, SEKALI_AS, SEKALI_LANG; then from the settings file (last_store, which is what the desktop opened last; name; language); then the defaults hold. Which store is used, sekali room show and sekali doctor tell. A name is a label, not proof: whoever can write the store's file can act as anyone.\n\nExit status: 0 applied, replayed or done; 1 refused or not found; 2 usage; 3 unavailable or unknown, safe to repeat; 4 the store is damaged; 70 a defect.",
        "Orang dan agen AI mengusulkan perubahan pada dokumen di sebuah ruang. Anggota membaca perubahannya, lalu menerapkannya: sekali, walaupun ditekan dua kali. Setiap keputusan menjadi catatan dalam buku penerapan ruang itu.\n\nYang tidak disebut lewat opsi dibaca dari SEKALI_STORE, SEKALI_ROOM, SEKALI_AS, SEKALI_LANG; lalu dari berkas pengaturan (last_store, yaitu yang terakhir dibuka aplikasi; name; language); kalau di sana juga tidak ada, nilai bawaan yang berlaku. Berkas ruang mana yang dipakai disebutkan oleh sekali room show dan sekali doctor. Nama hanya sebutan, bukan bukti: siapa pun yang dapat menulis berkasnya dapat bertindak sebagai siapa saja.\n\nStatus keluar: 0 diterapkan, penerapan ulang, atau selesai; 1 ditolak atau tidak ditemukan; 2 cara pakai salah; 3 tidak tersedia atau belum pasti, aman diulang; 4 berkas ruang rusak; 70 cacat pada Sekali.";
    TOP_EXAMPLES = "  sekali init --title \"Toko Mekar\"
  sekali propose --title \"Price of coffee\" --put prices.json=prices.json
  sekali list
  sekali apply 1",
        "  sekali init --title \"Toko Mekar\"
  sekali propose --title \"Naikkan harga kopi\" --put harga.json=harga.json
  sekali list
  sekali apply 1";

    FLAG_STORE = "The store's file (SEKALI_STORE, or the settings' last_store)", "Berkas ruang yang dipakai (SEKALI_STORE, atau last_store di pengaturan)";
    FLAG_ROOM = "The room; not needed where the store has one (SEKALI_ROOM)",
        "Ruang; tidak perlu bila berkasnya hanya berisi satu (SEKALI_ROOM)";
    FLAG_AS = "Who acts: a name, or agent:NAME; a label, not proof (SEKALI_AS)",
        "Siapa yang bertindak: nama, atau agent:NAMA; hanya sebutan, bukan bukti (SEKALI_AS)";
    FLAG_LANG = "Language of texts: en or id (SEKALI_LANG)", "Bahasa teks: en atau id (SEKALI_LANG)";
    FLAG_JSON = "One JSON value on standard output; refusals as JSON on standard error",
        "Satu nilai JSON di keluaran baku; penolakan sebagai JSON di keluaran galat";
    FLAG_HELP = "Show this help", "Tampilkan bantuan ini";
    FLAG_VERSION = "Show the version", "Tampilkan versi";
    FLAG_LIMIT = "At most so many, up to 200", "Paling banyak sekian, sampai 200";
    FLAG_CURSOR = "Go on where a page ended: its \"next\"", "Lanjutkan dari akhir halaman: nilai \"next\"-nya";
    FLAG_ALL = "All of them, page by page", "Semuanya, halaman demi halaman";
    ARG_N = "The proposal's number", "Nomor usulan";
    ARG_N_OR_ID = "The proposal's number, or its id", "Nomor usulan, atau idnya";
    ARG_PATH = "The document's path in the room", "Jalur dokumen di ruang";

    HELP_ABOUT = "Show help for a command", "Tampilkan bantuan untuk sebuah perintah";
    HELP_ARG = "The command", "Perintahnya";

    INIT_ABOUT = "Create a store with one room", "Buat berkas ruang dengan satu ruang";
    INIT_MORE = "Creates the file, its signing key beside it, and a room of which you are the maintainer: where --store or SEKALI_STORE says, else at the default place. If other commands would then still go to another store, it says what to write. A store that exists is never touched: add a room to it with sekali room add.",
        "Membuat berkasnya, kunci tanda tangan di sebelahnya, dan sebuah ruang dengan Anda sebagai pengelola: di tempat yang disebut --store atau SEKALI_STORE, atau bila tidak disebut, di tempat bawaan. Bila perintah sesudahnya masih memakai berkas lain, disebutkan apa yang perlu ditulis. Berkas yang sudah ada tidak pernah disentuh: tambahkan ruang ke dalamnya dengan sekali room add.";
    INIT_EXAMPLES = "  sekali init
  sekali init --store toko.db --room toko --title \"Toko Mekar\"",
        "  sekali init
  sekali init --store toko.db --room toko --title \"Toko Mekar\" --lang id";
    INIT_TITLE = "The room's title; its slug without", "Judul ruang; nama pendeknya bila tidak disebut";

    ROOM_ABOUT = "Add, list and look at rooms", "Tambah, daftar, dan lihat ruang";
    ROOM_ADD_ABOUT = "Add a room to the store; you become its maintainer", "Tambahkan ruang ke berkas; Anda menjadi pengelolanya";
    ROOM_ADD_EXAMPLES = "  sekali room add gudang --title \"Warehouse\"", "  sekali room add gudang --title \"Gudang\"";
    ROOM_ADD_SLUG = "Lower-case letters, digits and single hyphens, at most 63; it cannot be changed",
        "Huruf kecil, angka, dan tanda hubung tunggal, paling banyak 63; tidak dapat diubah";
    ROOM_LIST_ABOUT = "List the rooms of the store", "Tampilkan daftar ruang dalam berkas";
    ROOM_SHOW_ABOUT = "Show a room: its proposals in figures, its ledger, your role", "Tampilkan sebuah ruang: jumlah usulan, buku penerapan, peran Anda";
    ROOM_SHOW_SLUG = "The room's slug or id", "Nama pendek atau id ruang";

    MEMBER_ABOUT = "Add and list members, set their roles", "Tambah dan daftar anggota, atur perannya";
    MEMBER_ADD_ABOUT = "Add a person with a role, or an agent", "Tambahkan orang dengan perannya, atau agen AI";
    MEMBER_ADD_MORE = "Members propose and decide. Reviewers read. Maintainers also set up and export. Agents only propose, so they have no role.",
        "Anggota (member) mengusulkan dan memutuskan. Peninjau (reviewer) membaca. Pengelola (maintainer) juga mengatur dan mengekspor. Agen AI hanya mengusulkan, jadi tidak punya peran.";
    MEMBER_ADD_EXAMPLES = "  sekali member add Budi --role member
  sekali member add agent:drafting",
        "  sekali member add Budi --role member
  sekali member add agent:penulis";
    MEMBER_NAME = "The name, or agent:NAME", "Namanya, atau agent:NAMA";
    MEMBER_ROLE = "member, reviewer or maintainer", "member (anggota), reviewer (peninjau), atau maintainer (pengelola)";
    MEMBER_SET_ROLE = "member, reviewer, maintainer, or none to take the role away",
        "member, reviewer, maintainer, atau none untuk mencabut perannya";
    MEMBER_LIST_ABOUT = "List the people and agents of the room", "Tampilkan daftar orang dan agen AI di ruang";
    MEMBER_SET_ABOUT = "Set a person's role", "Atur peran seseorang";
    MEMBER_SET_EXAMPLES = "  sekali member set Budi --role maintainer
  sekali member set Budi --role none",
        "  sekali member set Budi --role maintainer
  sekali member set Ani --role none";

    DOC_ABOUT = "List, read and export the documents as they are now", "Daftar, baca, dan ekspor dokumen seperti sekarang";
    DOC_LIST_ABOUT = "List the documents", "Tampilkan daftar dokumen";
    DOC_LIST_MORE = "With --json each has its digest, which a later proposal can carry as the base that its author had read.",
        "Dengan --json setiap dokumen disertai sidik isinya, yang dapat dibawa usulan berikutnya sebagai versi dasar yang dibaca pengusulnya.";
    DOC_CAT_ABOUT = "Write a document's bytes to standard output", "Tulis isi dokumen ke keluaran baku, apa adanya";
    DOC_CAT_EXAMPLES = "  sekali doc cat prices.json
  sekali doc cat prices.json --version 12.0",
        "  sekali doc cat harga.json
  sekali doc cat harga.json --version 12.0";
    DOC_CAT_VERSION = "As it was in this version (see doc log)", "Seperti pada versi ini (lihat doc log)";
    DOC_LOG_ABOUT = "Show the versions of a document, newest first", "Tampilkan versi-versi sebuah dokumen, terbaru lebih dahulu";
    DOC_LOG_MORE = "Also of one that is gone, and through its renames.", "Juga dokumen yang sudah dihapus, dan melewati pemindahannya.";
    DOC_EXPORT_ABOUT = "Write the documents into a folder", "Tulis dokumen ke sebuah folder";
    DOC_EXPORT_MORE = "The folder must be new or empty. With --force files of the same names are replaced and others stay; links are never followed.",
        "Foldernya harus baru atau kosong. Dengan --force berkas bernama sama diganti dan yang lain tetap; tautan tidak pernah diikuti.";
    DOC_EXPORT_EXAMPLES = "  sekali doc export ./documents", "  sekali doc export ./dokumen";
    DOC_EXPORT_DIR = "The folder", "Foldernya";
    DOC_EXPORT_FORCE = "Write into a folder that is not empty", "Tulis ke folder yang tidak kosong";

    PROPOSE_ABOUT = "Propose changes to documents", "Usulkan perubahan dokumen";
    PROPOSE_MORE = "The changes are taken in the order in which they are written. Nothing changes until somebody applies the proposal.\n\nWith --key the same submission again is the first proposal, not a second one. --base says which content you had read, whichever of the changes or patches has the document; where it is no longer there, the proposal waits on what you read and is merged by sekali rebase, instead of overwriting somebody's work.\n\nA patch is taken exactly: a hunk applies at its line or at the only place that it matches, and the answer says how far it moved; two places, wrong counts or other content are refused. Edits of JSON values leave every other byte as it is.",
        "Perubahan diambil menurut urutan penulisannya. Tidak ada yang berubah sampai seseorang menerapkan usulan itu.\n\nDengan --key, kiriman yang sama dianggap usulan pertama tadi, bukan usulan kedua. --base menyebut isi yang Anda baca, di perubahan atau tambalan mana pun dokumen itu berada; bila isinya sudah lain, usulan menunggu di atas isi yang Anda baca dan digabungkan dengan sekali rebase, tidak menimpa pekerjaan orang lain.\n\nTambalan dipakai persis seperti tertulis: sebuah potongan diterapkan pada barisnya atau pada satu-satunya tempat yang cocok, dan jawabannya menyebut seberapa jauh bergeser; yang cocok di dua tempat, yang salah hitungannya, atau yang isinya lain ditolak. Suntingan nilai JSON tidak menyentuh byte lain mana pun.";
    PROPOSE_EXAMPLES = "  sekali propose --title \"Price of coffee\" --why \"Beans cost more.\" \\
    --put prices.json=prices.json
  sekali propose --title \"New pages\" --put-dir ./site --delete old.md
  sekali propose --title \"Move the FAQ\" --rename faq.md=site/faq.md
  git diff | sekali propose --title \"Fix the totals\" --patch -
  date | sekali propose --title \"Today\" --put today.txt=-
  sekali propose --file proposal.json",
        "  sekali propose --title \"Naikkan harga kopi\" --why \"Biji kopi naik.\" \\
    --put harga.json=harga.json
  sekali propose --title \"Halaman baru\" --put-dir ./situs --delete lama.md
  sekali propose --title \"Pindahkan tanya\" --rename tanya.md=situs/tanya.md
  git diff | sekali propose --title \"Perbaiki jumlah\" --patch -
  date | sekali propose --title \"Hari ini\" --put hari-ini.txt=-
  sekali propose --file usulan.json";
    PROPOSE_TITLE = "One line that says what changes", "Satu baris yang menyebut apa yang berubah";
    PROPOSE_WHY = "Why, in Markdown", "Alasannya, dalam Markdown";
    PROPOSE_KEY = "Idempotency key: the same key and content again is the first proposal",
        "Kunci kiriman: kunci dan isi yang sama berarti usulan yang pertama";
    PROPOSE_EFFECT = "What it does, for ever, such as order/8812/create: a second proposal with it cannot be applied",
        "Tindakan yang dilakukannya, untuk selamanya, misalnya order/8812/create: usulan kedua dengan kunci ini tidak dapat diterapkan";
    PROPOSE_UNTIL = "Until when it may be applied, such as 2026-11-30T17:00:00+07:00",
        "Sampai kapan boleh diterapkan, misalnya 2026-11-30T17:00:00+07:00";
    PROPOSE_BASE = "The content you had read: its digest from doc list --json, or absent",
        "Isi yang Anda baca: sidik isinya dari doc list --json, atau absent";
    PROPOSE_CORRELATION = "An id of yours, kept with the proposal", "Id milik Anda, disimpan bersama usulan";
    PROPOSE_PUT = "The whole new content of a document, from a file or - for standard input; an executable file makes it executable, otherwise it stays what it was",
        "Seluruh isi baru sebuah dokumen, dari berkas atau - untuk masukan baku; berkas yang dapat dijalankan membuatnya dapat dijalankan, selain itu tetap seperti semula";
    PROPOSE_PUT_DIR = "Every file of a folder, by its path within",
        "Setiap berkas dalam folder, menurut jalurnya di dalam folder itu";
    PROPOSE_DELETE = "Delete a document", "Hapus sebuah dokumen";
    PROPOSE_RENAME = "Move a document", "Pindahkan sebuah dokumen";
    PROPOSE_PATCH = "A unified diff of one or many documents, plain or git's, from a file or -",
        "Tambalan (unified diff) untuk satu atau banyak dokumen, biasa atau buatan git, dari berkas atau -";
    PROPOSE_STRIP = "Leading folders of its names that are taken away; a/ and b/ without",
        "Jumlah folder di depan nama yang dihilangkan; a/ dan b/ bila tidak disebut";
    PROPOSE_JSON_PATCH = "A JSON Patch (RFC 6902) for a document", "JSON Patch (RFC 6902) untuk sebuah dokumen";
    PROPOSE_MERGE_PATCH = "A JSON Merge Patch (RFC 7396) for a document",
        "JSON Merge Patch (RFC 7396) untuk sebuah dokumen";
    PROPOSE_FILE = "A proposal file, or - for standard input; its form: sekali schema proposal",
        "Berkas usulan, atau - untuk masukan baku; bentuknya: sekali schema proposal";

    LIST_ABOUT = "List proposals, newest first", "Tampilkan daftar usulan, terbaru lebih dahulu";
    LIST_EXAMPLES = "  sekali list --state waiting
  sekali list --all --json",
        "  sekali list --state waiting
  sekali list --all --json";
    LIST_STATE = "waiting, applied, rejected, withdrawn or expired",
        "waiting (menunggu), applied (diterapkan), rejected (ditolak), withdrawn (ditarik), atau expired (lewat batas waktu)";

    SHOW_ABOUT = "Show a proposal: what it changes, its checks, its receipt", "Tampilkan usulan: perubahannya, pemeriksaannya, bukti penerapannya";
    SHOW_MORE = "A waiting proposal has checks, an applied one its receipt. An effect key that begins with in/ was named by nobody: Sekali derived it from the idempotency key (--key), so that the same submission has its effect once, even as another proposal.",
        "Usulan yang menunggu disertai pemeriksaannya, yang sudah diterapkan disertai bukti penerapannya. Kunci tindakan yang berawalan in/ tidak disebut siapa pun: Sekali menurunkannya dari kunci kiriman (--key), agar kiriman yang sama melakukan tindakannya sekali saja, juga sebagai usulan lain.";
    SHOW_EXAMPLES = "  sekali show 1 --diff", "  sekali show 1 --diff";
    SHOW_PATCH = "Only the patch, byte for byte", "Hanya tambalannya, byte demi byte";
    SHOW_DIFF = "With the changed lines; where no terminal reads it, as a patch that makes the same again",
        "Dengan baris yang berubah; bila bukan ke terminal, sebagai tambalan yang membuat perubahan yang sama";

    APPLY_ABOUT = "Apply a proposal, once", "Terapkan usulan, sekali";
    APPLY_MORE = "On a terminal it shows the changes and asks. Elsewhere say what you saw with --digest, or that nobody looked with --yes, which the ledger records. Applying again changes nothing and shows the first receipt.",
        "Di terminal, perubahannya ditampilkan lalu Anda ditanya. Di tempat lain, sebutkan yang Anda lihat dengan --digest, atau nyatakan dengan --yes bahwa tidak ada yang melihat; itu dicatat dalam buku penerapan. Menerapkan lagi tidak mengubah apa pun dan menampilkan bukti yang pertama.";
    APPLY_EXAMPLES = "  sekali apply 1
  sekali apply 1 --digest sha256:…
  sekali apply 1 --yes --json",
        "  sekali apply 1
  sekali apply 1 --digest sha256:…
  sekali apply 1 --yes --json --lang id";
    APPLY_DIGEST = "The digest that you saw (see show); another revision is refused",
        "Sidik isi yang Anda lihat (lihat show); revisi lain ditolak";
    APPLY_YES = "Without having looked; the ledger records it", "Tanpa melihat dahulu; dicatat dalam buku penerapan";

    WAIT_ABOUT = "Wait until a proposal is decided", "Tunggu sampai usulan diputuskan";
    WAIT_MORE = "Exit status: 0 applied; 1 rejected, withdrawn or expired; 3 still waiting when the time is over.",
        "Status keluar: 0 diterapkan; 1 ditolak, ditarik, atau lewat batas waktu; 3 masih menunggu saat waktunya habis.";
    WAIT_EXAMPLES = "  sekali wait 1 --timeout 60", "  sekali wait 1 --timeout 60";
    WAIT_TIMEOUT = "Seconds; without it, as long as it takes", "Detik; tanpa ini, selama diperlukan";

    REJECT_ABOUT = "Reject a proposal, saying why", "Tolak usulan, dengan alasannya";
    REJECT_EXAMPLES = "  sekali reject 1 --reason \"The old price stays until January.\"",
        "  sekali reject 1 --reason \"Harga lama berlaku sampai Januari.\"";
    REJECT_DIGEST = "The digest that you saw; another revision is not rejected",
        "Sidik isi yang Anda lihat; revisi lain tidak ikut ditolak";
    REASON = "Why", "Alasannya";
    REOPEN_ABOUT = "Open a rejected proposal again", "Buka lagi usulan yang ditolak";
    REOPEN_EXAMPLES = "  sekali reopen 1", "  sekali reopen 1";
    WITHDRAW_ABOUT = "Take a waiting proposal back", "Tarik usulan yang masih menunggu";
    WITHDRAW_MORE = "Its author may, and a maintainer.", "Boleh dilakukan pengusulnya, dan pengelola.";
    WITHDRAW_EXAMPLES = "  sekali withdraw 1", "  sekali withdraw 1";

    COMMENT_ABOUT = "Say something about a proposal", "Sampaikan sesuatu tentang usulan";
    COMMENT_MORE = "Everyone in the room may, agents and reviewers too, in whichever state the proposal is. --ask asks for changes: Apply shows that until somebody answers, and does not refuse for it. What is said is not in the ledger. To read it: sekali show N.",
        "Semua di ruang ini boleh, termasuk agen AI dan peninjau, apa pun status usulannya. --ask meminta perubahan: Terapkan menunjukkannya sampai ada yang menjawab, tetapi tidak menolak karenanya. Komentar tidak masuk buku penerapan. Untuk membacanya: sekali show N.";
    COMMENT_EXAMPLES = "  sekali comment 3 --text \"Is this with tax?\" --line prices.json:4 --ask
  sekali comment 3 --text \"It is.\" --answer 1",
        "  sekali comment 3 --text \"Ini sudah termasuk pajak?\" --line harga.json:4 --ask
  sekali comment 3 --text \"Sudah.\" --answer 1";
    COMMENT_TEXT = "What you say, in Markdown; - reads standard input", "Yang Anda sampaikan, dalam Markdown; - membaca masukan standar";
    COMMENT_LINE = "The line that it is on, as the document becomes; PATH:-LINE, as it was",
        "Baris yang dimaksud, menurut dokumen sesudahnya; JALUR:-BARIS menurut yang sebelumnya";
    COMMENT_ASK = "Ask for changes", "Minta perubahan";
    COMMENT_ANSWER = "Answer the comment with this number, which asks for changes",
        "Jawab komentar bernomor ini, yang meminta perubahan";
    COMMENT_REVISION = "The revision that you read; without it, the current one", "Revisi yang Anda baca; tanpa ini, revisi terbaru";
    COMMENT_KEY = "The same comment again under this key is not said twice",
        "Komentar yang sama dengan kunci ini tidak tercatat dua kali";

    REBASE_ABOUT = "Carry a waiting proposal onto the documents as they are now",
        "Sesuaikan usulan yang menunggu dengan versi terbaru";
    REBASE_MORE = "It becomes a new revision with a new digest: look at it again before you apply it. What both sides changed in the same place is a conflict: it is shown, and nothing is written until --take says which side counts, for each place in order: now (what is there), after (what the proposal wants), now+after, after+now, or base.",
        "Usulan menjadi revisi baru dengan sidik isi baru: lihat lagi sebelum diterapkan. Yang diubah kedua sisi di tempat yang sama adalah bentrok: ditampilkan, dan tidak ada yang ditulis sampai --take menyebut sisi mana yang berlaku, untuk setiap tempat berurutan: now (yang ada sekarang), after (yang diinginkan usulan), now+after, after+now, atau base (versi dasar).";
    REBASE_EXAMPLES = "  sekali rebase 3
  sekali rebase 3 --take prices.json=after,now",
        "  sekali rebase 3
  sekali rebase 3 --take harga.json=after,now";
    REBASE_DIGEST = "The digest of the revision that you saw; another one is left as it is",
        "Sidik isi revisi yang Anda lihat; revisi lain dibiarkan";
    REBASE_TAKE = "Which side counts for each conflict of a document", "Sisi mana yang berlaku untuk setiap bentrok sebuah dokumen";

    REVERT_ABOUT = "Propose to take back what was applied", "Usulkan pengembalian yang sudah diterapkan";
    REVERT_MORE = "A new proposal with the inverse changes, for one or several applied ones. What was changed since stays; where it stands in the same place, that is a conflict and nothing is written.",
        "Usulan baru dengan kebalikan perubahannya, untuk satu atau beberapa yang sudah diterapkan. Yang diubah sesudahnya tetap; bila letaknya di tempat yang sama, itu bentrok dan tidak ada yang ditulis.";
    REVERT_EXAMPLES = "  sekali revert 3
  sekali revert 5 4 3 --why \"The supplier took it back.\"",
        "  sekali revert 3
  sekali revert 5 4 3 --why \"Pemasok membatalkannya.\"";
    REVERT_TITLE = "One line; \"Revert #N: ...\" without", "Satu baris; \"Kembalikan #N: ...\" bila tidak disebut";

    SPLIT_ABOUT = "Split a waiting proposal in two", "Pecah usulan yang menunggu menjadi dua";
    SPLIT_MORE = "What --take names stays, as a new revision; the rest becomes a new proposal. Hunks are counted as sekali show N --diff shows them. Where a document is divided by hunks, the rest continues what stays: apply that one first.",
        "Yang disebut --take tetap, sebagai revisi baru; sisanya menjadi usulan baru. Potongan dihitung seperti ditampilkan sekali show N --diff. Bila sebuah dokumen dibagi per potongan, sisanya melanjutkan yang tetap: terapkan yang itu dahulu.";
    SPLIT_EXAMPLES = "  sekali split 3 --take prices.json --take menu.md:2",
        "  sekali split 3 --take harga.json --take menu.md:2";
    SPLIT_TAKE = "A document that stays, or one hunk of it", "Dokumen yang tetap, atau satu potongannya";
    SPLIT_TITLE = "The title of the rest", "Judul sisanya";

    REVISE_ABOUT = "Replace the content of a waiting proposal", "Ganti isi usulan yang masih menunggu";
    REVISE_MORE = "The changes are given anew, all of them. Title, why, validity and effect keys stay as they are unless you say otherwise. Who had read the revision before must read again: its digest is another.",
        "Perubahannya disebut lagi, semuanya. Judul, alasan, batas waktu, dan kunci tindakan tetap kecuali Anda menyebut yang lain. Yang sudah membaca revisi sebelumnya harus membaca lagi: sidik isinya lain.";
    REVISE_EXAMPLES = "  sekali revise 1 --put prices.json=prices.json
  sekali revise 1 --digest sha256:… --file proposal.json",
        "  sekali revise 1 --put harga.json=harga.json
  sekali revise 1 --digest sha256:… --file usulan.json";
    REVISE_DIGEST = "The digest of the revision that you replace; another one is not replaced",
        "Sidik isi revisi yang Anda ganti; revisi lain tidak diganti";
    REVISE_UNTIL = "Until when it may be applied, or none for no end",
        "Sampai kapan boleh diterapkan, atau none untuk tanpa batas";

    LEDGER_ABOUT = "Show the ledger, oldest first", "Tampilkan buku penerapan, terlama lebih dahulu";
    LEDGER_MORE = "At the end stand the ledger's size and root: whoever keeps them elsewhere can show later that no entry was changed. With --json each line is one entry, byte for byte as it was hashed, and nothing else.",
        "Di akhir tertulis ukuran dan akar buku penerapan: siapa pun yang mencatatnya di tempat lain kelak dapat menunjukkan bahwa tidak ada catatan yang diubah. Dengan --json setiap baris adalah satu catatan, byte demi byte seperti saat dihitung sidiknya, tanpa yang lain.";
    LEDGER_EXAMPLES = "  sekali ledger
  sekali ledger --json > ledger.jsonl",
        "  sekali ledger
  sekali ledger --json > buku.jsonl";
    LEDGER_AFTER = "Only entries after this one", "Hanya catatan sesudah yang ini";
    LEDGER_LIMIT = "At most so many entries", "Paling banyak sekian catatan";
    LEDGER_EXPORT_ABOUT = "Export the ledger into a new folder", "Ekspor buku penerapan ke folder baru";
    LEDGER_EXPORT_MORE = "For people who check it without Sekali. Into the folder come:\n  ledger.jsonl     the entries, one a line, byte for byte as they were hashed\n  revisions.jsonl  the bytes under each digest\n  root.json        how many entries there are, and the root over them\n  ledger.csv       the entries as a table for people\n  contents.jsonl   with --content: the documents' contents and their salts\nEntries hold the actors' ids and no names, on purpose: a name must be erasable.\n\nTo verify it: docs/format.md says how each hash is recomputed, and python3 tests/second/verify.py DIR, from Sekali's repository, does it without Sekali. Maintainers only.",
        "Untuk orang yang memeriksanya tanpa Sekali. Isi foldernya:\n  ledger.jsonl     catatan, satu per baris, byte demi byte seperti saat dihitung sidiknya\n  revisions.jsonl  byte di balik setiap sidik isi\n  root.json        jumlah catatan, dan akar atas semuanya\n  ledger.csv       catatan sebagai tabel untuk dibaca orang\n  contents.jsonl   dengan --content: isi dokumen dan garamnya\nCatatan memuat id pelaku tanpa namanya, dengan sengaja: nama harus dapat dihapus.\n\nUntuk memeriksanya: docs/format.md menjelaskan cara menghitung ulang setiap sidik, dan python3 tests/second/verify.py FOLDER, dari repositori Sekali, melakukannya tanpa Sekali. Hanya untuk pengelola.";
    LEDGER_EXPORT_EXAMPLES = "  sekali ledger export --out audit
  sekali ledger export --out audit-csv --format csv
  sekali ledger export --out audit-full --content",
        "  sekali ledger export --out audit
  sekali ledger export --out audit-csv --format csv
  sekali ledger export --out audit-lengkap --content";
    EXPORT_OUT = "The folder to write into; new or empty", "Folder tujuan; baru atau kosong";
    EXPORT_FORMAT = "jsonl, csv or both with a comma; both without", "jsonl, csv, atau keduanya dengan koma; keduanya bila tidak disebut";
    EXPORT_CONTENT = "With the documents' contents and their salts", "Dengan isi dokumen dan garamnya";

    DUPLICATES_ABOUT = "Show what was repeated and stopped, and why", "Tampilkan yang berulang dan dihentikan, beserta sebabnya";
    DUPLICATES_MORE = "apply: Apply was pressed again. key: a submission came again under its key. effect: another proposal would have done the same.",
        "apply: Terapkan ditekan lagi. key: kiriman datang lagi dengan kuncinya. effect: usulan lain akan melakukan hal yang sama.";

    DOCTOR_ABOUT = "Check the store: is it sound, does the ledger hold", "Periksa berkas ruang: apakah utuh, apakah buku penerapannya cocok";
    DOCTOR_MORE = "Integrity, foreign keys, the ledger's chain and tree, each entry against the rows that were written with it, each revision against its digest, all content against its commitment, counts, evidence, the signing key, the write-ahead log, the lock, the file system. It repairs nothing. Exit status 0 with warnings, 4 with damage.",
        "Keutuhan, kunci asing, rantai dan pohon buku penerapan, setiap catatan terhadap baris yang ditulis bersamanya, setiap revisi terhadap sidik isinya, semua isi terhadap komitmennya, jumlah, jejak, kunci tanda tangan, log tulis, kunci berkas, sistem berkas. Tidak memperbaiki apa pun. Status keluar 0 bila hanya peringatan, 4 bila rusak.";

    DEMO_ABOUT = "Build a demo store: a small shop with real proposals", "Buat berkas contoh: toko kecil dengan usulan sungguhan";
    DEMO_MORE = "It has a file of its own and leaves your rooms alone: SEKALI_STORE is not read, only --store.",
        "Contoh ini punya berkas sendiri dan tidak menyentuh ruang Anda: SEKALI_STORE tidak dibaca, hanya --store.";
    DEMO_EXAMPLES = "  sekali demo
  sekali demo --lang id --fresh",
        "  sekali demo --lang id
  sekali demo --fresh";
    DEMO_FRESH = "Throw an earlier demo away and build it anew", "Buang contoh yang lama dan buat lagi";

    SCHEMA_ABOUT = "Print the form of a file as JSON Schema", "Cetak bentuk sebuah berkas sebagai JSON Schema";
    SCHEMA_PROPOSAL_ABOUT = "The proposal file, for propose --file and revise --file", "Berkas usulan, untuk propose --file dan revise --file";

    COMPLETIONS_ABOUT = "Print completions for a shell", "Cetak pelengkap perintah untuk shell";
    COMPLETIONS_EXAMPLES = "  sekali completions bash > ~/.local/share/bash-completion/completions/sekali
  sekali completions zsh > ~/.zfunc/_sekali
  sekali completions fish > ~/.config/fish/completions/sekali.fish",
        "  sekali completions bash > ~/.local/share/bash-completion/completions/sekali
  sekali completions zsh > ~/.zfunc/_sekali
  sekali completions fish > ~/.config/fish/completions/sekali.fish";
    COMPLETIONS_SHELL = "bash, zsh, fish, powershell or elvish", "bash, zsh, fish, powershell, atau elvish";
}
