// Copying, and saying so: the clipboard itself shows nothing.
import { announcer } from '$lib/announce.svelte';
import { m } from '$lib/paraglide/messages';

export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announcer.say(m.copied());
}
