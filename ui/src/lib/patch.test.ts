import { expect, test } from 'vitest';
import type { Problem } from '$lib/api/problem';
import {
  around,
  bodyOf,
  EDITABLE_BYTES,
  fromFile,
  fromText,
  headOf,
  rangeOfLine,
  spotOf,
  subjectOf,
} from './patch';

const TEXT = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';

test('what is typed or pasted goes as it is', async () => {
  expect(fromText(TEXT)).toEqual({ kind: 'typed', text: TEXT });
  expect(await bodyOf(fromText(TEXT))).toEqual({ diff: TEXT });
});

test('line ends that a field would change are not put into one', async () => {
  const crlf = TEXT.replaceAll('\n', '\r\n');
  expect(fromText(crlf).kind).toBe('held');
  expect(await bodyOf(fromText(crlf))).toEqual({ diff: crlf });
  expect(await bodyOf(await fromFile(new Blob([crlf]), 'x.diff'))).toEqual({ diff: crlf });
});

test('a large patch is not put into a field, and goes whole', async () => {
  const large = `${TEXT}${' context\n'.repeat(EDITABLE_BYTES / 8)}`;
  const source = await fromFile(new Blob([large]), 'large.diff');
  expect(source).toMatchObject({ kind: 'held', name: 'large.diff', bytes: large.length });
  expect(await bodyOf(source)).toEqual({ diff: large });
  expect(headOf(large).lines).toHaveLength(40);
});

test('a file that is not UTF-8 goes as base64, to the byte', async () => {
  const bytes = new Uint8Array([0x2d, 0xff, 0x00, 0x0d, 0x0a, 0xfe]);
  const source = await fromFile(new Blob([bytes]), 'latin.diff');
  expect(source).toMatchObject({ kind: 'held', text: null });
  const body = await bodyOf(source);
  expect(body).toEqual({ diff_base64: Buffer.from(bytes).toString('base64') });
});

test('a byte-order mark stays', async () => {
  expect(await bodyOf(await fromFile(new Blob([`\ufeff${TEXT}`]), 'x'))).toEqual({ diff: `\ufeff${TEXT}` });
});

test('a line is found by its number', () => {
  const line = (n: number) => {
    const range = rangeOfLine(TEXT, n);
    return range && TEXT.slice(...range);
  };
  expect([0, 1, 3, 5, 6, 7].map(line)).toEqual([null, '--- a/x', '@@ -1 +1 @@', '+b', '', null]);
});

test('some lines around a line are shown with their numbers', () => {
  const numbers = Array.from({ length: 100 }, (_, i) => `${i + 1}`).join('\n');
  expect(around(numbers, 50, 2)).toEqual({ first: 48, lines: ['48', '49', '50', '51', '52'] });
  expect(around(numbers, 1, 2)).toEqual({ first: 1, lines: ['1', '2', '3'] });
  expect(around(numbers, 100, 1)).toEqual({ first: 99, lines: ['99', '100'] });
  expect(around(numbers, 101)).toBeNull();
});

test('the subject of a mailed patch is its title', () => {
  const mail = (subject: string) => `From ${'0'.repeat(40)} Mon Sep 17\nFrom: Ani\n${subject}\n\nBody\n`;
  expect(subjectOf(mail('Subject: [PATCH 1/2] Raise prices'))).toBe('Raise prices');
  expect(subjectOf(mail('Subject: [PATCH] A long\n  one'))).toBe('A long one');
  expect(subjectOf(mail('Date: today'))).toBeNull();
  expect(subjectOf(`${TEXT}Subject: no\n`)).toBeNull();
});

test('a refusal points at a place of the patch', () => {
  const problem = (more: Partial<Problem>): Problem => ({
    status: 409,
    code: 'patch.mismatch',
    detail: '',
    hint: '',
    retry: 'never',
    ...more,
  });
  expect(spotOf(problem({ path: 'a.md', hunk: 2, line: 14, expected: ['x'], found: ['y'] }))).toEqual({
    path: 'a.md',
    hunk: 2,
    line: 14,
    expected: ['x'],
    found: ['y'],
  });
  expect(spotOf(problem({}))).toBeNull();
  // The words that would have been right in another field are no lines of a patch.
  expect(spotOf(problem({ code: 'body.invalid', expected: ['put'] }))).toBeNull();
  expect(spotOf(problem({ code: 'document.not_found', line: 3 }))).toMatchObject({ line: 3, hunk: null });
});
