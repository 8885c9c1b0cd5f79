// A patch as text in a field: what can be drawn of it, and where in it a refusal points. Whether it is a
// patch, and what it does, the API says.
import type { Problem } from '$lib/api/problem';

/** More than this in a text field would be felt at each key. */
export const EDITABLE_BYTES = 200_000;
/** What is shown of a patch that is too large for a field. */
export const HEAD_LINES = 40;
const HEAD_CHARACTERS = 8_000;

export type Source =
  | { kind: 'typed'; text: string }
  /** Too large to edit, or not text: it goes as it is. */
  | { kind: 'held'; name: string; bytes: number; text: string | null; blob: Blob };

export const EMPTY: Source = { kind: 'typed', text: '' };

/** Text that came by paste. */
export function fromText(text: string): Source {
  // A field has line ends of its own, and would change these.
  const own = text.length > EDITABLE_BYTES || text.includes('\r');
  if (!own) return { kind: 'typed', text };
  const blob = new Blob([text]);
  return { kind: 'held', name: '', bytes: blob.size, text, blob };
}

/** A file that was dropped or chosen. */
export async function fromFile(file: Blob, name: string): Promise<Source> {
  const buffer = await file.arrayBuffer();
  let text: string | null = null;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    // Not UTF-8.
  }
  const exact = text !== null && !/[\r\0]/.test(text) && file.size <= EDITABLE_BYTES;
  if (exact && text !== null) return { kind: 'typed', text };
  return { kind: 'held', name, bytes: file.size, text, blob: file };
}

export const isEmpty = (source: Source) => source.kind === 'typed' && source.text === '';

export type Body = { diff: string } | { diff_base64: string };

/** As the API takes it. */
export async function bodyOf(source: Source): Promise<Body> {
  if (source.kind === 'typed') return { diff: source.text };
  return source.text !== null ? { diff: source.text } : { diff_base64: await base64Of(source.blob) };
}

/** By the browser: millions of bytes do not hold up the window. */
function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(blob);
  });
}

/** Offsets of a line, from 1, without its end; null where there is none. */
export function rangeOfLine(text: string, line: number): [from: number, until: number] | null {
  if (line < 1) return null;
  let from = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', from);
    if (end < 0) return null;
    from = end + 1;
  }
  const end = text.indexOf('\n', from);
  return [from, end < 0 ? text.length : end];
}

export interface Excerpt {
  /** Number of its first line. */
  first: number;
  lines: string[];
}

const cut = (line: string) => (line.length > 400 ? `${line.slice(0, 400)}…` : line);

/** The beginning of a text. */
export function headOf(text: string): Excerpt {
  const lines = text.slice(0, HEAD_CHARACTERS).split('\n', HEAD_LINES);
  return { first: 1, lines: lines.map(cut) };
}

/** Some lines around one. */
export function around(text: string, line: number, more = 4): Excerpt | null {
  const first = Math.max(1, line - more);
  const range = rangeOfLine(text, first);
  if (!range || !rangeOfLine(text, line)) return null;
  const lines: string[] = [];
  let from = range[0];
  while (lines.length <= line - first + more) {
    const end = text.indexOf('\n', from);
    lines.push(cut(text.slice(from, end < 0 ? text.length : end)));
    if (end < 0) break;
    from = end + 1;
  }
  return { first, lines };
}

/** What `git format-patch` calls it. */
export function subjectOf(text: string): string | null {
  const head = text.slice(0, 4_000);
  if (!/^From [0-9a-f]{40} /.test(head)) return null;
  const subject = /^Subject: ((?:.+)(?:\n[ \t].+)*)/m.exec(head)?.[1];
  if (!subject) return null;
  return (
    subject
      .replace(/\s+/g, ' ')
      .replace(/^\[PATCH[^\]]*\] /, '')
      .trim() || null
  );
}

export interface Spot {
  path: string | null;
  hunk: number | null;
  line: number | null;
  expected: string[];
  found: string[];
}

/** Where in the patch a refusal points; null where it points nowhere. */
export function spotOf(problem: Problem): Spot | null {
  if (!problem.code.startsWith('patch.') && problem.line === undefined) return null;
  const spot = {
    path: problem.path ?? null,
    hunk: problem.hunk ?? null,
    line: problem.line ?? null,
    expected: problem.expected ?? [],
    found: problem.found ?? [],
  };
  const empty = !spot.path && spot.hunk === null && spot.line === null;
  return empty && spot.expected.length + spot.found.length === 0 ? null : spot;
}
