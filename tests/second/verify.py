#!/usr/bin/env python3
"""A second implementation of Sekali's formats: checks an export folder from the format page alone.

It is: one file, Python 3.9 or newer, the standard library, written from docs/format.md without a
look at the program. "Rule 2.3" below is step 2.3 of section 16 of that page, "section 9" its
section 9. It is not: the verifier that Sekali ships, nor a reader of stores or proposal files. It
shares no code with either, so that a mistake in one of the two shows as a difference.

  verify.py FOLDER                   check an export folder
  verify.py FOLDER --root 120:HEX    and a root of size 120 that was kept elsewhere (repeatable)
  verify.py FOLDER --leaf 7:HEX      and the leaf of entry 7, as on a receipt (repeatable)
  verify.py --self-test              check the worked examples of the page

Exit status: 0 every rule holds, 1 a rule is broken (file, line and rule are printed), 2 the folder
is not an export, or the command line is wrong. Lines that begin with "note" tell what could not be
checked, or is worth a look; they do not change the exit status.

Files are read line by line, several times. What is kept in memory is one line, and sets of ids:
proposals, effect keys, digests, commitments and the paths of present documents.
"""
import argparse
import base64
import binascii
import contextlib
import datetime
import hashlib
import io
import json
import os
import re
import sys
import tempfile
import unicodedata

ABSENT = "absent"
LARGEST_INTEGER = 2 ** 53
CONTENT_AT_BYTE = 172  # where the base64 begins in a line of contents.jsonl
REVISION_AT_BYTE = 95  # where the revision begins in a line of revisions.jsonl
# Longer than any line can be: the base64 of 64 MiB, or 10,000 changes with two paths each.
LONGEST_LINE_BYTES = 128 * 1024 * 1024


class Bad(Exception):
    """A rule that does not hold. Where it happened is what the report points at."""


class Report:
    """Says what was checked, and remembers the place that is being looked at."""

    def __init__(self):
        self.file, self.line, self.rule = None, None, None
        self.notes = {}

    def at(self, file, line, rule):
        self.file, self.line, self.rule = file, line, rule

    def place(self):
        line = "" if self.line is None else " line %d" % self.line
        return "%s%s, rule %s" % (self.file, line, self.rule)

    def note(self, text):
        """Keeps a note for the present line; runs of lines with one text become one range."""
        ranges = self.notes.setdefault((self.rule, self.file, text), [])
        if ranges and ranges[-1][1] in (self.line, self.line - 1):
            ranges[-1][1] = self.line
        else:
            ranges.append([self.line, self.line])

    def passed(self, rule, file, text):
        self.tell_notes()
        print("%-5s %-16s %s" % (rule, file, text))

    def tell_notes(self):
        for (rule, file, text), ranges in self.notes.items():
            spans = ", ".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in ranges)
            print("note  %s line %s, rule %s: %s" % (file, spans, rule, text))
        self.notes.clear()


# Hashes: sections 2, 6, 7, 8, 10, 11.

def sha256(data):
    return hashlib.sha256(data).digest()


def text_of(digest):
    return "sha256:" + digest.hex()


def commitment(salt, content):
    hasher = hashlib.sha256(b"\x02")
    hasher.update(salt)
    hasher.update(content)
    return hasher.digest()


def revision_digest(canonical):
    return sha256(b"sekali/revision/1\n" + canonical)


def field(data):
    return len(data).to_bytes(4, "big") + data


def derived_effect_key(room, submitter, key):
    parts = (room, submitter, "key", "string", key)
    return "in/" + sha256(b"".join(field(part.encode("utf-8")) for part in parts)).hex()


def leaf_of(entry):
    return sha256(b"\x00" + entry)


def node(left, right):
    return sha256(b"\x01" + left + right)


class Tree:
    """The tree of section 10, kept as the roots of its perfect subtrees, largest first."""

    def __init__(self, leaves=()):
        self.size, self.roots = 0, []
        for leaf in leaves:
            self.add(leaf)

    def add(self, leaf):
        rest = self.size
        while rest & 1:
            leaf = node(self.roots.pop(), leaf)
            rest >>= 1
        self.roots.append(leaf)
        self.size += 1

    def root(self):
        if not self.roots:
            return sha256(b"")
        joined = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            joined = node(left, joined)
        return joined


# Canonical JSON: section 4.

ESCAPED = re.compile('["\\\\\x00-\x1f]')
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n",
                 "\f": "\\f", "\r": "\\r"}
INTEGER = re.compile("0|[1-9][0-9]{0,15}")


def unique_members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Bad("the member %s stands twice" % shown(twice))
    return members


def integer(digits):
    """Reads digits, not a double, so that 2^53 and 2^53 + 1 stay apart."""
    if not INTEGER.fullmatch(digits) or int(digits) > LARGEST_INTEGER:
        raise Bad("%s is not an integer from 0 to 2^53 in its only form" % shown(digits))
    return int(digits)


def no_such_number(digits):
    raise Bad("the number %s is not an integer" % shown(digits))


DECODER = json.JSONDecoder(object_pairs_hook=unique_members, parse_int=integer,
                           parse_float=no_such_number, parse_constant=no_such_number)


def parse(data):
    try:
        return DECODER.decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Bad("is not UTF-8 at byte %d" % error.start)
    except RecursionError:
        raise Bad("is nested too deep")
    except json.JSONDecodeError as error:
        raise Bad("is not JSON: %s, at character %d" % (error.msg, error.pos))


def escape(match):
    character = match.group()
    if character == "\x00":
        raise Bad("a text holds U+0000")
    return SHORT_ESCAPES.get(character) or "\\u%04x" % ord(character)


def written(value):
    if value is None:
        return "null"
    if type(value) is str:
        return '"' + ESCAPED.sub(escape, value) + '"'
    if type(value) is int:
        return str(value)
    if type(value) is list:
        return "[" + ",".join(written(item) for item in value) + "]"
    if type(value) is dict:
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(written(name) + ":" + written(value[name]) for name in names) + "}"
    raise Bad("%s does not occur in hashed JSON" % written_type(value))


