// What the first screen shows, asked for before it is drawn: it is then drawn once and whole, instead of
// piece by piece as the answers come. Whatever fails here is asked again, and told, by the part that needs it.
import { asks } from '$lib/api/queries';
import type { Room } from '$lib/api/types';
import { prefs } from '$lib/prefs.svelte';
import type { Workspace } from '$lib/workspace.svelte';

/** From here on, half a screen is better than none. */
const PATIENCE_MS = 400;

/** The room that was named, or the first. */
export function roomOf(rooms: Room[], named: string): Room | null {
  return rooms.find((room) => room.slug === named || room.id === named) ?? rooms[0] ?? null;
}

export async function readFirst(workspace: Workspace): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([read(workspace).catch(() => undefined), late]);
  clearTimeout(timer);
}

async function read({ api, queries }: Workspace): Promise<void> {
  const [store, rooms] = await Promise.all([
    queries.fetchQuery(asks.store(api)),
    queries.fetchQuery(asks.rooms(api)),
  ]);
  const room = roomOf(rooms.items, prefs.lastRoom(store.id));
  if (!room) return;
  await Promise.all([
    queries.fetchQuery(asks.members(api, room.slug)),
    queries.fetchInfiniteQuery(asks.list(api, room.slug, 'waiting')).then(async (list) => {
      const first = list.pages[0]?.items[0];
      if (!first) return;
      // The list knows the revision, so its difference need not wait for the rest of the proposal.
      await Promise.all([
        queries.fetchQuery(asks.proposal(api, room.slug, first.proposal)),
        queries.fetchQuery(asks.diff(api, room.slug, first.proposal, first.revision)),
      ]);
    }),
  ]);
}
