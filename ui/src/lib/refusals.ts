// Why something did not happen: code × role -> what happened, what became of it, the next step, and one
// primary action. The only place where a code becomes a sentence. Complete by the type of TABLE.
import { m } from '$lib/paraglide/messages';
import type { Language } from '$lib/host';
import type { Code, LocalCode, Problem } from '$lib/api/problem';
import type { ActorKind, Role } from '$lib/api/types';
import { formatNames, isolate } from '$lib/i18n/format';

export interface Viewer {
  kind: ActorKind;
  role: Role | null;
  /** Members and maintainers, to name whom to ask. */
  ask: string[];
  /** Maintainers only, for what only they can do. */
  maintainers: string[];
  author: string;
  /** The viewer proposed it: nobody is told to ask themselves. */
  own?: boolean;
}

export const NOBODY: Viewer = { kind: 'person', role: null, ask: [], maintainers: [], author: '' };

/** `nothing`: it is certain that nothing changed. `unknown`: it is not, and pressing again is safe. */
export type Effect = 'nothing' | 'unknown';

export type Action =
  | 'load_revision'
  | 'press_again'
  | 'open_proposal'
  | 'rebase'
  | 'reopen'
  | 'show_receipt'
  | 'refresh'
  | 'none';

export interface Refusal {
  code: Code | LocalCode;
  happened: string;
  effect: Effect;
  next: string;
  action: Action;
  tone: 'warning' | 'danger';
  /** English words of the API, worth showing because they name a field, a line or a limit. */
  detail: string | null;
}

type Say = (problem: Problem, viewer: Viewer, language: Language) => string;

interface Row {
  happened: Say;
  next: Say;
  action: Action;
  effect?: Effect;
  tone?: 'danger';
  detail?: true | ((problem: Problem) => boolean);
}

type Plain = (inputs: Record<never, never>, options: { locale: Language }) => string;

const say =
  (message: Plain): Say =>
  (_problem, _viewer, locale) =>
    message({}, { locale });

const askNames = (viewer: Viewer, locale: Language) =>
  viewer.ask.length ? formatNames(viewer.ask, m.or({}, { locale })) : m.ask_member({}, { locale });

const askMaintainers = (viewer: Viewer, locale: Language) =>
  viewer.maintainers.length
    ? formatNames(viewer.maintainers, m.or({}, { locale }))
    : m.ask_maintainer({}, { locale });

const author = (viewer: Viewer, locale: Language) => viewer.author || m.ask_member({}, { locale });

/** Authors, members and maintainers may make a new revision of what waits. */
export const mayRevise = (viewer: Viewer): boolean =>
  viewer.own === true ||
  (viewer.kind === 'person' && (viewer.role === 'member' || viewer.role === 'maintainer'));

/** Everyone may propose but reviewers, who read, and people who are not of the room. */
export const mayPropose = (viewer: Viewer): boolean =>
  viewer.kind !== 'person' || (viewer.role !== null && viewer.role !== 'reviewer');

/** Said beforehand by the checks and afterwards by the refusal. */
export const staleNext = (viewer: Viewer, locale: Language) =>
  mayRevise(viewer)
    ? m.x_proposal_stale_rebase({}, { locale })
    : m.x_proposal_stale({ author: author(viewer, locale) }, { locale });

export const expiredNext = (viewer: Viewer, locale: Language) =>
  viewer.own
    ? m.x_proposal_expired_own({}, { locale })
    : m.x_proposal_expired({ author: author(viewer, locale) }, { locale });

/** The proposal that did it first, when a refusal names one. */
export function otherProposal(problem: Problem): number | null {
  if (problem.other !== undefined) return problem.other;
  const mover = problem.moved?.find((moved) => moved.by)?.by?.proposal;
  return mover ?? null;
}

/** Why a proposal cannot be split as it was asked, where these words say it whole. */
function divided({ field, path, value }: Problem) {
  if (field !== 'take') return null;
  if (path !== undefined)
    return {
      happened: (locale: Language) => m.r_split_inseparable({ one: isolate(path) }, { locale }),
      next: (locale: Language) => m.x_split_inseparable({}, { locale }),
    };
  if (value !== undefined)
    return {
      happened: (locale: Language) => m.r_split_effect({ key: isolate(String(value)) }, { locale }),
      next: (locale: Language) => m.x_split_effect({}, { locale }),
    };
  return null;
}

/** No rebase helps where what it was made on is not kept any more. */
const isBaseless = (p: Problem): p is Problem & { path: string } =>
  p.code === 'proposal.stale' && p.path !== undefined && !p.moved?.length;

/** Of a text there is only less to say; of changes and choices there may be fewer at a time. */
const canBeDivided = ({ field }: Problem) => /^(changes|take|also|number)\b/.test(field ?? '');

