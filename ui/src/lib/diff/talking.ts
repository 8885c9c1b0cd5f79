// What a diff needs to let its lines be talked about.
import type { Comment, CommentLine, DiffChange, DiffLine } from '$lib/api/types';

export interface Talking {
  /** Comments on a line of the revision that is shown. */
  count: (line: CommentLine) => number;
  onpick: (line: CommentLine) => void;
}

const keyOf = ({ path, side, line }: CommentLine) => `${side} ${line} ${path}`;

/** How many comments are on each line of a revision. */
export function counter(comments: readonly Comment[], revision: number): Talking['count'] {
  const counts = new Map<string, number>();
  for (const { line, revision: of } of comments) {
    if (!line || of !== revision) continue;
    counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  }
  return (line) => counts.get(keyOf(line)) ?? 0;
}

/** The line of a change that is meant by one that is drawn: what was removed is on the side before. */
export function lineOf(change: DiffChange, line: DiffLine): CommentLine | null {
  if (line.kind === 'remove')
    return line.old === null ? null : { path: change.from ?? change.path, side: 'before', line: line.old };
  return line.new === null ? null : { path: change.path, side: 'after', line: line.new };
}
