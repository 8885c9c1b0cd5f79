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

test('a key that is named while an answer is lost makes no second submission', async () => {
  const sending = new Sending();
  const keys: string[] = [];
  const press = (named: string | null, answer: () => Promise<number>) =>
    sending
      .once((key) => {
        keys.push(key);
        return answer();
      }, named)
      .catch(() => null);
  await press(null, () => Promise.reject(refused('client.answer_lost')));
  await press('mine', () => Promise.resolve(13));
  await press('mine', () => Promise.resolve(14));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).toBe('mine');
});

test('a draft that is begun anew is another submission', async () => {
  const sending = new Sending();
  const keys: string[] = [];
  const lost = (key: string) => {
    keys.push(key);
    return Promise.reject(refused('client.answer_lost'));
  };
  await sending.once(lost).catch(() => {});
  sending.forget();
  await sending.once(lost).catch(() => {});
  expect(keys[1]).not.toBe(keys[0]);
});