const TABLE: Record<Code | LocalCode, Row> = {
  'proposal.not_found': {
    happened: say(m.r_proposal_not_found),
    next: say(m.x_proposal_not_found),
    action: 'refresh',
  },
  'proposal.changed': {
    happened: say(m.r_proposal_changed),
    next: say(m.x_proposal_changed),
    action: 'load_revision',
  },
  'proposal.stale': {
    happened: (p, _v, locale) => {
      // What was split off waits for what it was split from.
      if (p.other !== undefined) return m.r_proposal_awaits({ k: p.other }, { locale });
      return isBaseless(p)
        ? m.r_proposal_baseless({ path: isolate(p.path) }, { locale })
        : m.r_proposal_stale({}, { locale });
    },
    next: (p, viewer, locale) => {
      if (p.other !== undefined) return m.x_proposal_awaits({ k: p.other }, { locale });
      return isBaseless(p) ? m.x_proposal_baseless({}, { locale }) : staleNext(viewer, locale);
    },
    action: 'rebase',
  },
  'proposal.rejected': {
    happened: (p, _v, locale) =>
      p.by ? m.r_proposal_rejected_by({ by: p.by }, { locale }) : m.r_proposal_rejected({}, { locale }),
    next: say(m.x_proposal_rejected),
    action: 'reopen',
  },
  'proposal.withdrawn': {
    happened: (p, _v, locale) =>
      p.by ? m.r_proposal_withdrawn_by({ by: p.by }, { locale }) : m.r_proposal_withdrawn({}, { locale }),
    next: say(m.x_proposal_withdrawn),
    action: 'refresh',
  },
  'proposal.expired': {
    happened: say(m.r_proposal_expired),
    next: (_p, viewer, locale) => expiredNext(viewer, locale),
    action: 'refresh',
  },
  'proposal.applied_other': {
    happened: say(m.r_proposal_applied_other),
    next: say(m.x_proposal_applied_other),
    action: 'show_receipt',
  },
  'proposal.already_applied': {
    happened: say(m.r_proposal_already_applied),
    next: say(m.x_proposal_already_applied),
    action: 'refresh',
  },
  'proposal.not_rejected': {
    happened: say(m.r_proposal_not_rejected),
    next: say(m.x_proposal_not_rejected),
    action: 'refresh',
  },
  'proposal.no_change': {
    happened: say(m.r_proposal_no_change),
    // A refusal that names no proposal is of one that was never made.
    next: (p, _v, locale) =>
      (p.proposal === undefined ? m.x_proposal_no_change_new : m.x_proposal_no_change)({}, { locale }),
    action: 'none',
  },
  'proposal.conflict': {
    happened: say(m.r_proposal_conflict),
    next: say(m.x_proposal_conflict),
    action: 'rebase',
  },
  'proposal.not_applied': {
    happened: say(m.r_proposal_not_applied),
    next: say(m.x_proposal_not_applied),
    action: 'refresh',
  },
  'proposal.invalid': {
    happened: (p, _v, locale) => divided(p)?.happened(locale) ?? m.r_proposal_invalid({}, { locale }),
    next: (p, _v, locale) => divided(p)?.next(locale) ?? m.x_proposal_invalid({}, { locale }),
    action: 'none',
    detail: (p) => divided(p) === null,
  },
  'patch.invalid': {
    happened: say(m.r_patch_invalid),
    next: say(m.x_patch_invalid),
    action: 'none',
    detail: true,
  },
  'patch.mismatch': {
    happened: say(m.r_patch_mismatch),
    next: say(m.x_patch_mismatch),
    action: 'none',
    detail: true,
  },
  'effect.already_done': {
    happened: (p, _v, locale) => {
      const k = otherProposal(p);
      return k === null
        ? m.r_effect_already_done_some({}, { locale })
        : m.r_effect_already_done({ k }, { locale });
    },
    next: (p, _v, locale) => {
      const content =
        p.same_content === undefined
          ? ''
          : `${(p.same_content ? m.effect_same_content : m.effect_other_content)({}, { locale })} `;
      return content + m.x_effect_already_done({}, { locale });
    },
    action: 'open_proposal',
  },
  'key.reused': { happened: say(m.r_key_reused), next: say(m.x_key_reused), action: 'open_proposal' },
  'actor.unknown': {
    happened: say(m.r_actor_unknown),
    next: (_p, viewer, locale) => m.x_actor_unknown({ names: askMaintainers(viewer, locale) }, { locale }),
    action: 'none',
  },
  'actor.denied': {
    happened: say(m.r_actor_denied),
    next: (_p, viewer, locale) => {
      const names = askNames(viewer, locale);
      if (viewer.kind !== 'person') return m.x_actor_denied_agent({ names }, { locale });
      if (viewer.role === 'reviewer') return m.x_actor_denied_reviewer({ names }, { locale });
      if (viewer.role === 'member')
        return m.x_actor_denied({ names: askMaintainers(viewer, locale) }, { locale });
      return m.x_actor_denied({ names }, { locale });
    },
    action: 'none',
  },
  'room.not_found': { happened: say(m.r_room_not_found), next: say(m.x_room_not_found), action: 'refresh' },
  'room.ambiguous': { happened: say(m.r_room_ambiguous), next: say(m.x_room_ambiguous), action: 'none' },
  'room.exists': { happened: say(m.r_room_exists), next: say(m.x_room_exists), action: 'none' },
  'room.invalid': {
    happened: say(m.r_room_invalid),
    next: say(m.x_room_invalid),
    action: 'none',
    detail: true,
  },
  'member.exists': { happened: say(m.r_member_exists), next: say(m.x_member_exists), action: 'none' },
  'member.not_found': {
    happened: say(m.r_member_not_found),
    next: say(m.x_member_not_found),
    action: 'none',
  },
  'member.invalid': {
    happened: say(m.r_member_invalid),
    next: say(m.x_member_invalid),
    action: 'none',
    detail: true,
  },
  'member.last_maintainer': {
    happened: say(m.r_member_last_maintainer),
    next: say(m.x_member_last_maintainer),
    action: 'none',
  },
  'document.not_found': {
    happened: say(m.r_document_not_found),
    next: say(m.x_document_not_found),
    action: 'refresh',
  },
  'document.exists': { happened: say(m.r_document_exists), next: say(m.x_document_exists), action: 'none' },
  'path.invalid': {
    happened: say(m.r_path_invalid),
    next: say(m.x_path_invalid),
    action: 'none',
    detail: true,
  },
  'path.collision': {
    happened: say(m.r_path_collision),
    next: say(m.x_path_collision),
    action: 'none',
    detail: true,
  },
  'folder.occupied': {
    happened: say(m.r_folder_occupied),
    next: say(m.x_folder_occupied),
    action: 'none',
    detail: true,
  },
  'body.invalid_json': {
    happened: say(m.r_body_invalid_json),
    next: say(m.x_body_invalid_json),
    action: 'none',
    detail: true,
  },
  'body.invalid': {
    happened: say(m.r_body_invalid),
    next: say(m.x_body_invalid),
    action: 'none',
    detail: true,
  },
  'body.too_large': {
    happened: say(m.r_body_too_large),
    next: say(m.x_body_too_large),
    action: 'none',
    detail: true,
  },
  'limit.exceeded': {
    happened: say(m.r_limit_exceeded),
    next: (p, _v, locale) =>
      (canBeDivided(p) ? m.x_limit_exceeded_divide : m.x_limit_exceeded)({}, { locale }),
    action: 'none',
    detail: true,
  },
  'store.not_found': {
    happened: say(m.r_store_not_found),
    next: say(m.x_store_not_found),
    action: 'none',
    tone: 'danger',
  },
  'store.exists': { happened: say(m.r_store_exists), next: say(m.x_store_exists), action: 'none' },
  'store.foreign': { happened: say(m.r_store_foreign), next: say(m.x_store_foreign), action: 'none' },
  'store.damaged': {
    happened: say(m.r_store_damaged),
    next: say(m.x_store_damaged),
    action: 'none',
    tone: 'danger',
    detail: true,
  },
  'store.newer': { happened: say(m.r_store_newer), next: say(m.x_store_newer), action: 'none' },
  'store.read_only': {
    happened: say(m.r_store_read_only),
    next: say(m.x_store_read_only),
    action: 'press_again',
    tone: 'danger',
  },
  'store.full': {
    happened: say(m.r_store_full),
    next: say(m.x_store_full),
    action: 'press_again',
    tone: 'danger',
  },
  'store.busy': { happened: say(m.r_store_busy), next: say(m.x_store_busy), action: 'press_again' },
  'store.moved': {
    happened: say(m.r_store_moved),
    next: say(m.x_store_moved),
    action: 'none',
    tone: 'danger',
  },
  'store.outcome_unknown': {
    happened: say(m.r_store_outcome_unknown),
    next: say(m.x_store_outcome_unknown),
    action: 'press_again',
    effect: 'unknown',
  },
  'store.io': {
    happened: say(m.r_store_io),
    next: say(m.x_store_io),
    action: 'press_again',
    tone: 'danger',
    detail: true,
  },
  'request.not_found': {
    happened: say(m.r_request_not_found),
    next: say(m.x_request_not_found),
    action: 'none',
    detail: true,
  },
  'request.denied': {
    happened: say(m.r_request_denied),
    next: say(m.x_request_denied),
    action: 'none',
    tone: 'danger',
  },
  internal: {
    happened: say(m.r_internal),
    next: say(m.x_internal),
    action: 'press_again',
    tone: 'danger',
    detail: true,
    // It may be said after a change was made: nobody knows.
    effect: 'unknown',
  },
  'client.unreachable': {
    happened: say(m.r_client_unreachable),
    next: say(m.x_client_unreachable),
    action: 'refresh',
  },
  'client.answer_lost': {
    happened: say(m.r_client_answer_lost),
    next: say(m.x_client_answer_lost),
    action: 'press_again',
    effect: 'unknown',
  },
  'client.landed_before': {
    happened: (p, _v, locale) => {
      const k = otherProposal(p);
      return k === null ? m.r_key_reused({}, { locale }) : m.r_client_landed_before({ k }, { locale });
    },
    next: (p, _v, locale) => {
      const k = otherProposal(p);
      return k === null ? m.x_key_reused({}, { locale }) : m.x_client_landed_before({ k }, { locale });
    },
    action: 'open_proposal',
  },
  'client.unexpected': {
    happened: say(m.r_client_unexpected),
    next: say(m.x_client_unexpected),
    action: 'press_again',
    tone: 'danger',
    detail: true,
    effect: 'unknown',
  },
};

