import { expect, test } from 'vitest';
import { pathParts } from './path';

test('the file name is kept, whatever gives way', () => {
  for (const [path, parts] of [
    ['harga.json', ['', 'harga.json']],
    ['a/b/harga.json', ['a/b', '/harga.json']],
    ['a/b/', ['a', '/b/']],
    ['', ['', '']],
  ] as const)
    expect(pathParts(path)).toEqual(parts);
});

test('a very long name keeps its end, and no character is torn', () => {
  const name = `${'𝒂'.repeat(100)}.md`;
  const [start, end] = pathParts(`docs/${name}`);
  expect(start + end).toBe(`docs/${name}`);
  expect([...end]).toHaveLength(28);
  expect(end.endsWith('𝒂.md')).toBe(true);
  expect(end).toBe([...name].slice(-28).join(''));
});
