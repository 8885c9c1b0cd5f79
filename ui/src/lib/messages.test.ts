import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Messages = Record<string, unknown>;
const read = (language: string): Messages => {
  const { $schema: _schema, ...messages } = JSON.parse(
    readFileSync(`messages/${language}.json`, 'utf8'),
  ) as Messages;
  return messages;
};
const en = read('en');
const id = read('id');

const texts = (message: unknown): string[] =>
  typeof message === 'string'
    ? [message]
    : (message as { match: Record<string, string> }[]).flatMap((variants) => Object.values(variants.match));
const inputs = (message: unknown) =>
  [
    ...new Set(texts(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))),
  ].sort();

test('both languages have the same messages', () => {
  expect(Object.keys(id).sort()).toEqual(Object.keys(en).sort());
});

test('a message takes the same values in both languages', () => {
  for (const key of Object.keys(en)) expect([key, inputs(id[key])]).toEqual([key, inputs(en[key])]);
});

test('no message is empty, and no plural is English in Indonesian', () => {
  for (const key of Object.keys(en))
    for (const text of [...texts(en[key]), ...texts(id[key])])
      expect([key, text.trim()]).not.toEqual([key, '']);
  for (const key of Object.keys(id))
    expect([key, JSON.stringify(id[key])]).not.toEqual([key, expect.stringContaining('=one')]);
});

test('Indonesian keeps to the glossary', () => {
  const all = Object.values(id).flatMap(texts).join('\n').toLowerCase();
  for (const word of ['buku besar', 'kedaluwarsa', 'proposal', 'apply', 'digest', 'ledger'])
    expect(all).not.toContain(word);
});

test('every message is used', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(svelte|ts)$/.test(file) && !file.includes('paraglide') && !file.endsWith('.test.ts'),
  );
  const source = files.map((file) => readFileSync(`src/${file}`, 'utf8')).join('\n');
  const used = new Set([...source.matchAll(/\bm\.(\w+)/g)].map((match) => match[1]));
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});
