// The first screen, where the program gave it along with the page: the session, and the API's answers to
// what that screen asks. Each is used once; what is asked again is asked of the API.
import type { Session } from './types';

interface First {
  session: Session;
  answers: Record<string, unknown>;
}

declare global {
  interface Window {
    __SEKALI_FIRST__?: First;
  }
}

/** It came with the first page of this window. One that was loaded again must ask. */
function given(): First | null {
  const first = window.__SEKALI_FIRST__ ?? null;
  delete window.__SEKALI_FIRST__;
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload' ? null : first;
}

let first: First | null | undefined;

export function firstSession(): Session | null {
  first = given();
  return first?.session ?? null;
}

/** The answer to a request of the first screen. */
export function firstAnswer(request: Request, base: string): Response | null {
  if (!first || request.method !== 'GET' || !request.url.startsWith(base)) return null;
  const address = request.url.slice(base.length);
  const answer = first.answers[address];
  if (answer === undefined) return null;
  delete first.answers[address];
  return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
}
