// What became of a document that a proposal was based on. The number of the proposal that did it follows.
import type { Moved } from '$lib/api/types';
import { isolate } from '$lib/i18n/format';
import { m } from '$lib/paraglide/messages';

export function movedSentence({ path, expected, now, by }: Moved): string {
  const named = { path: isolate(path) };
  if (by === null) return m.moved_gone(named);
  if (now === 'absent') return m.moved_away_by(named);
  return expected === 'absent' ? m.moved_made_by(named) : m.moved_by(named);
}
