// Draws each icon of lucide at build time. Its own component puts every icon together from data when it is
// shown, some milliseconds for each on a first screen of fifty.
import type { Plugin } from 'vite';

type Shape = [tag: string, attributes: Record<string, string>];

const attributes = (of: Record<string, string>) =>
  Object.entries(of)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/** All of ours stand beside words that say the same. */
export function iconSource(shapes: Shape[]): string {
  const drawn = shapes.map(([tag, of]) => `<${tag}${attributes(of)} />`).join('');
  return `<script lang="ts">
  interface Props { size?: number; strokeWidth?: number; class?: string; 'aria-hidden'?: 'true' }
  let { size = 24, strokeWidth = 2, class: own }: Props = $props();
</script>
<svg xmlns="http://www.w3.org/2000/svg" width={size} height={size} viewBox="0 0 24 24" fill="none"
  stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round" stroke-linejoin="round"
  class={own} aria-hidden="true">${drawn}</svg>`;
}

/** The data inside an icon's module. */
export function shapesOf(code: string): Shape[] | null {
  const data = /const iconData = (\{.*\});/s.exec(code)?.[1];
  return data ? (JSON.parse(data) as { node: Shape[] }).node : null;
}

export function drawnIcons(): Plugin {
  return {
    name: 'drawn-icons',
    enforce: 'pre',
    transform(code, id) {
      if (!/@lucide\/svelte\/dist\/icons\/[^/]+\.svelte$/.test(id)) return;
      const shapes = shapesOf(code);
      if (!shapes) this.error(`${id} is not written as icons were: see icons.ts`);
      return { code: iconSource(shapes), map: null };
    },
  };
}
