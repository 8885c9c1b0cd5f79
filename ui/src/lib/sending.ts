// A submission that may be pressed again. Whether an answer that was lost had landed, its key tells: what is
// sent again under it is made once, however often. Of a key that is Sekali's own, the refusal is put in those
// words.
import { ApiError, toProblem, type Problem } from '$lib/api/problem';
import { isUnknown } from '$lib/refusals';

/** 128 random bits: nobody else has this key, and nobody can guess it. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class Sending {
  /** Something may have landed under it. */
  #open: { key: string; own: boolean } | null = null;

  /** What is sent next is something else. */
  forget() {
    this.#open = null;
  }

  /**
   * Sends under one key until it is known what became of it, whatever key the person names meanwhile, or takes
   * away: under another one it could be made a second time. What was refused has not landed, and leaves the
   * next press free.
   */
  async once<T>(send: (key: string) => Promise<T>, named: string | null = null): Promise<T> {
    const under = this.#open ?? { key: named ?? newKey(), own: named === null };
    try {
      const made = await send(under.key);
      this.#open = null;
      return made;
    } catch (cause) {
      const problem = toProblem(cause);
      if (isUnknown(problem)) this.#open = under;
      if (problem.code !== 'key.reused') throw cause;
      // An earlier press had landed with other words: the next one is a submission of its own.
      this.#open = null;
      throw under.own ? new ApiError(landed(problem)) : cause;
    }
  }
}

const landed = (problem: Problem): Problem => ({
  ...problem,
  code: 'client.landed_before',
  field: undefined,
});
