// The name of the window, as a task switcher shows it: what is read, in which room. It follows the screen:
// a name is given only once what it names has been drawn.
let frame = 0;

/** Names the window after what has just been put into the page, the nearest thing first. */
export function nameWindow(...parts: string[]) {
  cancelAnimationFrame(frame);
  // A callback of one frame runs before that frame is drawn, so the first that runs after is the second's.
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      document.title = [...parts, 'Sekali'].join(' – ');
    });
  });
}
