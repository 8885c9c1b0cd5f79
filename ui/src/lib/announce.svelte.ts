// What a screen reader is told when something happened without the focus moving.
let text = $state('');
let turn = false;

export const announcer = {
  get text() {
    return text;
  },
  say(message: string) {
    // The same sentence twice is news twice: a no-break space makes it differ.
    turn = !turn;
    text = turn ? message : `${message}\u00a0`;
  },
};
