import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { ProposalItem } from '$lib/api/types';
import ProposalRow from './ProposalRow.svelte';

const item: ProposalItem = {
  proposal: 12,
  id: 'p',
  title: 'Raise prices',
  state: 'waiting',
  author: { id: 'u', kind: 'agent', name: 'drafting' },
  created_at: '2026-11-30T07:02:11.123Z',
  revision: 1,
  digest: `sha256:${'a'.repeat(64)}`,
  touches: { added: 1, removed: 0, documents: 1, files: 0, messages: 0 },
  stale: false,
  effect_done_by: null,
  possible_duplicate_of: null,
  talk: { count: 0, open_asks: [], last: null },
};

/** What its row says, and whether its mark warns. */
function shown(more: Partial<ProposalItem>): [string, boolean] {
  const user = render(ProposalRow, {
    item: { ...item, ...more },
    position: 1,
    size: 1,
    selected: false,
    onselect: () => {},
  });
  const row = screen.getByRole('option');
  const said = row.querySelector('span.text-warning')?.textContent ?? '';
  const warns = row.querySelector('.border-warning') !== null;
  user.unmount();
  return [said, warns];
}

test('a row marks what has been done, has moved, or may be a duplicate', () => {
  expect(shown({})).toEqual(['', false]);
  expect(shown({ stale: true })).toEqual(['base has moved', true]);
  expect(shown({ effect_done_by: 1 })).toEqual(['effect done by #1', true]);
  expect(shown({ possible_duplicate_of: 9 })).toEqual(['possible duplicate of #9', true]);
  expect(shown({ effect_done_by: 1, state: 'applied' })).toEqual(['', false]);
});
