// The shapes of Sekali's HTTP API, written by hand from the contract. `paths` has the form that
// openapi-typescript generates, so that `schema.d.ts` can take its place in client.ts.

export type ActorKind = 'person' | 'agent' | 'source';
export type Role = 'member' | 'reviewer' | 'maintainer';
export type State = 'waiting' | 'applied' | 'rejected' | 'withdrawn' | 'expired';
/** desktop, cli, http, webhook, mcp */
export type Door = string;

export interface ActorRef {
  id: string;
  kind: ActorKind;
  name: string;
}

export interface StoreInfo {
  id: string;
  path: string;
  format: number;
  sqlite: string;
  wal_bytes: number;
  warnings: { code: string; detail: string }[];
  you: { name: string; kind: string; os_user: string | null };
  door: Door;
}

export interface Room {
  id: string;
  slug: string;
  title: string;
  you: { id: string | null; name: string; kind: ActorKind; role: Role | null };
  counts: Record<State, number>;
  ledger: { size: number; root: string };
  change_seq: number;
  created_at: string;
}

export interface Member {
  id: string;
  kind: ActorKind;
  name: string;
  role: Role | null;
  added_at: string;
}

export interface Touches {
  added: number;
  removed: number;
  documents: number;
  files: number;
  messages: number;
}

export interface ProposalItem {
  proposal: number;
  id: string;
  title: string;
  state: State;
  author: ActorRef;
  created_at: string;
  revision: number;
  digest: string;
  touches: Touches;
  stale: boolean;
}

export interface Moved {
  path: string;
  expected: string;
  now: string;
  by: { proposal: number; seq: number } | null;
}

export type CheckName = 'base' | 'effect_key' | 'valid_until' | 'possible_duplicate';

export interface Check {
  check: CheckName;
  ok: boolean;
  code: string | null;
  detail: string | null;
  proposals: number[];
  moved: Moved[];
}

export type Op = 'create' | 'replace' | 'rename' | 'delete';
/** 100644, 100755 */
export type Mode = string;

export interface Change {
  in: 'documents';
  op: Op;
  path: string;
  from: string | null;
  base: string;
  after: string;
  mode: Mode | null;
  mode_before: Mode | null;
  bytes: number | null;
  bytes_before: number | null;
  binary: boolean;
  added: number;
  removed: number;
}

export interface Receipt {
  proposal: number;
  id: string;
  seq: number;
  revision: number;
  digest: string;
  applied_at: string;
  applied_by: string;
  door: Door;
  os_user: string | null;
  seen: 'digest' | 'none';
  leaf: string;
}

export interface Attempt {
  at: string;
  actor: string;
  door: Door;
}

export interface Decision {
  state: 'rejected' | 'withdrawn';
  by: ActorRef;
  at: string;
  reason: string | null;
  seq: number;
}

export interface ProposalDetail extends ProposalItem {
  why: string;
  effect_keys: { key: string; generation: number }[];
  valid_until: string | null;
  correlation: string | null;
  revisions: { revision: number; digest: string; title: string; author: ActorRef; created_at: string }[];
  checks: Check[];
  changes: Change[];
  decision: Decision | null;
  receipt: Receipt | null;
  duplicates: { count: number; first_at: string | null; last_at: string | null; recent: Attempt[] };
  links: { reverts: number | null; reverted_by: number | null; same_effect: number[] };
  possible_duplicates: number[];
}

export interface ApplyAnswer {
  outcome: 'applied' | 'replayed';
  proposal: number;
  seq: number;
  revision: number;
  digest: string;
  applied_at: string;
  applied_by: string;
  door: Door;
  /** 1 + repeats */
  attempts: number;
  evidence: 'kept' | 'not_kept';
  effects: unknown[];
}

export interface DiffLine {
  kind: 'context' | 'add' | 'remove';
  old: number | null;
  new: number | null;
  text: string;
  /** Changed words: pairs of UTF-16 offsets into `text`. */
  spans: number[][];
  no_newline: boolean;
}

export interface Hunk {
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  lines: DiffLine[];
}

export interface DiffChange {
  path: string;
  from: string | null;
  op: Op;
  mode: Mode | null;
  mode_before: Mode | null;
  kind: 'text' | 'binary' | 'too_large' | 'unavailable';
  bytes_before: number | null;
  bytes: number | null;
  added: number;
  removed: number;
  hunks: Hunk[];
  old_total: number;
  new_total: number;
}

export interface Diff {
  proposal: number;
  revision: number;
  digest: string;
  changes: DiffChange[];
}

