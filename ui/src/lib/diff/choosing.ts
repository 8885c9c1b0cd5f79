// What a diff needs to let its parts be ticked.
import type { DiffChange } from '$lib/api/types';
import type { Part, Selection } from './selection';

export interface Choosing {
  selection: Selection;
  onpart: (part: Part, stays: boolean) => void;
  onfile: (change: DiffChange, stays: boolean) => void;
  /** Up and down go from one to the next, also where it is not drawn yet. */
  onkey: (event: KeyboardEvent, part: Part) => void;
  /** Of the tick box. */
  id: (part: Part) => string;
}
