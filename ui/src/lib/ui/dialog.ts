import type { Snippet } from 'svelte';

export interface DialogProps {
  title: string;
  body: string;
  /** For what needs the width of a page. */
  wide?: boolean;
  onclose: () => void;
  children: Snippet;
}
