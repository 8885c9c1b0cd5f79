import { expect, test } from 'vitest';
import type { Moved } from '$lib/api/types';
import { movedSentence } from './moved';

test('what became of a document', () => {
  const said = (more: Partial<Moved>) =>
    movedSentence({
      path: 'a.md',
      expected: 'sha256:0',
      now: 'sha256:1',
      by: { proposal: 11, seq: 3 },
      ...more,
    }).replace(/[\u2068\u2069]/g, '');
  expect(said({})).toBe('a.md was changed by');
  expect(said({ now: 'absent' })).toBe('a.md was deleted or moved by');
  expect(said({ expected: 'absent' })).toBe('a.md was created by');
  for (const now of ['absent', 'sha256:1'])
    expect(said({ by: null, now })).toBe('a.md is no longer as it was read');
});
