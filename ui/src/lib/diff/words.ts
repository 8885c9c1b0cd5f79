// Which words of a text are not in the other one, to mark them. Only for drawing, and only for short texts.

/** Beyond this the table of comparisons would be felt; then nothing is marked. */
const MOST_CELLS = 1_000_000;

const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Spans of `text`, as offsets, that differ from `other` by the longest common run of words. */
export function newWords(other: string, text: string): [from: number, until: number][] {
  const [a, b] = [words(other), words(text)];
  if (a.length * b.length > MOST_CELLS) return [];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const spans: [number, number][] = [];
  let [i, j, at] = [0, 0, 0];
  while (j < b.length) {
    const word = b[j]!;
    if (i < a.length && a[i] === word) {
      i++;
      j++;
    } else if (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) {
      i++;
      continue;
    } else {
      const last = spans.at(-1);
      if (last && last[1] === at) last[1] = at + word.length;
      else spans.push([at, at + word.length]);
      j++;
    }
    at += word.length;
  }
  return spans;
}
