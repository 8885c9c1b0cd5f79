// The window as a person uses it, against an API of a few lines: propose, rebase, decide, split, revert.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announcer } from '$lib/announce.svelte';
import type { Conflict, Diff, DiffChange, ProposalDetail, Rebase, Room } from '$lib/api/types';
import { Selection } from '$lib/diff/selection';
import { Workspace } from '$lib/workspace.svelte';
import { AT, DIGEST, detailOf, NEWER, roomOf } from '../../test/room';
import { host, session } from '../../test/session';
import Frame from '../frame/Frame.svelte';
// What the window loads when it is first asked for is there already here.
import '$lib/ui/OpenDialog.svelte';
import '$lib/ui/OpenMenu.svelte';
import '../propose/ProposeDialog.svelte';
import './carrying';

/** A key that the window made. */
const OWN = expect.stringMatching(/^[0-9a-f]{32}$/) as unknown;

type Sent = [path: string, body: unknown];

const part = (text: string) => ({ start: 10, lines: text === '' ? 0 : 1, text, cut: false });
const region = (base: string, now: string, after: string) => ({
  base: part(base),
  now: part(now),
  after: part(after),
  above: ['above'],
  below: ['below'],
});
const conflict = (path: string, more: Partial<Conflict> = {}): Conflict => ({
  path,
  from: null,
  kind: 'text',
  now: 'sha256:00',
  detail: '',
  by: { proposal: 11, seq: 3 },
  regions: [],
  places: [],
  moved_to: null,
  ...more,
});
const twoRegions = conflict('harga.md', {
  regions: [region('18\n', '19\n', '20\n'), region('a\n', 'b\n', '')],
});
const gone = conflict('lama.md', { kind: 'deleted' });

const hunk = (line: number): DiffChange['hunks'][number] => ({
  old_start: line,
  old_lines: 1,
  new_start: line,
  new_lines: 1,
  lines: [
    { kind: 'remove', old: line, new: null, text: 'x', spans: [], no_newline: false },
    { kind: 'add', old: null, new: line, text: 'y', spans: [], no_newline: false },
  ],
});
const changed = (path: string, hunks: number): DiffChange => ({
  path,
  from: null,
  op: 'replace',
  mode: '100644',
  mode_before: '100644',
  kind: 'text',
  bytes_before: 1,
  bytes: 1,
  added: hunks,
  removed: hunks,
  moved_hunks: [],
  old_total: 100,
  new_total: 100,
  hunks: Array.from({ length: hunks }, (_, i) => hunk(10 * (i + 1))),
});

const receipt = {
  proposal: 12,
  id: 'p',
  seq: 57,
  revision: 1,
  digest: DIGEST,
  applied_at: AT,
  applied_by: 'Ani',
  door: 'desktop',
  os_user: null,
  seen: 'digest',
  leaf: '0',
} as ProposalDetail['receipt'];

