// What the window asks of the program it runs in. Two hosts answer: Tauri and a plain browser.
import type { Problem } from '$lib/api/problem';

export type Language = 'en' | 'id';

export interface Session {
  token: string;
  api: string;
  store: { path: string } | null;
  language: Language;
  name: string;
  version: string;
  recent: string[];
  problem: Problem | null;
  /** What is wrong in the settings file; the window goes on with defaults. */
  settings_problem: Problem | null;
}

/** Another launch (a path, a deep link) asks this window to show something. It never applies. */
export interface Opened {
  path?: string;
  room?: string;
  proposal?: number;
}

/** What needs the operating system: absent in a browser, and then its buttons are not there either. */
export interface NativeHost {
  /** null asks with a native dialog. */
  storeCreate(path: string | null): Promise<Session>;
  storeOpen(path: string | null): Promise<Session>;
  storeDemo(language: Language): Promise<Session>;
  storeClose(): Promise<Session>;
  /** Keeps settings in which something is wrong under another name, and begins new ones. */
  settingsSetAside(): Promise<Session>;
  /** The path that was written, or null when the person cancelled. */
  saveReceipt(room: string, proposal: number): Promise<string | null>;
}

/** A session, and answers of its API under their addresses. */
export interface First {
  session: Session;
  answers: Record<string, unknown>;
}

export interface Host {
  session(): Promise<Session>;
  /** What the first screen needs, where it came with the page. */
  first(): First | null;
  setLanguage(language: Language): Promise<void>;
  onOpened(listener: (opened: Opened) => void): Promise<() => void>;
  native: NativeHost | null;
}