interface Opening {
  happened?: Say;
  next: Say;
  detail?: true;
}

/**
 * The same codes where a store, not a proposal, was asked for: nobody pressed Apply there, and the next
 * step is a button of the start page or something outside Sekali, never an order for the command line.
 */
const OPENING: Record<
  Extract<Code, `store.${string}`> | 'actor.unknown' | 'member.invalid' | 'internal',
  Opening
> = {
  'store.not_found': { next: say(m.o_store_not_found) },
  'store.exists': { next: say(m.o_store_exists), detail: true },
  'store.foreign': { next: say(m.o_store_foreign) },
  'store.damaged': { next: say(m.o_store_damaged), detail: true },
  'store.newer': { next: say(m.o_store_newer) },
  'store.read_only': { next: say(m.o_store_read_only) },
  'store.full': { next: say(m.o_store_full) },
  'store.busy': { next: say(m.o_store_busy) },
  'store.moved': { next: say(m.o_store_moved) },
  'store.outcome_unknown': { happened: say(m.or_outcome), next: say(m.o_outcome) },
  'store.io': { happened: say(m.or_store_io), next: say(m.o_store_io), detail: true },
  'actor.unknown': { happened: say(m.or_no_name), next: say(m.o_name), detail: true },
  'member.invalid': { happened: say(m.or_name), next: say(m.o_name), detail: true },
  internal: { next: say(m.o_internal), detail: true },
};

