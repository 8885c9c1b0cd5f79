// A plain browser, for tests and development: the address carries the token and where the API is,
// `#token=…&api=http://127.0.0.1:PORT`. There are no native commands here.
import type { Host, Language, Session } from './types';

const LANGUAGE = 'sekali.language';

function storedLanguage(): Language {
  const stored = localStorage.getItem(LANGUAGE);
  if (stored === 'en' || stored === 'id') return stored;
  return navigator.language.toLowerCase().startsWith('id') ? 'id' : 'en';
}

function readSession(hash: string): Session {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const token = params.get('token') ?? '';
  const api = params.get('api') ?? '';
  return {
    token,
    api: api.replace(/\/$/, ''),
    store: token && api ? { path: '' } : null,
    language: storedLanguage(),
    name: '',
    version: '',
    recent: [],
    problem: null,
    settings_problem: null,
  };
}

export const browserHost: Host = {
  session: () => Promise.resolve(readSession(location.hash)),
  first: () => null,
  setLanguage(language) {
    localStorage.setItem(LANGUAGE, language);
    return Promise.resolve();
  },
  onOpened(listener) {
    const read = () => {
      const params = new URLSearchParams(location.hash.replace(/^#/, ''));
      const proposal = Number(params.get('proposal'));
      const room = params.get('room') ?? undefined;
      if (room || proposal) listener({ room, proposal: proposal || undefined });
    };
    read();
    window.addEventListener('hashchange', read);
    return Promise.resolve(() => window.removeEventListener('hashchange', read));
  },
  native: null,
};