function fakeApi(more: Partial<ProposalDetail> = {}, role: Room['you']['role'] = 'member') {
  const sent: Sent[] = [];
  const state = {
    detail: { ...detailOf(), ...more },
    changes: [] as DiffChange[],
    conflicts: [] as Conflict[],
    /** What the next write answers, instead of what it would. */
    refuse: null as Record<string, unknown> | null,
    /** The next write is done, and its answer is lost on the way. */
    lose: false,
    /** Where others have moved its document. */
    movedTo: null as string | null,
  };
  /** What was made under a key, and of what. */
  const made = new Map<unknown, { proposal: number; of: string }>();
  const refusal = (code: string, rest: object = {}) => ({
    status: 409,
    code,
    detail: 'English detail',
    hint: '',
    retry: 'never',
    ...rest,
  });
  const proposed = (proposal: number, revision: number) => ({
    proposal,
    revision,
    created: true,
    replayed: false,
  });

  function write(path: string, body: unknown): [number, unknown] {
    sent.push([path.replace('/v1/rooms/main/proposals', ''), body]);
    if (state.refuse) {
      const refuse = state.refuse;
      state.refuse = null;
      return [refuse.status as number, refuse];
    }
    const seen = (body as { digest?: string }).digest;
    if (/\/(rebase|split)$/.test(path) && seen !== state.detail.digest)
      return [412, refusal('proposal.changed', { status: 412, digest: state.detail.digest })];
    if (path.endsWith('/rebase')) {
      state.detail = { ...state.detail, stale: false, revision: 2, digest: NEWER, checks: [] };
      return [201, proposed(12, 2)];
    }
    if (path.endsWith('/split')) {
      state.detail = { ...state.detail, revision: 2, digest: NEWER };
      return [201, { taken: proposed(12, 2), rest: proposed(13, 1) }];
    }
    if (path.endsWith('/apply')) return [201, { ...receipt, outcome: 'applied', attempts: 1, effects: [] }];
    const { key, ...words } = body as { key: string | null };
    const of = JSON.stringify(words);
    const before = made.get(key);
    if (before?.of === of) return [200, { ...proposed(before.proposal, 1), created: false, replayed: true }];
    if (before) return [409, refusal('key.reused', { field: 'key', other: before.proposal })];
    const proposal = 13 + made.size;
    made.set(key, { proposal, of });
    return [201, proposed(proposal, 1)];
  }

  async function answer(request: Request): Promise<[number, unknown]> {
    const path = new URL(request.url).pathname;
    if (request.method === 'POST') return write(path, await request.json());
    const { detail } = state;
    if (path === '/v1/store') return [200, { id: 's', path: '/s', warnings: [], you: { name: 'Ani' } }];
    if (path === '/v1/rooms') return [200, { items: [roomOf(role)] }];
    if (path.endsWith('/members')) return [200, { items: [] }];
    if (path.endsWith('/proposals')) return [200, { items: [detail], next: null }];
    if (/\/1\d$/.test(path)) return [200, { ...detail, proposal: Number(path.slice(-2)) }];
    if (path.endsWith('/rebase')) {
      const rebase: Rebase = {
        proposal: 12,
        revision: detail.revision,
        digest: detail.digest,
        needed: true,
        clean: state.conflicts.length === 0,
        changes: [{ path: 'harga.md', from: null, outcome: 'merged', moved_to: state.movedTo }],
        conflicts: state.conflicts,
      };
      return [200, rebase];
    }
    if (path.endsWith('/diff')) {
      const diff: Diff = { ...detail, changes: state.changes };
      return [200, diff];
    }
    return new Promise(() => {});
  }
  vi.stubGlobal('fetch', async (request: Request) => {
    const lost = request.method === 'POST' && state.lose;
    const [status, body] = await answer(request);
    if (lost) {
      state.lose = false;
      throw new TypeError('Failed to fetch');
    }
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
  });
  return { sent, state, refusal, made };
}

const moved = [
  { path: 'harga.md', expected: DIGEST, now: NEWER, by: { proposal: 11, seq: 3 } },
] as ProposalDetail['checks'][number]['moved'];
const stale: Partial<ProposalDetail> = {
  stale: true,
  checks: [{ check: 'base', ok: false, code: 'proposal.stale', detail: '', proposals: [11], moved }],
};

async function open() {
  const workspace = new Workspace(host, session);
  render(Frame, {
    workspace,
    opened: null,
    openProblem: null,
    ondismiss: () => {},
    onsession: () => {},
  });
  await screen.findByRole('heading', { name: /Raise/ });
  return workspace;
}
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const menu = async (name: string) => {
  await press('More actions');
  await fireEvent.click(await screen.findByRole('menuitem', { name }));
};
const pick = (group: HTMLElement, name: string) =>
  fireEvent.click(within(group).getByRole('radio', { name }));

