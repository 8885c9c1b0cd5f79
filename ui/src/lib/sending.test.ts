import { expect, test } from 'vitest';
import { ApiError, type Problem } from '$lib/api/problem';
import { Sending } from './sending';

const refused = (code: Problem['code'], more: Partial<Problem> = {}) =>
  new ApiError({ status: 409, code, detail: '', hint: '', retry: 'never', ...more });

/** Each press in turn answers or throws what is given; the keys that came are told. */
async function presses(...answers: (number | ApiError)[]) {
  const sending = new Sending();
  const keys: string[] = [];
  const problems: (Problem | null)[] = [];
  for (const answer of answers)
    await sending
      .once((key) => {
        keys.push(key);
        return typeof answer === 'number' ? Promise.resolve(answer) : Promise.reject(answer);
      })
      .then(
        () => problems.push(null),
        (cause: ApiError) => problems.push(cause.problem),
      );
  return { keys, problems };
}

test('a press after a lost answer carries the same key, and the next submission another', async () => {
  const { keys } = await presses(refused('client.answer_lost'), refused('store.busy'), 13, 14);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('what had landed with other words is told as that, and the next press is one of its own', async () => {
  const reused = refused('key.reused', { field: 'key', other: 13, value: 'x' });
  const { keys, problems } = await presses(refused('client.answer_lost'), reused, 14);
  expect(problems[1]).toMatchObject({ code: 'client.landed_before', other: 13, field: undefined });
  expect(keys[2]).not.toBe(keys[0]);
});

test('a key that the person named stands, and its refusal too', async () => {
  const sending = new Sending();
  const named: string[] = [];
  const send = (key: string) => {
    named.push(key);
    return Promise.reject(refused('key.reused', { other: 13 }));
  };
  await expect(sending.once(send, 'mine')).rejects.toMatchObject({ problem: { code: 'key.reused' } });
  expect(named).toEqual(['mine']);
});

/** Each press in turn names a key or none, and answers or throws; the keys that came are told. */
async function named(...presses: [named: string | null, answer: number | ApiError][]) {
  const sending = new Sending();
  const keys: string[] = [];
  for (const [name, answer] of presses)
    await sending
      .once((key) => {
        keys.push(key);
        return typeof answer === 'number' ? Promise.resolve(answer) : Promise.reject(answer);
      }, name)
      .catch(() => null);
  return keys;
}
const lost = refused('client.answer_lost');

test('a key that is named while an answer is lost makes no second submission', async () => {
  const keys = await named([null, lost], ['mine', refused('store.busy')], ['mine', 13], ['mine', 14]);
  expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
  expect(keys[3]).toBe('mine');
});

test('a named key that is changed or taken away while an answer is lost makes no second submission', async () => {
  expect(await named(['mine', lost], ['other', 13], ['other', 14])).toEqual(['mine', 'mine', 'other']);
  const keys = await named(['mine', lost], [null, refused('key.reused', { other: 9 })], [null, 13]);
  expect(keys.slice(0, 2)).toEqual(['mine', 'mine']);
  expect(keys[2]).toMatch(/^[0-9a-f]{32}$/);
});

test('what was refused has not landed: a key that is named after it counts', async () => {
  const keys = await named([null, refused('patch.mismatch')], ['mine', 13]);
  expect(keys[1]).toBe('mine');
});

test('a draft that is begun anew is another submission', async () => {
  const sending = new Sending();
  const keys: string[] = [];
  const lose = (key: string) => {
    keys.push(key);
    return Promise.reject(lost);
  };
  await sending.once(lose).catch(() => {});
  sending.forget();
  await sending.once(lose).catch(() => {});
  expect(keys[1]).not.toBe(keys[0]);
});
