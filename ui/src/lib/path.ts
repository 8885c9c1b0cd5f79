// A path on one line: where there is no room for all of it, its end is what must be seen.

/** A file name longer than this gives way in its middle too. */
const LONGEST_END = 48;
const KEPT_END = 28;

/** What may be cut off at its end, and what may not. Together they are the path. */
export function pathParts(path: string): [start: string, end: string] {
  const slash = path.lastIndexOf('/', path.length - 2);
  const cut = slash < 0 ? 0 : slash;
  const name = [...path.slice(cut)];
  if (name.length <= LONGEST_END) return [path.slice(0, cut), path.slice(cut)];
  const end = name.slice(-KEPT_END).join('');
  return [path.slice(0, path.length - end.length), end];
}
