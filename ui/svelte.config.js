import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Read by Vite, svelte-check and the editor. Runes everywhere; a11y warnings fail `npm run check`. */
export default {
  preprocess: vitePreprocess(),
};
