import { expect, test } from 'vitest';
import type { Conflict, Region } from '$lib/api/types';
import {
  askedAfter,
  carry,
  choiceOf,
  choose,
  isTaken,
  isTried,
  none,
  nothing,
  possible,
  progress,
  roomFor,
  sidesOf,
  take,
  triedBeside,
} from './conflicts';

const part = (text: string, start = 1) => ({ start, lines: text.split('\n').length - 1, text, cut: false });
const region = (base: string, now: string, after: string): Region => ({
  base: part(base),
  now: part(now),
  after: part(after),
  above: [],
  below: [],
});
const conflict = (path: string, more: Partial<Conflict> = {}): Conflict => ({
  path,
  from: null,
  kind: 'text',
  now: 'sha256:00',
  detail: '',
  by: null,
  regions: [],
  places: [],
  moved_to: null,
  ...more,
});

const text = conflict('a.md', { regions: [region('1\n', '2\n', '3\n'), region('x\n', 'y\n', 'z\n')] });
const gone = conflict('b.md', { kind: 'deleted' });
const all = [text, gone];

test('each region counts, and a conflict without regions counts once', () => {
  expect(progress(all, none)).toEqual({ decided: 0, total: 3, next: { at: 0, index: 0 } });
  const one = choose(none, text, 1, 'after');
  expect(progress(all, one)).toEqual({ decided: 1, total: 3, next: { at: 0, index: 0 } });
  const two = choose(one, text, 0, 'now_after');
  expect(progress(all, two).next).toEqual({ at: 1, index: 0 });
  expect(progress(all, choose(two, gone, 0, 'now'))).toEqual({ decided: 3, total: 3, next: null });
});

test('only a document that is wholly decided is sent', () => {
  const half = choose(none, text, 1, 'after');
  expect(take(all, half)).toEqual([]);
  expect(take(all, choose(half, text, 0, 'base'))).toEqual([
    { path: 'a.md', from: null, now: 'sha256:00', sides: ['base', 'after'] },
  ]);
  expect(choiceOf(half, text, 1)).toBe('after');
  expect(choiceOf(none, text, 1)).toBeNull();
});

test('which sides there are', () => {
  expect(sidesOf(text)).toEqual(['now', 'after', 'now_after', 'after_now', 'base']);
  expect(sidesOf(gone)).toEqual(['now', 'after']);
  expect(sidesOf(conflict('c', { kind: 'occupied' }))).toEqual(['now']);
});

test('what was decided stays where the question is the same, and only there', () => {
  const decided = choose(choose(choose(none, text, 0, 'now'), text, 1, 'after'), gone, 0, 'after');
  const moved = conflict('a.md', {
    now: 'sha256:11',
    regions: [region('0\n', '9\n', '8\n'), ...text.regions.slice(1)],
  });
  const again = carry(decided, all, [moved, conflict('b.md', { kind: 'created' })]);
  expect([choiceOf(again, moved, 0), choiceOf(again, moved, 1)]).toEqual([null, 'after']);
  expect(progress([moved, gone], again)).toMatchObject({ decided: 1, total: 3 });
  expect(choiceOf(carry(decided, all, all), gone, 0)).toBe('after');
  const value = conflict('v', { kind: 'json', places: [{ pointer: '/a', base: '1', now: '2', after: '3' }] });
  const other = { ...value, now: 'sha256:11' };
  const chosen = choose(none, value, 0, 'after');
  expect(choiceOf(carry(chosen, [value], [value]), value, 0)).toBe('after');
  expect(choiceOf(carry(chosen, [value], [other]), other, 0)).toBeNull();
});

test('like regions are not taken twice for one', () => {
  const twin = region('1\n', '2\n', '3\n');
  const before = conflict('t', { regions: [twin, twin] });
  const decided = choose(none, before, 0, 'now');
  const kept = carry(decided, [before], [before]);
  expect([choiceOf(kept, before, 0), choiceOf(kept, before, 1)]).toEqual(['now', null]);
});

test('what is not shown whole is asked again where the document has changed', () => {
  const long = { ...region('1\n', '2\n', '3\n'), now: { ...part('2\n'), cut: true } };
  const before = conflict('t', { regions: [long] });
  const decided = choose(none, before, 0, 'after');
  expect(choiceOf(carry(decided, [before], [before]), before, 0)).toBe('after');
  const after = { ...before, now: 'sha256:11' };
  expect(choiceOf(carry(decided, [before], [after]), after, 0)).toBeNull();
});

test('two changes of one path are decided each by itself', () => {
  const goes = conflict('b', { kind: 'deleted' });
  const comes = conflict('b', { kind: 'occupied', from: 'a' });
  const decided = choose(none, goes, 0, 'after');
  expect(choiceOf(decided, comes, 0)).toBeNull();
  expect(take([goes, comes], choose(decided, comes, 0, 'now'))).toEqual([
    { path: 'b', from: null, now: 'sha256:00', sides: ['after'] },
    { path: 'b', from: 'a', now: 'sha256:00', sides: ['now'] },
  ]);
});

