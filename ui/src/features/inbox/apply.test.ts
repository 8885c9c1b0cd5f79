// The window as a person uses it, against an API of a few lines: pressing Apply, and what is shown for it.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApplyAnswer, ProposalDetail, Room } from '$lib/api/types';
import { Workspace } from '$lib/workspace.svelte';
import { AT, DIGEST, detailOf, NEWER, roomOf } from '../../test/room';
import { host, session } from '../../test/session';
import Frame from '../frame/Frame.svelte';

function fakeApi(role: Room['you']['role'] = 'member') {
  const applied: string[] = [];
  const asked: string[] = [];
  const state = { detail: detailOf(), newer: false, refuse: null as Record<string, unknown> | null };

  function apply(digest: string): [number, unknown] {
    applied.push(digest);
    if (state.refuse) return [state.refuse.status as number, state.refuse];
    if (digest !== state.detail.digest)
      return [412, { status: 412, code: 'proposal.changed', detail: '', hint: '', retry: 'after_refresh' }];
    const answer: ApplyAnswer = {
      outcome: 'applied',
      proposal: 12,
      seq: 57,
      revision: 1,
      digest,
      applied_at: AT,
      applied_by: 'Ani',
      door: 'desktop',
      attempts: 1,
      evidence: 'kept',
      effects: [],
    };
    const before = state.detail.receipt;
    if (!before) {
      const { outcome: _o, attempts: _a, evidence: _e, effects: _f, ...receipt } = answer;
      state.detail = {
        ...state.detail,
        state: 'applied',
        receipt: { ...receipt, id: 'p', os_user: null, seen: 'digest', leaf: '0' },
      };
      return [201, answer];
    }
    const recent = [...state.detail.duplicates.recent, { at: AT, actor: 'Ani', door: 'desktop' as const }];
    state.detail = {
      ...state.detail,
      duplicates: { count: recent.length, first_at: AT, last_at: AT, recent },
    };
    return [200, { ...answer, outcome: 'replayed', attempts: 1 + recent.length }];
  }

  async function answer(request: Request): Promise<[number, unknown]> {
    const path = new URL(request.url).pathname;
    asked.push(path);
    if (path === '/v1/store') return [200, { id: 's', path: '/s', warnings: [], you: { name: 'Ani' } }];
    if (path === '/v1/rooms') return [200, { items: [roomOf(role)] }];
    if (path.endsWith('/members'))
      return [200, { items: [{ id: 'u3', kind: 'person', name: 'Budi', role: 'maintainer' }] }];
    if (path.endsWith('/proposals')) return [200, { items: [state.detail], next: null }];
    if (path.endsWith('/12')) return [200, state.detail];
    if (path.endsWith('/diff'))
      return [
        200,
        { proposal: 12, revision: state.detail.revision, digest: state.detail.digest, changes: [] },
      ];
    if (path.endsWith('/apply')) return apply(((await request.json()) as { digest: string }).digest);
    return new Promise(() => {});
  }

  vi.stubGlobal('fetch', async (request: Request) => {
    const [status, body] = await answer(request);
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
  });
  return { applied, asked, state };
}

async function open() {
  const user = render(Frame, {
    workspace: new Workspace(host, session),
    opened: null,
    openProblem: null,
    ondismiss: () => {},
    onsession: () => {},
  });
  await screen.findByRole('heading', { name: /Raise/ });
  return user;
}
const applyButton = () => screen.findByRole('button', { name: /^Apply/ });
/** The diff is on the screen when the bar no longer says that it loads. */
const ready = () => screen.findByText('Runs once. Pressing again changes nothing.');

beforeEach(() => vi.stubGlobal('CSS', { supports: () => false, escape: (text: string) => text }));
afterEach(() => vi.unstubAllGlobals());

test('five fast presses are five calls with the digest on the screen, one receipt, and four repeats', async () => {
  const { applied } = fakeApi();
  await open();
  await ready();
  const button = await applyButton();
  for (let i = 0; i < 5; i++) void fireEvent.click(button);
  await screen.findByText('Nothing changed: this ran already');
  await screen.findByText(/4 later attempts, each without effect/);
  expect(applied).toEqual(Array(5).fill(DIGEST));
  expect(screen.getAllByTestId('receipt')).toHaveLength(1);
  expect(await applyButton()).toBe(button);
  expect((button as HTMLButtonElement).disabled).toBe(false);
});