def written_type(value):
    return "a boolean" if type(value) is bool else "a " + type(value).__name__


def canonical(value):
    try:
        return written(value).encode("utf-8")
    except UnicodeEncodeError:
        raise Bad("a text holds a lone surrogate")
    except RecursionError:
        raise Bad("is nested too deep")


def read_canonical(data):
    value = parse(data)
    again = canonical(value)
    if again != data:
        same = len(os.path.commonprefix([again, data]))
        raise Bad("is not canonical: written again, it differs from byte %d" % same)
    return value


def shown(value):
    """Data in a message: ASCII, so that it cannot steer a terminal, and not too long."""
    text = ascii(value)
    return text if len(text) <= 120 else text[:117] + "..."


# Forms of members: sections 2, 3, 5, 7, 9. A form is a test and the words for it.

ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
HEX64 = re.compile("[0-9a-f]{64}")
HASH = re.compile("sha256:[0-9a-f]{64}")
TIME = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
                  r"\.[0-9]{3}Z")
FIRST_TIME, LAST_TIME = "1970-01-01T00:00:00.000Z", "9999-12-30T21:59:59.999Z"
LINE_BREAK = re.compile("[\n-\r\x85\u2028\u2029]")


def matches(pattern):
    return lambda value: type(value) is str and pattern.fullmatch(value) is not None


def is_time(value):
    match = TIME.fullmatch(value) if type(value) is str else None
    if not match or not FIRST_TIME <= value <= LAST_TIME:
        return False
    try:
        datetime.date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return False
    return True


def is_title(value):
    return type(value) is str and 1 <= len(value) <= 1000 and not LINE_BREAK.search(value)


def text_bytes(least, most):
    return ("a text of %d to %d bytes" % (least, most), lambda value:
            type(value) is str and least <= len(value.encode("utf-8")) <= most)


def whole(least, most=LARGEST_INTEGER):
    return ("an integer from %d to %d" % (least, most), lambda value:
            type(value) is int and least <= value <= most)


def word(*words):
    return (" or ".join(words), lambda value: type(value) is str and value in words)


def or_null(form):
    return (form[0] + ", or null", lambda value: value is None or form[1](value))


AN_ID = ("an id", matches(ID))
A_HASH = ("sha256: and 64 lower-case hex digits", matches(HASH))
A_LEAF = ("64 lower-case hex digits", matches(HEX64))
A_TIME = ("a time in its only form", is_time)
A_TEXT = ("a text", lambda value: type(value) is str)
A_COMMITMENT = ("a commitment or absent", lambda value: value == ABSENT or A_HASH[1](value))
AN_ARRAY = ("an array", lambda value: type(value) is list)
CHANGES = ("an array of 1 to 10000 changes", lambda value:
           type(value) is list and 1 <= len(value) <= 10000)
NO_MESSAGES = ("an empty array", lambda value: value == [])
OPS = ("create", "replace", "rename", "delete")

REVISION = {
    "author": AN_ID, "changes": CHANGES, "effect_keys": AN_ARRAY, "messages": NO_MESSAGES,
    "proposal": AN_ID, "revision": whole(1), "room": AN_ID,
    "title": ("1 to 1000 characters on one line", is_title),
    "valid_until": or_null(A_TIME), "why": text_bytes(0, 65536)}
EFFECT_KEY = {"generation": whole(0, 4294967295), "key": text_bytes(1, 255)}
REVISION_CHANGE = {
    "after": A_COMMITMENT, "base": A_COMMITMENT, "from": or_null(A_TEXT), "in": word("documents"),
    "mode": or_null(word("100644", "100755")), "op": word(*OPS), "path": A_TEXT}
ENTRY_CHANGE = {name: form for name, form in REVISION_CHANGE.items() if name != "base"}
ENTRY_CHANGE.update({"before": A_COMMITMENT, "bytes": or_null(whole(0))})
DECIDED = {
    "actor": AN_ID, "at": A_TIME, "digest": A_HASH,
    "door": word("desktop", "cli", "http", "webhook", "mcp"),
    "kind": A_TEXT, "os_user": or_null(AN_ID), "prev": A_LEAF, "proposal": whole(1),
    "proposal_id": AN_ID, "reason": or_null(text_bytes(0, 4096)), "revision": whole(1),
    "room": AN_ID, "seq": whole(1), "v": whole(1, 1)}
# The page sets no limit for the reason of an applied entry.
APPLIED = dict(DECIDED, changes=CHANGES, correlation=or_null(text_bytes(1, 255)),
               effect_keys=AN_ARRAY, reason=or_null(A_TEXT), seen=word("digest", "none"),
               source=or_null(AN_ID))
KINDS = {"applied": APPLIED, "rejected": DECIDED, "reopened": DECIDED, "withdrawn": DECIDED}
ROOT_JSON = {"format": word("sekali.export/1"), "room": AN_ID, "size": whole(0), "root": A_LEAF}


def check_members(value, forms, what):
    if type(value) is not dict:
        raise Bad("%s is not an object" % what)
    for name in forms:
        if name not in value:
            raise Bad("%s has no member %s" % (what, name))
    for name in value:
        if name not in forms:
            raise Bad("%s has the member %s, which is not one of its members"
                      % (what, shown(name)))
    for name, (words, holds) in forms.items():
        if not holds(value[name]):
            raise Bad("%s of %s is %s, not %s" % (name, what, shown(value[name]), words))


def check_effect_keys(keys, what):
    seen = set()
    for key in keys:
        check_members(key, EFFECT_KEY, "an effect key of " + what)
        pair = (key["key"], key["generation"])
        if pair in seen:
            raise Bad("the effect key %s stands twice in %s" % (shown(pair), what))
        seen.add(pair)


