// The desktop: native commands of src-tauri. A refusal of a command is a problem object, like the API's.
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { ApiError, toProblem } from '$lib/api/problem';
import { takeFirst } from './first';
import type { Host, Opened, Session } from './types';

async function call<T>(command: string, args?: Record<string, unknown>): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (cause) {
    throw new ApiError(toProblem(cause));
  }
}

export const tauriHost: Host = {
  session: () => call<Session>('session'),
  first: takeFirst,
  setLanguage: (language) => call('set_language', { language }),
  async onOpened(listener) {
    const stop = await listen<Opened>('opened', (event) => listener(event.payload));
    // What this launch itself was asked to show, from before anyone listened.
    const first = await call<Opened | null>('opened');
    if (first) listener(first);
    return stop;
  },
  native: {
    storeCreate: (path) => call('store_create', { path }),
    storeOpen: (path) => call('store_open', { path }),
    storeDemo: (language) => call('store_demo', { language }),
    storeClose: () => call('store_close'),
    settingsSetAside: () => call('settings_set_aside'),
    saveReceipt: (room, number) => call('save_receipt', { room, number }),
  },
};