// A window of this size is put together in some time on a busy computer; nothing here measures it.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 10_000 });
beforeEach(() => {
  vi.stubGlobal('CSS', { supports: () => false, escape: (text: string) => text });
  vi.stubGlobal('scrollTo', () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a clean rebase is one press, carries the digest that was read, and shows the new revision', async () => {
  const { sent } = fakeApi(stale);
  await open();
  await screen.findByText('A rebase joins both without a conflict.');
  expect(screen.getByText(/^Rebase it on the latest version/)).toBeTruthy();
  await press('Rebase');
  await screen.findByText('Revision 2 stands on the latest version. Read its diff, then apply.');
  expect(sent).toEqual([['/12/rebase', { digest: DIGEST, take: [] }]]);
  await screen.findByText('Runs once. Pressing again changes nothing.');
  await fireEvent.click(await screen.findByRole('button', { name: /^Apply/ }));
  await waitFor(() => expect(sent.at(-1)).toEqual(['/12/apply', { digest: NEWER }]));
});

test('where others have moved a document is said before a rebase follows it', async () => {
  const { state } = fakeApi(stale);
  state.movedTo = 'arsip/harga.md';
  await open();
  await screen.findByText('A rebase joins both without a conflict.');
  expect(screen.getByText(/has moved to/).textContent).toMatch(
    /harga\.md.* has moved to .*arsip\/harga\.md.*: the change is made there\./s,
  );
});

test('conflicts are decided one by one, and only all of them make a rebase', async () => {
  const { sent, state } = fakeApi(stale);
  state.conflicts = [twoRegions, gone];
  await open();
  await screen.findByText('A rebase needs your decision in 3 places.');
  await press('Decide conflicts');
  await screen.findByText('0 of 3 decided');
  const groups = screen.getAllByRole('group', { name: /What should be here/ });
  expect(groups).toHaveLength(3);
  await pick(groups[0]!, 'Now, then proposed');
  await pick(groups[1]!, 'Take proposed');
  await screen.findByText('2 of 3 decided');
  await press('Rebase with these choices');
  expect(sent).toEqual([]);
  expect(document.activeElement?.closest('fieldset')).toBe(groups[2]);
  await pick(groups[2]!, 'Make it again as proposed');
  await press('Rebase with these choices');
  await screen.findByText(/^Revision 2 stands on the latest version/);
  expect(sent).toEqual([
    [
      '/12/rebase',
      {
        digest: DIGEST,
        take: [
          { path: 'harga.md', from: null, now: 'sha256:00', sides: ['now_after', 'after'] },
          { path: 'lama.md', from: null, now: 'sha256:00', sides: ['after'] },
        ],
      },
    ],
  ]);
  expect(screen.queryByText(/decided/)).toBeNull();
});

test('documents that moved again meanwhile keep what was decided, and ask for the rest', async () => {
  const { state, refusal } = fakeApi(stale);
  state.conflicts = [gone];
  await open();
  await press('Decide conflicts');
  await pick(await screen.findByRole('group', { name: /What should be here/ }), 'Leave it deleted');
  await screen.findByText('1 of 1 decided');
  // The API names what the choices do not settle, and nothing else.
  state.refuse = refusal('proposal.conflict', { conflicts: [twoRegions] });
  await press('Rebase with these choices');
  await screen.findByText('1 of 3 decided');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Leave it deleted' }).checked).toBe(true);
});

test('choices that do not go together are said to be that, until another one is made', async () => {
  const { state, refusal } = fakeApi(stale);
  state.conflicts = [twoRegions];
  await open();
  await press('Decide conflicts');
  const groups = await screen.findAllByRole('group', { name: /What should be here/ });
  await pick(groups[0]!, 'Take proposed');
  await pick(groups[1]!, 'Keep now');
  // The same places again: with these sides the document would not be sound.
  state.refuse = refusal('proposal.conflict', { conflicts: [twoRegions] });
  await press('Rebase with these choices');
  const said = await screen.findByRole('alert');
  expect(said.textContent).toContain('do not go together');
  await pick((await screen.findAllByRole('group', { name: /What should be here/ }))[1]!, 'Take proposed');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what was decided is sent again with what is asked next', async () => {
  const { sent, state, refusal } = fakeApi(stale);
  state.conflicts = [gone];
  await open();
  await press('Decide conflicts');
  await pick(await screen.findByRole('group', { name: /What should be here/ }), 'Leave it deleted');
  const next = conflict('lama.md/x', { kind: 'occupied', now: 'absent' });
  state.refuse = refusal('proposal.conflict', { conflicts: [next] });
  await press('Rebase with these choices');
  await screen.findByText('1 of 2 decided');
  const [, group] = screen.getAllByRole('group', { name: /What should be here/ });
  expect(within(group!).getAllByRole('radio')).toHaveLength(1);
  expect(within(group!).getByText('If the \u2068lama.md\u2069 that is there', { exact: false })).toBeTruthy();
  await pick(group!, 'Leave this change out');
  await press('Rebase with these choices');
  await screen.findByText(/^Revision 2 stands on the latest version/);
  expect(sent.at(-1)![1]).toMatchObject({
    take: [
      { path: 'lama.md', sides: ['now'] },
      { path: 'lama.md/x', sides: ['now'] },
    ],
  });
});

test('a choice that cannot be had is said to be none, and what to do instead', async () => {
  const [change] = detailOf().changes;
  const { state, refusal } = fakeApi({ ...stale, changes: [{ ...change!, op: 'replace', path: 'lama.md' }] });
  state.conflicts = [gone];
  await open();
  await press('Decide conflicts');
  await screen.findByText(/^Another document has the place .*lama\.md/);
  await pick(await screen.findByRole('group', { name: /What should be here/ }), 'Make it again as proposed');
  state.refuse = refusal('proposal.conflict', { conflicts: [gone] });
  await press('Rebase with these choices');
  await screen.findByText(/^This could not be done.*propose it again\.$/);
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(['now']);
  await screen.findByText('0 of 1 decided');
});

test('what was decided is still there after a look at the diff', async () => {
  const { state } = fakeApi(stale);
  state.conflicts = [gone];
  await open();
  await press('Decide conflicts');
  await pick(await screen.findByRole('group', { name: /What should be here/ }), 'Leave it deleted');
  await press('Back');
  expect(screen.queryByText('1 of 1 decided')).toBeNull();
  await press('Decide conflicts');
  await screen.findByText('1 of 1 decided');
});

test('of a document that has moved it is said where it is, and what is done there is chosen', async () => {
  const [change] = detailOf().changes;
  const { sent, state } = fakeApi({
    ...stale,
    changes: [
      { ...change!, op: 'delete', path: 'a.md', from: null },
      { ...change!, op: 'rename', path: 'c.md', from: 'b.md' },
      { ...change!, op: 'replace', path: 'e.md', from: null },
    ],
  });
  state.conflicts = [
    conflict('a.md', { kind: 'deleted', now: 'absent', moved_to: 'd/a.md' }),
    conflict('c.md', { kind: 'deleted', now: 'absent', from: 'b.md', moved_to: 'd/b.md' }),
    conflict('e.md', { kind: 'binary', moved_to: 'd/e.md' }),
  ];
  await open();
  await press('Decide conflicts');
  expect((await screen.findAllByText(/^It has moved to .*d\/[ab]\.md.* meanwhile\./)).length).toBe(2);
  expect(screen.getByRole('region', { name: /^b\.md.*c\.md$/ })).toBeTruthy();
  expect(
    await screen.findByText(/^It has moved to .*d\/e\.md.* meanwhile\. Changed on both sides/),
  ).toBeTruthy();
  const [a, b, e] = screen.getAllByRole('group', { name: /What should be here/ });
  expect(within(a!).getAllByRole('radio')).toHaveLength(2);
  await pick(e!, 'Replace by what is proposed');
  await pick(a!, 'Leave it there');
  await pick(a!, 'Delete it there');
  await pick(b!, 'Leave it there');
  await pick(b!, 'Move it from there');
  await press('Rebase with these choices');
  await screen.findByText(/^Revision 2 stands on the latest version/);
  expect(sent[0]![1]).toMatchObject({
    take: [
      { path: 'a.md', sides: ['after'] },
      { path: 'c.md', from: 'b.md', sides: ['after'] },
      { path: 'e.md', sides: ['after'] },
    ],
  });
});

test('a split sends what stays, and links to the rest', async () => {
  const { sent, state } = fakeApi();
  state.changes = [changed('a.md', 3), changed('b.md', 1)];
  await open();
  await screen.findByText('Runs once. Pressing again changes nothing.');
  await menu('Split…');
  await screen.findByText(/Untick what is to become a new proposal/);
  await fireEvent.click(screen.getByRole('button', { name: 'Split' }));
  expect(sent).toEqual([]);
  // jsdom draws nothing of a virtual list, so the bar and the call are what is tested here.
  const title = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title of the rest' });
  expect(title.value).toBe('Raise <b>prices</b> (rest)');
  expect(sent).toEqual([]);
  await press('Cancel');
  expect(screen.queryByRole('textbox', { name: 'Title of the rest' })).toBeNull();
});

test('nothing is to be split where there is one part', async () => {
  const { state } = fakeApi();
  state.changes = [changed('a.md', 1)];
  await open();
  await screen.findByText('Runs once. Pressing again changes nothing.');
  await press('More actions');
  await screen.findByRole('menuitem', { name: 'Copy the digest' });
  expect(screen.queryByRole('menuitem', { name: 'Split…' })).toBeNull();
});

test('a revert is proposed under a title of its own, and its proposal is opened', async () => {
  const { sent } = fakeApi({ state: 'applied', receipt });
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  await press('Propose revert');
  const title = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect(title.value).toBe('Revert #12: Raise <b>prices</b>');
  await fireEvent.input(screen.getByRole('textbox', { name: 'Why (optional)' }), {
    target: { value: 'Too early' },
  });
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(13));
  expect(sent).toEqual([['/12/revert', { also: [], title: title.value, why: 'Too early', key: OWN }]]);
});