test('a document comes to a place only where what stands there is to go', () => {
  const goes = conflict('b', { kind: 'deleted' });
  const comes = conflict('b', { kind: 'occupied', from: 'a' });
  const both = [goes, comes];
  expect(roomFor(comes, both)).toEqual({ at: 'b', moves: false, made: false });
  expect([roomFor(comes, [comes]), roomFor(goes, both)]).toEqual([null, null]);
  expect(sidesOf(comes, both, none)).toEqual(['now']);
  expect(sidesOf(comes, both, choose(none, goes, 0, 'now'))).toEqual(['now']);
  const room = choose(none, goes, 0, 'after');
  // Where nothing is in its way it is made: that it is not would be no choice.
  expect(sidesOf(comes, both, room)).toEqual(['after']);
  const decided = possible(choose(room, comes, 0, 'after'), both);
  expect(take(both, decided).map(({ from, sides }) => [from, sides])).toEqual([
    [null, ['after']],
    ['a', ['after']],
  ]);
  // The other is to stay after all: where this one goes is asked again.
  const stays = possible(choose(decided, goes, 0, 'now'), both);
  expect(progress(both, stays)).toMatchObject({ decided: 1, next: { at: 1, index: 0 } });
});

test('what was decided where a document had moved is asked again where it has moved on', () => {
  const away = (moved_to: string) => conflict('a', { kind: 'deleted', moved_to });
  const decided = choose(none, away('b'), 0, 'after');
  expect(choiceOf(carry(decided, [away('b')], [away('b')]), away('b'), 0)).toBe('after');
  for (const after of [away('c'), conflict('a', { kind: 'deleted' })])
    expect(choiceOf(carry(decided, [away('b')], [after]), after, 0)).toBeNull();
});

test('a document that is deleted where it has moved makes no room where it was', () => {
  const goes = conflict('b', { kind: 'deleted', moved_to: 'c' });
  const comes = conflict('b', { kind: 'occupied', from: 'a' });
  expect(sidesOf(comes, [goes, comes], choose(none, goes, 0, 'after'))).toEqual(['now']);
});

test('room is made by what is above or below, spelt otherwise, or moves away itself', () => {
  const goes = conflict('n/one', { kind: 'deleted' });
  const under = conflict('n', { kind: 'occupied' });
  const spelt = conflict('N/One', { kind: 'occupied' });
  const after = choose(none, goes, 0, 'after');
  for (const comes of [under, spelt]) {
    expect(sidesOf(comes, [comes, goes])).toEqual(['now']);
    expect(sidesOf(comes, [comes, goes], after)).toEqual(['after']);
  }
  // Both of two that stand below have to go.
  const two = conflict('n/two', { kind: 'deleted' });
  expect(roomFor(under, [goes, two, under], after)).toEqual({ at: 'n/two', moves: false, made: false });
  expect(sidesOf(conflict('none', { kind: 'occupied' }), [goes], after)).toEqual(['now']);

  const c = conflict('c', { kind: 'deleted' });
  const bToC = conflict('c', { kind: 'occupied', from: 'b' });
  const aToB = conflict('b', { kind: 'occupied', from: 'a' });
  const all = [c, bToC, aToB];
  expect(roomFor(aToB, all)).toEqual({ at: 'b', moves: true, made: false });
  const chosen = all.reduce((choices, one) => choose(choices, one, 0, 'after'), none);
  expect(sidesOf(aToB, all, chosen)).toEqual(['after']);
  expect(possible(chosen, all)).toBe(chosen);
  // One that stays takes all with it that rest on it.
  expect(progress(all, possible(choose(chosen, c, 0, 'now'), all))).toMatchObject({ decided: 1 });
});

test('what is settled stays decided beside what is asked next', () => {
  const goes = conflict('a', { kind: 'deleted' });
  const comes = conflict('a/x', { kind: 'occupied' });
  const stays = choose(none, goes, 0, 'now');
  const next = askedAfter([goes], stays, take([goes], stays), [comes]);
  expect(next.conflicts).toEqual([goes, comes]);
  expect(take(next.conflicts, choose(next.choices, comes, 0, 'now'))).toEqual([
    { path: 'a', from: null, now: 'sha256:00', sides: ['now'] },
    { path: 'a/x', from: null, now: 'sha256:00', sides: ['now'] },
  ]);
  expect(next.tried).toEqual(nothing);
});

test('a side that was taken and came back is not offered again, until there may be room', () => {
  const again = conflict('c', { kind: 'deleted', from: 'b', now: 'sha256:22' });
  const goes = conflict('c', { kind: 'deleted' });
  const after = choose(none, again, 0, 'after');
  const next = askedAfter([again], after, take([again], after), [again, goes]);
  expect(isTried(again, next.tried)).toBe(true);
  expect(sidesOf(again, next.conflicts, next.choices, next.tried)).toEqual(['now']);
  expect(progress(next.conflicts, possible(next.choices, next.conflicts, next.tried)).decided).toBe(0);
  expect(isTried(again, triedBeside(again, next.conflicts, next.tried))).toBe(true);
  expect(isTried(again, triedBeside(goes, next.conflicts, next.tried))).toBe(false);
  // It stands otherwise meanwhile: that is another question.
  const moved = { ...again, now: 'sha256:33' };
  expect(askedAfter([again], after, take([again], after), [moved]).tried).toEqual(nothing);
});

test('what would be made again where another document stands is told', () => {
  const gone = conflict('b', { kind: 'deleted' });
  expect(isTaken(gone, 'replace')).toBe(true);
  expect(isTaken(gone, 'delete')).toBe(false);
  expect(isTaken({ ...gone, now: 'absent' }, 'replace')).toBe(false);
  expect(isTaken({ ...gone, moved_to: 'c' }, 'rename')).toBe(false);
});
