// A comment that is being written. It stays while other proposals are looked at.
import type { CommentLine } from '$lib/api/types';
import { Sending } from '$lib/sending';

export class Saying {
  text = $state('');
  /** It asks for changes. */
  asks = $state(false);
  /** The comment that it answers. */
  answers = $state<number | null>(null);
  /** The line that it is on. */
  line = $state.raw<CommentLine | null>(null);
  /** One comment for however many presses. */
  readonly sending = new Sending();

  clear() {
    this.text = '';
    this.asks = false;
    this.answers = this.line = null;
    this.sending.forget();
  }
}
