// What a person chooses where both sides changed the same: which sides there are, what is decided, and
// how the API takes it. Pure; whether a choice stands is the API's answer.
import { changeKey } from '$lib/change';
import type { Conflict, Region, TakeSide, TakeSides } from '$lib/api/types';

export type Side = TakeSide | null;
/** By change: a side for each region, or one for a conflict without regions. */
export type Choices = ReadonlyMap<string, readonly Side[]>;

const OF_REGIONS: readonly TakeSide[] = ['now', 'after', 'now_after', 'after_now', 'base'];
const OF_WHOLES: readonly TakeSide[] = ['now', 'after'];
/** Another document has the place: this one cannot have it too. */
const OF_OCCUPIED: readonly TakeSide[] = ['now'];

/** What this proposal would take away from the place that another document of it is to have. */
export const makesRoom = (conflicts: readonly Conflict[], { kind, path, from }: Conflict): Conflict | null =>
  kind === 'occupied' && from !== null
    ? (conflicts.find(
        (one) => one.kind === 'deleted' && one.moved_to === null && one.path === path && one.from === null,
      ) ?? null)
    : null;

export function sidesOf(
  conflict: Conflict,
  conflicts: readonly Conflict[] = [],
  choices: Choices = none,
): readonly TakeSide[] {
  if (conflict.regions.length > 0) return OF_REGIONS;
  if (conflict.kind !== 'occupied') return OF_WHOLES;
  const room = makesRoom(conflicts, conflict);
  return room && choiceOf(choices, room, 0) === 'after' ? OF_WHOLES : OF_OCCUPIED;
}

/** Without the choices that another one has made impossible. */
export function possible(choices: Choices, conflicts: readonly Conflict[]): Choices {
  const kept = new Map(choices);
  for (const conflict of conflicts) {
    const side = choiceOf(choices, conflict, 0);
    if (conflict.kind === 'occupied' && side && !sidesOf(conflict, conflicts, choices).includes(side))
      kept.delete(changeKey(conflict));
  }
  return kept;
}

const countOf = (conflict: Conflict) => Math.max(1, conflict.regions.length);

export const none: Choices = new Map();

export const choiceOf = (choices: Choices, conflict: Conflict, index: number): Side =>
  choices.get(changeKey(conflict))?.[index] ?? null;

export function choose(choices: Choices, conflict: Conflict, index: number, side: TakeSide): Choices {
  const sides = Array.from({ length: countOf(conflict) }, (_, i) =>
    i === index ? side : choiceOf(choices, conflict, i),
  );
  return new Map(choices).set(changeKey(conflict), sides);
}

export interface Progress {
  decided: number;
  total: number;
  /** What comes next: which conflict and which of its regions; null where everything is decided. */
  next: { at: number; index: number } | null;
}

export function progress(conflicts: readonly Conflict[], choices: Choices): Progress {
  let [decided, total] = [0, 0];
  let next: Progress['next'] = null;
  for (const [at, conflict] of conflicts.entries())
    for (let index = 0; index < countOf(conflict); index++) {
      total++;
      if (choiceOf(choices, conflict, index) !== null) decided++;
      else next ??= { at, index };
    }
  return { decided, total, next };
}

/** As the API takes it: documents that are wholly decided, with what stood there when they were. */
export function take(conflicts: readonly Conflict[], choices: Choices): TakeSides[] {
  return conflicts.flatMap((conflict) => {
    const sides = Array.from({ length: countOf(conflict) }, (_, i) => choiceOf(choices, conflict, i));
    const { path, from, now } = conflict;
    return sides.every((side) => side !== null) ? [{ path, from, now, sides }] : [];
  });
}

/** What is not shown whole cannot be known to be the same. */
const same = (a: Region, b: Region) =>
  (['base', 'now', 'after'] as const).every(
    (side) => !a[side].cut && !b[side].cut && a[side].text === b[side].text,
  );

/** The documents moved again meanwhile: what was decided stays where the question is still the same. */
export function carry(choices: Choices, before: readonly Conflict[], after: readonly Conflict[]): Choices {
  const kept = new Map<string, readonly Side[]>();
  for (const conflict of after) {
    const old = before.find((one) => changeKey(one) === changeKey(conflict) && one.kind === conflict.kind);
    // A choice for where it had moved is none for where it is by now.
    if (!old || old.moved_to !== conflict.moved_to) continue;
    if (conflict.regions.length === 0) {
      if (old.regions.length === 0 && old.now === conflict.now)
        kept.set(changeKey(conflict), [choiceOf(choices, old, 0)]);
      continue;
    }
    // The very same document: also what is cut is the same.
    if (old.now === conflict.now && old.regions.length === conflict.regions.length) {
      kept.set(
        changeKey(conflict),
        conflict.regions.map((_, index) => choiceOf(choices, old, index)),
      );
      continue;
    }
    const used = new Set<number>();
    const sides = conflict.regions.map((region) => {
      const at = old.regions.findIndex((one, index) => !used.has(index) && same(one, region));
      if (at < 0) return null;
      used.add(at);
      return choiceOf(choices, old, at);
    });
    kept.set(changeKey(conflict), sides);
  }
  return kept;
}

/** What of a region would be in the document. */
export function resultOf(region: Region, side: TakeSide): string {
  const { base, now, after } = region;
  const lines = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  switch (side) {
    case 'base':
      return base.text;
    case 'now':
      return now.text;
    case 'after':
      return after.text;
    case 'now_after':
      return lines(now.text) + after.text;
    case 'after_now':
      return lines(after.text) + now.text;
  }
}
