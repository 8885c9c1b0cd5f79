// The shapes of Sekali's HTTP API under the names that the window uses. They come from docs/openapi.json
// by `npm run api:types`; nothing is written twice.
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
export type Code = Schemas['Code'];
export type Retry = Schemas['Retry'];

export type StoreInfo = Schemas['StoreInfo'];
export type Room = Schemas['Room'];
export type Member = Schemas['Member'];

export type Comment = Schemas['Comment'];
export type CommentBody = Schemas['CommentBody'];
export type CommentLine = Schemas['CommentLine'];

export type Touches = Schemas['Touches'];
export type ProposalItem = Schemas['ProposalItem'];
export type ProposalDetail = Members<Schemas['ProposalDetail']>;
export type Change = Schemas['Change'];
export type CheckName = Schemas['CheckName'];
export type Moved = Schemas['Moved'];
export type Receipt = Schemas['Receipt'];
export type Attempt = Schemas['Attempt'];
export type ApplyAnswer = Schemas['ApplyAnswer'];

export type Diff = Schemas['Diff'];
export type DiffChange = Schemas['ChangeDiff'];
export type DiffLine = Schemas['DiffLine'];

export type DocumentItem = Schemas['DocumentItem'];
export type DuplicateItem = Schemas['DuplicateItem'];
export type LedgerEntry = Schemas['LedgerEntry'];

export interface Page<T> {
  items: T[];
  next: string | null;
}

export type Proposed = Schemas['Proposed'];
export type ProposalFile = Schemas['ProposalFile'];
export type MovedHunk = Schemas['MovedHunk'];
export type Rebase = Schemas['Rebase'];
export type RebaseBody = Schemas['RebaseBody'];
export type Conflict = Schemas['Conflict'];
export type Region = Schemas['Region'];
export type RegionPart = Schemas['RegionPart'];
export type TakeSide = Schemas['TakeSide'];
export type TakeSides = Schemas['TakeSides'];
export type RevertBody = Schemas['RevertBody'];
export type SplitBody = Schemas['SplitBody'];
export type TakeChange = Schemas['TakeChange'];