def check_change(change, forms, earlier, what):
    """Checks one change by its members and by the table of section 7."""
    check_members(change, forms, what)
    op = change["op"]
    for name, given in ((earlier, op != "create"), ("after", op != "delete")):
        if (change[name] != ABSENT) != given:
            raise Bad("%s of %s is %s, which does not fit %s" % (name, what, change[name], op))
    for name, given in (("mode", op != "delete"), ("from", op == "rename")):
        if (change[name] is not None) != given:
            raise Bad("%s of %s is %s, which does not fit %s"
                      % (name, what, shown(change[name]), op))
    if "bytes" in change and (change["bytes"] is None) != (change["after"] == ABSENT):
        raise Bad("bytes of %s is null exactly where after is absent: not so" % what)


def check_changes(changes, forms, earlier):
    for number, change in enumerate(changes, 1):
        check_change(change, forms, earlier, "change %d" % number)


def understood(entry):
    return entry["v"] == 1 and entry["kind"] in KINDS


def check_entry(entry):
    """Rule 2.2. Returns whether the entry was understood."""
    if type(entry) is not dict:
        raise Bad("the entry is not an object")
    if type(entry.get("v")) is not int or type(entry.get("kind")) is not str:
        raise Bad("the entry has no integer v or no text kind")
    if not understood(entry):
        return False
    check_members(entry, KINDS[entry["kind"]], "the entry")
    if entry["kind"] == "applied":
        check_effect_keys(entry["effect_keys"], "the entry")
        check_changes(entry["changes"], ENTRY_CHANGE, "before")
    return True


def check_revision(revision):
    check_members(revision, REVISION, "the revision")
    check_effect_keys(revision["effect_keys"], "the revision")
    check_changes(revision["changes"], REVISION_CHANGE, "base")


# Paths: section 13.

WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007" \
              "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
FORBIDDEN = re.compile("[\\\\:\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f"
                       "\u202a-\u202e\u2066-\u2069]")
INVISIBLE = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
GIT = re.compile(r"\.git|git~[0-9]+")
DEVICE = re.compile("CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|CLOCK\\$|(COM|LPT)[0-9\xb9\xb2\xb3]")


def path_key(path):
    folded = unicodedata.normalize("NFD", path).casefold()
    return unicodedata.normalize("NFC", folded)


def is_unknown(character):
    """Unassigned in the tables of this Python. Noncharacters stay so for ever, so do not count."""
    code = ord(character)
    noncharacter = 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
    return unicodedata.category(character) == "Cn" and not noncharacter


def check_path(path):
    if not 1 <= len(path.encode("utf-8")) <= 1024:
        raise Bad("the path %s does not have 1 to 1024 bytes" % shown(path))
    if FORBIDDEN.search(path):
        raise Bad("the path %s holds a character that no path may hold" % shown(path))
    for segment in path.split("/"):
        fault = segment_fault(segment)
        if fault:
            raise Bad("a segment of the path %s %s" % (shown(path), fault))


def segment_fault(segment):
    if not 1 <= len(segment.encode("utf-8")) <= 255:
        return "does not have 1 to 255 bytes"
    if segment in (".", "..") or segment.endswith("."):
        return "is . or .., or ends with a dot"
    if segment[0] in WHITE_SPACE or segment[-1] in WHITE_SPACE:
        return "begins or ends with white space"
    if GIT.fullmatch(path_key(INVISIBLE.sub("", segment))):
        return "is a name of the folder .git"
    if DEVICE.fullmatch(segment.split(".")[0].rstrip(WHITE_SPACE).upper()):
        return "is a device name of Windows"
    return None


# Files: section 15.

class Export:
    """An export folder, and what one step leaves for a later one."""

    def __init__(self, folder, report):
        self.folder, self.report = folder, report
        self.room, self.size, self.root = None, None, None
        self.revisions = {}        # digest: (offset of the canonical bytes, how many)
        self.returned = []         # (line of the ledger, base, before) where the two differ

    def path(self, file):
        return os.path.join(self.folder, file)

    def holds(self, file):
        return os.path.lexists(self.path(file))

    def lines(self, file, rule):
        """Gives the lines of a file without their LF. The report points at the present line."""
        self.report.at(file, None, rule)
        with open(self.path(file), "rb") as stream:
            number = 0
            while True:
                line = stream.readline(LONGEST_LINE_BYTES)
                if not line:
                    return
                number += 1
                self.report.at(file, number, rule)
                if not line.endswith(b"\n"):
                    long = len(line) == LONGEST_LINE_BYTES
                    raise Bad("is longer than any line" if long else "does not end with LF")
                yield number, line[:-1]

    def entries(self, rule):
        """Gives the entries that are understood, once steps 2 to 4 have passed."""
        for number, line in self.lines("ledger.jsonl", rule):
            entry = parse(line)
            if understood(entry):
                yield number, entry


def check_root_json(export):
    report = export.report
    report.at("root.json", 1, "1")
    with open(export.path("root.json"), "rb") as stream:
        data = stream.read(LONGEST_LINE_BYTES)
    root = parse(data)
    check_members(root, ROOT_JSON, "the object")
    export.room, export.size, export.root = root["room"], root["size"], root["root"]
    report.passed("1", "root.json", "format, 4 members, their forms")


def check_chain(export, entry, number, before):
    if entry.get("room") != export.room:
        raise Bad("room is %s, not that of root.json" % shown(entry.get("room")))
    if entry.get("seq") != number:
        raise Bad("seq is %s, not the number of the line" % shown(entry.get("seq")))
    if entry.get("prev") != before:
        raise Bad("prev is %s, not the leaf of the line before, %s"
                  % (shown(entry.get("prev")), before))


