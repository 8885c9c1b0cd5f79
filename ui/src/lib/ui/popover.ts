import type { ClassValue } from 'svelte/elements';
import type { Snippet } from 'svelte';

export interface PopoverProps {
  class: ClassValue;
  title?: string;
  /** Of what opens. */
  label: string;
  side: 'top' | 'right';
  align: 'start' | 'end';
  sideOffset: number;
  contentClass: string;
  /** The button's face. */
  face: Snippet;
  children: Snippet;
}
