import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import PathText from './PathText.svelte';

test('a path may break after its separators, and is copied as it is', () => {
  for (const [path, html] of [
    ['/home/ani/sekali.db', '/<wbr>home/<wbr>ani/<wbr>sekali.db'],
    ['C:\\Ani\\sekali.db', 'C:\\<wbr>Ani\\<wbr>sekali.db'],
    ['harga.json', 'harga.json'],
  ] as const) {
    const { container } = render(PathText, { path });
    expect(container.textContent).toBe(path);
    expect(container.innerHTML.replaceAll(/<!--.*?-->/g, '')).toContain(`>${html}<`);
  }
});
