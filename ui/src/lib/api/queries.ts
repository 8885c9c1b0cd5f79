// Names and freshness of what is cached. Everything under ['room', id] is thrown stale by one change of
// that room; a diff of a revision never changes, so it stays.
import { QueryClient } from '@tanstack/svelte-query';
import { ApiError } from './problem';
import type { Api } from './client';
import type { Comment, Page, ProposalItem, State } from './types';

export type Filter = State | 'all';

export const keys = {
  store: ['store'] as const,
  rooms: ['rooms'] as const,
  room: (room: string) => ['room', room] as const,
  members: (room: string) => ['room', room, 'members'] as const,
  lists: (room: string) => ['room', room, 'list'] as const,
  list: (room: string, filter: Filter) => ['room', room, 'list', filter] as const,
  proposal: (room: string, n: number) => ['room', room, 'proposal', n] as const,
  comments: (room: string, n: number) => ['room', room, 'comments', n] as const,
  title: (room: string, n: number) => ['room', room, 'title', n] as const,
  diff: (room: string, n: number, revision: number) => ['diff', room, n, revision] as const,
  rebase: (room: string, n: number, digest: string) => ['room', room, 'rebase', n, digest] as const,
  ledger: (room: string, after: number) => ['ledger', room, after] as const,
  duplicates: (room: string) => ['room', room, 'duplicates'] as const,
  documents: (room: string) => ['room', room, 'documents'] as const,
  versions: (room: string, path: string) => ['room', room, 'versions', path] as const,
  document: (room: string, path: string, version: string) => ['document', room, path, version] as const,
};

/** Proposals of one page of a list. */
export const PAGE = 100;

/** What the first screen asks for, so that it can be asked before there is anything to draw it. */
export const asks = {
  store: (api: Api) => ({
    queryKey: keys.store,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.store(signal),
  }),
  rooms: (api: Api) => ({
    queryKey: keys.rooms,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.rooms(signal),
  }),
  members: (api: Api, room: string) => ({
    queryKey: keys.members(room),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.members(room, signal),
  }),
  list: (api: Api, room: string, filter: Filter) => ({
    queryKey: keys.list(room, filter),
    queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      api.proposals(
        room,
        { state: filter === 'all' ? undefined : filter, limit: PAGE, cursor: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<ProposalItem>) => last.next ?? undefined,
  }),
  proposal: (api: Api, room: string, n: number) => ({
    queryKey: keys.proposal(room, n),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.proposal(room, n, signal),
  }),
  /** All that is said, page by page: what is drawn of it is the window's to choose. */
  comments: (api: Api, room: string, n: number) => ({
    queryKey: keys.comments(room, n),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const all: Comment[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.comments(room, n, { limit: 200, cursor }, signal);
        all.push(...page.items);
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      return all;
    },
  }),
  diff: (api: Api, room: string, n: number, revision: number) => ({
    queryKey: keys.diff(room, n, revision),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.diff(room, n, revision, signal),
  }),
  rebase: (api: Api, room: string, n: number, digest: string) => ({
    queryKey: keys.rebase(room, n, digest),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.rebasePreview(room, n, signal),
  }),
};

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The API is on this computer: "offline" says nothing about it.
        networkMode: 'always',
        // News comes by the long poll, not by the clock or by focus.
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (count, error) =>
          count < 2 &&
          error instanceof ApiError &&
          ['client.unreachable', 'store.busy'].includes(error.problem.code),
        retryDelay: (count) => 300 * 2 ** count,
      },
    },
  });
}

const ROOM = '/v1/rooms/([^/]+)';
const LISTED = `${ROOM}/proposals\\?state=waiting&limit=${PAGE}`;
/** Where the answer of an address is kept, and as what. */
const KEPT: [
  address: RegExp,
  key: (...parts: string[]) => readonly unknown[],
  as?: (answer: unknown) => unknown,
][] = [
  [/^\/v1\/store$/, () => keys.store],
  [/^\/v1\/rooms$/, () => keys.rooms],
  [new RegExp(`^${ROOM}/members$`), (room) => keys.members(room)],
  [
    new RegExp(`^${LISTED}$`),
    (room) => keys.list(room, 'waiting'),
    (answer) => ({ pages: [answer], pageParams: [undefined] }),
  ],
  [new RegExp(`^${ROOM}/proposals/(\\d+)$`), (room, n) => keys.proposal(room, Number(n))],
  [
    new RegExp(`^${ROOM}/proposals/(\\d+)/diff\\?revision=(\\d+)$`),
    (room, n, revision) => keys.diff(room, Number(n), Number(revision)),
  ],
];

/** Keeps answers that came without being asked for. */
export function keep(queries: QueryClient, answers: Record<string, unknown>) {
  for (const [address, answer] of Object.entries(answers))
    for (const [pattern, key, as] of KEPT) {
      const match = pattern.exec(address);
      if (match) queries.setQueryData(key(...match.slice(1)), as ? as(answer) : answer);
    }
}
