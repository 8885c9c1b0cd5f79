// What this window remembers about itself between starts: theme, widths, diff view, last room.
export type Theme = 'system' | 'light' | 'dark';

const PREFIX = 'sekali.';

function recall<T>(name: string, fallback: T, valid: (value: unknown) => value is T): T {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return valid(stored) ? stored : fallback;
  } catch {
    return fallback;
  }
}

function remember(name: string, value: unknown) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private or full storage: the window works the same, it only forgets.
  }
}

const isTheme = (v: unknown): v is Theme => v === 'system' || v === 'light' || v === 'dark';
const isNumber = (v: unknown): v is number => typeof v === 'number' && Number.isFinite(v);
const isView = (v: unknown): v is 'unified' | 'split' => v === 'unified' || v === 'split';
const isString = (v: unknown): v is string => typeof v === 'string';

class Preferences {
  #theme = $state<Theme>(recall('theme', 'system', isTheme));
  #listWidth = $state(recall('listWidth', 344, isNumber));
  #railWidth = $state(recall('railWidth', 200, isNumber));
  #diffView = $state(recall('diffView', 'unified', isView));

  get theme() {
    return this.#theme;
  }
  set theme(value: Theme) {
    this.#theme = value;
    remember('theme', value);
    applyTheme(value);
  }
  get listWidth() {
    return this.#listWidth;
  }
  set listWidth(value: number) {
    this.#listWidth = value;
    remember('listWidth', value);
  }
  get railWidth() {
    return this.#railWidth;
  }
  set railWidth(value: number) {
    this.#railWidth = value;
    remember('railWidth', value);
  }
  get diffView() {
    return this.#diffView;
  }
  set diffView(value: 'unified' | 'split') {
    this.#diffView = value;
    remember('diffView', value);
  }
  lastRoom(store: string): string {
    return recall(`room.${store}`, '', isString);
  }
  setLastRoom(store: string, room: string) {
    remember(`room.${store}`, room);
  }
}

const dark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;

function applyTheme(theme: Theme) {
  const resolved = theme === 'system' ? (dark?.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset.theme = resolved;
}

export const prefs = new Preferences();

/** Sets the colours before the first paint and follows the system from then on. */
export function startTheme() {
  applyTheme(prefs.theme);
  dark?.addEventListener('change', () => applyTheme(prefs.theme));
}