def check_ledger(export, kept_roots, kept_leaves):
    """Rules 2 to 4, in one reading of the ledger."""
    report, tree, before, kinds = export.report, Tree(), "0" * 64, {}
    leaves, roots = {}, {0: tree.root().hex()}
    for number, line in export.lines("ledger.jsonl", "2.1"):
        entry = read_canonical(line)
        report.rule = "2.2"
        known = check_entry(entry)
        kind = entry["kind"] if known else "not understood"
        kinds[kind] = kinds.get(kind, 0) + 1
        if not known:
            report.note("not understood: v %d, kind %s" % (entry["v"], shown(entry["kind"])))
        report.rule = "2.3"
        check_chain(export, entry, number, before)
        leaf = leaf_of(line)
        tree.add(leaf)
        before = leaf.hex()
        if number in kept_leaves:
            leaves[number] = before
        if number in kept_roots:
            roots[number] = tree.root().hex()
    tell_ledger(report, tree.size, kinds)
    check_size_and_root(export, tree)
    compare_kept(report, kept_leaves, leaves, "leaf of entry")
    compare_kept(report, kept_roots, roots, "root of size")
    report.passed("4", "ledger.jsonl", "root of %d leaves; kept elsewhere: %d roots, %d leaves"
                  % (tree.size, len(kept_roots), len(kept_leaves)))


def compare_kept(report, kept, computed, what):
    for number, values in kept.items():
        if number not in computed:
            raise Bad("the %s %d was kept, and the ledger ends before" % (what, number))
        for value in values:
            if value != computed[number]:
                report.line = number
                raise Bad("the %s %d is %s, and %s was kept"
                          % (what, number, computed[number], value))


def tell_ledger(report, count, kinds):
    report.passed("2.1", "ledger.jsonl", "%d lines end with LF and are canonical JSON" % count)
    by_kind = ", ".join("%d %s" % (kinds[kind], kind) for kind in sorted(kinds))
    report.passed("2.2", "ledger.jsonl", "%d entries: members, types, forms, words (%s)"
                  % (count, by_kind or "none"))
    report.passed("2.3", "ledger.jsonl", "%d entries: room, seq, prev" % count)


def check_size_and_root(export, tree):
    report = export.report
    report.at("ledger.jsonl", tree.size or None, "3")
    if tree.size != export.size:
        raise Bad("there are %d lines, and size in root.json is %d" % (tree.size, export.size))
    report.passed("3", "ledger.jsonl", "%d lines, as in root.json" % tree.size)
    report.at("ledger.jsonl", tree.size or None, "4")
    if tree.root().hex() != export.root:
        raise Bad("the root is %s, and in root.json %s" % (tree.root().hex(), export.root))


# Once: rule 5.

NEXT_STATES = {
    ("waits", "applied"): "applied", ("waits", "rejected"): "rejected",
    ("waits", "withdrawn"): "withdrawn", ("rejected", "reopened"): "waits"}


class Once:
    def __init__(self):
        self.proposals = {}     # proposal_id: (number, state, revision)
        self.ids = {}           # number: proposal_id
        self.digests = {}       # (proposal_id, revision): digest
        self.effects = {}       # (key, generation): line
        self.applied = 0

    def add(self, line, entry):
        self.step_proposal(entry["proposal_id"], entry)
        if entry["kind"] == "applied":
            self.applied += 1
            for key in entry["effect_keys"]:
                self.add_effect(line, (key["key"], key["generation"]))

    def step_proposal(self, proposal_id, entry):
        number, kind = entry["proposal"], entry["kind"]
        known, state, revision = self.proposals.get(proposal_id, (number, "waits", 0))
        if known != number or self.ids.setdefault(number, proposal_id) != proposal_id:
            raise Bad("proposal %d and proposal_id %s do not go with each other alone"
                      % (number, proposal_id))
        quoted = self.digests.setdefault((proposal_id, entry["revision"]), entry["digest"])
        if quoted != entry["digest"]:
            raise Bad("revision %d of proposal %d has two digests" % (entry["revision"], number))
        after = NEXT_STATES.get((state, kind))
        if after is None:
            raise Bad("%s, though the proposal %s" % (kind, "waits" if state == "waits"
                                                      else "is " + state))
        if entry["revision"] < revision:
            raise Bad("revision falls from %d to %d" % (revision, entry["revision"]))
        self.proposals[proposal_id] = (number, after, entry["revision"])

    def add_effect(self, line, pair):
        first = self.effects.setdefault(pair, line)
        if first != line:
            raise Bad("the effect key %s was applied in line %d" % (shown(pair), first))


def check_once(export):
    once = Once()
    for number, entry in export.entries("5"):
        once.add(number, entry)
    export.report.passed("5", "ledger.jsonl", "%d proposals, %d applied, %d effect keys: once each"
                         % (len(once.proposals), once.applied, len(once.effects)))


# Revisions: rule 6.

def check_revision_line(line):
    """Returns the digest and the revision of one line of revisions.jsonl."""
    head, middle, last = line[:REVISION_AT_BYTE], line[REVISION_AT_BYTE:-1], line[-1:]
    match = re.fullmatch(b'{"digest":"(sha256:[0-9a-f]{64})","revision":', head)
    if not match or last != b"}":
        raise Bad("the first 95 bytes or the last byte are not those of a revision line")
    revision = read_canonical(middle)
    check_revision(revision)
    digest = match[1].decode("ascii")
    computed = text_of(revision_digest(middle))
    if computed != digest:
        raise Bad("the revision hashes to %s, not to the digest of its line" % computed)
    return digest, revision


def index_revisions(export):
    offset = 0
    for _, line in export.lines("revisions.jsonl", "6"):
        digest, _ = check_revision_line(line)
        if digest in export.revisions:
            raise Bad("the digest %s stands twice" % digest)
        export.revisions[digest] = (offset + REVISION_AT_BYTE, len(line) - REVISION_AT_BYTE - 1)
        offset += len(line) + 1


def compare_revision(entry, revision):
    pairs = (("room", "room"), ("proposal_id", "proposal"), ("revision", "revision"))
    for ours, theirs in pairs:
        if entry[ours] != revision[theirs]:
            raise Bad("%s is %s, and in the revision %s"
                      % (ours, shown(entry[ours]), shown(revision[theirs])))
    if entry["kind"] == "applied":
        compare_applied(entry, revision)


