import { describe, expect, test } from 'vitest';
import type { Diff, DiffChange, DiffLine } from '$lib/api/types';
import { piecesOf, rowsOf, windowOf, type Row } from './model';

const line = (
  kind: DiffLine['kind'],
  old: number | null,
  now: number | null,
  text = '',
  end = false,
): DiffLine => ({
  kind,
  old,
  new: now,
  text,
  spans: [],
  no_newline: end,
});
const change = (more: Partial<DiffChange> = {}): DiffChange => ({
  path: 'a.txt',
  from: null,
  op: 'replace',
  mode: '100644',
  mode_before: '100644',
  kind: 'text',
  bytes_before: 10,
  bytes: 12,
  added: 1,
  removed: 1,
  hunks: [],
  moved_hunks: [],
  old_total: 0,
  new_total: 0,
  ...more,
});
const hunk = (...lines: DiffLine[]) => ({ old_start: 0, old_lines: 0, new_start: 0, new_lines: 0, lines });
const diff = (...changes: DiffChange[]): Diff => ({ proposal: 1, revision: 1, digest: 'sha256:0', changes });
const none = new Set<string>();

/** A row in short, to compare by eye. */
const short = (row: Row): string => {
  switch (row.type) {
    case 'gap':
      return `gap ${row.lines}`;
    case 'line':
      return `${{ context: ' ', add: '+', remove: '-' }[row.line.kind]}${row.line.old ?? ''}/${row.line.new ?? ''}`;
    case 'pair':
      return `${row.left?.old ?? '∅'}|${row.right?.new ?? '∅'}`;
    case 'no_newline':
      return `end ${row.side}`;
    case 'plain':
      return row.plain;
    case 'moved':
      return `moved ${row.moved.hunk} ${row.moved.line}>${row.moved.found}`;
    case 'moved_more':
      return `moved +${row.more}`;
    case 'hunk':
      return `hunk ${row.hunk}`;
    default:
      return row.type;
  }
};
const check = (given: Diff, view: 'unified' | 'split', expected: string[], folded = none) =>
  expect(rowsOf(given, view, folded).map(short)).toEqual(expected);

const edited = change({
  hunks: [
    hunk(
      line('context', 15, 15),
      line('remove', 16, null),
      line('add', null, 16),
      line('add', null, 17),
      line('context', 17, 18),
    ),
    hunk(line('context', 30, 31), line('remove', 31, null)),
  ],
  old_total: 49,
  new_total: 49,
});

describe('unchanged parts are counted', () => {
  test('before, between and after the hunks', () =>
    check(diff(edited), 'unified', [
      'file',
      'gap 14',
      ' 15/15',
      '-16/',
      '+/16',
      '+/17',
      ' 17/18',
      'gap 12',
      ' 30/31',
      '-31/',
      'gap 18',
    ]));
  test('nothing is counted where everything is shown', () =>
    check(
      diff(
        change({ hunks: [hunk(line('context', 1, 1), line('add', null, 2))], old_total: 1, new_total: 2 }),
      ),
      'unified',
      ['file', ' 1/1', '+/2'],
    ));
  test('a hunk of added lines without context is placed by the new side', () =>
    check(diff(change({ hunks: [hunk(line('add', null, 6))], old_total: 9, new_total: 10 })), 'unified', [
      'file',
      'gap 5',
      '+/6',
      'gap 4',
    ]));
  test('a created and a deleted document have no unchanged lines', () => {
    check(diff(change({ op: 'create', hunks: [hunk(line('add', null, 1))], new_total: 1 })), 'unified', [
      'file',
      '+/1',
    ]);
    check(diff(change({ op: 'delete', hunks: [hunk(line('remove', 1, null))], old_total: 1 })), 'unified', [
      'file',
      '-1/',
    ]);
  });
});

describe('side by side', () => {
  test('removed and added runs stand beside each other', () =>
    check(diff(edited), 'split', [
      'file',
      'gap 14',
      '15|15',
      '16|16',
      '∅|17',
      '17|18',
      'gap 12',
      '30|31',
      '31|∅',
      'gap 18',
    ]));
});

