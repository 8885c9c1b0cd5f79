import { readFileSync } from 'node:fs';
import { render } from '@testing-library/svelte';
import Bot from '@lucide/svelte/icons/bot';
import { expect, test } from 'vitest';
import { shapesOf } from '../../../icons';

test('an icon is drawn from what lucide says of it', () => {
  const source = readFileSync('node_modules/@lucide/svelte/dist/icons/bot.svelte', 'utf8');
  const shapes = shapesOf(source);
  expect(shapes?.length).toBeGreaterThan(3);
  const { container } = render(Bot, { size: 13, strokeWidth: 1.75, class: 'text-muted' });
  const svg = container.querySelector('svg')!;
  expect([...svg.children].map((shape) => shape.tagName.toLowerCase())).toEqual(shapes!.map(([tag]) => tag));
  expect(svg.querySelector('path')?.getAttribute('d')).toBe(shapes![0]?.[1].d);
  const drawn = ['width', 'stroke-width', 'class', 'aria-hidden', 'stroke'].map((name) =>
    svg.getAttribute(name),
  );
  expect(drawn).toEqual(['13', '1.75', 'text-muted', 'true', 'currentColor']);
});
