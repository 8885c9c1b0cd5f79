// The shapes of Sekali's HTTP API under the names that the window uses. They come from docs/openapi.json
// by `npm run api:types`; nothing is written twice.
import type { ComingCode, Links, MovedHunk } from './coming';
import type { components } from './schema';

type Schemas = components['schemas'];

/**
 * The named members of a shape that is put together from parts. openapi-typescript reads a part without
 * members as an object that can have none, which would forbid all the others.
 */
type Members<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

export type ActorKind = Schemas['ActorKind'];
export type Role = Schemas['Role'];
export type State = Schemas['State'];
export type Op = Schemas['Op'];
export type Code = Schemas['Code'] | ComingCode;
export type Retry = Schemas['Retry'];

export type StoreInfo = Schemas['StoreInfo'];
export type Room = Schemas['Room'];
export type Member = Schemas['Member'];

export type Touches = Schemas['Touches'];
export type ProposalItem = Schemas['ProposalItem'];
export type ProposalDetail = Omit<Members<Schemas['ProposalDetail']>, 'links' | 'changes' | 'revisions'> & {
  links: Links;
  changes: Change[];
  revisions: (Schemas['RevisionItem'] & { rebased_from: number | null })[];
};
export type Change = Schemas['Change'] & { moved_hunks: MovedHunk[] };
export type CheckName = Schemas['CheckName'];
export type Moved = Schemas['Moved'];
export type Receipt = Schemas['Receipt'];
export type Attempt = Schemas['Attempt'];
export type ApplyAnswer = Schemas['ApplyAnswer'];

export type Diff = Omit<Schemas['Diff'], 'changes'> & { changes: DiffChange[] };
export type DiffChange = Schemas['ChangeDiff'] & { moved_hunks: MovedHunk[] };
export type DiffLine = Schemas['DiffLine'];

export type DocumentItem = Schemas['DocumentItem'];
export type DuplicateItem = Schemas['DuplicateItem'];
export type LedgerEntry = Schemas['LedgerEntry'];

export interface Page<T> {
  items: T[];
  next: string | null;
}

export type {
  Conflict,
  ConflictKind,
  Links,
  MovedHunk,
  PatchProposal,
  Place,
  Proposed,
  Rebase,
  RebaseBody,
  Region,
  RegionPart,
  RevertBody,
  Split,
  SplitBody,
  TakeChange,
  TakeSide,
  TakeSides,
} from './coming';
