// What only some proposals need, loaded together when one of them does: no first screen draws it.
export { default as ConflictBar } from './ConflictBar.svelte';
export { default as ConflictView } from './ConflictView.svelte';
export { default as RevertDialog } from './RevertDialog.svelte';
export { default as SplitBar } from './SplitBar.svelte';
