// The first screen, where the program gave it along with the page: the session, and the API's answers to
// what that screen asks, each under its address.
import type { First } from './types';

declare global {
  interface Window {
    __SEKALI_FIRST__?: First;
  }
}

/** Once, and to the first page of this window: one that was loaded again must ask. */
export function takeFirst(): First | null {
  const first = window.__SEKALI_FIRST__ ?? null;
  delete window.__SEKALI_FIRST__;
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload' ? null : first;
}
