// Holds what the compiler cannot: only src/lib/host talks to Tauri, features do not import each other,
// and raw HTML appears in one place.
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const onlyHost = {
  group: ['@tauri-apps/*'],
  message: 'Only src/lib/host talks to Tauri.',
};

export default ts.config(
  { ignores: ['dist/', 'src/lib/paraglide/', 'src/lib/api/schema.d.ts'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      'no-undef': 'off',
      'no-eval': 'error',
      'svelte/no-at-html-tags': 'error',
      'no-restricted-imports': ['error', { patterns: [onlyHost] }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  ...['start', 'inbox', 'history', 'duplicates', 'documents', 'propose'].map((feature) => ({
    files: [`src/features/${feature}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [onlyHost, { group: ['$features/*'], message: 'Features do not import each other.' }] },
      ],
    },
  })),
  { files: ['src/lib/host/**'], rules: { 'no-restricted-imports': 'off' } },
);