export interface DocumentItem {
  path: string;
  version: string;
  digest: string;
  mode: Mode;
  bytes: number;
  updated_at: string;
  proposal: number;
  seq: number;
}

export interface DocumentVersion {
  version: string;
  op: Op;
  path: string;
  from: string | null;
  proposal: number;
  seq: number;
  at: string;
  by: ActorRef;
  mode: Mode | null;
  bytes: number | null;
  digest: string | null;
}

export interface DuplicateItem {
  layer: 'apply' | 'key' | 'effect';
  key: string | null;
  proposal: number | null;
  count: number;
  other_content: number;
  first_at: string;
  last_at: string;
}

/** One entry of the ledger, as stored: ids, not names. */
export interface LedgerEntry {
  v: number;
  /** applied, rejected, reopened, withdrawn; later kinds have their own members */
  kind: string;
  room: string;
  seq: number;
  prev: string;
  at: string;
  proposal_id: string;
  proposal: number;
  revision: number;
  digest: string;
  actor: string;
  door: Door;
  os_user: string | null;
  source: string | null;
  correlation: string | null;
  effect_keys?: { key: string; generation: number }[];
  seen?: 'digest' | 'none';
  reason?: string | null;
  changes?: {
    in: string;
    op: Op;
    path: string;
    from: string | null;
    before: string;
    after: string;
    bytes: number | null;
    mode: Mode | null;
  }[];
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

type Json<T> = { content: { 'application/json': T } };
type Errors = { default: { content: { 'application/problem+json': unknown } } };
type In<Q, P> = [P] extends [never]
  ? { parameters: { query?: Q; path?: never; header?: never; cookie?: never } }
  : { parameters: { query?: Q; path: P; header?: never; cookie?: never } };
type Get<T, Q = never, P = never> = In<Q, P> & { responses: { 200: Json<T> } & Errors };
type Post<B, T, P> = In<never, P> & {
  requestBody: { content: { 'application/json': B } };
  responses: { 200: Json<T>; 201: Json<T> } & Errors;
};
type AtRoom = { room: string };
type AtProposal = { room: string; n: number };
type AtPath = { room: string; path: string };
type Paging = { limit?: number; cursor?: string };

export interface paths {
  '/v1/store': { get: Get<StoreInfo> };
  '/v1/rooms': { get: Get<{ items: Room[] }>; post: Post<{ slug: string; title: string }, Room, never> };
  '/v1/rooms/{room}': { get: Get<Room, never, AtRoom> };
  '/v1/rooms/{room}/members': { get: Get<{ items: Member[] }, never, AtRoom> };
  '/v1/rooms/{room}/proposals': {
    get: Get<Page<ProposalItem>, Paging & { state?: State }, AtRoom>;
  };
  '/v1/rooms/{room}/proposals/{n}': { get: Get<ProposalDetail, never, AtProposal> };
  '/v1/rooms/{room}/proposals/{n}/diff': { get: Get<Diff, { revision?: number }, AtProposal> };
  '/v1/rooms/{room}/proposals/{n}/apply': { post: Post<{ digest: string | null }, ApplyAnswer, AtProposal> };
  '/v1/rooms/{room}/proposals/{n}/reject': {
    post: Post<{ reason: string; digest: string | null }, ProposalDetail, AtProposal>;
  };
  '/v1/rooms/{room}/proposals/{n}/reopen': {
    post: Post<{ reason: string | null }, ProposalDetail, AtProposal>;
  };
  '/v1/rooms/{room}/proposals/{n}/withdraw': {
    post: Post<{ reason: string | null }, ProposalDetail, AtProposal>;
  };
  '/v1/rooms/{room}/documents': { get: Get<Page<DocumentItem>, Paging, AtRoom> };
  '/v1/rooms/{room}/documents/{path}': {
    get: In<{ version?: string }, AtPath> & {
      responses: { 200: { content: { 'application/octet-stream': string } } } & Errors;
    };
  };
  '/v1/rooms/{room}/versions/{path}': { get: Get<{ items: DocumentVersion[] }, never, AtPath> };
  '/v1/rooms/{room}/ledger': {
    get: Get<
      { items: LedgerEntry[]; size: number; root: string; next: number | string | null },
      { after?: number; limit?: number },
      AtRoom
    >;
  };
  '/v1/rooms/{room}/duplicates': { get: Get<Page<DuplicateItem>, Paging, AtRoom> };
  '/v1/rooms/{room}/changes': { get: Get<{ change_seq: number }, { after?: number }, AtRoom> };
}
