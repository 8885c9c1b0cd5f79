// What a menu is made of: choices of which one holds, then actions.
import type { Component, Snippet } from 'svelte';

export interface Choice {
  value: string;
  /** What typing in the menu finds. */
  text: string;
}

export interface Action {
  label: string;
  icon?: Component<{ size?: number; strokeWidth?: number }>;
  onselect: () => void;
}

export interface MenuProps<C extends Choice> {
  class: string;
  label?: string;
  title?: string;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
  sideOffset?: number;
  contentClass?: string;
  /** The button's face. */
  face: Snippet;
  choices?: { label: string; value: string; of: C[]; onchoose: (value: string) => void };
  choice?: Snippet<[choice: C, chosen: boolean]>;
  actions?: Action[];
  /** For the button, as a style hook. */
  on?: boolean;
}
