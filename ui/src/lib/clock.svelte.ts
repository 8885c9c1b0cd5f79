// One clock for every age on the screen, so that they move together.
const EVERY_MS = 20_000;

let now = $state(Date.now());
let timer: ReturnType<typeof setInterval> | undefined;

export const clock = {
  get now() {
    return now;
  },
  /** Ages never run behind what was just fetched. */
  touch() {
    now = Date.now();
  },
  start(): () => void {
    timer ??= setInterval(() => (now = Date.now()), EVERY_MS);
    return () => {
      clearInterval(timer);
      timer = undefined;
    };
  },
};