describe('what lines do not show is said', () => {
  test('a missing final newline, on the side where it is missing', () => {
    const ends = change({
      hunks: [hunk(line('remove', 1, null, 'a', true), line('add', null, 1, 'a'))],
      old_total: 1,
      new_total: 1,
    });
    check(diff(ends), 'unified', ['file', '-1/', 'end old', '+/1']);
    check(diff(ends), 'split', ['file', '1|1', 'end old']);
    const both = change({ hunks: [hunk(line('context', 1, 1, 'a', true))], old_total: 1, new_total: 1 });
    check(diff(both), 'unified', ['file', ' 1/1', 'end both']);
  });
  test('a mode change', () =>
    check(diff(change({ mode: '100755' })), 'unified', ['file', 'mode', 'same_content']));
  test('no mode change for a new document', () =>
    check(diff(change({ op: 'create', mode: '100755', mode_before: null, bytes: 0 })), 'unified', [
      'file',
      'empty_file',
    ]));
  test('binary and too large', () =>
    check(diff(change({ kind: 'binary' }), change({ path: 'b', kind: 'too_large' })), 'unified', [
      'file',
      'binary',
      'space',
      'file',
      'too_large',
    ]));
});

describe('line ends of Windows', () => {
  const text = (row: Row) => (row.type === 'line' ? row.line.text : short(row));
  const rows = (...lines: DiffLine[]) =>
    rowsOf(diff(change({ hunks: [hunk(...lines)] })), 'unified', none).map(text);

  test('are said once where every line has them', () =>
    expect(
      rows(line('context', 1, 1, 'a\r'), line('remove', 2, null, 'b\r'), line('add', null, 2, 'c', true)),
    ).toEqual(['file', 'crlf', 'a', 'b', 'c', 'end new']));
  test('stay and are marked where they change', () =>
    expect(rows(line('remove', 1, null, 'a\r'), line('add', null, 1, 'a'))).toEqual(['file', 'a\r', 'a']));
  test('only the one that belongs to the line end is taken', () =>
    expect(rows(line('add', null, 1, 'a\r\r'))).toEqual(['file', 'crlf', 'a\r']));
});

test('a folded document shows its head only', () =>
  check(
    diff(edited, change({ path: 'b', kind: 'binary' })),
    'unified',
    ['file', 'space', 'file', 'binary'],
    new Set(['a.txt']),
  ));

test('keys are unique, and the last row of each document is marked', () => {
  const rows = rowsOf(diff(edited, change({ path: 'b', kind: 'binary' })), 'split', none);
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  expect(rows.filter((row) => row.last).map(short)).toEqual(['gap 18', 'binary']);
});

describe('pieces of a line', () => {
  const marked = (text: string, spans: number[][]) =>
    piecesOf(text, spans).map((piece) =>
      piece.mark ? `[${piece.text}]` : piece.odd ? `<${piece.text}>` : piece.text,
    );
  test('changed words are marked by UTF-16 offsets', () => {
    expect(marked('from: 200000,', [[6, 12]])).toEqual(['from: ', '[200000]', ',']);
    expect(marked('é😀x', [[1, 3]])).toEqual(['é', '[😀]', 'x']);
    expect(marked('ab', [])).toEqual(['ab']);
    expect(marked('', [])).toEqual([]);
  });
  test('spans beyond the text are cut, not thrown', () =>
    expect(
      marked('abc', [
        [1, 99],
        [5, 9],
      ]),
    ).toEqual(['a', '[bc]']));
  test('characters that hide or reorder text are named', () =>
    expect(marked('a\u202eb\u200b\u0007', [])).toEqual(['a', '<U+202E>', 'b', '<U+200B>', '<U+0007>']));
  test('text that is carried unseen in tags and selectors is named', () =>
    expect(marked('ok\u{e0041}\u{e0042}\ufe01\u{e0100}', [])).toEqual([
      'ok',
      '<U+E0041>',
      '<U+E0042>',
      '<U+FE01>',
      '<U+E0100>',
    ]));
  test('tabs and joined emoji are left alone', () =>
    expect(marked('\ta👨\u200d👩❤\ufe0f', [])).toEqual(['\ta👨\u200d👩❤\ufe0f']));
  test('white space at the end is told apart', () =>
    expect(piecesOf('a  ', []).map((piece) => [piece.text, piece.trailing])).toEqual([
      ['a', false],
      ['  ', true],
    ]));
  test('a very long line is cut where asked', () =>
    expect(piecesOf('x'.repeat(9000), [], 2000).map((piece) => piece.text.length)).toEqual([2000]));
});

test('a hundred thousand lines become a hundred thousand rows', () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => line('add', null, i + 1, 'x'));
  const rows = rowsOf(
    diff(change({ op: 'create', hunks: [hunk(...lines)], new_total: lines.length })),
    'split',
    none,
  );
  expect(rows.length).toBe(100_001);
});