def compare_applied(entry, revision):
    if entry["effect_keys"] != revision["effect_keys"]:
        raise Bad("effect_keys are not those of the revision")
    if len(entry["changes"]) != len(revision["changes"]):
        raise Bad("there are %d changes, and %d in the revision"
                  % (len(entry["changes"]), len(revision["changes"])))
    for number, (ours, theirs) in enumerate(zip(entry["changes"], revision["changes"]), 1):
        for name in ("after", "from", "in", "mode", "op", "path"):
            if ours[name] != theirs[name]:
                raise Bad("%s of change %d is not that of the revision" % (name, number))
        if (ours["before"] == ABSENT) != (theirs["base"] == ABSENT):
            raise Bad("before of change %d is absent where base is not, or the reverse" % number)


def check_revisions(export):
    index_revisions(export)
    report, agreed, missing = export.report, 0, 0
    with open(export.path("revisions.jsonl"), "rb") as stream:
        for number, entry in export.entries("6"):
            place = export.revisions.get(entry["digest"])
            if place is None:
                missing += 1
                report.note("not checked: revisions.jsonl has no line with this digest")
                continue
            stream.seek(place[0])
            revision = parse(stream.read(place[1]))
            compare_revision(entry, revision)
            agreed += 1
            if entry["kind"] == "applied":
                look_at_applied(export, number, entry, revision)
    report.passed("6", "revisions.jsonl", "%d revisions hash to their digests; %d entries agree "
                  "with theirs, %d not checked" % (len(export.revisions), agreed, missing))


def look_at_applied(export, number, entry, revision):
    if revision["valid_until"] is not None and entry["at"] >= revision["valid_until"]:
        export.report.note("at is not before valid_until of the revision")
    for ours, theirs in zip(entry["changes"], revision["changes"]):
        if ours["before"] != theirs["base"]:
            export.returned.append((number, theirs["base"], ours["before"]))


# Documents: rule 7.

class Documents:
    """What the room holds: for each path key the last path, commitment and mode."""

    def __init__(self):
        self.present = {}

    def apply(self, changes):
        for change in changes:
            if change["before"] != ABSENT:
                self.take(change["from"] if change["op"] == "rename" else change["path"],
                          change["before"])
        for change in changes:
            if change["after"] != ABSENT:
                self.put(change["path"], change["after"], change["mode"])

    def take(self, path, before):
        found = self.present.pop(path_key(path), None)
        if found is None:
            raise Bad("there is no document at %s" % shown(path))
        if found[0] != path:
            raise Bad("the document at %s is spelled %s" % (shown(path), shown(found[0])))
        if found[1] != before:
            raise Bad("the document at %s was last %s, and before is %s"
                      % (shown(path), found[1], before))

    def put(self, path, after, mode):
        key = path_key(path)
        if key in self.present:
            raise Bad("there is a document at %s already, where %s is put"
                      % (shown(self.present[key][0]), shown(path)))
        self.present[key] = (path, after, mode)


def check_documents(export):
    documents, count = Documents(), 0
    for _, entry in export.entries("7"):
        if entry["kind"] != "applied":
            continue
        for change in entry["changes"]:
            for path in (change["path"], change["from"]):
                if path is not None:
                    check_path(path)
                    note_unknown(export.report, path)
        documents.apply(entry["changes"])
        count += len(entry["changes"])
    export.report.passed("7", "ledger.jsonl", "%d changes follow each other; %d documents remain"
                         % (count, len(documents.present)))


def note_unknown(report, path):
    if not path.isascii() and any(map(is_unknown, path)):
        report.note("Unicode %s, the version here, does not know a character of a path: "
                    "its case is not compared" % unicodedata.unidata_version)


# Contents: rule 8.

def check_content_line(line):
    """Returns commitment, length and content hash of one line of contents.jsonl."""
    match = re.fullmatch(b'{"commitment":"(sha256:[0-9a-f]{64})","salt":"([0-9a-f]{64})",'
                         b'"base64":"', line[:CONTENT_AT_BYTE])
    if not match or line[-2:] != b'"}':
        raise Bad("does not have the bytes of a content line")
    content = plain_base64(line[CONTENT_AT_BYTE:-2])
    computed = text_of(commitment(bytes.fromhex(match[2].decode("ascii")), content))
    if computed != match[1].decode("ascii"):
        raise Bad("salt and content give %s, not the commitment of the line" % computed)
    return computed, len(content), sha256(content)


def plain_base64(data):
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise Bad("base64: %s" % error)
    if base64.b64encode(content) != data:
        raise Bad("base64 is not in its only form: padding or unused bits")
    return content


def read_contents(export):
    contents = {}
    for number, line in export.lines("contents.jsonl", "8"):
        stated, length, content_hash = check_content_line(line)
        if stated in contents:
            raise Bad("the commitment %s stands twice" % stated)
        contents[stated] = (length, content_hash, number)
    return contents


def compare_lengths(export, contents):
    """Returns the commitments that entries quote, and how many `after` had a line and had none."""
    quoted, with_line, without = set(), 0, 0
    for _, entry in export.entries("8"):
        for change in entry.get("changes", ()):
            quoted.update((change["before"], change["after"]))
            found = contents.get(change["after"])
            if found and found[0] != change["bytes"]:
                raise Bad("bytes of %s is %d, and its content has %d"
                          % (shown(change["path"]), change["bytes"], found[0]))
            with_line += found is not None
            without += found is None and change["after"] != ABSENT
    return quoted, with_line, without


def compare_returned(export, contents):
    for number, base, before in export.returned:
        export.report.at("ledger.jsonl", number, "8")
        if base in contents and before in contents and contents[base][1] != contents[before][1]:
            raise Bad("base %s and before %s have other contents" % (base, before))


def note_unquoted(export, contents, quoted):
    for _, line in export.lines("revisions.jsonl", "8"):
        for change in parse(line[REVISION_AT_BYTE:-1])["changes"]:
            quoted.update((change["base"], change["after"]))
    for stated, (_, _, number) in contents.items():
        if stated not in quoted:
            export.report.at("contents.jsonl", number, "8")
            export.report.note("no entry and no revision quotes this commitment")


