// The whole date of a time that is shown short: made when somebody points at it, not for every row.
import type { Attachment } from 'svelte/attachments';
import { formatDateTime } from './format';
import { locale } from './locale.svelte';

export function wholeDate(iso: string, { seconds = false } = {}): Attachment<HTMLElement> {
  return (element) => {
    const show = () => (element.title = formatDateTime(iso, locale.current, { seconds }));
    element.addEventListener('pointerenter', show);
    return () => element.removeEventListener('pointerenter', show);
  };
}
