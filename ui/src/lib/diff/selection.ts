// Which parts of a diff stay, where a proposal is split: whole files, or hunks of one. Pure.
import type { Diff, DiffChange, TakeChange } from '$lib/api/types';

/** `path` or `path` with a hunk, from 1. */
export interface Part {
  path: string;
  hunk: number | null;
}

/** Files that are made, taken away or not text stay in one piece. */
export const divisible = (change: DiffChange): boolean =>
  change.kind === 'text' && change.hunks.length > 1 && (change.op === 'replace' || change.op === 'rename');

/** Whether there is anything to divide. */
export const splittable = (diff: Diff): boolean => diff.changes.length > 1 || diff.changes.some(divisible);

/** No path has a control character. */
const keyOf = (part: Part) => (part.hunk === null ? part.path : `${part.path}\n${part.hunk}`);

function partsOf(change: DiffChange): Part[] {
  if (!divisible(change)) return [{ path: change.path, hunk: null }];
  return change.hunks.map((_, index) => ({ path: change.path, hunk: index + 1 }));
}

export class Selection {
  readonly parts: readonly Part[];
  readonly #gone: ReadonlySet<string>;

  private constructor(
    readonly diff: Diff,
    gone: ReadonlySet<string>,
  ) {
    this.parts = diff.changes.flatMap(partsOf);
    this.#gone = gone;
  }

  /** Everything stays at first: what is to go is unticked. */
  static all(diff: Diff): Selection {
    return new Selection(diff, new Set());
  }

  get total(): number {
    return this.parts.length;
  }

  get staying(): number {
    return this.parts.length - this.#gone.size;
  }

  has(part: Part): boolean {
    return !this.#gone.has(keyOf(part));
  }

  file(change: DiffChange): 'all' | 'some' | 'none' {
    const parts = partsOf(change);
    const staying = parts.filter((part) => this.has(part)).length;
    return staying === parts.length ? 'all' : staying > 0 ? 'some' : 'none';
  }

  set(part: Part, stays: boolean): Selection {
    return this.#with([part], stays);
  }

  setFile(change: DiffChange, stays: boolean): Selection {
    return this.#with(partsOf(change), stays);
  }

  /** As the API takes it. */
  take(): TakeChange[] {
    return this.diff.changes.flatMap((change): TakeChange[] => {
      const state = this.file(change);
      if (state === 'none') return [];
      if (state === 'all') return [{ path: change.path, hunks: null }];
      const hunks = partsOf(change).flatMap((part) =>
        part.hunk !== null && this.has(part) ? [part.hunk] : [],
      );
      return [{ path: change.path, hunks }];
    });
  }

  #with(parts: readonly Part[], stays: boolean): Selection {
    const gone = new Set(this.#gone);
    for (const part of parts)
      if (stays) gone.delete(keyOf(part));
      else gone.add(keyOf(part));
    return new Selection(this.diff, gone);
  }
}
