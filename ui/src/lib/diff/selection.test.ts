import { expect, test } from 'vitest';
import type { Diff, DiffChange } from '$lib/api/types';
import { divisible, Selection, splittable } from './selection';

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
