// A submission that may be pressed again. Whether an answer that was lost had landed, its key tells: what is
// sent again under it is made once, however often. The key is Sekali's own, so its refusal is put in those words.
import { ApiError, toProblem, type Problem } from '$lib/api/problem';

/** 128 random bits: nobody else has this key, and nobody can guess it. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class Sending {
  #key: string | null = null;

  /** What is sent next is something else. */
  forget() {
    this.#key = null;
  }

  /**
   * Sends under one key until it is known what became of it. A key that the person named stands instead, but
   * not while something may have landed under another one: it would be made a second time.
   */
  async once<T>(send: (key: string) => Promise<T>, named: string | null = null): Promise<T> {
    if (this.#key === null && named !== null) return send(named);
    this.#key ??= newKey();
    try {
      const made = await send(this.#key);
      this.#key = null;
      return made;
    } catch (cause) {
      const problem = toProblem(cause);
      if (problem.code !== 'key.reused') throw cause;
      // An earlier press had landed with other words: the next one is a submission of its own.
      this.#key = null;
      throw new ApiError(landed(problem));
    }
  }
}

const landed = (problem: Problem): Problem => ({
  ...problem,
  code: 'client.landed_before',
  field: undefined,
});
