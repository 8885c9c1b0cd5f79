// The window at its start, with what the program gave it along with the page.
import { render, screen } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { Host } from '$lib/host';
import { session } from './test/session';

const host = vi.hoisted(() => ({
  session: vi.fn(),
  first: vi.fn(),
  setLanguage: vi.fn(),
  onOpened: vi.fn(() => Promise.resolve(() => {})),
  native: null,
})) satisfies Host;
vi.mock('$lib/host', () => ({ host }));

const { default: App } = await import('./App.svelte');

test('a window that was given its session starts once and asks for none', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  host.session.mockResolvedValue(session);
  host.first.mockReturnValueOnce({
    session,
    answers: { '/v1/store': { id: 's', warnings: [] }, '/v1/rooms': { items: [] } },
  });
  render(App);
  await screen.findByRole('navigation');
  // A second start would ask at once; that nobody asks can only be waited for.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([host.first, host.session, host.onOpened].map((asked) => asked.mock.calls.length)).toEqual([
    1, 0, 1,
  ]);
  vi.unstubAllGlobals();
});
