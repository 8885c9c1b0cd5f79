// What is said about a proposal, against an API of a few lines.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Comment, CommentBody, ProposalDetail } from '$lib/api/types';
import { counter, lineOf } from '$lib/diff/talking';
import { Workspace } from '$lib/workspace.svelte';
import { AT, DIGEST, detailOf, roomOf } from '../../test/room';
import { host, session } from '../../test/session';
import Frame from '../frame/Frame.svelte';

const ani = { id: 'u1', kind: 'person' as const, name: 'Ani' };
const said = (comment: number, more: Partial<Comment> = {}): Comment => ({
  comment,
  kind: 'comment',
  answers: null,
  author: ani,
  door: 'desktop',
  at: AT,
  revision: 1,
  line: null,
  text: `Text ${comment}`,
  ...more,
});

function fakeApi() {
  const state = { comments: [] as Comment[], lost: false, sent: [] as CommentBody[] };
  const detail = (): ProposalDetail => {
    const answered = state.comments.map(({ answers }) => answers);
    const open_asks = state.comments
      .filter(({ kind, comment }) => kind === 'ask' && !answered.includes(comment))
      .map(({ comment }) => comment);
    const check = { check: 'changes_asked' as const, code: null, detail: null, proposals: [], moved: [] };
    return {
      ...detailOf(),
      talk: { count: state.comments.length, open_asks, last: null },
      checks: [{ ...check, ok: open_asks.length === 0 }],
    };
  };
  const line = (n: number, text: string) => ({ kind: 'add' as const, old: null, new: n, text, spans: [] });
  async function answer(request: Request): Promise<[number, unknown]> {
    const { pathname } = new URL(request.url);
    if (pathname === '/v1/store') return [200, { id: 's', path: '/s', warnings: [], you: { name: 'Ani' } }];
    if (pathname === '/v1/rooms') return [200, { items: [roomOf('reviewer')] }];
    if (pathname.endsWith('/members')) return [200, { items: [] }];
    if (pathname.endsWith('/proposals')) return [200, { items: [detail()], next: null }];
    if (pathname.endsWith('/12')) return [200, detail()];
    if (pathname.endsWith('/diff')) {
      const [change] = detailOf().changes;
      const hunk = {
        old_start: 0,
        old_lines: 0,
        new_start: 1,
        new_lines: 2,
        lines: [line(1, 'x'), line(2, 'y')],
      };
      const text = { ...change, kind: 'text', old_total: 0, new_total: 2, hunks: [hunk] };
      return [200, { proposal: 12, revision: 1, digest: DIGEST, changes: [text] }];
    }
    if (pathname.endsWith('/comments') && request.method === 'GET')
      return [200, { items: state.comments, next: null }];
    if (pathname.endsWith('/comments')) {
      const body = (await request.json()) as CommentBody;
      state.sent.push(body);
      const kind = body.ask ? 'ask' : body.answers ? 'answer' : 'comment';
      const known = state.sent.findIndex(({ key }) => key === body.key);
      if (known < state.sent.length - 1) return [201, state.comments[known]];
      const next = said(state.comments.length + 1, {
        ...body,
        kind,
        answers: body.answers ?? null,
      } as Partial<Comment>);
      state.comments = [...state.comments, next];
      if (state.lost) {
        state.lost = false;
        return [503, { status: 503, code: 'store.outcome_unknown', detail: '', hint: '', retry: 'same' }];
      }
      return [201, next];
    }
    return [404, { status: 404, code: 'request.not_found', detail: '', hint: '', retry: 'never' }];
  }
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname.endsWith('/changes')) return new Promise(() => {});
    const [status, body] = await answer(request);
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  });
  return state;
}

let api: ReturnType<typeof fakeApi>;
beforeEach(() => {
  vi.stubGlobal('CSS', { supports: () => false, escape: (text: string) => text });
  api = fakeApi();
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  render(Frame, {
    workspace: new Workspace(host, session),
    opened: null,
    openProblem: null,
    ondismiss: () => {},
    onsession: () => {},
  });
  await screen.findByRole('heading', { name: /Raise/ });
  return screen.findByRole('textbox', { name: 'Comment' });
}

test('whoever reads says something, and it is there', async () => {
  const field = await open();
  expect(screen.getByText('Nobody has said anything yet.')).toBeTruthy();
  await fireEvent.input(field, { target: { value: 'Why <b>this</b>?' } });
  await fireEvent.click(screen.getByRole('checkbox', { name: 'Ask for changes' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(screen.getByText('Changes are asked for')).toBeTruthy());
  expect(api.sent).toMatchObject([
    { text: 'Why <b>this</b>?', ask: true, answers: null, line: null, revision: 1 },
  ]);
  expect((field as HTMLTextAreaElement).value).toBe('');
  // It is answered from where it stands.
  await fireEvent.click(await screen.findByRole('button', { name: /^Answer/ }));
  await fireEvent.input(field, { target: { value: 'Because.' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(screen.queryByText('Changes are asked for')).toBeNull());
  expect(api.sent[1]).toMatchObject({ ask: false, answers: 1 });
  expect(screen.getByText('asked for changes, answered')).toBeTruthy();
});

test('what is pressed again while an answer is lost is said once', async () => {
  const field = await open();
  api.lost = true;
  await fireEvent.input(field, { target: { value: 'Once' } });
  const send = screen.getByRole('button', { name: 'Comment' });
  await fireEvent.click(send);
  await screen.findByRole('alert');
  await fireEvent.click(send);
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''));
  expect(api.comments).toHaveLength(1);
  expect(new Set(api.sent.map(({ key }) => key)).size).toBe(1);
});

test('nothing is sent without a word', async () => {
  const field = await open();
  await fireEvent.input(field, { target: { value: ' \n' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
  expect((await screen.findAllByText('Write what you want to say first.')).length).toBeGreaterThan(0);
  expect(api.sent).toEqual([]);
});

test('a line is named by its number, or pointed at', async () => {
  const field = await open();
  await fireEvent.input(screen.getByRole('textbox', { name: 'On line' }), { target: { value: '2' } });
  expect(screen.getByText(/a\.md.*, line 2/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Not on a line' }));
  await fireEvent.input(field, { target: { value: 'x' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(api.sent).toHaveLength(1));
  expect(api.sent[0]).toMatchObject({ line: null });
});

test('comments are counted on the lines of the revision that is shown', () => {
  const line = { path: 'a', side: 'after' as const, line: 3 };
  const count = counter([said(1, { line }), said(2, { line }), said(3, { line, revision: 2 }), said(4)], 1);
  expect([count(line), count({ ...line, line: 4 }), count({ ...line, side: 'before' })]).toEqual([2, 0, 0]);
  const change = { path: 'b', from: 'a' } as Parameters<typeof lineOf>[0];
  const drawn = (kind: 'add' | 'remove' | 'context', old: number | null, next: number | null) =>
    lineOf(change, { kind, old, new: next, text: '', spans: [], no_newline: false });
  expect(drawn('remove', 7, null)).toEqual({ path: 'a', side: 'before', line: 7 });
  expect(drawn('context', 7, 8)).toEqual({ path: 'b', side: 'after', line: 8 });
});