test('a revert in conflict shows the places, offers the later ones too, and loses nothing', async () => {
  const { sent, state, refusal } = fakeApi({ state: 'applied', receipt });
  await open();
  await press('Propose revert');
  const why = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Why (optional)' });
  await fireEvent.input(why, { target: { value: 'Too early' } });
  state.refuse = refusal('proposal.conflict', { conflicts: [twoRegions, twoRegions], later: [11, 9] });
  await press('Propose');
  await screen.findByText('Later changes stand in the same place.');
  // Two of the reverted proposals may have changed one document.
  expect(screen.getAllByText('As #12 left it')).toHaveLength(4);
  expect(screen.queryByRole('radio', { name: /Keep now/ })).toBeNull();
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Why (optional)' }).value).toBe(
    'Too early',
  );
  await press('Revert #11 and #9 as well');
  await waitFor(() => expect(sent.at(-1)?.[1]).toMatchObject({ also: [11, 9], why: 'Too early' }));
});

const PATCH = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';

/** happy-dom has no clipboard data of its own. */
function paste(target: Element | Window, text: string) {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files: [], getData: () => text } });
  target.dispatchEvent(event);
  return event;
}

test('a pasted patch opens the dialog with it, and a refusal points at its line', async () => {
  const { sent, state, refusal } = fakeApi();
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  expect(paste(document.body, PATCH).defaultPrevented).toBe(true);
  const patch = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Patch (unified diff)' });
  expect(patch.value).toBe(PATCH);
  const title = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  await fireEvent.input(title, { target: { value: ' Change x ' } });
  state.refuse = refusal('patch.mismatch', {
    field: 'changes[0].diff',
    path: 'x',
    hunk: 1,
    line: 4,
    expected: ['a'],
    found: ['c'],
  });
  await press('Propose');
  const alert = await screen.findByRole('alert');
  const told = alert.textContent.replaceAll(/\s+/g, ' ');
  for (const word of [
    'Document x',
    'Part 1',
    'Line of the patch 4',
    'Expected a',
    'Found c',
    'Nothing changed.',
  ])
    expect(told).toContain(word);
  expect([patch.selectionStart, patch.selectionEnd]).toEqual([
    PATCH.indexOf('-a'),
    PATCH.indexOf('-a') + '-a'.length,
  ]);
  expect([title.value, patch.value]).toEqual([' Change x ', PATCH]);
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(13));
  expect(sent.at(-1)).toEqual([
    '',
    {
      format: 'sekali.proposal/1',
      title: 'Change x',
      why: '',
      key: OWN,
      changes: [{ op: 'patch', diff: PATCH }],
    },
  ]);
  expect(workspace.draft.written).toBe(false);
});

