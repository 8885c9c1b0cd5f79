// The `why` of a proposal. Most are plain sentences, which need no parser; the rest is Markdown.
const PARSER = /[*_`[\]|<\\~&@]|:\/\/|www\.|^\s*(?:[-+=#>]|\d+[.)])|^(?: {4}|\t)| {2}$/m;

/** Its paragraphs, where it is plain text as Markdown reads it; otherwise nothing. */
export function plainParagraphs(source: string): string[] | null {
  if (PARSER.test(source.replaceAll('\r\n', '\n'))) return null;
  return source
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '');
}
