// The list of documents by keyboard: what is selected is named to a screen reader, whatever its path.
import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { Workspace } from '$lib/workspace.svelte';
import { host, session } from '../../test/session';
import Frame from '../frame/Frame.svelte';

const AT = '2026-11-30T07:02:11.123Z';
const PATHS = ['daftar harga.json', 'b c/d e.md', 'z.md'];
const answers: Record<string, unknown> = {
  '/v1/store': { id: 's', path: '/s', warnings: [], you: { name: 'Ani' } },
  '/v1/rooms': {
    items: [
      {
        id: 'r',
        slug: 'main',
        title: 'Main',
        you: { id: 'u1', name: 'Ani', kind: 'person', role: 'member' },
        counts: { waiting: 0, applied: 1, rejected: 0, withdrawn: 0, expired: 0 },
        ledger: { size: 1, root: '' },
        change_seq: 1,
        created_at: AT,
      },
    ],
  },
  '/v1/rooms/main/members': { items: [] },
  '/v1/rooms/main/proposals': { items: [], next: null },
  '/v1/rooms/main/documents': {
    items: PATHS.map((path, n) => ({
      path,
      version: `1.${n}`,
      digest: 'd',
      mode: '100644',
      bytes: 1,
      updated_at: AT,
      proposal: 1,
      seq: 1,
    })),
    next: null,
  },
};

afterEach(() => vi.unstubAllGlobals());

test('the selected document is named by an id that can be found', async () => {
  vi.stubGlobal('fetch', (request: Request) => {
    const answer = answers[new URL(request.url).pathname];
    return answer ? Promise.resolve(Response.json(answer)) : new Promise(() => {});
  });
  const workspace = new Workspace(host, session);
  workspace.place = 'documents';
  render(Frame, { workspace, opened: null, openProblem: null, ondismiss: () => {}, onsession: () => {} });
  const list = await screen.findByRole('listbox', { name: 'Documents' });
  expect(list.getAttribute('aria-activedescendant')).toBeNull();
  const ids = new Set<string>();
  for (const path of PATHS) {
    await fireEvent.keyDown(list, { key: 'ArrowDown' });
    await screen.findByRole('main', { name: path });
    const id = list.getAttribute('aria-activedescendant')!;
    expect(id).not.toMatch(/\s/);
    ids.add(id);
  }
  expect(ids.size).toBe(PATHS.length);
});
