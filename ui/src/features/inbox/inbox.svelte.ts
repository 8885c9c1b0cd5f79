// What the inbox remembers while a room is open: filter, selection, presses, and what this window did itself.
import { createContext } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Filter } from '$lib/api/queries';
import type { ProposalItem, State } from '$lib/api/types';
import { Sending } from '$lib/sending';
import { Deciding } from './deciding.svelte';
import { Presses } from './presses.svelte';
import { Saying } from './saying.svelte';

/** What the open proposal lets the keyboard do. */
export interface Commands {
  apply: (event: { repeat: boolean }) => void;
  reject: () => void;
  focus: () => void;
}

export class Inbox {
  filter = $state<Filter>('waiting');
  selected = $state<number | null>(null);
  /** Whether there is something to select, so that the pane beside the list can say what to do. */
  listed = $state<'loading' | 'some' | 'none' | 'failed'>('loading');
  /** The selected item as last seen: it stays in the list even when it no longer fits the filter. */
  kept = $state.raw<ProposalItem | null>(null);
  commands = $state.raw<Commands | null>(null);
  #presses = new SvelteMap<number, Presses>();
  #deciding = new SvelteMap<number, Deciding>();
  #reverting = new SvelteMap<number, Sending>();
  #saying = new SvelteMap<number, Saying>();
  #own = new SvelteSet<string>();

  presses(n: number): Presses {
    let presses = this.#presses.get(n);
    if (!presses) this.#presses.set(n, (presses = new Presses()));
    return presses;
  }

  deciding(n: number): Deciding {
    let deciding = this.#deciding.get(n);
    if (!deciding) this.#deciding.set(n, (deciding = new Deciding()));
    return deciding;
  }

  /** A revert of it: closing the dialog after a lost answer does not make the next press a second one. */
  reverting(n: number): Sending {
    let sending = this.#reverting.get(n);
    if (!sending) this.#reverting.set(n, (sending = new Sending()));
    return sending;
  }

  /** What is being said about it. */
  saying(n: number): Saying {
    let saying = this.#saying.get(n);
    if (!saying) this.#saying.set(n, (saying = new Saying()));
    return saying;
  }

  /** This window brought the proposal there, so it is no news to the person. */
  did(n: number, state: State) {
    this.#own.add(`${n} ${state}`);
  }

  isOwn(n: number, state: State): boolean {
    return this.#own.has(`${n} ${state}`);
  }

  select(n: number | null) {
    if (this.selected === n) return;
    this.selected = n;
    this.kept = null;
  }

  show(filter: Filter) {
    if (this.filter === filter) return;
    this.filter = filter;
    this.kept = null;
    this.selected = null;
  }
}

export const [getInbox, setInbox] = createContext<Inbox>();

/** Puts the kept item where it belongs, newest first; where the list has it, as it was kept: that is newer. */
export function withKept(items: readonly ProposalItem[], kept: ProposalItem | null): readonly ProposalItem[] {
  if (!kept) return items;
  const listed = items.findIndex((item) => item.proposal === kept.proposal);
  if (listed >= 0) return items.with(listed, kept);
  const at = items.findIndex((item) => item.proposal < kept.proposal);
  return at < 0 ? [...items, kept] : [...items.slice(0, at), kept, ...items.slice(at)];
}

/** By how many rows the first row that is seen, or the next one that is still there, has moved. */
export function movedBy(
  before: readonly ProposalItem[],
  after: readonly ProposalItem[],
  firstSeen: number,
): number {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- lives for this call only
  const rows = new Map(after.map((item, row) => [item.proposal, row]));
  for (let row = firstSeen; row < before.length; row++) {
    const now = rows.get(before[row]!.proposal);
    if (now !== undefined) return now - row;
  }
  return 0;
}
