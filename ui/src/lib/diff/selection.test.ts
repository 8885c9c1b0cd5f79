import { expect, test } from 'vitest';
import type { Diff, DiffChange } from '$lib/api/types';
import { ticksOf } from './choosing';
import { rowsOf } from './model';
import { divisibleIn, Selection, splittable } from './selection';

const change = (path: string, hunks: number, more: Partial<DiffChange> = {}) =>
  ({ path, op: 'replace', kind: 'text', hunks: Array(hunks).fill({ lines: [] }), ...more }) as DiffChange;
const diff = (...changes: DiffChange[]) => ({ proposal: 1, revision: 1, digest: 'd', changes }) as Diff;

const a = change('a', 3);
const b = change('b', 1);
const both = diff(a, b);

test('everything stays at first', () => {
  const all = Selection.all(both);
  expect([all.staying, all.total]).toEqual([4, 4]);
  expect(all.take()).toEqual([
    { path: 'a', hunks: null },
    { path: 'b', hunks: null },
  ]);
});

test('a hunk that goes leaves its file with some', () => {
  const some = Selection.all(both).set({ path: 'a', hunk: 2 }, false);
  expect([some.file(a), some.file(b), some.staying]).toEqual(['some', 'all', 3]);
  expect(some.take()[0]).toEqual({ path: 'a', hunks: [1, 3] });
  expect(some.set({ path: 'a', hunk: 2 }, true).take()).toEqual(Selection.all(both).take());
});

test('a file goes and comes back with all its hunks', () => {
  const without = Selection.all(both).set({ path: 'a', hunk: 1 }, false).setFile(a, false);
  expect([without.file(a), without.staying]).toEqual(['none', 1]);
  expect(without.take()).toEqual([{ path: 'b', hunks: null }]);
  expect(without.setFile(a, true).staying).toBe(4);
});

test('hunks that go one by one are the file that goes', () => {
  let left = Selection.all(both);
  for (const hunk of [1, 2, 3]) left = left.set({ path: 'a', hunk }, false);
  expect(left.file(a)).toBe('none');
  expect(left.take()).toEqual([{ path: 'b', hunks: null }]);
});

test('a hunk is not taken for another file of a like name', () => {
  const like = diff(change('a', 2), change('a1', 1));
  const left = Selection.all(like).set({ path: 'a', hunk: 1 }, false);
  expect(left.take()).toEqual([
    { path: 'a', hunks: [2] },
    { path: 'a1', hunks: null },
  ]);
});

test('what is made, taken away, renamed, not text or of one piece', () => {
  const divisible = (one: DiffChange) => divisibleIn(diff(one))(one);
  expect(divisible(change('a', 2, { op: 'rename' }))).toBe(true);
  for (const whole of [
    change('a', 1),
    change('a', 2, { op: 'create' }),
    change('a', 2, { op: 'delete' }),
    change('a', 0, { kind: 'binary' }),
  ])
    expect([divisible(whole), Selection.all(diff(whole)).total]).toEqual([false, 1]);
  expect(splittable(diff(b))).toBe(false);
  expect(splittable(diff(a))).toBe(true);
  expect(splittable(diff(b, change('c', 1)))).toBe(true);
});

test('the two changes of a path stay or go as one', () => {
  const comes = change('a', 3, { op: 'rename', from: 'b' });
  const two = diff(change('a', 1, { op: 'delete', from: null }), comes, change('c', 1));
  const all = Selection.all(two);
  expect([all.total, divisibleIn(two)(comes)]).toEqual([2, false]);
  expect(all.take()).toEqual([
    { path: 'a', hunks: null },
    { path: 'c', hunks: null },
  ]);
  const without = all.setFile(comes, false);
  expect([without.staying, without.file(two.changes[0]!)]).toEqual([1, 'none']);
  expect(without.take()).toEqual([{ path: 'c', hunks: null }]);
  expect(splittable(diff(two.changes[0]!, comes))).toBe(false);
});

test('what goes and what comes to its place are one, however the place is written', () => {
  const goes = change('Caf\u00e9.md', 1, { op: 'delete' });
  const comes = change('cafe\u0301.MD', 2, { op: 'rename', from: 'b.md' });
  const two = diff(goes, comes, change('c', 1));
  const without = Selection.all(two).setFile(goes, false);
  expect([without.total, without.file(comes), without.take()]).toEqual([
    2,
    'none',
    [{ path: 'c', hunks: null }],
  ]);
});

test('what moves away and what is made where it was are chosen each for itself', () => {
  const away = change('b', 2, { op: 'rename', from: 'a' });
  const anew = change('a', 1, { op: 'create' });
  const both = Selection.all(diff(away, anew));
  expect(both.total).toBe(3);
  expect(both.setFile(anew, false).take()).toEqual([{ path: 'b', hunks: null }]);
  expect(both.setFile(away, false).take()).toEqual([{ path: 'a', hunks: null }]);
  expect(both.set({ path: 'b', hunk: 1 }, false).take()).toEqual([
    { path: 'b', hunks: [2] },
    { path: 'a', hunks: null },
  ]);
});

test('the arrow keys go to each part once', () => {
  const lines = [{ kind: 'add', old: null, new: 1, text: 'x', spans: [] }];
  const part = (one: DiffChange) => ({ ...one, hunks: one.hunks.map(() => ({ lines })), moved_hunks: [] });
  const rows = rowsOf(
    {
      ...diff(),
      changes: [
        change('a', 1, { op: 'delete' }),
        change('a', 2, { op: 'rename', from: 'b' }),
        change('c', 2),
      ].map((one) => part(one) as unknown as DiffChange),
    },
    'unified',
    new Set(),
    true,
  );
  const ticks = ticksOf(rows);
  expect(ticks.map((tick) => tick.part)).toEqual([
    { path: 'a', hunk: null },
    { path: 'c', hunk: null },
    { path: 'c', hunk: 1 },
    { path: 'c', hunk: 2 },
  ]);
  expect(ticks[0]!.index).toBe(0);
  expect(ticks.map(({ index }) => rows[index]!.type)).toEqual(['file', 'file', 'hunk', 'hunk']);
});
