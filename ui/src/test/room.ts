// A room with one proposal, as the API tells it.
import type { ProposalDetail, Room } from '$lib/api/types';

export const DIGEST = `sha256:${'a'.repeat(64)}`;
export const NEWER = `sha256:${'b'.repeat(64)}`;
export const AT = '2026-11-30T07:02:11.123Z';

export function detailOf(): ProposalDetail {
  return {
    proposal: 12,
    id: 'p',
    title: 'Raise <b>prices</b>',
    state: 'waiting',
    author: { id: 'u2', kind: 'agent', name: 'drafting' },
    created_at: AT,
    revision: 1,
    digest: DIGEST,
    touches: { added: 1, removed: 0, documents: 1, files: 0, messages: 0 },
    stale: false,
    effect_done_by: null,
    possible_duplicate_of: null,
    talk: { count: 0, open_asks: [], last: null },
    why: 'Because.',
    effect_keys: [],
    valid_until: null,
    correlation: null,
    revisions: [],
    checks: [],
    changes: [
      {
        in: 'documents',
        op: 'create',
        path: 'a.md',
        from: null,
        base: 'absent',
        after: DIGEST,
        mode: '100644',
        mode_before: null,
        bytes: 2,
        bytes_before: null,
        binary: false,
        uncounted: false,
        added: 1,
        removed: 0,
        moved_hunks: [],
      },
    ],
    decision: null,
    receipt: null,
    duplicates: { count: 0, first_at: null, last_at: null, recent: [] },
    links: {
      reverts: null,
      also_reverts: [],
      reverted_by: null,
      revert_waiting: null,
      split_from: null,
      awaits: null,
      split_into: [],
      same_effect: [],
    },
    possible_duplicates: [],
  };
}

export const roomOf = (role: Room['you']['role']): Room => ({
  id: 'r',
  slug: 'main',
  title: 'Main',
  you: { id: 'u1', name: 'Ani', kind: 'person', role },
  counts: { waiting: 1, applied: 0, rejected: 0, withdrawn: 0, expired: 0 },
  ledger: { size: 0, root: '' },
  change_seq: 1,
  created_at: AT,
});
