// The language of the window. Messages read it through `getLocale`, so a switch redraws them in place.
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import type { Language } from '$lib/host';

let current = $state<Language>('en');

overwriteGetLocale(() => current);

export const locale = {
  get current(): Language {
    return current;
  },
  set(next: Language) {
    current = next;
    document.documentElement.lang = next;
  },
};
