// What a diff needs to let its parts be ticked.
import type { DiffChange } from '$lib/api/types';
import type { Row } from './model';
import { partKey, type Part, type Selection } from './selection';

export interface Choosing {
  selection: Selection;
  onpart: (part: Part, stays: boolean) => void;
  onfile: (change: DiffChange, stays: boolean) => void;
  /** Up and down go from one to the next, also where it is not drawn yet. */
  onkey: (event: KeyboardEvent, part: Part) => void;
  /** Of the tick box. */
  id: (part: Part) => string;
}

/** The tick boxes in order, with the rows that they are on. The changes of one path are ticked as one, at the first. */
export function ticksOf(rows: readonly Row[]): { index: number; part: Part }[] {
  const ticks = new Map<string, { index: number; part: Part }>();
  for (const [index, row] of rows.entries()) {
    if (row.type !== 'file' && row.type !== 'hunk') continue;
    const part = { path: row.change.path, hunk: row.type === 'hunk' ? row.hunk : null };
    if (!ticks.has(partKey(part))) ticks.set(partKey(part), { index, part });
  }
  return [...ticks.values()];
}
