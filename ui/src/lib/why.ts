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

type Markdown = typeof import('./markdown');
let loading: Promise<Markdown> | null = null;
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** The parser. The first time it waits until the screen has been drawn, which has better things to do. */
export function loadMarkdown(): Promise<Markdown> {
  loading ??= nextFrame()
    .then(nextFrame)
    .then(() => import('./markdown'));
  return loading;
}
