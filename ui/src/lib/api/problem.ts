// What a refusal is, whether it came from the API, from a native command, or from the wire being cut.
// Sentences for people are not here: see lib/refusals.
import type { Code, Conflict, Moved, Receipt, Retry, State } from './types';

/** Every code that the API may answer with, append-only. */
export const CODES = [
  'proposal.not_found',
  'proposal.changed',
  'proposal.stale',
  'proposal.rejected',
  'proposal.withdrawn',
  'proposal.expired',
  'proposal.applied_other',
  'proposal.already_applied',
  'proposal.not_rejected',
  'proposal.no_change',
  'proposal.invalid',
  'effect.already_done',
  'key.reused',
  'actor.unknown',
  'actor.denied',
  'room.not_found',
  'room.ambiguous',
  'room.exists',
  'room.invalid',
  'member.exists',
  'member.not_found',
  'member.invalid',
  'member.last_maintainer',
  'document.not_found',
  'document.exists',
  'path.invalid',
  'path.collision',
  'body.invalid_json',
  'body.invalid',
  'body.too_large',
  'limit.exceeded',
  'store.not_found',
  'store.exists',
  'store.foreign',
  'store.damaged',
  'store.newer',
  'store.read_only',
  'store.full',
  'store.busy',
  'store.moved',
  'store.outcome_unknown',
  'store.io',
  'request.not_found',
  'request.denied',
  'internal',
  'folder.occupied',
  'patch.invalid',
  'patch.mismatch',
  'proposal.conflict',
  'proposal.not_applied',
] as const satisfies readonly Code[];

export type { Code };

/** Said by this window: no answer came, a press before had landed, or the answer was not one of the API's. */
export const LOCAL_CODES = [
  'client.unreachable',
  'client.answer_lost',
  'client.landed_before',
  'client.unexpected',
] as const;
export type LocalCode = (typeof LOCAL_CODES)[number];

export interface Problem {
  type?: string;
  status: number;
  code: Code | LocalCode;
  /** English; for a person only when no sentence of ours fits. */
  detail: string;
  /** Next step, in the caller's language. */
  hint: string;
  retry: Retry;
  /** The proposal that it is about. */
  proposal?: number;
  /** The proposal that stands in the way, and whether its content is equal. */
  other?: number;
  same_content?: boolean;
  moved?: Moved[];
  receipt?: Receipt;
  field?: string;
  limit?: number | string;
  value?: number | string;
  digest?: string;
  state?: State;
  by?: string;
  at?: string;
  reason?: string | null;
  /** What would have been right; of a patch, the lines that it expects. */
  expected?: string[];
  /** What is there instead. */
  found?: string[];
  /** The document in question. */
  path?: string;
  /** The line of the patch, from 1. */
  line?: number;
  /** The hunk of the document's patch, from 1. */
  hunk?: number;
  /** The operation of a JSON Patch, from 1. */
  operation?: number;
  /** What a person must decide about. */
  conflicts?: Conflict[];
  later?: number[];
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = 'ApiError';
  }
}

const known: ReadonlySet<string> = new Set([...CODES, ...LOCAL_CODES]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a problem from anything that was thrown or answered; an unknown code keeps its own words. */
export function toProblem(value: unknown, status = 0): Problem {
  if (value instanceof ApiError) return value.problem;
  if (isRecord(value) && typeof value.code === 'string') {
    const problem = value as unknown as Problem;
    return {
      ...problem,
      code: known.has(value.code) ? problem.code : 'client.unexpected',
      status: typeof value.status === 'number' ? value.status : status,
      detail: typeof value.detail === 'string' ? value.detail : value.code,
      hint: typeof value.hint === 'string' ? value.hint : '',
      retry: problem.retry ?? 'never',
    };
  }
  const detail =
    value instanceof Error ? value.message : typeof value === 'string' ? value : `HTTP ${status}`;
  return { status, code: 'client.unexpected', detail, hint: '', retry: 'never' };
}

/** No answer arrived. For a write that means: it may or may not have happened. */
export function lostAnswer(kind: 'read' | 'write', cause: unknown): Problem {
  return {
    status: 0,
    code: kind === 'write' ? 'client.answer_lost' : 'client.unreachable',
    detail: cause instanceof Error ? cause.message : String(cause),
    hint: '',
    retry: 'same',
  };
}
