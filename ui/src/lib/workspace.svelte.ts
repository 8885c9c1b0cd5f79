// One open store in this window: its API, its cache, the room that is shown and the place in it.
import { createContext } from 'svelte';
import type { QueryClient } from '@tanstack/svelte-query';
import type { Api } from '$lib/api/client';
import type { Room } from '$lib/api/types';
import type { Host, Session } from '$lib/host';
import { keys } from '$lib/api/queries';
import type { Viewer } from '$lib/refusals';

export type Place = 'inbox' | 'documents' | 'history' | 'duplicates';

export class Workspace {
  place = $state<Place>('inbox');
  room = $state.raw<Room | null>(null);
  viewer = $state.raw<Viewer | null>(null);
  /** A proposal that something outside the inbox asks it to show. */
  wanted = $state<number | null>(null);
  reached = $state(true);

  constructor(
    readonly host: Host,
    readonly session: Session,
    readonly api: Api,
    readonly queries: QueryClient,
  ) {}

  openProposal(n: number) {
    this.place = 'inbox';
    this.wanted = n;
  }

  /** The room has news: everything that is cached about it is fetched again where it is on the screen. */
  async roomChanged(room: string) {
    await Promise.all([
      this.queries.invalidateQueries({ queryKey: keys.room(room) }),
      this.queries.invalidateQueries({ queryKey: keys.rooms }),
    ]);
  }
}

export const [getWorkspace, setWorkspace] = createContext<Workspace>();
