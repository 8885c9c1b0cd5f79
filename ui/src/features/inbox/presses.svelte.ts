// Presses of Apply on one proposal. Every press goes to the API; nothing here waits, merges or disables.
// What is kept is what the answers said, in the order of the presses, whatever order they arrived in.
import { toProblem, type Problem } from '$lib/api/problem';
import type { ApplyAnswer } from '$lib/api/types';

export type Send = (digest: string) => Promise<ApplyAnswer>;

export interface Settled {
  answer: ApplyAnswer | null;
  problem: Problem | null;
}

/** After these, the person learns the outcome by pressing again: an earlier or later receipt answers them. */
const ANSWERED_BY_A_RECEIPT: ReadonlySet<string> = new Set([
  'store.busy',
  'store.outcome_unknown',
  'client.answer_lost',
]);

export class Presses {
  sent = $state(0);
  inFlight = $state(0);
  /** How many answers said that nothing changed because it ran before. */
  replays = $state(0);
  /** The receipt's side of the answer; the same for every success. */
  answer = $state.raw<ApplyAnswer | null>(null);
  evidenceLost = $state(false);
  #refusals = $state.raw<{ press: number; problem: Problem }[]>([]);
  #lastSuccess = $state(0);

  /** The refusal to show: the latest one that neither a success nor a known receipt has answered. */
  refusalGiven(hasReceipt: boolean): Problem | null {
    const last = this.#refusals.at(-1);
    if (!last) return null;
    if ((hasReceipt || this.answer) && ANSWERED_BY_A_RECEIPT.has(last.problem.code)) return null;
    return last.press > this.#lastSuccess ? last.problem : null;
  }

  async press(digest: string, send: Send): Promise<Settled> {
    const press = ++this.sent;
    this.inFlight++;
    try {
      const answer = await send(digest);
      this.#succeeded(press, answer);
      return { answer, problem: null };
    } catch (cause) {
      const problem = toProblem(cause);
      this.#refusals = [...this.#refusals, { press, problem }].sort((a, b) => a.press - b.press).slice(-20);
      return { answer: null, problem };
    } finally {
      this.inFlight--;
    }
  }

  /** A new revision is on the screen: what was refused for the old one no longer concerns it. */
  forgetRefusals() {
    this.#refusals = [];
  }

  #succeeded(press: number, answer: ApplyAnswer) {
    this.#lastSuccess = Math.max(this.#lastSuccess, press);
    if (answer.outcome === 'replayed') this.replays++;
    if (answer.evidence === 'not_kept') this.evidenceLost = true;
    if (!this.answer || answer.attempts > this.answer.attempts) this.answer = answer;
  }
}

/**
 * Lets every real key press through and thins out the auto-repeat of a key that is held:
 * one repeat per `everyMs`.
 */
export function repeatGate(everyMs = 500, now: () => number = () => performance.now()) {
  let last = -Infinity;
  return (event: { repeat: boolean }): boolean => {
    const at = now();
    if (event.repeat && at - last < everyMs) return false;
    last = at;
    return true;
  };
}
