/// <reference types="vitest/config" />
// Builds the window to `dist/`, which the desktop host embeds. Nothing here may need inline
// scripts, eval or data: fonts: the host sends a strict Content-Security-Policy.
import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { drawnIcons } from './icons.ts';

// `npm test` compiles the messages beforehand: the plugin's watcher would keep vitest from ending.
const messages = process.env.VITEST
  ? []
  : paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/lib/paraglide',
      // The language belongs to the session, not to a cookie or an address: src/lib/i18n sets it.
      strategy: ['globalVariable', 'baseLocale'],
      emitGitIgnore: false,
      emitPrettierIgnore: false,
      emitReadme: false,
    });

/** The compiled messages count with rules of ours instead of the browser's: see lib/i18n/plural. */
const plurals = {
  name: 'plurals',
  enforce: 'pre' as const,
  resolveId: (source: string, importer?: string) =>
    source === '../registry.js' && importer?.includes('/paraglide/messages/')
      ? fileURLToPath(new URL('./src/lib/i18n/plural.ts', import.meta.url))
      : undefined,
};

export default defineConfig({
  plugins: [plurals, drawnIcons(), messages, tailwindcss(), svelte(), svelteTesting()],
  resolve: {
    alias: {
      $lib: fileURLToPath(new URL('./src/lib', import.meta.url)),
      $features: fileURLToPath(new URL('./src/features', import.meta.url)),
    },
  },
  clearScreen: false,
  server: { port: 1420, strictPort: true, host: '127.0.0.1' },
  preview: { port: 1421, strictPort: true, host: '127.0.0.1' },
  build: {
    target: ['es2022', 'safari16.4', 'chrome111'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // How long each plugin took is no warning.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    env: { TZ: 'Asia/Jakarta' },
  },
});