test('hunks that were found elsewhere are told above the lines, a few of them one by one', () => {
  const moved = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ hunk: i + 1, line: 10 * (i + 1), found: 10 * (i + 1) + 2 }));
  const told = (count: number) =>
    rowsOf(diff(change({ moved_hunks: moved(count) })), 'unified', none)
      .map(short)
      .filter((row) => row.startsWith('moved'));
  expect(told(2)).toEqual(['moved 1 10>12', 'moved 2 20>22']);
  expect(told(4)).toHaveLength(4);
  expect(told(5)).toEqual(['moved 1 10>12', 'moved 2 20>22', 'moved 3 30>32', 'moved +2']);
});

test('where parts are chosen, each hunk that can go alone has its row, in both views', () => {
  for (const view of ['unified', 'split'] as const) {
    const hunks = (given: DiffChange) =>
      rowsOf(diff(given), view, none, true)
        .map(short)
        .filter((row) => row.startsWith('hunk'));
    expect(hunks(edited)).toEqual(['hunk 1', 'hunk 2']);
    expect(hunks({ ...edited, op: 'create' })).toEqual([]);
    expect(hunks({ ...edited, hunks: edited.hunks.slice(0, 1) })).toEqual([]);
  }
  expect(rowsOf(diff(edited), 'unified', none).some((row) => row.type === 'hunk')).toBe(false);
});

test('white space that is the change itself is told apart, and the text stays what it is', () => {
  const pieces = piecesOf('\t  a b', [[0, 3]]); // one run of white space, in two kinds
  expect(pieces.map(({ text, space }) => [text, space])).toEqual([
    ['\t', 'tab'],
    ['  ', 'spaces'],
    ['a b', null],
  ]);
  // Between two words that changed it is not the change.
  expect(piecesOf('a b', [[0, 3]]).map(({ space, mark }) => [space, mark])).toEqual([[null, true]]);
  expect(piecesOf('a  b', []).every(({ space }) => space === null)).toBe(true);
});

test('of a very long line the part is drawn that has the first change', () => {
  const long = 'a'.repeat(5000);
  expect(windowOf('abc', [[1, 2]], 2000)).toEqual([0, 3]);
  expect(windowOf(long, [], 2000)).toEqual([0, 2000]);
  expect(windowOf(long, [[1999, 2001]], 2000)).toEqual([0, 2000]);
  expect(
    windowOf(
      long,
      [
        [4000, 4001],
        [3000, 3001],
      ],
      2000,
    ),
  ).toEqual([2800, 4800]);
  expect(windowOf(long, [[4900, 4901]], 2000)).toEqual([4700, 5000]);
  // Drawn larger, it begins at the beginning again.
  expect(windowOf(long, [[3000, 3001]], 8000)).toEqual([0, 5000]);
  const faces = '\u{1f600}'.repeat(2500);
  expect(windowOf(faces, [[3001, 3002]], 2000)[0]).toBe(2800);
  expect(windowOf(faces, [[3000, 3002]], 2010)[0]).toBe(2798);
});

test('of long lines the part is marked that differs, so that it is what is drawn', () => {
  const marks = (before: string[], after: string[], view: 'unified' | 'split' = 'unified') => {
    const lines = [
      ...before.map((text, i) => line('remove', i + 1, null, text)),
      ...after.map((text, i) => line('add', null, i + 1, text)),
    ];
    return rowsOf(diff(change({ hunks: [hunk(...lines)] })), view, none).flatMap((row) =>
      row.type === 'line' ? [row.line.spans] : row.type === 'pair' ? [row.left?.spans, row.right?.spans] : [],
    );
  };
  const [a, z] = ['a'.repeat(3000), 'z'.repeat(3000)];
  expect(marks([`${a}1${z}`], [`${a}22${z}`])).toEqual([[[3000, 3001]], [[3000, 3002]]]);
  expect(marks([`${a}1${z}`, 'b=1'], [`${a}22${z}`, 'b=2'], 'split')).toEqual([
    [[3000, 3001]],
    [[3000, 3002]],
    [],
    [],
  ]);
  // What is only there afterwards has its place in the line before, too.
  expect(marks([a + z], [`${a}1${z}`])).toEqual([[[3000, 3000]], [[3000, 3001]]]);
  expect(marks([`${a}\u{1f600}`], [`${a}\u{1f601}`])).toEqual([[[3000, 3002]], [[3000, 3002]]]);
  // Little in common, no pairs, or short: as the API says.
  expect(marks([a], [z])).toEqual([[], []]);
  expect(marks([a], [`${a}1`, 'b'])).toEqual([[], [], []]);
  expect(marks(['x1'], ['x2'])).toEqual([[], []]);
});