test('closing keeps the draft, and a second patch can be taken back', async () => {
  fakeApi();
  const workspace = await open();
  paste(document.body, PATCH);
  await screen.findByRole('textbox', { name: 'Patch (unified diff)' });
  await fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  await waitFor(() => expect(workspace.draft.open).toBe(false));
  paste(document.body, 'other');
  await screen.findByText('The patch that stood here was replaced.');
  await press('Put it back');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Patch (unified diff)' }).value).toBe(
    PATCH,
  );
});

test('whoever may not propose is not led to think so', async () => {
  fakeApi({}, 'reviewer');
  const workspace = await open();
  expect(paste(document.body, PATCH).defaultPrevented).toBe(false);
  expect(screen.queryByRole('button', { name: /Propose from a patch/ })).toBeNull();
  // A file that is dropped must not take the place of the window, whoever drops it.
  const drop = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(drop, { dataTransfer: { types: ['Files'], files: [new File([PATCH], 'x.diff')] } });
  document.body.dispatchEvent(drop);
  expect(drop.defaultPrevented).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(workspace.draft.open).toBe(false);
});

test('a dropped file opens the dialog, and one that a field would change is sent as it is', async () => {
  const { sent } = fakeApi();
  await open();
  const crlf = PATCH.replaceAll('\n', '\r\n');
  const drop = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(drop, {
    dataTransfer: { types: ['Files'], files: [new File([crlf], 'x.diff')], getData: () => '' },
  });
  document.body.dispatchEvent(drop);
  await screen.findByText('x.diff');
  await press('Propose');
  await waitFor(() => expect(sent.at(-1)?.[1]).toMatchObject({ changes: [{ op: 'patch', diff: crlf }] }));
});

