import { beforeEach, expect, test, vi } from 'vitest';
import { readFirst } from '$features/frame/first';
import { Workspace } from '$lib/workspace.svelte';
import { firstAnswer, firstSession } from './first';
import type { Host, Session } from './types';

const session: Session = {
  token: 't',
  api: 'api://localhost',
  store: { path: '/s' },
  language: 'en',
  name: 'Ani',
  version: '',
  recent: [],
  problem: null,
  settings_problem: null,
};
// The same list is in src-tauri/src/first.rs.
const answers = () => ({
  '/v1/store': { id: 's' },
  '/v1/rooms': { items: [{ id: 'r', slug: 'main' }] },
  '/v1/rooms/main/members': { items: [] },
  '/v1/rooms/main/proposals?state=waiting&limit=100': { items: [{ proposal: 1, revision: 1 }], next: null },
  '/v1/rooms/main/proposals/1': { proposal: 1 },
  '/v1/rooms/main/proposals/1/diff?revision=1': { changes: [] },
});

beforeEach(() => {
  window.__SEKALI_FIRST__ = { session, answers: answers() };
});

test('the first screen is drawn from what came with the page, and nothing is asked for it', async () => {
  expect(firstSession()).toEqual(session);
  const asked: string[] = [];
  const host = {
    fetch: (request: Request, base: string) => {
      const answer = firstAnswer(request, base);
      if (!answer) asked.push(request.url);
      return Promise.resolve(answer ?? Response.json({}, { status: 500 }));
    },
  } as Host;
  const workspace = new Workspace(host, session);
  await readFirst(workspace);
  expect(asked).toEqual([]);
  expect(workspace.queries.getQueryData(['room', 'main', 'proposal', 1])).toEqual({ proposal: 1 });
  expect(workspace.queries.getQueryData(['diff', 'main', 1, 1])).toEqual({ changes: [] });

  // Each answer is for the first time only.
  await workspace.api.store().catch(() => undefined);
  expect(asked).toEqual(['api://localhost/v1/store']);
  expect(window.__SEKALI_FIRST__).toBeUndefined();
});

test('a page that was loaded again asks', () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never]);
  expect(firstSession()).toBeNull();
  expect(firstAnswer(new Request('api://localhost/v1/store'), session.api)).toBeNull();
  vi.restoreAllMocks();
});
