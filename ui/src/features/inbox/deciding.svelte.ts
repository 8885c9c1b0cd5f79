// Conflicts of one proposal while a person decides them. It outlives a look at another proposal.
import type { Conflict, TakeSide } from '$lib/api/types';
import { carry, choose, none, possible, progress, take, type Choices } from './conflicts';

export class Deciding {
  conflicts = $state.raw<readonly Conflict[]>([]);
  choices = $state.raw<Choices>(none);
  readonly progress = $derived(progress(this.conflicts, this.choices));

  /** What the API says stands in the way now. */
  update(conflicts: readonly Conflict[]) {
    if (conflicts === this.conflicts) return;
    this.choices = possible(carry(this.choices, this.conflicts, conflicts), conflicts);
    this.conflicts = conflicts;
  }

  choose(conflict: Conflict, index: number, side: TakeSide) {
    this.choices = possible(choose(this.choices, conflict, index, side), this.conflicts);
  }

  take = () => take(this.conflicts, this.choices);
}
