import { describe, expect, test } from 'vitest';
import { ApiError, type Problem } from '$lib/api/problem';
import type { ApplyAnswer } from '$lib/api/types';
import { Presses, repeatGate } from './presses.svelte';

const answer = (
  outcome: ApplyAnswer['outcome'],
  attempts: number,
  more: Partial<ApplyAnswer> = {},
): ApplyAnswer => ({
  outcome,
  proposal: 12,
  seq: 57,
  revision: 2,
  digest: 'sha256:d',
  applied_at: '2026-11-30T07:02:11.123Z',
  applied_by: 'Ani',
  door: 'desktop',
  attempts,
  evidence: 'kept',
  effects: [],
  ...more,
});
const refused = (code: Problem['code']) =>
  new ApiError({ status: 409, code, detail: '', hint: '', retry: 'never' });

/** Answers by hand, in any order. */
function door() {
  const waiting: { digest: string; resolve: (a: ApplyAnswer) => void; reject: (e: unknown) => void }[] = [];
  const send = (digest: string) =>
    new Promise<ApplyAnswer>((resolve, reject) => waiting.push({ digest, resolve, reject }));
  return { waiting, send };
}

test('five presses are five calls, each with the digest on the screen, whether or not answers came', async () => {
  const { waiting, send } = door();
  const presses = new Presses();
  const all = [1, 2, 3, 4, 5].map(() => presses.press('sha256:d', send));
  expect(waiting.map((call) => call.digest)).toEqual(Array(5).fill('sha256:d'));
  expect([presses.sent, presses.inFlight]).toEqual([5, 5]);
  waiting.forEach((call, i) => call.resolve(answer(i === 0 ? 'applied' : 'replayed', i + 1)));
  await Promise.all(all);
  expect([presses.inFlight, presses.replays]).toEqual([0, 4]);
  expect(presses.answer?.attempts).toBe(5);
  expect(presses.refusalGiven(false)).toBeNull();
});

test('answers in any order tell the same', async () => {
  const { waiting, send } = door();
  const presses = new Presses();
  const all = [1, 2, 3].map(() => presses.press('sha256:d', send));
  waiting[2]!.resolve(answer('replayed', 3));
  waiting[0]!.resolve(answer('applied', 1));
  waiting[1]!.resolve(answer('replayed', 2));
  await Promise.all(all);
  expect([presses.replays, presses.answer?.attempts, presses.answer?.seq]).toEqual([2, 3, 57]);
});

describe('refusals', () => {
  const run = async (steps: (ApplyAnswer | Problem['code'])[]) => {
    const presses = new Presses();
    for (const step of steps)
      await presses.press('sha256:d', () =>
        typeof step === 'string' ? Promise.reject(refused(step)) : Promise.resolve(step),
      );
    return presses;
  };
  test('the latest one is shown', async () =>
    expect((await run(['store.busy', 'proposal.stale'])).refusalGiven(false)?.code).toBe('proposal.stale'));
  test('a success after it answers it', async () =>
    expect((await run(['store.busy', answer('applied', 1)])).refusalGiven(false)).toBeNull());
  test('busy after a success is no news: the receipt is there', async () =>
    expect((await run([answer('applied', 1), 'store.busy'])).refusalGiven(false)).toBeNull());
  test('another refusal after a success is shown', async () =>
    expect((await run([answer('applied', 1), 'actor.denied'])).refusalGiven(true)?.code).toBe(
      'actor.denied',
    ));
  test('a lost answer is settled by a receipt that was read elsewhere', async () => {
    const presses = await run(['client.answer_lost']);
    expect(presses.refusalGiven(false)?.code).toBe('client.answer_lost');
    expect(presses.refusalGiven(true)).toBeNull();
  });
  test('a thrown surprise becomes a problem, never an exception', async () => {
    const presses = new Presses();
    const settled = await presses.press('sha256:d', () => Promise.reject(new Error('boom')));
    expect(settled.problem?.code).toBe('client.unexpected');
    expect(presses.inFlight).toBe(0);
  });
  test('a new revision clears them', async () => {
    const presses = await run(['proposal.changed']);
    presses.forgetRefusals();
    expect(presses.refusalGiven(false)).toBeNull();
  });
  test('a refusal that arrives late does not cover a later success', async () => {
    const { waiting, send } = door();
    const presses = new Presses();
    const all = [presses.press('sha256:d', send), presses.press('sha256:d', send)];
    waiting[1]!.resolve(answer('applied', 1));
    waiting[0]!.reject(refused('proposal.stale'));
    await Promise.all(all);
    expect(presses.refusalGiven(false)).toBeNull();
  });
});

test('evidence that was not kept is said', async () => {
  const presses = new Presses();
  await presses.press('sha256:d', () => Promise.resolve(answer('replayed', 1, { evidence: 'not_kept' })));
  expect(presses.evidenceLost).toBe(true);
});

test('a held key repeats twice a second; real presses always pass', () => {
  let at = 0;
  const gate = repeatGate(500, () => at);
  const passed: number[] = [];
  for (at = 0; at < 2000; at += 33) if (gate({ repeat: at > 0 })) passed.push(at);
  expect(passed.length).toBe(4);
  for (let i = 0; i < 5; i++) {
    at += 1;
    expect(gate({ repeat: false })).toBe(true);
  }
});
