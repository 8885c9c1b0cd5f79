// Two frames on, as in ui/src/lib/title.ts.
requestAnimationFrame(() => requestAnimationFrame(() => (document.title = 'Drawn')));
