// Which parts of a diff stay, where a proposal is split: whole files, or hunks of one. Pure.
import type { Diff, DiffChange, TakeChange } from '$lib/api/types';
import { placeKey } from '$lib/change';

/** `path` or `path` with a hunk, from 1. */
export interface Part {
  path: string;
  hunk: number | null;
}

/**
 * Which changes can be taken by their hunks. What is made, taken away or not text stays in one piece, and so do
 * the changes of a path that has two: one document goes, another comes to its place, and neither can be without
 * the other.
 */
export function divisibleIn(diff: Diff): (change: DiffChange) => boolean {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { path } of diff.changes) {
    const place = placeKey(path);
    if (seen.has(place)) twice.add(place);
    seen.add(place);
  }
  return ({ kind, hunks, op, path }) =>
    kind === 'text' &&
    hunks.length > 1 &&
    (op === 'replace' || op === 'rename') &&
    !twice.has(placeKey(path));
}

/** Whether there is anything to divide. */
export const splittable = (diff: Diff): boolean => Selection.all(diff).total > 1;

/** What a part is known by; no path has a control character. */
export const partKey = ({ path, hunk }: Part): string =>
  hunk === null ? placeKey(path) : `${placeKey(path)}\n${hunk}`;

export class Selection {
  readonly parts: readonly Part[];
  readonly #gone: ReadonlySet<string>;
  readonly #divisible: (change: DiffChange) => boolean;

  private constructor(
    readonly diff: Diff,
    gone: ReadonlySet<string>,
  ) {
    this.#gone = gone;
    this.#divisible = divisibleIn(diff);
    const parts = diff.changes.flatMap((change) => this.#partsOf(change));
    this.parts = [...new Map(parts.map((part) => [partKey(part), part])).values()];
  }

  #partsOf(change: DiffChange): Part[] {
    if (!this.#divisible(change)) return [{ path: change.path, hunk: null }];
    return change.hunks.map((_, index) => ({ path: change.path, hunk: index + 1 }));
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
    return !this.#gone.has(partKey(part));
  }

  file(change: DiffChange): 'all' | 'some' | 'none' {
    const parts = this.#partsOf(change);
    const staying = parts.filter((part) => this.has(part)).length;
    return staying === parts.length ? 'all' : staying > 0 ? 'some' : 'none';
  }

  set(part: Part, stays: boolean): Selection {
    return this.#with([part], stays);
  }

  setFile(change: DiffChange, stays: boolean): Selection {
    return this.#with(this.#partsOf(change), stays);
  }

  /** As the API takes it. */
  take(): TakeChange[] {
    const changes = new Map(this.diff.changes.map((change) => [placeKey(change.path), change]));
    return [...changes.values()].flatMap((change): TakeChange[] => {
      const state = this.file(change);
      if (state === 'none') return [];
      if (state === 'all') return [{ path: change.path, hunks: null }];
      const hunks = this.#partsOf(change).flatMap((part) =>
        part.hunk !== null && this.has(part) ? [part.hunk] : [],
      );
      return [{ path: change.path, hunks }];
    });
  }

  #with(parts: readonly Part[], stays: boolean): Selection {
    const gone = new Set(this.#gone);
    for (const part of parts)
      if (stays) gone.delete(partKey(part));
      else gone.add(partKey(part));
    return new Selection(this.diff, gone);
  }
}
