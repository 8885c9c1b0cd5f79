// Turns a Diff of the API into flat rows, so that any number of them can be drawn by a virtual list.
// Pure: no colours, no words, no DOM.
import type { Diff, DiffChange, DiffLine, MovedHunk } from '$lib/api/types';
import { changeKey } from '$lib/change';
import { divisibleIn } from './selection';

export type View = 'unified' | 'split';

/** Why there are no lines to show for a change. */
export type Plain = 'binary' | 'too_large' | 'unavailable' | 'same_content' | 'empty_file';

export type Row = { key: string; change: DiffChange; last: boolean } & (
  | { type: 'file'; folded: boolean }
  | { type: 'mode' }
  /** A hunk of the patch was found elsewhere than it says. */
  | { type: 'moved'; moved: MovedHunk }
  /** So many more were. */
  | { type: 'moved_more'; more: number }
  /** Before a hunk, where hunks are chosen. */
  | { type: 'hunk'; hunk: number }
  /** Every line that is shown ends in CRLF; `kept` when it did before as well. */
  | { type: 'crlf'; kept: boolean }
  | { type: 'gap'; lines: number }
  | { type: 'line'; line: DiffLine }
  | { type: 'pair'; left: DiffLine | null; right: DiffLine | null }
  | { type: 'no_newline'; side: 'old' | 'new' | 'both' }
  | { type: 'plain'; plain: Plain }
  | { type: 'space' }
);

type Body = Row extends infer R ? (R extends Row ? Omit<R, 'key' | 'change' | 'last'> : never) : never;

/** Characters of one line that are drawn at first: a minified file must not freeze the window. */
export const LONG_LINE = 2000;

/** Hunks that moved are told one by one up to here; a patch can have thousands. */
const MOVED_SHOWN = 3;

/** `folded`: changes by their key. `choosing`: each hunk that can be chosen has a row of its own. */
export function rowsOf(diff: Diff, view: View, folded: ReadonlySet<string>, choosing = false): Row[] {
  const rows: Row[] = [];
  const chosen = choosing ? divisibleIn(diff) : () => false;
  diff.changes.forEach((change, index) => {
    const isFolded = folded.has(changeKey(change));
    const body: Body[] = [{ type: 'file', folded: isFolded }];
    if (!isFolded) for (const row of bodyOf(change, view, chosen(change))) body.push(row);
    body.forEach((row, at) => {
      rows.push({ ...row, key: `${index}:${at}`, change, last: at === body.length - 1 } as Row);
    });
    if (index < diff.changes.length - 1)
      rows.push({ type: 'space', key: `${index}:space`, change, last: false });
  });
  return rows;
}

function bodyOf(change: DiffChange, view: View, chosen: boolean): Body[] {
  const rows: Body[] = [];
  if (change.mode && change.mode_before && change.mode !== change.mode_before) rows.push({ type: 'mode' });
  const moved = change.moved_hunks;
  const told = moved.length > MOVED_SHOWN + 1 ? MOVED_SHOWN : moved.length;
  for (const hunk of moved.slice(0, told)) rows.push({ type: 'moved', moved: hunk });
  if (told < moved.length) rows.push({ type: 'moved_more', more: moved.length - told });
  const plain = plainOf(change);
  if (plain) {
    rows.push({ type: 'plain', plain });
    return rows;
  }
  const crlf = change.hunks.length > 0 && allCrlf(change);
  if (crlf) rows.push({ type: 'crlf', kept: change.op !== 'create' && change.op !== 'delete' });
  let oldAt = 0;
  let newAt = 0;
  for (const [index, hunk] of (crlf ? withoutCr(change) : change.hunks).entries()) {
    const gap = gapBefore(hunk.lines, oldAt, newAt);
    if (gap > 0) rows.push({ type: 'gap', lines: gap });
    if (chosen) rows.push({ type: 'hunk', hunk: index + 1 });
    const lines = withLong(hunk.lines);
    if (view === 'unified') unified(lines, rows);
    else split(lines, rows);
    for (const line of hunk.lines) {
      oldAt = line.old ?? oldAt;
      newAt = line.new ?? newAt;
    }
    // A hunk without lines of one side still moves past the unchanged lines before it.
    if (!hunk.lines.some((l) => l.old !== null)) oldAt += Math.max(gap, 0);
    if (!hunk.lines.some((l) => l.new !== null)) newAt += Math.max(gap, 0);
  }
  const rest = Math.min(change.old_total - oldAt, change.new_total - newAt);
  if (change.hunks.length > 0 && rest > 0) rows.push({ type: 'gap', lines: rest });
  return rows;
}

