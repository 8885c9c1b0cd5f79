import { expect, test } from 'vitest';
import type { ProposalDetail, State } from '$lib/api/types';
import { NOBODY, type Viewer } from './refusals';
import { caution, standing } from './standing';

const detail = (state: State, more: Partial<ProposalDetail> = {}) =>
  ({
    state,
    stale: false,
    effect_done_by: null,
    possible_duplicate_of: null,
    author: { id: 'a', kind: 'agent', name: 'drafting' },
    receipt: null,
    checks: [],
    links: { awaits: null },
    ...more,
  }) as ProposalDetail;
const member: Viewer = { ...NOBODY, role: 'member', ask: ['Budi'] };

const check = (
  state: State,
  viewer: Viewer,
  more: { stale?: boolean; outdated?: boolean; isAuthor?: boolean } = {},
) =>
  standing(
    { detail: detail(state, { stale: more.stale }), outdated: !!more.outdated, isAuthor: !!more.isAuthor },
    viewer,
    'en',
  );

test('members and maintainers may apply and reject what waits', () => {
  expect(check('waiting', member)).toMatchObject({ apply: 'primary', reject: true, withdraw: false });
  expect(check('waiting', { ...member, role: 'maintainer' })).toMatchObject({
    apply: 'primary',
    withdraw: true,
  });
  expect(check('waiting', member, { isAuthor: true }).withdraw).toBe(true);
});

test('Apply stays for what is applied: pressing again is answered, not prevented', () => {
  expect(check('applied', member)).toMatchObject({ apply: 'primary', reject: false });
});

test('Apply is offered less loudly where it will be refused', () => {
  expect(check('waiting', member, { stale: true }).apply).toBe('quiet');
  expect(check('waiting', member, { outdated: true }).apply).toBe('quiet');
});

test('an effect that was done already is said before Apply is pressed, with the proposal that did it', () => {
  const done = {
    check: 'effect_key',
    ok: false,
    code: null,
    detail: null,
    proposals: [11],
    moved: [],
  } as const;
  const bar = (checks: unknown[]) =>
    standing(
      {
        detail: detail('waiting', { checks: checks as ProposalDetail['checks'] }),
        outdated: false,
        isAuthor: false,
      },
      member,
      'en',
    );
  expect(bar([done])).toMatchObject({ apply: 'quiet', reject: true });
  expect(bar([done]).note).toBe('Already done by #11, so Apply will be refused.');
  expect(bar([{ ...done, proposals: [] }]).note).toMatch(/another proposal/);
  expect(bar([{ ...done, ok: true }]).apply).toBe('primary');
});

test('the list marks what waits and is not like the others, what Apply looks at first coming first', () => {
  const marked = (more: Partial<ProposalDetail>, locale: 'en' | 'id' = 'en', state: State = 'waiting') =>
    caution(detail(state, more), locale);
  const all = { effect_done_by: 1, stale: true, possible_duplicate_of: 2 };
  expect(marked({})).toBeNull();
  expect(marked(all)).toBe('effect done by #1');
  expect(marked(all, 'id')).toBe('tindakan sudah dilakukan #1');
  expect(marked({ ...all, effect_done_by: null })).toBe('base has moved');
  expect(marked({ possible_duplicate_of: 2 })).toBe('possible duplicate of #2');
  expect(marked({ possible_duplicate_of: 2 }, 'id')).toBe('mungkin duplikat #2');
  expect(marked(all, 'en', 'applied')).toBeNull();
});

test('where a rebase would not help, the bar speaks of the effect', () => {
  const checks = [{ check: 'effect_key', ok: false, code: null, detail: null, proposals: [1], moved: [] }];
  const late = detail('waiting', { stale: true, checks: checks as ProposalDetail['checks'] });
  expect(standing({ detail: late, outdated: false, isAuthor: false }, member, 'en').note).toMatch(/#1/);
});

test('those who may not apply are told why and whom to ask', () => {
  const cases: [Viewer, RegExp][] = [
    [{ ...member, role: 'reviewer' }, /reviewer.*Budi/],
    [{ ...member, kind: 'agent', role: null }, /Agents.*Budi/],
    [{ ...member, kind: 'source', role: null }, /Sources.*Budi/],
    [{ ...member, role: null }, /not a member.*Budi/],
  ];
  for (const [viewer, note] of cases) {
    const bar = check('waiting', viewer);
    expect(bar).toMatchObject({ apply: null, reject: false });
    expect(bar.note).toMatch(note);
  }
});

test('decided proposals offer only what can still be done', () => {
  expect(check('rejected', member)).toMatchObject({ apply: null, reopen: true });
  expect(check('rejected', { ...member, role: 'reviewer' }).reopen).toBe(false);
  expect(check('withdrawn', member)).toMatchObject({ apply: null, reopen: false });
  expect(check('expired', member)).toMatchObject({ apply: null, reopen: false });
});

test('where the base has moved, rebase comes first for those who may make a revision', () => {
  expect(check('waiting', member, { stale: true })).toMatchObject({ rebase: 'primary', apply: 'quiet' });
  expect(check('waiting', { ...member, role: 'reviewer' }, { stale: true }).rebase).toBeNull();
  const agent: Viewer = { ...NOBODY, kind: 'agent' };
  expect(check('waiting', agent, { stale: true }).rebase).toBeNull();
  expect(check('waiting', agent, { stale: true, isAuthor: true })).toMatchObject({
    rebase: 'primary',
    split: true,
    apply: null,
  });
  expect(check('waiting', member)).toMatchObject({ rebase: null, split: true });
  expect(check('waiting', member, { stale: true, outdated: true })).toMatchObject({
    rebase: null,
    split: false,
  });
});

test('what was split off waits for what it was split from, and a rebase is not the first advice', () => {
  const rest = (awaits: number | null) =>
    standing(
      {
        detail: detail('waiting', { stale: true, links: { awaits } as ProposalDetail['links'] }),
        outdated: false,
        isAuthor: false,
      },
      member,
      'en',
    );
  expect(rest(7)).toMatchObject({ rebase: 'quiet', apply: 'quiet' });
  expect(rest(7).note).toMatch(/#7/);
  expect(rest(null)).toMatchObject({ rebase: 'primary' });
});

test('a revert is offered for what is applied, to all who may propose', () => {
  expect(check('applied', member).revert).toBe(true);
  expect(check('applied', { ...NOBODY, kind: 'agent' })).toMatchObject({ revert: true, apply: null });
  expect(check('applied', { ...member, role: 'reviewer' }).revert).toBe(false);
  expect(check('applied', NOBODY).revert).toBe(false);
  expect(check('waiting', member).revert).toBe(false);
});