const SETTINGS: Opening = { happened: say(m.or_settings), next: say(m.o_settings), detail: true };

/** Why no store was opened or made. */
export function explainOpening(problem: Problem, viewer: Viewer, language: Language): Refusal {
  const told = explain(problem, viewer, language);
  const rows: Partial<Record<string, Opening>> = OPENING;
  // The settings are a file as the store is, and fail with its code; the field tells them apart.
  const row = problem.field === 'settings' ? SETTINGS : rows[problem.code];
  if (!row) return told;
  return {
    ...told,
    happened: row.happened?.(problem, viewer, language) ?? told.happened,
    next: row.next(problem, viewer, language),
    detail: row.detail ? problem.detail : null,
    action: 'none',
  };
}

export function explain(problem: Problem, viewer: Viewer, language: Language): Refusal {
  const row = TABLE[problem.code];
  return {
    code: problem.code,
    happened: row.happened(problem, viewer, language),
    effect: row.effect ?? 'nothing',
    next: row.next(problem, viewer, language),
    action: actionOf(row.action, problem, viewer),
    tone: row.tone ?? 'warning',
    detail: (typeof row.detail === 'function' ? row.detail(problem) : row.detail) ? problem.detail : null,
  };
}

/** It may or may not have been done: what is on the screen is looked at again. */
export const isUnknown = (problem: Problem): boolean => TABLE[problem.code].effect === 'unknown';

/** The proposal to open as the next step, when a refusal has that one. */
export const opens = (problem: Problem, viewer: Viewer): number | null =>
  actionOf(TABLE[problem.code].action, problem, viewer) === 'open_proposal' ? otherProposal(problem) : null;

function actionOf(action: Action, problem: Problem, viewer: Viewer): Action {
  if (isBaseless(problem)) return 'none';
  if (action === 'rebase' && mayRevise(viewer) && problem.other === undefined) return action;
  const opens = action === 'open_proposal' || action === 'rebase';
  if (!opens) return action;
  return otherProposal(problem) === null ? 'refresh' : 'open_proposal';
}
