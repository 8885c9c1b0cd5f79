import { describe, expect, test } from 'vitest';
import { CODES, LOCAL_CODES, type Code, type Problem } from '$lib/api/problem';
import { explain, explainOpening, NOBODY, opens, type Viewer } from './refusals';

const problem = (code: Problem['code'], more: Partial<Problem> = {}): Problem => ({
  status: 400,
  code,
  detail: 'English detail',
  hint: '',
  retry: 'never',
  ...more,
});
const member: Viewer = {
  ...NOBODY,
  role: 'member',
  ask: ['Budi', 'Ani'],
  maintainers: ['Budi'],
  author: 'Citra',
};

describe('every code is explained in both languages', () => {
  for (const code of [...CODES, ...LOCAL_CODES])
    test(code, () => {
      const en = explain(problem(code), member, 'en');
      const id = explain(problem(code), member, 'id');
      for (const told of [en, id]) {
        expect(told.happened).toMatch(/\S.*[.]$/u);
        expect(told.next).toMatch(/\S.*[.]$/u);
        // Nothing is left to be filled in, as in an order for the command line.
        expect(told.happened + told.next).not.toMatch(/undefined|\{|\bnull\b|\bN\b/);
      }
      expect(id.happened).not.toBe(en.happened);
      expect(id.next).not.toBe(en.next);
      expect(id.action).toBe(en.action);
    });
});

describe('a store that was not opened', () => {
  const opening = [...CODES, ...LOCAL_CODES].filter((code) => code.startsWith('store.'));
  for (const code of [...opening, 'actor.unknown', 'member.invalid', 'internal'] as const)
    test(`${code} names no order for the command line and no press`, () => {
      for (const language of ['en', 'id'] as const) {
        const told = explainOpening(problem(code), NOBODY, language);
        expect(told.happened).toMatch(/\S.*[.]$/u);
        expect(told.next).toMatch(/\S.*[.]$/u);
        expect(told.happened + told.next).not.toMatch(/sekali [a-z]+ |--\w|press again|tekan lagi/);
        expect(told.action).toBe('none');
      }
    });

  test('settings that cannot be read are not taken for a disk that fails', () => {
    const settings = explainOpening(problem('store.io', { field: 'settings' }), NOBODY, 'en');
    expect(settings.happened).toMatch(/settings file/);
    expect(settings.detail).toBe('English detail');
    expect(explainOpening(problem('store.io'), NOBODY, 'en').happened).not.toMatch(/settings/);
  });
});

test('the list of codes is the API’s, whole', () => {
  // The type is `true` only while no code is missing: this line stops compiling otherwise.
  const complete: [Exclude<Code, (typeof CODES)[number]>] extends [never] ? true : false = true;
  expect(complete).toBe(true);
});

test('only a lost, unknown or broken answer leaves open whether something changed', () => {
  const unknown = [...CODES, ...LOCAL_CODES].filter(
    (code) => explain(problem(code), member, 'en').effect === 'unknown',
  );
  expect(unknown).toEqual(['store.outcome_unknown', 'internal', 'client.answer_lost', 'client.unexpected']);
  for (const code of unknown) {
    expect(explain(problem(code), member, 'en').action).toBe('press_again');
    expect(explain(problem(code), member, 'en').next).toMatch(/safe/);
    expect(explain(problem(code), member, 'id').next).toMatch(/aman/);
  }
});

test('a changed proposal offers its new revision, a stale one what moved it', () => {
  expect(explain(problem('proposal.changed'), member, 'en').action).toBe('load_revision');
  const moved = [{ path: 'a', expected: 'x', now: 'y', by: { proposal: 11, seq: 56 } }];
  const stale = problem('proposal.stale', { moved });
  expect(explain(stale, member, 'en').action).toBe('rebase');
  const reader: Viewer = { ...member, role: 'reviewer' };
  expect(explain(stale, reader, 'en').action).toBe('open_proposal');
  const unnamed = [{ path: 'a', expected: 'x', now: 'y', by: null }];
  expect(explain(problem('proposal.stale', { moved: unnamed }), reader, 'en').action).toBe('refresh');
});

test('nobody is told to ask themselves, nor others where they can do it', () => {
  const expired = problem('proposal.expired');
  expect(explain(expired, member, 'en').next).toMatch(/Ask Citra/);
  expect(explain(expired, { ...member, own: true }, 'en').next).not.toMatch(/Ask|Citra/);
  expect(explain(expired, { ...member, own: true }, 'id').next).toMatch(/Anda pengusulnya/);
  const stale = problem('proposal.stale');
  expect(explain(stale, { ...member, role: 'reviewer' }, 'en').next).toMatch(/Ask Citra/);
  for (const viewer of [member, { ...NOBODY, kind: 'agent', own: true } as Viewer]) {
    expect(explain(stale, viewer, 'en').next).toMatch(/^Rebase it/);
    expect(explain(stale, viewer, 'id').next).toMatch(/^Sesuaikan dengan versi terbaru/);
  }
});

test('what was split off names what is to be applied first', () => {
  const awaits = problem('proposal.stale', { other: 7, moved: [] });
  expect(explain(awaits, member, 'en').happened).toMatch(/builds on #7/);
  expect(explain(awaits, member, 'en').next).toMatch(/Apply #7 first/);
  expect(explain(awaits, member, 'id').next).toMatch(/Terapkan #7 dulu/);
  expect(explain(awaits, member, 'en').action).toBe('open_proposal');
});

test('what has no base any more is not told to be rebased', () => {
  const gone = problem('proposal.stale', { path: 'a.md', moved: [] });
  expect(explain(gone, member, 'en').happened).toMatch(/a\.md.* can no longer be found\.$/);
  for (const language of ['en', 'id'] as const)
    expect(explain(gone, member, language).next).toMatch(/^(Propose the change again|Ajukan lagi)/);
  expect(explain(gone, member, 'en').action).toBe('none');
});

test('the next step after no change and after a limit is one that can be taken', () => {
  const next = (code: Problem['code'], more: Partial<Problem>, language: 'en' | 'id' = 'en') =>
    explain(problem(code, more), member, language).next;
  expect(next('proposal.no_change', { proposal: 12 })).toMatch(/^Withdraw or reject/);
  // Refused while it was submitted: there is nothing to withdraw.
  expect(next('proposal.no_change', {})).toBe('Nothing needs to be proposed.');
  expect(next('proposal.no_change', {}, 'id')).toBe('Tidak ada yang perlu diajukan.');
  expect(next('limit.exceeded', { field: 'title' })).toMatch(/^Shorten/);
  expect(next('limit.exceeded', { field: 'changes[0].diff' })).toMatch(/^Divide/);
  expect(next('limit.exceeded', { field: 'changes' }, 'id')).toMatch(/^Bagi/);
});

test('why a proposal cannot be split is said in the language of the window', () => {
  const take = (more: Partial<Problem>) => problem('proposal.invalid', { field: 'take', ...more });
  const both = take({ path: 'b.md' });
  const effect = take({ value: 'order/8' });
  expect(explain(both, member, 'en').happened).toMatch(/b\.md.* need each other\.$/);
  expect(explain(both, member, 'id').happened).toMatch(/b\.md.* saling memerlukan\.$/);
  expect(explain(effect, member, 'en').happened).toMatch(/order\/8/);
  expect(explain(effect, member, 'id').next).toMatch(/^Tarik usulan ini/);
  for (const refused of [both, effect]) expect(explain(refused, member, 'id').detail).toBeNull();
  expect(explain(take({}), member, 'en').detail).toBe('English detail');
});

test('an own press that had landed with other words leads to what came of it', () => {
  const landed = problem('client.landed_before', { other: 13 });
  expect(explain(landed, member, 'en').happened).toMatch(/landed as #13/);
  expect(explain(landed, member, 'id').next).toMatch(/^Lihat #13/);
  expect(opens(landed, member)).toBe(13);
  expect(opens(problem('key.reused', { other: 9 }), member)).toBe(9);
  expect(opens(problem('patch.invalid', { other: 9 }), member)).toBeNull();
});

test('an effect already done names the proposal that did it', () => {
  const done = problem('effect.already_done', { proposal: 12, other: 117, same_content: false });
  expect(explain(done, member, 'en').happened).toBe('This was already done by #117.');
  expect(explain(done, member, 'en').next).toMatch(/^Its content is different\. /);
  expect(explain({ ...done, same_content: true }, member, 'id').next).toMatch(/^Isinya sama\. /);
  expect(explain(done, member, 'en').action).toBe('open_proposal');
});

test('whom to ask depends on who is denied', () => {
  const denied = problem('actor.denied');
  const next = (viewer: Partial<Viewer>) => explain(denied, { ...member, ...viewer }, 'en').next;
  expect(next({ role: 'reviewer' })).toBe('Reviewers read. Ask Budi or Ani.');
  expect(next({ kind: 'agent', role: null })).toBe('Agents and sources propose only. Ask Budi or Ani.');
  expect(next({ role: 'member' })).toBe('Ask Budi.');
  expect(next({ role: null, ask: [] })).toBe('Ask a member or a maintainer.');
});
