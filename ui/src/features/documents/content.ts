// What can be shown of a document's bytes. Text is text only when it is valid UTF-8 without NUL.
export type Content = { kind: 'text'; text: string; cut: boolean } | { kind: 'binary' };

/** Enough to read; more would only freeze the window. */
export const SHOWN_BYTES = 512 * 1024;

export function contentOf(bytes: ArrayBuffer): Content {
  const cut = bytes.byteLength > SHOWN_BYTES;
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, SHOWN_BYTES));
  if (head.includes(0)) return { kind: 'binary' };
  try {
    // `stream` forgives a character that the cut went through, and nothing else.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, { stream: cut });
    return { kind: 'text', text, cut };
  } catch {
    return { kind: 'binary' };
  }
}