test('what is pasted into a field stays there', async () => {
  fakeApi();
  const workspace = await open();
  const field = document.body.appendChild(document.createElement('textarea'));
  expect(paste(field, PATCH).defaultPrevented).toBe(false);
  expect(workspace.draft.open).toBe(false);
});

test('a proposal whose answer was lost is made once, and opened by the next press', async () => {
  const { sent, state, made } = fakeApi();
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  paste(document.body, PATCH);
  await fireEvent.input(await screen.findByRole('textbox', { name: 'Title' }), { target: { value: 'T' } });
  state.lose = true;
  await press('Propose');
  await screen.findByText(/^The answer was lost on the way/);
  // Closed between the presses, it is still the same submission.
  await press('Cancel');
  await press(/^Propose from a patch/);
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(13));
  expect([made.size, sent[0], workspace.draft.written]).toEqual([1, sent[1], false]);
});

test('a key that is typed after a lost answer makes no second proposal', async () => {
  const { sent, state, made } = fakeApi();
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  const said = vi.spyOn(announcer, 'say');
  paste(document.body, PATCH);
  await fireEvent.input(await screen.findByRole('textbox', { name: 'Title' }), { target: { value: 'T' } });
  state.lose = true;
  await press('Propose');
  await screen.findByText(/^The answer was lost on the way/);
  const key = screen.getByRole('textbox', { name: /^Idempotency key/, hidden: true });
  await fireEvent.input(key, { target: { value: 'mine' } });
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(13));
  expect([made.size, sent[0]]).toEqual([1, sent[1]]);
  expect(said).toHaveBeenCalledWith('The press before had landed: this is #13, and nothing new was made.');
});

