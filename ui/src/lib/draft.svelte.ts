// A proposal that is being written. It outlives the dialog: closing loses nothing.
import { EMPTY, isEmpty, subjectOf, type Source } from './patch';
import { Sending } from './sending';

export class Draft {
  open = $state(false);
  title = $state('');
  why = $state('');
  source = $state.raw<Source>(EMPTY);
  /** What a paste or a dropped file has replaced. */
  replaced = $state.raw<Source | null>(null);
  /** Counts patches that came from outside: what was refused before is not about them. */
  arrivals = $state(0);
  strip = $state<number | null>(null);
  key = $state('');
  /** One proposal for however many presses, also those of a dialog that was closed between. */
  readonly sending = new Sending();

  /** A patch came from outside. */
  receive(source: Source) {
    if (!isEmpty(this.source)) this.replaced = this.source;
    this.source = source;
    this.arrivals++;
    if (!this.title.trim() && source.kind === 'typed') this.title = subjectOf(source.text) ?? '';
    if (!this.title.trim() && source.kind === 'held' && source.text !== null)
      this.title = subjectOf(source.text.replaceAll('\r\n', '\n').slice(0, 4_000)) ?? '';
    this.open = true;
  }

  putBack() {
    if (!this.replaced) return;
    this.source = this.replaced;
    this.replaced = null;
    this.arrivals++;
  }

  get written(): boolean {
    return !isEmpty(this.source) || [this.title, this.why, this.key].some((text) => text.trim() !== '');
  }

  clear() {
    this.title = this.why = this.key = '';
    this.source = EMPTY;
    this.replaced = this.strip = null;
    this.sending.forget();
  }
}
