// Where a proposal stands for the person who looks at it: state × role -> what the action bar offers and
// what it says. The API decides; this only says beforehand what it will say.
import { m } from '$lib/paraglide/messages';
import type { Language } from '$lib/host';
import type { ProposalDetail, ProposalItem } from '$lib/api/types';
import { formatAt, formatNames } from '$lib/i18n/format';
import { mayPropose, mayRevise, type Viewer } from './refusals';

export interface Standing {
  apply: 'primary' | 'quiet' | null;
  reject: boolean;
  reopen: boolean;
  withdraw: boolean;
  rebase: 'primary' | 'quiet' | null;
  split: boolean;
  revert: boolean;
  note: string;
}

interface Seen {
  detail: ProposalDetail;
  /** The revision on the screen is no longer the newest. */
  outdated: boolean;
  isAuthor: boolean;
}

const none: Omit<Standing, 'note'> = {
  apply: null,
  reject: false,
  reopen: false,
  withdraw: false,
  rebase: null,
  split: false,
  revert: false,
};

/** Why there is no Apply for this viewer; null for members and maintainers. */
function readOnlyNote(viewer: Viewer, locale: Language): string | null {
  const names = viewer.ask.length
    ? formatNames(viewer.ask, m.or({}, { locale }))
    : m.ask_member({}, { locale });
  if (viewer.kind === 'agent') return m.bar_agent({ names }, { locale });
  if (viewer.kind === 'source') return m.bar_source({ names }, { locale });
  if (viewer.role === 'reviewer') return m.bar_reviewer({ names }, { locale });
  if (viewer.role === null) return m.bar_no_role({ names }, { locale });
  return null;
}

const effectNote = (k: number | undefined, locale: Language) =>
  k === undefined ? m.bar_effect_done_some({}, { locale }) : m.bar_effect_done({ k }, { locale });

/** What is to be known of a waiting proposal before it is even opened; null where it is like any other. */
export function caution(item: ProposalItem, locale: Language): string | null {
  if (item.state !== 'waiting') return null;
  if (item.effect_done_by !== null) return m.list_effect_done({ k: item.effect_done_by }, { locale });
  if (item.stale) return m.list_stale({}, { locale });
  if (item.possible_duplicate_of !== null)
    return m.list_possible_duplicate({ k: item.possible_duplicate_of }, { locale });
  return null;
}

export function standing({ detail, outdated, isAuthor }: Seen, viewer: Viewer, locale: Language): Standing {
  const readOnly = readOnlyNote(viewer, locale);
  const mayWithdraw = isAuthor || viewer.role === 'maintainer';
  switch (detail.state) {
    case 'applied': {
      const when = detail.receipt ? formatAt(detail.receipt.applied_at, locale, { zone: false }) : '';
      return {
        ...none,
        apply: readOnly ? null : 'primary',
        revert: mayPropose(viewer),
        note: m.bar_applied_once({ when }, { locale }),
      };
    }
    case 'rejected':
      return {
        ...none,
        reopen: readOnly === null,
        withdraw: false,
        note: readOnly ?? m.bar_rejected({}, { locale }),
      };
    case 'withdrawn':
      return { ...none, note: m.bar_withdrawn({}, { locale }) };
    case 'expired':
      return {
        ...none,
        note: isAuthor
          ? m.bar_expired_own({}, { locale })
          : m.bar_expired({ author: detail.author.name }, { locale }),
      };
    case 'waiting': {
      const rebase = detail.stale && !outdated && mayRevise({ ...viewer, own: isAuthor });
      const split = !outdated && mayRevise({ ...viewer, own: isAuthor });
      if (readOnly)
        return { ...none, withdraw: isAuthor, rebase: rebase ? 'primary' : null, split, note: readOnly };
      const open = { ...none, reject: true, withdraw: mayWithdraw, split };
      if (outdated) return { ...open, apply: 'quiet', note: m.bar_changed({}, { locale }) };
      // As Apply looks: where both hold, a rebase alone would not help.
      const done = detail.checks.find((check) => check.check === 'effect_key' && !check.ok);
      const quiet = { ...open, apply: 'quiet', rebase: rebase ? 'quiet' : null } as const;
      if (done) return { ...quiet, note: effectNote(done.proposals[0], locale) };
      const k = detail.links.awaits;
      if (k !== null) return { ...quiet, note: m.bar_awaits({ k }, { locale }) };
      if (detail.stale)
        return { ...quiet, rebase: rebase ? 'primary' : null, note: m.bar_stale({}, { locale }) };
      return { ...open, apply: 'primary', note: m.bar_runs_once({}, { locale }) };
    }
  }
}
