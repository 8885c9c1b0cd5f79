import { expect, test } from 'vitest';
import { createApi } from './client';
import { ApiError, toProblem } from './problem';

function apiWith(answer: (request: Request) => Response | Promise<Response>) {
  const seen: Request[] = [];
  const api = createApi({
    base: 'http://127.0.0.1:1',
    token: 'secret',
    language: () => 'id',
    fetch: async (input) => {
      const request = input as Request;
      seen.push(request.clone());
      return answer(request);
    },
  });
  return { api, seen };
}
const json = (body: unknown, status = 200, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
const refusedWith = async (promise: Promise<unknown>) => {
  try {
    await promise;
  } catch (cause) {
    if (cause instanceof ApiError) return cause.problem;
    throw cause;
  }
  throw new Error('was not refused');
};

test('Apply carries token, language and the digest that it was given', async () => {
  const { api, seen } = apiWith(() => json({ outcome: 'applied' }, 201));
  await api.apply('main', 12, 'sha256:d');
  const request = seen[0]!;
  expect(request.method).toBe('POST');
  expect(new URL(request.url).pathname).toBe('/v1/rooms/main/proposals/12/apply');
  expect(request.headers.get('Sekali-Token')).toBe('secret');
  expect(request.headers.get('Accept-Language')).toBe('id');
  expect(request.headers.get('Content-Type')).toBe('application/json');
  expect(await request.json()).toEqual({ digest: 'sha256:d' });
});

test('a path keeps its slashes and nothing else that an address would take for its own', async () => {
  const { api, seen } = apiWith(() => new Response(new Uint8Array([1, 2])));
  const bytes = await api.document('main', 'a b/c?d#e%.md', '5.0');
  const url = new URL(seen[0]!.url);
  expect(url.pathname).toBe('/v1/rooms/main/documents/a%20b/c%3Fd%23e%25.md');
  expect(url.search).toBe('?version=5.0');
  expect(new Uint8Array(bytes)).toEqual(new Uint8Array([1, 2]));
});

test('a refusal keeps its code and its data', async () => {
  const moved = [{ path: 'a', expected: 'x', now: 'y', by: { proposal: 11, seq: 56 } }];
  const { api } = apiWith(() =>
    json(
      { status: 412, code: 'proposal.stale', detail: 'd', hint: 'h', retry: 'after_rebase', moved },
      412,
      'application/problem+json',
    ),
  );
  const problem = await refusedWith(api.apply('main', 1, 'sha256:d'));
  expect(problem).toMatchObject({ code: 'proposal.stale', retry: 'after_rebase', moved });
});

test('a cut wire means unknown for a write, unreachable for a read', async () => {
  const { api } = apiWith(() => Promise.reject(new TypeError('Load failed')));
  expect((await refusedWith(api.apply('main', 1, 'sha256:d'))).code).toBe('client.answer_lost');
  expect((await refusedWith(api.store())).code).toBe('client.unreachable');
});

test('an answer that is not a problem, and a code of a later version, are said as they are', async () => {
  const { api } = apiWith(() => new Response('<html>', { status: 502 }));
  expect((await refusedWith(api.store())).code).toBe('client.unexpected');
  const later = toProblem({
    code: 'proposal.quarantined',
    status: 409,
    detail: 'In quarantine',
    hint: 'Wait',
  });
  expect(later).toMatchObject({
    code: 'client.unexpected',
    detail: 'In quarantine',
    hint: 'Wait',
    status: 409,
  });
});
