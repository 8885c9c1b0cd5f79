import { expect, test } from 'vitest';
import { CHUNK, chunkOf, chunksOf, filledOf, seqOfRow } from './chunks';

test('the newest entry is the first row', () => {
  expect([seqOfRow(0, 57), seqOfRow(56, 57)]).toEqual([57, 1]);
});

test('a row is found in exactly the chunk that is fetched for it', () => {
  for (const size of [1, 199, 200, 201, 1000, 1001])
    for (let row = 0; row < size; row++) {
      const seq = seqOfRow(row, size);
      const [after, ...more] = chunksOf(row, row, size);
      expect(more).toEqual([]);
      expect(after).toBe(chunkOf(seq));
      expect(seq > after! && seq <= after! + filledOf(after!, size)).toBe(true);
    }
});

test('a screen that crosses a border needs both chunks, newest first', () => {
  expect(chunksOf(0, 30, CHUNK + 10)).toEqual([CHUNK, 0]);
  expect(chunksOf(0, 10_000, 450)).toEqual([400, 200, 0]);
  expect(chunksOf(0, 10, 0)).toEqual([]);
});
