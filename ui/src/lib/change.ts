// What a change and a place are known by.

/** Two changes may come to one path: one that goes, and one that moves there. */
export const changeKey = ({ path, from }: { path: string; from: string | null }): string =>
  from === null ? path : `${from}\0${path}`;

/** The form under which paths are unique in a room: case and composition make no other document. */
export const placeKey = (path: string): string =>
  path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
