// What is not green is said to whoever cannot see colours, and a copied digest is announced.
import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import { announcer } from '$lib/announce.svelte';
import type { CheckName, ProposalDetail } from '$lib/api/types';
import { NOBODY } from '$lib/refusals';
import Checks from './Checks.svelte';

const check = (name: CheckName, ok: boolean): ProposalDetail['checks'][number] => ({
  check: name,
  ok,
  code: null,
  detail: null,
  proposals: ok ? [] : [9],
  moved: [],
});

function shown(ok: boolean) {
  const detail = {
    digest: `sha256:${'a'.repeat(64)}`,
    effect_keys: [{ key: 'order/1/create', generation: 0 }],
    valid_until: '2026-11-30T07:02:11.123Z',
    links: { awaits: null },
    possible_duplicates: ok ? [] : [9],
    checks: [check('base', ok), check('effect_key', ok), check('valid_until', ok)],
  } as unknown as ProposalDetail;
  render(Checks, { detail, state: 'waiting', viewer: NOBODY, onopen: () => {}, ontalk: () => {} });
  const items = screen
    .getAllByRole('listitem')
    .map((item) => item.textContent.replaceAll(/\s+/g, ' ').trim());
  return items.flatMap((text) => /^(fine|needs attention): \w+(?= )/.exec(text)?.[0].trim() ?? []);
}

test('what holds is said to be fine', () => {
  expect(shown(true)).toEqual(['fine: Base', 'fine: Digest']);
});

test('what needs attention is said in words too', () => {
  expect(shown(false).filter((text) => text.startsWith('needs'))).toHaveLength(4);
});

test('a digest is copied whole, and that it was is said', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  shown(true);
  await fireEvent.click(screen.getByRole('button', { name: 'Copy the digest' }));
  expect(writeText).toHaveBeenCalledWith(`sha256:${'a'.repeat(64)}`);
  await vi.waitFor(() => expect(announcer.text.trim()).toBe('Copied'));
  vi.unstubAllGlobals();
});
