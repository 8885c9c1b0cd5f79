// The `why` of a proposal: Markdown from anyone. Raw HTML in it is shown as the text that it is, images as
// their description (they would fetch), links as their text with the address in sight (this window opens no
// other page). Then the result is cleaned all the same, by another parser.
import createDOMPurify from 'dompurify';
import { Marked } from 'marked';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => escapeHtml(text || href),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = escapeHtml(href);
      return text === address || text === href
        ? `<code>${address}</code>`
        : `${text} (<code>${address}</code>)`;
    },
    // Headings of a text inside a page must not outrank the page's own.
    heading({ tokens }) {
      return `<h3>${this.parser.parseInline(tokens)}</h3>\n`;
    },
  },
});

const ALLOWED_TAGS = [
  'p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li',
  'h3', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
]; // prettier-ignore

const OPTIONS = {
  ALLOWED_TAGS,
  ALLOWED_ATTR: ['start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

const purify = createDOMPurify(window);
/** Cleans HTML from anywhere down to the few tags that a reason needs. */
export function sanitize(html: string): string {
  return purify.sanitize(html, OPTIONS);
}

export function renderMarkdown(source: string): string {
  return sanitize(marked.parse(source, { async: false }));
}
