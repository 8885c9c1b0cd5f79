// Shapes that the API is about to have, until docs/openapi.json has them.
import type { components } from './schema';

type Schemas = components['schemas'];

export type ComingCode = 'patch.invalid' | 'patch.mismatch' | 'proposal.conflict' | 'proposal.not_applied';

export interface MovedHunk {
  hunk: number;
  line: number;
  found: number;
}
export interface Links {
  reverts: number | null;
  also_reverts: number[];
  reverted_by: number | null;
  split_from: number | null;
  split_into: number[];
  same_effect: number[];
}
export type RebaseOutcome = 'current' | 'merged' | 'already_there' | 'conflict';
export type ConflictKind = 'text' | 'json' | 'binary' | 'deleted' | 'created' | 'occupied';
export interface RegionPart {
  start: number;
  lines: number;
  text: string;
}
export interface Region {
  base: RegionPart;
  now: RegionPart;
  after: RegionPart;
  above: string[];
  below: string[];
}
export interface Place {
  pointer: string;
  base: string | null;
  now: string | null;
  after: string | null;
}
export interface Conflict {
  path: string;
  from: string | null;
  kind: ConflictKind;
  detail: string;
  by: { proposal: number; seq: number } | null;
  regions: Region[];
  places: Place[];
}
export interface Rebase {
  proposal: number;
  revision: number;
  digest: string;
  needed: boolean;
  clean: boolean;
  changes: { path: string; from: string | null; outcome: RebaseOutcome }[];
  conflicts: Conflict[];
}
export type TakeSide = 'now' | 'after' | 'base' | 'now_after' | 'after_now';
export interface TakeSides {
  path: string;
  sides: TakeSide[];
}
export interface RebaseBody {
  digest: string | null;
  take: TakeSides[];
}
export interface RevertBody {
  also: number[];
  title: string | null;
  why: string | null;
  key: string | null;
}
export interface TakeChange {
  path: string;
  hunks: number[] | null;
}
export interface SplitBody {
  digest: string | null;
  take: TakeChange[];
  title: string | null;
}
export type Proposed = Schemas['Proposed'] & { stale: boolean; moved: Schemas['Moved'][] };
export interface Split {
  taken: Proposed;
  rest: Proposed;
}
export interface PatchChange {
  op: 'patch';
  diff?: string;
  diff_base64?: string;
  strip?: number;
}
export interface PatchProposal {
  format: 'sekali.proposal/1';
  title: string;
  why: string;
  key: string | null;
  changes: PatchChange[];
}
