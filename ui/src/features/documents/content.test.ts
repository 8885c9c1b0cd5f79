import { expect, test } from 'vitest';
import { contentOf, SHOWN_BYTES } from './content';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const utf8 = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

test('valid UTF-8 is text, whatever it says', () => {
  expect(contentOf(utf8('<b>é😀</b>\r\n'))).toEqual({ kind: 'text', text: '<b>é😀</b>\r\n', cut: false });
  expect(contentOf(bytes())).toEqual({ kind: 'text', text: '', cut: false });
});

test('NUL or broken UTF-8 is binary', () => {
  expect(contentOf(bytes(0x61, 0, 0x62))).toEqual({ kind: 'binary' });
  expect(contentOf(bytes(0xff, 0xfe))).toEqual({ kind: 'binary' });
  expect(contentOf(bytes(0xc3))).toEqual({ kind: 'binary' });
});

test('a cut through a character loses that character only', () => {
  const content = contentOf(utf8('x'.repeat(SHOWN_BYTES - 1) + 'é tail'));
  expect(content).toMatchObject({ kind: 'text', cut: true });
  expect(content.kind === 'text' && content.text.length).toBe(SHOWN_BYTES - 1);
});
