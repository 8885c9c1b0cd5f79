// One open store in this window: its API, its cache, the room that is shown and the place in it.
import { createContext } from 'svelte';
import type { QueryClient } from '@tanstack/svelte-query';
import { createApi, type Api } from '$lib/api/client';
import type { Room } from '$lib/api/types';
import { Draft } from '$lib/draft.svelte';
import type { Host, Session } from '$lib/host';
import { createQueryClient, keys } from '$lib/api/queries';
import { locale } from '$lib/i18n/locale.svelte';
import type { Viewer } from '$lib/refusals';

export type Place = 'inbox' | 'documents' | 'history' | 'duplicates';

export class Workspace {
  place = $state<Place>('inbox');
  room = $state.raw<Room | null>(null);
  viewer = $state.raw<Viewer | null>(null);
  /** A proposal that something outside the inbox asks it to show. */
  wanted = $state<number | null>(null);
  reached = $state(true);

  /** What is being proposed from this window. */
  readonly draft = new Draft();
  readonly api: Api;
  readonly queries: QueryClient = createQueryClient();

  constructor(
    readonly host: Host,
    readonly session: Session,
  ) {
    this.api = createApi({
      base: session.api,
      token: session.token,
      language: () => locale.current,
    });
  }

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
