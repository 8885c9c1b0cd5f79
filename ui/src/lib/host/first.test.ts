import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keep } from '$lib/api/queries';
import { readFirst } from '$features/frame/first';
import { Workspace } from '$lib/workspace.svelte';
import { session as opened } from '../../test/session';
import { takeFirst } from './first';
import type { Host, Session } from './types';

const session: Session = { ...opened, api: 'api://localhost' };
// The same list is in src-tauri/src/first.rs.
const answers = {
  '/v1/store': { id: 's' },
  '/v1/rooms': { items: [{ id: 'r', slug: 'main' }] },
  '/v1/rooms/main/members': { items: [] },
  '/v1/rooms/main/proposals?state=waiting&limit=100': { items: [{ proposal: 1, revision: 1 }], next: null },
  '/v1/rooms/main/proposals/1': { proposal: 1 },
  '/v1/rooms/main/proposals/1/diff?revision=1': { changes: [] },
};

const asked = vi.fn((request: Request) => Promise.resolve(Response.json({ asked: request.url })));
beforeEach(() => {
  window.__SEKALI_FIRST__ = { session, answers };
  vi.stubGlobal('fetch', asked);
  asked.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the first screen is drawn from what came with the page, and nothing is asked for it', async () => {
  const first = takeFirst();
  expect(first?.session).toEqual(session);
  expect(window.__SEKALI_FIRST__).toBeUndefined();
  const workspace = new Workspace({} as Host, session);
  keep(workspace.queries, first!.answers);
  await readFirst(workspace);
  expect(asked).not.toHaveBeenCalled();
  expect(workspace.queries.getQueryData(['diff', 'main', 1, 1])).toEqual({ changes: [] });
});

test('what did not come is asked for', async () => {
  const workspace = new Workspace({} as Host, session);
  const { '/v1/store': _store, ...rest } = answers;
  keep(workspace.queries, rest);
  await readFirst(workspace);
  expect(asked.mock.calls.map(([request]) => request.url)).toEqual(['api://localhost/v1/store']);
});

test('a page that was loaded again asks', () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never]);
  expect(takeFirst()).toBeNull();
});