def check_contents(export):
    """Returns how many contents there are."""
    report = export.report
    if not export.holds("contents.jsonl"):
        report.passed("8", "contents.jsonl", "not in this export: contents are not checked")
        return 0
    contents = read_contents(export)
    quoted, with_line, without = compare_lengths(export, contents)
    compare_returned(export, contents)
    note_unquoted(export, contents, quoted)
    report.passed("8", "contents.jsonl", "%d contents give their commitments; %d changes have "
                  "theirs, %d erased or not exported" % (len(contents), with_line, without))
    return len(contents)


# The spreadsheet: rule 9.

COLUMNS = ["seq", "at", "kind", "proposal", "revision", "actor_id", "door", "digest", "changes",
           "reason", "leaf"]
CSV_FIELD = re.compile('"((?:[^"]|"")*)"|([^",\r\n]*)')


def csv_records(export):
    """Gives records with their CRLF: an LF inside quotes does not end one."""
    held, quotes = [], 0
    for number, line in export.lines("ledger.csv", "9"):
        held.append(line + b"\n")
        quotes += line.count(b'"')
        if quotes % 2 == 0:
            yield number, b"".join(held)
            held, quotes = [], 0
    if held:
        raise Bad("a quote is not closed")


def csv_fields(record):
    if not record.endswith(b"\r\n"):
        raise Bad("the record does not end with CRLF")
    try:
        text = record[:-2].decode("utf-8")
    except UnicodeDecodeError as error:
        raise Bad("is not UTF-8 at byte %d of the record" % error.start)
    fields, at = [], 0
    while True:
        match = CSV_FIELD.match(text, at)
        quoted, plain = match.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        at = match.end()
        if at == len(text):
            return fields
        if text[at] != ",":
            raise Bad("field %d is not written as RFC 4180 has it" % len(fields))
        at += 1


def csv_reason(reason):
    """An apostrophe keeps a spreadsheet from running the reason as a formula."""
    if reason is None:
        return ""
    return "'" + reason if reason[:1] in tuple("=+-@\t\r\n'") else reason


def expected_fields(entry, leaf):
    """What the columns hold; of an entry that is not understood, those that every kind has."""
    if not understood(entry):
        return {"seq": str(entry["seq"]), "kind": entry["kind"], "leaf": leaf}
    names = ("seq", "at", "kind", "proposal", "revision", "door", "digest")
    expected = {name: str(entry[name]) for name in names}
    expected["actor_id"] = entry["actor"]
    expected["changes"] = str(len(entry["changes"])) if entry["kind"] == "applied" else ""
    expected["reason"] = csv_reason(entry["reason"])
    expected["leaf"] = leaf
    return expected


def compare_record(fields, expected):
    if len(fields) != len(COLUMNS):
        raise Bad("the record has %d fields, not %d" % (len(fields), len(COLUMNS)))
    for name, value in zip(COLUMNS, fields):
        if name in expected and value != expected[name]:
            raise Bad("%s is %s, and by the ledger %s"
                      % (name, shown(value), shown(expected[name])))


def check_csv(export):
    report, count = export.report, 0
    if not export.holds("ledger.csv"):
        report.passed("9", "ledger.csv", "not in this export: not checked")
        return
    records, place = csv_records(export), 1
    _, header = next(records, (place, b"\r\n"))
    if csv_fields(header) != COLUMNS:
        raise Bad("the first record does not hold the names of the columns")
    for number, line in export.lines("ledger.jsonl", "9"):
        place, record = next(records, (place, b""))
        report.at("ledger.csv", place, "9")
        if not record:
            raise Bad("there is no record for seq %d" % number)
        compare_record(csv_fields(record), expected_fields(parse(line), leaf_of(line).hex()))
        count += 1
    if next(records, None):
        raise Bad("there are more records than entries")
    report.passed("9", "ledger.csv", "%d records say the same as the entries" % count)


# The command.

def verify(folder, kept_roots=None, kept_leaves=None):
    """Checks an export folder in the order of section 16. Returns the exit status."""
    if not os.path.isfile(os.path.join(folder, "root.json")):
        print("not an export: %s holds no root.json" % shown(folder), file=sys.stderr)
        return 2
    report = Report()
    export = Export(folder, report)
    try:
        check_root_json(export)
        check_ledger(export, kept_roots or {}, kept_leaves or {})
        check_once(export)
        check_revisions(export)
        check_documents(export)
        contents = check_contents(export)
        check_csv(export)
    except (Bad, OSError) as error:
        place = report.place()
        report.tell_notes()
        print("failed: %s: %s" % (place, error.strerror if isinstance(error, OSError) else error))
        return 1
    print("ok: %d entries, %d revisions, %d contents, root %s"
          % (export.size, len(export.revisions), contents, export.root))
    return 0


def kept(text):
    number, _, value = text.partition(":")
    if not INTEGER.fullmatch(number) or not HEX64.fullmatch(value):
        raise argparse.ArgumentTypeError("not NUMBER:64 hex digits: %s" % shown(text))
    return int(number), value


def by_number(pairs):
    numbers = {}
    for number, value in pairs:
        numbers.setdefault(number, []).append(value)
    return numbers


def main(arguments):
    parser = argparse.ArgumentParser(description="Check a Sekali export folder.")
    parser.add_argument("folder", nargs="?", metavar="FOLDER")
    parser.add_argument("--root", type=kept, action="append", default=[], metavar="SIZE:HEX")
    parser.add_argument("--leaf", type=kept, action="append", default=[], metavar="SEQ:HEX")
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args(arguments)
    if given.self_test:
        return self_test()
    if given.folder is None:
        parser.error("a folder is needed")
    return verify(given.folder, by_number(given.root), by_number(given.leaf))


# The worked examples of the page: section 18.

