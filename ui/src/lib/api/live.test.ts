import { expect, test } from 'vitest';
import { follow } from './live';

/** Plays answers one after the other, then hangs until it is aborted. */
async function play(script: (number | Error)[], after: number) {
  const abort = new AbortController();
  const asked: number[] = [];
  const waits: number[] = [];
  const contact: boolean[] = [];
  let changes = 0;
  await follow({
    after,
    signal: abort.signal,
    poll: async (from) => {
      asked.push(from);
      const next = script.shift();
      if (next === undefined) {
        abort.abort();
        throw new Error('aborted');
      }
      if (next instanceof Error) throw next;
      return { change_seq: next };
    },
    onChange: () => changes++,
    onContact: (reached) => contact.push(reached),
    sleep: async (ms) => {
      waits.push(ms);
    },
  });
  return { asked, waits, contact, changes };
}

test('asks from where it is and tells of each change once', async () => {
  const played = await play([5, 5, 8], 5);
  expect(played).toEqual({ asked: [5, 5, 5, 8], waits: [], contact: [], changes: 1 });
});

test('backs off while there is no answer, and refreshes when it is back', async () => {
  const lost = new Error('unreachable');
  const played = await play([lost, lost, lost, 5], 5);
  expect(played.waits).toEqual([500, 1000, 2000]);
  expect(played.contact).toEqual([false, true]);
  expect(played.changes).toBe(1);
});

test('stops with its signal, without a last word', async () => {
  const played = await play([], 5);
  expect(played).toEqual({ asked: [5], waits: [], contact: [], changes: 0 });
});
