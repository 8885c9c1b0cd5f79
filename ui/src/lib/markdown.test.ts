// @vitest-environment jsdom
// (DOMPurify does not support happy-dom: it lets elements through there.)
import { expect, test } from 'vitest';
import { renderMarkdown, sanitize } from './markdown';

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](https://example.org/pixel.png)',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '<a href="vbscript:x">x</a>',
  '<svg onload=alert(1)><animate onbegin=alert(1)></svg>',
  '<iframe src="https://example.org"></iframe>',
  '<form action="/x"><input name=a><button>go</button></form>',
  '<style>*{display:none}</style><p style="position:fixed">x</p>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<p id="app" class="btn" data-x="1" onclick="x()">x</p>',
];

test.each([
  ['as Markdown', renderMarkdown],
  ['as HTML, had the first line of defence failed', sanitize],
])('nothing that runs, loads, submits or restyles survives %s', (_how, render) => {
  for (const attack of ATTACKS) {
    const holder = document.createElement('div');
    holder.innerHTML = render(attack);
    expect([
      attack,
      holder.querySelector('script,img,svg,iframe,form,input,button,style,object,math,a'),
    ]).toEqual([attack, null]);
    for (const element of holder.querySelectorAll('*'))
      for (const { name } of element.attributes) expect(['start', 'align']).toContain(name);
  }
});

test('ordinary Markdown stays readable', () => {
  const html = renderMarkdown(
    '# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n\n[site](https://example.org)',
  );
  expect(html).toContain('<h3>Title</h3>');
  expect(html).not.toContain('<h1');
  expect(html).toContain('<strong>bold</strong>');
  expect(html).toContain('<code>code</code>');
  expect(html).toContain('<li>two</li>');
  expect(html).toContain('site (<code>https://example.org</code>)');
});

test('text that looks like markup is shown as text, an image as its description', () => {
  const holder = document.createElement('div');
  holder.innerHTML = renderMarkdown('<b>not bold</b> ![a logo](https://example.org/logo.png)');
  expect(holder.textContent?.trim()).toBe('<b>not bold</b> a logo');
  expect(renderMarkdown('a < b && c > d')).toContain('a &lt; b &amp;&amp; c &gt; d');
});
