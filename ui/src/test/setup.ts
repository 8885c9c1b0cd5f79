// happy-dom lacks what layout needs; components under test only have to mount.
import { afterEach, beforeEach } from 'vitest';
import { locale } from '$lib/i18n/locale.svelte';

class NoResize implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResize;

beforeEach(() => {
  locale.set('en');
  localStorage.clear();
});
afterEach(() => {
  document.body.innerHTML = '';
});