ROOM = "0192f5a0-7c1e-7b3a-9d4e-5f60718293a4"
AGENT = "0192f5a0-7c1e-7b3a-9d4e-000000000002"
SALTS = [bytes(range(first, first + 32)) for first in (0x00, 0x20, 0x40)]
CONTENTS = [b'{"kopi":18000}\n', b'{"kopi":20000}\n', "Seduh \u2615 pelan\n".encode("utf-8")]
COMMITMENTS = ["sha256:3555374da2e96ee8ed192071d981978da4d7c10bf1cfb382a5683e77edae70fa",
               "sha256:3bad76ce365b263f5ec2ce5f109259fb010ff5a7a53f0ebdff213e1047de1f8f",
               "sha256:d5d936b32812511def812dc82c89ee69e9609e7be57412f93762257b42b180ad"]
DIGESTS = ["sha256:a4086bb0d82512667ee37eec280fe0ecd8cccae985a56458ece6fa4a9119a21a",
           "sha256:b285568848e0e815c3d5855a01cf28ffe721bfb613be48464c1b5dd369cc2f2f"]
EFFECT = "in/724eef05963ebb4254c1c0ef4cc3050c01e71fabe2ed5d48ea0264815b893c58"
LEAVES = ["ac33968e7dcfb7233236c94152844bf633bb8b2a9ad915e39e607e1c5d855b51",
          "7f1cae5d6ef6b742f9ff88c39111b65e3ba4cd5d3efdf4b44ef518eb1a2ad180",
          "2507ba64db3bb0bf5c12946985ec4469c42aaa6dde4f70823482adca23b9de4b",
          "047d45f59401c2f955ad2d7821060cfb02619666f7d0fb810add1593492fe983"]
ROOTS = ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", LEAVES[0],
         "97989b4f2dee8a1e30ec8300c061f9ab696aebd13078170ffbb40c96f8b3ec39",
         "b6c28b94ca36b93f04852f12811434b4bfd14063691f6a92f92ab555d0848c37",
         "78e510278b1c823b8ef0d90f3876b09e7856ad0c9756173b68fb2d3a583799eb"]
WHY = 'Naik 10 %.\nLihat "harga"\\lama\u2028\u0001\U0001f600/'
WHY_HEX = ("224e61696b20313020252e5c6e4c69686174205c2268617267615c225c5c6c616d61e280a85c753030303"
           "1f09f98802f227d")


def example_revisions():
    """The two revisions of the page, built from values, so that the writer above makes bytes."""
    first = {"in": "documents", "op": "create", "path": "harga.json", "from": None,
             "mode": "100644", "base": ABSENT, "after": COMMITMENTS[0]}
    second = dict(first, op="replace", base=COMMITMENTS[0], after=COMMITMENTS[1])
    third = dict(first, path="seduh/\u2615.md", after=COMMITMENTS[2])
    one = {"room": ROOM, "proposal": "0192f5a1-0000-7000-8000-000000000001", "revision": 1,
           "author": "0192f5a0-7c1e-7b3a-9d4e-000000000001", "title": "Daftar harga", "why": "",
           "valid_until": None, "effect_keys": [], "changes": [first], "messages": []}
    two = dict(one, proposal="0192f5a1-0000-7000-8000-000000000002", author=AGENT, why=WHY,
               title="Naikkan harga kopi", valid_until="2026-12-31T17:00:00.000Z",
               effect_keys=[{"key": EFFECT, "generation": 0}], changes=[second, third])
    return [one, two]


def example_entries():
    """The four entries of the page. `prev` is the leaf that the page states, not a computed one."""
    one, two = example_revisions()
    ani, on_os = one["author"], "0192f5a0-7c1e-7b3a-9d4e-000000000003"
    common = {"v": 1, "room": ROOM, "actor": ani, "revision": 1, "reason": None, "os_user": None,
              "proposal": 2, "proposal_id": two["proposal"], "digest": DIGESTS[1], "door": "cli"}
    applied = dict(common, kind="applied", source=None)
    return [
        dict(applied, seq=1, prev="0" * 64, at="2026-11-30T07:02:11.123Z", door="desktop",
             proposal=1, proposal_id=one["proposal"], digest=DIGESTS[0], os_user=on_os,
             seen="digest", correlation=None, effect_keys=[], changes=entry_changes(one, [15])),
        dict(common, seq=2, prev=LEAVES[0], at="2026-11-30T07:03:00.000Z", kind="rejected",
             os_user=on_os, reason="Tunggu Budi"),
        dict(common, seq=3, prev=LEAVES[1], at="2026-11-30T07:03:30.500Z", kind="reopened"),
        dict(applied, seq=4, prev=LEAVES[2], at="2026-11-30T07:04:00.001Z", seen="none",
             correlation="order-8812", effect_keys=two["effect_keys"],
             changes=entry_changes(two, [15, 16]))]


def entry_changes(revision, lengths):
    changes = []
    for change, length in zip(revision["changes"], lengths):
        changed = dict(change, before=change["base"], bytes=length)
        del changed["base"]
        changes.append(changed)
    return changes


def tile_examples():
    leaves = [sha256(i.to_bytes(8, "big")) for i in range(600)]
    tiles = [leaves[:256], leaves[256:512], leaves[512:]]
    roots = [Tree(tile).root() for tile in tiles]
    return [
        ("18.8 leaf hash 0", leaves[0].hex(),
         "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"),
        ("18.8 leaf hash 255", leaves[255].hex(),
         "b8862208a16d307a1e2b3a5df2b44a63126bba7cd20c985c436135ad88d2c735"),
        ("18.8 SHA-256 of tile(0, 0)", sha256(b"".join(tiles[0])).hex(),
         "a5a0436cf393bddc6ef6d5348ea98b863eca81f78cdc6a95e2cd16bfbab6d5f7"),
        ("18.8 root of tile(0, 0)", roots[0].hex(),
         "b58c06140d7cf2be15513a8f23914ca2cb06ab4ea6b19034a32dd959f92f86c5"),
        ("18.8 root of tile(0, 1)", roots[1].hex(),
         "f60101ca05dea17665dc4071dc462a2651cf229df4d50fcb54d99d31f0d04ca3"),
        ("18.8 root of the last 88", roots[2].hex(),
         "b0761362364fc2b17d5883fa8a142e0398a79cd1bc9aa9ae023e2e9a1729ef1c"),
        ("18.8 root of size 600", Tree(leaves).root().hex(),
         "0341535196bae756396b856de9e9d1a7d2512b3d8c56ebb4cde68ae5a84e4431"),
        ("18.8 joined from its parts", node(node(roots[0], roots[1]), roots[2]).hex(),
         "0341535196bae756396b856de9e9d1a7d2512b3d8c56ebb4cde68ae5a84e4431")]