function plainOf(change: DiffChange): Plain | null {
  if (change.kind !== 'text') return change.kind;
  if (change.hunks.length > 0) return null;
  const empty =
    change.op === 'create' ? change.bytes === 0 : change.op === 'delete' && change.bytes_before === 0;
  return empty ? 'empty_file' : 'same_content';
}

/** A last line without an end says nothing about how lines end. */
function allCrlf(change: DiffChange): boolean {
  const lines = change.hunks.flatMap((hunk) => hunk.lines);
  return (
    lines.some((line) => line.text.endsWith('\r')) &&
    lines.every((line) => line.text.endsWith('\r') || line.no_newline)
  );
}

/** Said once above, not at the end of each line. Where line ends differ, they stay and are marked. */
function withoutCr(change: DiffChange): DiffChange['hunks'] {
  const cut = (line: DiffLine): DiffLine =>
    line.text.endsWith('\r') ? { ...line, text: line.text.slice(0, -1) } : line;
  return change.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(cut) }));
}

/** Unchanged lines between the last line shown and the first of this hunk, read from the numbers themselves. */
function gapBefore(lines: DiffLine[], oldAt: number, newAt: number): number {
  for (const line of lines) {
    if (line.old !== null) return line.old - 1 - oldAt;
    if (line.new !== null && !lines.some((l) => l.old !== null)) return line.new - 1 - newAt;
  }
  return 0;
}

function unified(lines: DiffLine[], rows: Body[]) {
  for (const line of lines) {
    rows.push({ type: 'line', line });
    if (line.no_newline)
      rows.push({
        type: 'no_newline',
        side: line.kind === 'context' ? 'both' : line.kind === 'add' ? 'new' : 'old',
      });
  }
}

/** Removed and added runs stand side by side, in order; the shorter run is filled with nothing. */
function split(lines: DiffLine[], rows: Body[]) {
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.kind === 'context') {
      rows.push({ type: 'pair', left: line, right: line });
      if (line.no_newline) rows.push({ type: 'no_newline', side: 'both' });
      at++;
      continue;
    }
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    for (; at < lines.length && lines[at]!.kind !== 'context'; at++)
      (lines[at]!.kind === 'remove' ? removed : added).push(lines[at]!);
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      rows.push({ type: 'pair', left: removed[i] ?? null, right: added[i] ?? null });
    const oldEnds = removed.some((l) => l.no_newline);
    const newEnds = added.some((l) => l.no_newline);
    if (oldEnds || newEnds)
      rows.push({ type: 'no_newline', side: oldEnds && newEnds ? 'both' : oldEnds ? 'old' : 'new' });
  }
}

/** The API marks no words of long lines: there, what differs between what both begin and end with is marked. */
function withLong(lines: DiffLine[]): DiffLine[] {
  if (!lines.some((line) => line.kind !== 'context' && line.text.length > LONG_LINE)) return lines;
  const marked = [...lines];
  for (let at = 0; at < lines.length; at++) {
    const run: Record<DiffLine['kind'], number[]> = { remove: [], add: [], context: [] };
    for (; at < lines.length && lines[at]!.kind !== 'context'; at++) run[lines[at]!.kind].push(at);
    if (run.remove.length !== run.add.length) continue;
    for (const [i, old] of run.remove.entries()) {
      const now = run.add[i]!;
      [marked[old], marked[now]] = withSpans(lines[old]!, lines[now]!);
    }
  }
  return marked;
}

