import type { Snippet } from 'svelte';

export interface DialogProps {
  title: string;
  body: string;
  onclose: () => void;
  children: Snippet;
}
