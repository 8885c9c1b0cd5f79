// What a person chooses where both sides changed the same: which sides there are, what is decided, and
// how the API takes it. Pure; whether a choice stands is the API's answer.
import { changeKey, placeKey } from '$lib/change';
import type { Conflict, Op, Region, TakeSide, TakeSides } from '$lib/api/types';

export type Side = TakeSide | null;
/** By change: a side for each region, or one for a conflict without regions. */
export type Choices = ReadonlyMap<string, readonly Side[]>;

/** Sides that were taken and came back as the very same question. */
export type Tried = ReadonlySet<string>;

const OF_REGIONS: readonly TakeSide[] = ['now', 'after', 'now_after', 'after_now', 'base'];
const OF_WHOLES: readonly TakeSide[] = ['now', 'after'];
/** Something else has the place: this document cannot have it too. */
const WITHOUT_ROOM: readonly TakeSide[] = ['now'];
/** What had the place goes, and nothing is in the way any more. */
const WITH_ROOM: readonly TakeSide[] = ['after'];

/** One path is the other, or a folder of it. */
const inTheWay = (one: string, other: string) => {
  const [a, b] = [placeKey(one), placeKey(other)];
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
};

/** The place that a document stands in and would leave, if that is what is asked of it. */
const leaves = ({ kind, path, from, moved_to }: Conflict): string | null => {
  if (kind === 'occupied') return from;
  return kind === 'deleted' && from === null && moved_to === null ? path : null;
};

export interface Room {
  /** What stands in the place that a document is to have, and would be taken away by this proposal too. */
  at: string;
  moves: boolean;
  /** It is chosen to go. */
  made: boolean;
}

/** Whether there is room for a document by what is chosen for others; null where nothing chosen can make it. */
export function roomFor(
  conflict: Conflict,
  conflicts: readonly Conflict[],
  choices: Choices = none,
): Room | null {
  if (conflict.kind !== 'occupied') return null;
  const rooms = conflicts.flatMap((by): Room[] => {
    const at = by === conflict ? null : leaves(by);
    if (at === null || !inTheWay(at, conflict.path)) return [];
    return [{ at, moves: by.kind === 'occupied', made: choiceOf(choices, by, 0) === 'after' }];
  });
  return rooms.find((room) => !room.made) ?? rooms[0] ?? null;
}

/** What it was is gone, and where it would be made again something else stands. */
export const isTaken = ({ kind, moved_to, now }: Conflict, op: Op | null): boolean =>
  kind === 'deleted' && moved_to === null && now !== 'absent' && op !== null && op !== 'delete';

export function sidesOf(
  conflict: Conflict,
  conflicts: readonly Conflict[] = [],
  choices: Choices = none,
  tried: Tried = nothing,
): readonly TakeSide[] {
  if (conflict.regions.length > 0) return OF_REGIONS;
  if (isTried(conflict, tried)) return WITHOUT_ROOM;
  if (conflict.kind !== 'occupied') return OF_WHOLES;
  return roomFor(conflict, conflicts, choices)?.made ? WITH_ROOM : WITHOUT_ROOM;
}

export const isTried = (conflict: Conflict, tried: Tried): boolean => tried.has(questionOf(conflict));

/** What becomes of a document may make room for what was tried. */
export const triedBeside = (decided: Conflict, conflicts: readonly Conflict[], tried: Tried): Tried => {
  const at = leaves(decided);
  if (at === null || tried.size === 0) return tried;
  return new Set(
    conflicts
      .filter((one) => isTried(one, tried) && (one === decided || !inTheWay(at, one.path)))
      .map(questionOf),
  );
};

/** Without the choices that others have made impossible, and those that rest on them. */
export function possible(choices: Choices, conflicts: readonly Conflict[], tried: Tried = nothing): Choices {
  let kept = choices;
  for (;;) {
    const impossible = conflicts.find((conflict) => {
      const side = choiceOf(kept, conflict, 0);
      return side && !sidesOf(conflict, conflicts, kept, tried).includes(side);
    });
    if (!impossible) return kept;
    const fewer = new Map(kept);
    fewer.delete(changeKey(impossible));
    kept = fewer;
  }
}

/** What is asked: of the same change, of the same that stands there, in the same way. */
const questionOf = (conflict: Conflict) =>
  [changeKey(conflict), conflict.kind, conflict.now, conflict.moved_to ?? ''].join('\0');

const countOf = (conflict: Conflict) => Math.max(1, conflict.regions.length);

export const none: Choices = new Map();
export const nothing: Tried = new Set();

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

const sidesChosen = (choices: Choices, conflict: Conflict) =>
  Array.from({ length: countOf(conflict) }, (_, i) => choiceOf(choices, conflict, i));

const isDecided = (choices: Choices, conflict: Conflict) =>
  sidesChosen(choices, conflict).every((side) => side !== null);

/** As the API takes it: documents that are wholly decided, with what stood there when they were. */
export function take(conflicts: readonly Conflict[], choices: Choices): TakeSides[] {
  return conflicts.flatMap((conflict) => {
    const sides = sidesChosen(choices, conflict);
    const { path, from, now } = conflict;
    return sides.every((side) => side !== null) ? [{ path, from, now, sides }] : [];
  });
}

/**
 * What is asked after choices were sent: the API names only what they do not settle, and wants all of them
 * again. So what is decided stays beside it, and can be decided otherwise; a side that came back is tried.
 */
export function askedAfter(
  before: readonly Conflict[],
  choices: Choices,
  sent: readonly TakeSides[],
  after: readonly Conflict[],
): { conflicts: readonly Conflict[]; choices: Choices; tried: Tried } {
  const again = new Set(after.map(changeKey));
  const settled = before.filter((one) => !again.has(changeKey(one)) && isDecided(choices, one));
  const conflicts = [...settled, ...after];
  const tried = after.filter(
    (one) =>
      before.some((old) => questionOf(old) === questionOf(one)) &&
      sent.some(
        ({ path, from = null, now, sides }) =>
          changeKey({ path, from }) === changeKey(one) && now === one.now && sides.join() === 'after',
      ),
  );
  return {
    conflicts,
    choices: carry(choices, before, conflicts),
    tried: new Set(tried.map(questionOf)),
  };
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
