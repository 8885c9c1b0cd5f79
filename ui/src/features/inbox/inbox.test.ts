import { expect, test } from 'vitest';
import type { ProposalItem } from '$lib/api/types';
import { Inbox, movedBy, withKept } from './inbox.svelte';

const list = (...numbers: number[]) => numbers.map((proposal) => ({ proposal }) as ProposalItem);
const numbers = (items: readonly ProposalItem[]) => items.map((item) => item.proposal);

test('what left the filter stays in its place while it is selected', () => {
  expect(numbers(withKept(list(9, 7, 5), list(8)[0]!))).toEqual([9, 8, 7, 5]);
  expect(numbers(withKept(list(9, 7, 5), list(10)[0]!))).toEqual([10, 9, 7, 5]);
  expect(numbers(withKept(list(9, 7, 5), list(1)[0]!))).toEqual([9, 7, 5, 1]);
  expect(numbers(withKept(list(9, 7, 5), list(7)[0]!))).toEqual([9, 7, 5]);
  expect(numbers(withKept([], list(7)[0]!))).toEqual([7]);
  const rejected = { ...list(7)[0]!, state: 'rejected' } as ProposalItem;
  expect(withKept(list(9, 7, 5), rejected)[1]?.state).toBe('rejected');
  expect(numbers(withKept(list(9), null))).toEqual([9]);
});

test('the rows under the eyes stay when others come or go above them', () => {
  expect(movedBy(list(9, 8, 7, 6), list(11, 10, 9, 8, 7), 2)).toBe(2);
  expect(movedBy(list(9, 8, 7, 6), list(9, 7, 6), 2)).toBe(-1);
  expect(movedBy(list(9, 8, 7, 6), list(9, 8, 6), 2)).toBe(-1);
  expect(movedBy(list(9, 8, 7), list(9, 8, 7), 1)).toBe(0);
  expect(movedBy(list(9, 8, 7), [], 1)).toBe(0);
});

test('moving on lets go of the kept item; so does another filter', () => {
  const inbox = new Inbox();
  inbox.select(8);
  inbox.kept = list(8)[0]!;
  inbox.select(8);
  expect(inbox.kept?.proposal).toBe(8);
  inbox.select(7);
  expect(inbox.kept).toBeNull();
  inbox.kept = list(7)[0]!;
  inbox.show('applied');
  expect([inbox.kept, inbox.selected]).toEqual([null, null]);
});

test('receipts of this session are kept by proposal', () => {
  const inbox = new Inbox();
  expect(inbox.presses(1)).toBe(inbox.presses(1));
  expect(inbox.presses(1)).not.toBe(inbox.presses(2));
  inbox.did(1, 'applied');
  expect([inbox.isOwn(1, 'applied'), inbox.isOwn(1, 'rejected'), inbox.isOwn(2, 'applied')]).toEqual([
    true,
    false,
    false,
  ]);
});
