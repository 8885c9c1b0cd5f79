// The one door to Sekali's API: typed calls that answer with data or throw an ApiError. No state, no
// retries and no caching here.
import createClient, { type Middleware } from 'openapi-fetch';
import { ApiError, lostAnswer, toProblem } from './problem';
import type { paths } from './schema';
import type { CommentBody, Diff, ProposalFile, RebaseBody, RevertBody, SplitBody, State } from './types';

export interface ApiOptions {
  base: string;
  token: string;
  /** Hints come back in this language. */
  language: () => string;
  fetch?: (request: Request) => Promise<Response>;
}

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

const encodeSegments = (path: string) => path.split('/').map(encodeURIComponent).join('/');

export function createApi(options: ApiOptions) {
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const http = createClient<paths>({
    baseUrl: options.base,
    fetch: (request) => send(request),
    // A document's path keeps its slashes: `{path}` is the rest of the address.
    pathSerializer: (pathname, params) =>
      pathname.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegments(String(params[name]))),
  });
  const headers: Middleware = {
    onRequest({ request }) {
      request.headers.set('Sekali-Token', options.token);
      request.headers.set('Accept-Language', options.language());
      return request;
    },
  };
  http.use(headers);

  async function settle<T>(kind: 'read' | 'write', answer: Answer<T>): Promise<T> {
    let result: Awaited<Answer<T>>;
    try {
      result = await answer;
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError(lostAnswer(kind, cause));
    }
    if (!result.response.ok) throw new ApiError(toProblem(result.error, result.response.status));
    return result.data as T;
  }

  const read = <T>(answer: Answer<T>) => settle('read', answer);
  const write = <T>(answer: Answer<T>) => settle('write', answer);
  const at = (room: string, n: number) => ({ path: { room, n } });

  return {
    store: (signal?: AbortSignal) => read(http.GET('/v1/store', { signal })),
    rooms: (signal?: AbortSignal) => read(http.GET('/v1/rooms', { signal })),
    createRoom: (body: { slug: string; title: string }) => write(http.POST('/v1/rooms', { body })),
    room: (room: string, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}', { params: { path: { room } }, signal })),
    members: (room: string, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/members', { params: { path: { room } }, signal })),
    proposals: (
      room: string,
      query: { state?: State; limit?: number; cursor?: string },
      signal?: AbortSignal,
    ) => read(http.GET('/v1/rooms/{room}/proposals', { params: { path: { room }, query }, signal })),
    proposal: (room: string, n: number, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/proposals/{n}', { params: at(room, n), signal })),
    diff: (room: string, n: number, revision: number, signal?: AbortSignal) =>
      read<Diff>(
        http.GET('/v1/rooms/{room}/proposals/{n}/diff', {
          params: { ...at(room, n), query: { revision } },
          signal,
        }) as Answer<Diff>,
      ),
    apply: (room: string, n: number, digest: string) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/apply', { params: at(room, n), body: { digest } })),
    reject: (room: string, n: number, body: { reason: string; digest: string | null }) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/reject', { params: at(room, n), body })),
    reopen: (room: string, n: number, reason: string | null) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/reopen', { params: at(room, n), body: { reason } })),
    withdraw: (room: string, n: number, reason: string | null) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/withdraw', { params: at(room, n), body: { reason } })),
    submit: (room: string, body: ProposalFile) =>
      write(http.POST('/v1/rooms/{room}/proposals', { params: { path: { room } }, body })),
    rebasePreview: (room: string, n: number, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/proposals/{n}/rebase', { params: at(room, n), signal })),
    rebase: (room: string, n: number, body: RebaseBody) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/rebase', { params: at(room, n), body })),
    revert: (room: string, n: number, body: RevertBody) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/revert', { params: at(room, n), body })),
    split: (room: string, n: number, body: SplitBody) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/split', { params: at(room, n), body })),
    comments: (room: string, n: number, query: { limit?: number; cursor?: string }, signal?: AbortSignal) =>
      read(
        http.GET('/v1/rooms/{room}/proposals/{n}/comments', {
          params: { ...at(room, n), query },
          signal,
        }),
      ),
    comment: (room: string, n: number, body: CommentBody) =>
      write(http.POST('/v1/rooms/{room}/proposals/{n}/comments', { params: at(room, n), body })),
    documents: (room: string, query: { limit?: number; cursor?: string }, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/documents', { params: { path: { room }, query }, signal })),
    document: (room: string, path: string, version: string | undefined, signal?: AbortSignal) =>
      read<ArrayBuffer>(
        http.GET('/v1/rooms/{room}/documents/{path}', {
          params: { path: { room, path }, query: { version } },
          parseAs: 'arrayBuffer',
          signal,
        }),
      ),
    versions: (room: string, path: string, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/versions/{path}', { params: { path: { room, path } }, signal })),
    ledger: (room: string, query: { after?: number; limit?: number }, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/ledger', { params: { path: { room }, query }, signal })),
    duplicates: (room: string, query: { limit?: number; cursor?: string }, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/duplicates', { params: { path: { room }, query }, signal })),
    changes: (room: string, after: number, signal?: AbortSignal) =>
      read(http.GET('/v1/rooms/{room}/changes', { params: { path: { room }, query: { after } }, signal })),
  };
}

export type Api = ReturnType<typeof createApi>;