function withSpans(old: DiffLine, now: DiffLine): [DiffLine, DiffLine] {
  const [a, b] = [old.text, now.text];
  const [least, most] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (most <= LONG_LINE || old.spans.length + now.spans.length > 0) return [old, now];
  let from = 0;
  while (from < least && a[from] === b[from]) from++;
  let end = 0;
  while (end < least - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  // A character of two units stays whole.
  if (from > 0 && /[\uD800-\uDBFF]/.test(a[from - 1]!)) from--;
  if (end > 0 && /[\uDC00-\uDFFF]/.test(a.at(-end)!)) end--;
  // Lines with little in common are better shown whole.
  if ((from + end) * 4 < most) return [old, now];
  return [
    { ...old, spans: [[from, a.length - end]] },
    { ...now, spans: [[from, b.length - end]] },
  ];
}

export interface Piece {
  text: string;
  /** Part of a changed word. */
  mark: boolean;
  /** A character that would not be seen or would reorder its neighbours, named instead of drawn. */
  odd: boolean;
  /** White space at the end of the line. */
  trailing: boolean;
  /** White space that is the change itself: one tab, or spaces. Drawn, or nobody would see what changed. */
  space: 'tab' | 'spaces' | null;
}

// Controls (without tab), soft hyphen, joiners and fillers that draw nothing, bidirectional marks, line separators,
// byte-order mark, annotations, and the selectors and tags by which a text can carry another one unseen.
const ODD =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

const oddName = (char: string) =>
  char === '\r' ? 'CR' : `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Which part of a very long line is drawn: its beginning, or where that has no change, from shortly before the first. */
export function windowOf(
  text: string,
  spans: readonly (readonly number[])[],
  size: number,
): [number, number] {
  const first = Math.min(...spans.map(([from = 0]) => from));
  if (text.length <= size || !(first >= size && first < text.length)) return [0, Math.min(size, text.length)];
  let from = first - Math.floor(size / 10);
  // A character of two units stays whole.
  if (/[\uDC00-\uDFFF]/.test(text[from]!)) from--;
  return [from, Math.min(from + size, text.length)];
}

/** Cuts a line into pieces by its changed words, its trailing white space and its unseen characters. */
export function piecesOf(text: string, spans: readonly (readonly number[])[], to = text.length): Piece[] {
  const shown = text.slice(0, to);
  const trailingFrom = to < text.length ? shown.length : shown.replace(/[ \t]+\r?$/, '').length;
  const cuts = new Set<number>([0, shown.length, trailingFrom]);
  for (const [from = 0, until = 0] of spans) {
    cuts.add(clamp(from, shown.length));
    cuts.add(clamp(until, shown.length));
    // Only where it is the whole of what differs: between two changed words it says nothing.
    if (!blank(shown, from, until)) continue;
    for (const run of shown.slice(from, until).matchAll(/\t| +/g)) {
      cuts.add(from + run.index);
      cuts.add(from + run.index + run[0].length);
    }
  }
  let i = 0;
  for (const char of shown) {
    if (ODD.test(char)) {
      cuts.add(i);
      cuts.add(i + char.length);
    }
    i += char.length;
  }
  const ordered = [...cuts].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < ordered.length; i++) {
    const from = ordered[i]!;
    const until = ordered[i + 1]!;
    const part = shown.slice(from, until);
    const odd = ODD.test(part);
    const span = spans.find(([a = 0, b = 0]) => from >= a && until <= b && a < b);
    const mark = span !== undefined;
    const drawn = mark && blank(shown, span[0] ?? 0, span[1] ?? 0);
    pieces.push({
      text: odd ? oddName(part) : part,
      mark,
      odd,
      trailing: !odd && from >= trailingFrom,
      space: !drawn ? null : part === '\t' ? 'tab' : /^ +$/.test(part) ? 'spaces' : null,
    });
  }
  return pieces;
}

const blank = (text: string, from: number, until: number) => /^[ \t]+$/.test(text.slice(from, until));
const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
