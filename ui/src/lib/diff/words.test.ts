import { expect, test } from 'vitest';
import { newWords } from './words';

const marked = (other: string, text: string) =>
  newWords(other, text).map(([from, until]) => text.slice(from, until));

test('only the words that are not in the other text are marked', () => {
  for (const [other, text, expected] of [
    ['Kopi 18.000 rupiah', 'Kopi 20.000 rupiah', ['20']],
    ['a b c', 'a b c', []],
    ['', 'baru', ['baru']],
    ['hilang', '', []],
    ['a\nb\n', 'a\nx\nb\n', ['x\n']],
    ['harga tetap', 'harga\ttetap', ['\t']],
  ] as const)
    expect(marked(other, text), `${other} | ${text}`).toEqual(expected);
});

test('what is not marked is in the other text, in the same order', () => {
  const [other, text] = ['satu dua tiga empat', 'nol dua lima empat satu'];
  const spans = newWords(other, text);
  const kept = [...text].filter((_, at) => !spans.some(([from, until]) => at >= from && at < until)).join('');
  let from = 0;
  for (const word of kept.split(/\s+/).filter(Boolean)) {
    const found = other.indexOf(word, from);
    expect(found, word).toBeGreaterThanOrEqual(from);
    from = found + word.length;
  }
});

test('texts that are too long to compare are left unmarked', () => {
  expect(newWords('a b '.repeat(1000), 'c d '.repeat(1000))).toEqual([]);
});
