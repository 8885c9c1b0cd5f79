import { afterEach, expect, test, vi } from 'vitest';
import { nameWindow } from './title';

afterEach(() => vi.unstubAllGlobals());

function frames() {
  let next = 0;
  const waiting = new Map<number, () => void>();
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => (waiting.set(++next, callback), next));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => waiting.delete(id));
  return () => {
    const due = [...waiting.values()];
    waiting.clear();
    due.forEach((callback) => callback());
  };
}

test('the window is named once what it names is drawn, and after the last of them', () => {
  const draw = frames();
  document.title = 'before';
  nameWindow('#1 First', 'Main');
  draw();
  nameWindow('#2 Second', 'Main');
  expect(document.title).toBe('before');
  draw();
  expect(document.title).toBe('before');
  draw();
  expect(document.title).toBe('#2 Second – Main – Sekali');
  draw();
  expect(document.title).toBe('#2 Second – Main – Sekali');
});
