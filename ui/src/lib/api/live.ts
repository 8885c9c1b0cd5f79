// Follows a room: one long poll at a time, aborted with its signal, backing off while Sekali is away.
export interface Follow {
  poll: (after: number, signal: AbortSignal) => Promise<{ change_seq: number }>;
  after: number;
  signal: AbortSignal;
  /** The room changed, or contact came back after it was lost. */
  onChange: () => void;
  /** `cause` is why it was lost. */
  onContact: (reached: boolean, cause?: unknown) => void;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export async function follow({ poll, after, signal, onChange, onContact, sleep = pause }: Follow) {
  let wait = FIRST_WAIT_MS;
  let lost = false;
  while (!signal.aborted) {
    try {
      const { change_seq } = await poll(after, signal);
      if (signal.aborted) return;
      if (lost) onContact(true);
      // Another store behind the same address may count from lower: any difference is news.
      if (lost || change_seq !== after) onChange();
      after = change_seq;
      lost = false;
      wait = FIRST_WAIT_MS;
    } catch (cause) {
      if (signal.aborted) return;
      if (!lost) onContact(false, cause);
      lost = true;
      await sleep(wait, signal);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