test('words that were changed after a lost answer make no second proposal unasked', async () => {
  const { state, made } = fakeApi();
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  paste(document.body, PATCH);
  const title = await screen.findByRole('textbox', { name: 'Title' });
  await fireEvent.input(title, { target: { value: 'T' } });
  state.lose = true;
  await press('Propose');
  await screen.findByText(/^The answer was lost on the way/);
  await fireEvent.input(title, { target: { value: 'Another' } });
  await press('Propose');
  await screen.findByText('An earlier press had landed as #13, with other words than now.');
  expect([made.size, opened.mock.calls.length]).toEqual([1, 0]);
  await press('Open #13');
  expect(opened).toHaveBeenCalledWith(13);
  expect(workspace.draft.title).toBe('Another');
  await press(/^Propose from a patch/);
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(14));
});

test('a revert whose answer was lost is proposed once, also from a dialog that was opened again', async () => {
  const { sent, state, made } = fakeApi({ state: 'applied', receipt });
  const workspace = await open();
  const opened = vi.spyOn(workspace, 'openProposal');
  await press('Propose revert');
  await screen.findByRole('textbox', { name: 'Title' });
  state.lose = true;
  await press('Propose');
  await screen.findByText(/^The answer was lost on the way/);
  await press('Cancel');
  await press('Propose revert');
  await screen.findByRole('textbox', { name: 'Title' });
  await press('Propose');
  await waitFor(() => expect(opened).toHaveBeenCalledWith(13));
  expect([made.size, sent[1]]).toEqual([1, sent[0]]);
});

test('a rebase or split whose answer was lost is tried again as it was, and never applied instead', async () => {
  const tryAgain = async (what: string, sent: Sent[]) => {
    await screen.findByText(/^The answer was lost on the way/);
    const [first] = sent;
    await press('Try again');
    await screen.findByText('There is a newer revision than the one you read.');
    expect(sent).toEqual([first, first]);
    expect(first![0]).toBe(what);
    await press(/^Load revision 2/);
    await screen.findByText('Runs once. Pressing again changes nothing.');
  };
  const rebase = fakeApi(stale);
  await open();
  await screen.findByText('A rebase joins both without a conflict.');
  rebase.state.lose = true;
  await press('Rebase');
  await tryAgain('/12/rebase', rebase.sent);
  cleanup();

  const split = fakeApi();
  split.state.changes = [changed('a.md', 1), changed('b.md', 1)];
  await open();
  await screen.findByText('Runs once. Pressing again changes nothing.');
  // happy-dom draws nothing of a virtual list: what its tick boxes would leave is chosen here.
  const all = Selection.all;
  const choose = vi.spyOn(Selection, 'all');
  choose.mockImplementation((diff) => all(diff).set({ path: 'b.md', hunk: null }, false));
  await menu('Split…');
  await screen.findByText(/^1 of 2 parts/);
  choose.mockRestore();
  split.state.lose = true;
  await fireEvent.click(screen.getByRole('button', { name: 'Split' }));
  await tryAgain('/12/split', split.sent);
});

test('two changes of one path are both shown', async () => {
  const change = detailOf().changes[0]!;
  const { state } = fakeApi({
    changes: [
      { ...change, op: 'delete', path: 'b.md' },
      { ...change, op: 'rename', path: 'b.md', from: 'a.md' },
    ],
  });
  state.changes = [changed('b.md', 1), { ...changed('b.md', 1), from: 'a.md', op: 'rename' }];
  await open();
  expect(await screen.findAllByRole('button', { name: /^b\.md/ })).toHaveLength(2);
});