test('the A key applies; a held key does not flood, and a new press always counts', async () => {
  const { applied } = fakeApi();
  await open();
  await ready();
  await fireEvent.keyDown(window, { key: 'a' });
  for (let i = 0; i < 20; i++) await fireEvent.keyDown(window, { key: 'a', repeat: true });
  expect(applied).toHaveLength(1);
  await fireEvent.keyDown(window, { key: 'a' });
  await waitFor(() => expect(applied).toHaveLength(2));
  await fireEvent.keyDown(window, { key: 'a', ctrlKey: true });
  expect(applied).toHaveLength(2);
});

test('a revision that came in meanwhile is refused and offered, never swapped in', async () => {
  const { applied, state } = fakeApi();
  await open();
  await ready();
  state.detail = { ...state.detail, revision: 2, digest: NEWER, title: 'Something else' };
  await fireEvent.click(await applyButton());
  await screen.findByText('There is a newer revision than the one you read.');
  expect(screen.getByText(/Nothing changed\./)).toBeTruthy();
  expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Raise');
  await fireEvent.click(await screen.findByRole('button', { name: 'Load revision 2' }));
  await waitFor(() =>
    expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Something else'),
  );
  await ready();
  await fireEvent.click(await applyButton());
  await screen.findByTestId('receipt');
  expect(applied).toEqual([DIGEST, NEWER]);
});

test('busy says that pressing again is safe, and pressing again settles it', async () => {
  const { state } = fakeApi();
  await open();
  await ready();
  state.refuse = { status: 503, code: 'store.busy', detail: '', hint: '', retry: 'same' };
  await fireEvent.click(await applyButton());
  await screen.findByText('The store is busy right now.');
  expect(screen.queryByTestId('receipt')).toBeNull();
  state.refuse = null;
  await fireEvent.click(await screen.findByRole('button', { name: 'Press Apply again' }));
  await screen.findByTestId('receipt');
  expect(screen.queryByText('The store is busy right now.')).toBeNull();
});

test('a reviewer sees why there is no Apply and whom to ask', async () => {
  fakeApi('reviewer');
  await open();
  await screen.findByText('You are a reviewer here, and reviewers read. To apply, ask Budi.');
  expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
});

test('a proposal whose time passed before it was opened is looked for again in the list and the counts', async () => {
  const { asked, state } = fakeApi();
  const answers = fetch;
  vi.stubGlobal('fetch', (request: Request) => {
    // The list was read while it still waited.
    if (request.url.endsWith('/12')) state.detail = { ...state.detail, state: 'expired' };
    return answers(request);
  });
  await open();
  await screen.findByText(/^Past its time/);
  const lists = () => asked.filter((path) => path.endsWith('/proposals')).length;
  const rooms = () => asked.filter((path) => path === '/v1/rooms').length;
  await waitFor(() => expect([lists(), rooms()]).toEqual([2, 2]));
  // What was read again says the same as the detail, so it ends there.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([lists(), rooms()]).toEqual([2, 2]);
});

test('once an effect that was done is refused, its next step stands there once', async () => {
  const { state } = fakeApi();
  const code = 'effect.already_done';
  const failed = { check: 'effect_key' as const, ok: false, code, detail: '', proposals: [1], moved: [] };
  state.detail = {
    ...state.detail,
    effect_done_by: 1,
    effect_keys: [{ key: 'order/1', generation: 0 }],
    checks: [failed as ProposalDetail['checks'][number]],
  };
  await open();
  await screen.findByText('Already done by #1, so Apply will be refused.');
  expect(screen.getAllByText(/Compare the two/)).toHaveLength(1);
  state.refuse = { status: 409, code, detail: '', hint: '', retry: 'never', other: 1 };
  await fireEvent.click(await applyButton());
  const card = await screen.findByText('This was already done by #1.');
  expect(screen.getAllByText(/Compare the two/)).toHaveLength(1);
  expect(card.closest('[role=alert]')?.textContent).toContain('Compare the two');
});

test('a title is text', async () => {
  fakeApi();
  await open();
  const heading = screen.getByRole('heading', { level: 2 });
  expect(heading.querySelector('b')).toBeNull();
  expect(heading.textContent).toContain('<b>prices</b>');
});
