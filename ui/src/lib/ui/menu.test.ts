import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, test } from 'vitest';
import OpenMenu from './OpenMenu.svelte';
import OpenPopover from './OpenPopover.svelte';

const place = { side: 'right', align: 'end', sideOffset: 8, contentClass: '' } as const;
const face = createRawSnippet(() => ({ render: () => '<i>Main</i>' }));

test('what is open has no hint of its button over it, and has it again when closed', async () => {
  for (const shown of [
    () => render(OpenMenu, { class: '', title: 'Main', face }),
    () => render(OpenPopover, { class: '', title: 'Main', label: 'Main', face, children: face, ...place }),
  ]) {
    const user = shown();
    const button = user.container.querySelector('button')!;
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(button.title).toBe('');
    await fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await screen.findByTitle('Main');
    user.unmount();
  }
});
