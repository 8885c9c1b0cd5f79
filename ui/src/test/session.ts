// What a test window is given: an open store, and a host without native commands.
import type { Host, Session } from '$lib/host';

export const session: Session = {
  token: 't',
  api: 'http://127.0.0.1:1',
  store: { path: '/s' },
  language: 'en',
  name: 'Ani',
  version: '',
  recent: [],
  problem: null,
  settings_problem: null,
};

export const host: Host = {
  session: () => Promise.reject(new Error('unused')),
  first: () => null,
  setLanguage: () => Promise.resolve(),
  onOpened: () => Promise.resolve(() => {}),
  native: null,
};