def hash_examples():
    empty = "sha256:121e01fd47d8c2ecdb10fa6f0a51a97a48cebd0de5231f274f5076a03e371868"
    bare = "sha256:9a4731e6cb95f1ff645d12ac4178b55ee14cf83de6eeb69c47eeed9e5dd8af87"
    examples = [("18.1 commitment %d" % (i + 1), text_of(commitment(SALTS[i], CONTENTS[i])),
                 COMMITMENTS[i]) for i in range(3)]
    examples += [
        ("18.1 commitment of empty content", text_of(commitment(SALTS[0], b"")), empty),
        ("18.1 content hash", text_of(sha256(CONTENTS[0])), bare),
        ("18.3 derived effect key", derived_effect_key(ROOM, AGENT, "harga-2026-11"), EFFECT)]
    one, two = map(canonical, example_revisions())
    examples += [
        ("18.2 bytes", len(one), 431), ("18.4 bytes", len(two), 845),
        ("18.2 digest", text_of(revision_digest(one)), DIGESTS[0]),
        ("18.4 digest", text_of(revision_digest(two)), DIGESTS[1]),
        ("18.4 the why, in hex", two[two.index(b'"why":') + 6:].hex(), WHY_HEX)]
    return examples


def ledger_examples():
    entries = list(map(canonical, example_entries()))
    leaves = list(map(leaf_of, entries))
    sections = ("18.5", "18.6", "18.6", "18.7")
    examples = []
    for i, length in enumerate((743, 479, 436, 1063)):
        examples.append(("%s bytes of seq %d" % (sections[i], i + 1), len(entries[i]), length))
        examples.append(("%s leaf of seq %d" % (sections[i], i + 1), leaves[i].hex(), LEAVES[i]))
    for size, root in enumerate(ROOTS):
        examples.append(("root of size %d" % size, Tree(leaves[:size]).root().hex(), root))
    return examples


def page_root_json(size):
    return ('{"format":"sekali.export/1","room":"%s","size":%d,"root":"%s"}\n'
            % (ROOM, size, ROOTS[size])).encode("ascii")


def write_example(folder, size):
    """Writes the first `size` entries of the page as an export, as 18.9 does for three."""
    files = {
        "root.json": page_root_json(size),
        "ledger.jsonl": b"".join(canonical(e) + b"\n" for e in example_entries()[:size]),
        "revisions.jsonl": b"".join(
            b'{"digest":"%s","revision":%s}\n' % (digest.encode("ascii"), canonical(revision))
            for digest, revision in zip(DIGESTS, example_revisions())),
        "contents.jsonl": b"".join(
            b'{"commitment":"%s","salt":"%s","base64":"%s"}\n'
            % (stated.encode("ascii"), salt.hex().encode("ascii"), base64.b64encode(content))
            for stated, salt, content in zip(COMMITMENTS, SALTS, CONTENTS))}
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(data)
    return files


def quiet_verify(folder):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = verify(folder)
    return status, said.getvalue().splitlines()[-1]


def export_examples():
    examples = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (0, 3, 4):
            files = write_example(folder, size)
            ok = "ok: %d entries, 2 revisions, 3 contents, root %s" % (size, ROOTS[size])
            examples.append(("18.9 export of %d entries" % size, quiet_verify(folder), (0, ok)))
            if size == 3:
                examples.append(("18.9 bytes of ledger.jsonl", len(files["ledger.jsonl"]), 1661))
        ledger = files["ledger.jsonl"].replace(b"Tunggu Budi", b"Tunggu Ani.")
        with open(os.path.join(folder, "ledger.jsonl"), "wb") as stream:
            stream.write(ledger)
        status, said = quiet_verify(folder)
        examples.append(("a changed reason is refused", (status, said.split(": ")[1]),
                         (1, "ledger.jsonl line 3, rule 2.3")))
    return examples


def small_examples():
    """What the text of the page states without a worked example."""
    order = {"\U00010000": 1, "\ue000": 2, "proposal_id": 3, "proposal": 4}
    same = [("caf\xe9", "cafe\u0301"), ("README", "ReadMe"), ("Stra\xdfe", "STRASSE"),
            ("\ufb00", "FF")]
    examples = [("section 4: names in UTF-16 order", canonical(order).decode("utf-8"),
                 '{"proposal":4,"proposal_id":3,"\U00010000":1,"\ue000":2}'),
                ("section 4: 2^53 stands", parse(b"9007199254740992"), 2 ** 53)]
    for text in ('{"a":1,"a":1}', "9007199254740993", "-0", "1.0", "1e3", "NaN", '"\\ud800"',
                 "true", '"\\/"', '"\\u001B"', " 1", "\ufeff1", '"\\u0000"'):
        examples.append(("section 4: %s is refused" % ascii(text), is_refused(text), True))
    for one, other in same:
        examples.append(("section 13: %s and %s are one" % (ascii(one), ascii(other)),
                         path_key(one), path_key(other)))
    return examples


def is_refused(text):
    try:
        read_canonical(text.encode("utf-8"))
    except Bad:
        return True
    return False


def self_test():
    examples = (hash_examples() + ledger_examples() + tile_examples() + export_examples()
                + small_examples())
    wrong = 0
    for name, computed, stated in examples:
        same = computed == stated
        wrong += not same
        print("%s  %s" % ("ok   " if same else "WRONG", name))
        if not same:
            print("       computed %s\n       stated   %s" % (computed, stated))
    print("%s: %d examples, %d wrong" % ("failed" if wrong else "ok", len(examples), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
