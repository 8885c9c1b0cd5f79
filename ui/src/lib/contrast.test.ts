import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/tokens.css', 'utf8');
const block = (selector: string) => {
  const body = css.slice(css.indexOf(`${selector} {`)).split('}')[0]!;
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]),
  );
};
const themes = { light: block(':root'), dark: block("[data-theme='dark']") } as const;

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
const contrast = (a: string, b: string) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
};

/** Foreground -> the backgrounds that it stands on in some component. */
const TEXT: Record<string, string[]> = {
  text: [
    'canvas',
    'surface',
    'sunken',
    'select',
    'accent-soft',
    'warning-soft',
    'danger-soft',
    'add',
    'addw',
    'del',
    'delw',
  ],
  muted: ['canvas', 'surface', 'sunken', 'select', 'accent-soft', 'warning-soft', 'danger-soft'],
  faint: ['canvas', 'surface', 'sunken', 'select', 'add', 'del'],
  accent: [
    'canvas',
    'surface',
    'accent-soft',
    'warning-soft',
    'danger-soft',
    'select',
    'sunken',
    'add',
    'del',
  ],
  success: ['canvas', 'surface', 'select'],
  warning: ['canvas', 'surface', 'select', 'warning-soft', 'add', 'del'],
  danger: ['canvas', 'surface', 'select', 'danger-soft'],
  'accent-text': ['accent', 'accent-strong'],
};
const OUTLINE: Record<string, string[]> = {
  field: ['surface'],
  ring: ['canvas', 'surface', 'select', 'accent-soft', 'warning-soft'],
};

for (const [theme, tokens] of Object.entries(themes)) {
  const check = (pairs: Record<string, string[]>, least: number) => {
    for (const [front, backs] of Object.entries(pairs))
      for (const back of backs) {
        expect([front, tokens[front], back, tokens[back]]).not.toContain(undefined);
        const ratio = contrast(tokens[front]!, tokens[back]!);
        expect(`${front} on ${back}: ${ratio >= least ? 'enough' : ratio.toFixed(2)}`).toBe(
          `${front} on ${back}: enough`,
        );
      }
  };
  test(`${theme}: text reaches 4.5`, () => check(TEXT, 4.5));
  test(`${theme}: fields and focus reach 3`, () => check(OUTLINE, 3));
}
