// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown';
import { plainParagraphs } from './why';

test('what is drawn without the parser is drawn as the parser would', () => {
  const check = (source: string, plain: boolean) => {
    const paragraphs = plainParagraphs(source);
    expect(paragraphs !== null, source).toBe(plain);
    if (!paragraphs) return;
    const drawn = paragraphs.map((text) => {
      const p = document.createElement('p');
      p.textContent = text;
      return p.outerHTML;
    });
    expect(renderMarkdown(source).replaceAll('\n<', '<').trim(), source).toBe(drawn.join(''));
  };
  check('Because it is cheaper.', true);
  check('Two lines,\none paragraph.', true);
  check('One (with brackets), two!\n\nThree? "Four", 50% of 1.5; and it’s fine.', true);
  check('\n\nBlank lines around.\r\n\r\nAnd CRLF.\n', true);
  check('Harga naik 10.000 rupiah', true);
  check('Free-shipping from #9: a = b, 1 + 1 > 0', true);
  for (const marked of [
    'a *b*',
    '__b__',
    '`c`',
    '# h',
    '> q',
    '[a](b)',
    '| a |',
    '<b>',
    'a\\*',
    '~~a~~',
    '&amp;',
    '- a',
    '+ a',
    '1. a',
    'x\n2) b',
    '    code',
    'x\n\n\tcode',
    'hard  \nbreak',
    'see https://a.id',
    'www.a.id',
    'a\n===',
    'a\n---',
    '* * *',
  ])
    check(marked, false);
});
