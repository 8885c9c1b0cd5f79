// Conflicts of one proposal while a person decides them. It outlives a look at another proposal.
import type { Conflict, TakeSide, TakeSides } from '$lib/api/types';
import {
  askedAfter,
  carry,
  choose,
  none,
  nothing,
  possible,
  progress,
  take,
  triedBeside,
  type Choices,
  type Tried,
} from './conflicts';

export class Deciding {
  conflicts = $state.raw<readonly Conflict[]>([]);
  choices = $state.raw<Choices>(none);
  /** What cannot be had as it was chosen. */
  tried = $state.raw<Tried>(nothing);
  readonly progress = $derived(progress(this.conflicts, this.choices));

  /** What the API says stands in the way before anything is chosen. */
  update(conflicts: readonly Conflict[]) {
    if (conflicts === this.conflicts) return;
    this.#are(conflicts, carry(this.choices, this.conflicts, conflicts), this.tried);
  }

  /** What it says stands in the way of these choices. */
  refused(conflicts: readonly Conflict[], sent: readonly TakeSides[]) {
    const asked = askedAfter(this.conflicts, this.choices, sent, conflicts);
    this.#are(asked.conflicts, asked.choices, asked.tried);
  }

  choose(conflict: Conflict, index: number, side: TakeSide) {
    this.tried = triedBeside(conflict, this.conflicts, this.tried);
    this.choices = possible(choose(this.choices, conflict, index, side), this.conflicts, this.tried);
  }

  take = () => take(this.conflicts, this.choices);

  #are(conflicts: readonly Conflict[], choices: Choices, tried: Tried) {
    this.tried = tried;
    this.choices = possible(choices, conflicts, tried);
    this.conflicts = conflicts;
  }
}
