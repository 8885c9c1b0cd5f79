// The ledger newest first, by chunks that can be fetched in any order: seq is dense, from 1.
export const CHUNK = 200;

/** The entry shown in a row: the newest is row 0. */
export const seqOfRow = (row: number, size: number): number => size - row;

/** `after` of the chunks that hold the entries of these rows. */
export function chunksOf(firstRow: number, lastRow: number, size: number): number[] {
  if (size === 0) return [];
  const newest = clamp(seqOfRow(firstRow, size), size);
  const oldest = clamp(seqOfRow(lastRow, size), size);
  const chunks: number[] = [];
  for (let after = chunkOf(newest); after >= chunkOf(oldest); after -= CHUNK) chunks.push(after);
  return chunks;
}

/** The `after` whose answer holds this entry. */
export const chunkOf = (seq: number): number => Math.floor((seq - 1) / CHUNK) * CHUNK;

/** How many entries a chunk has now: a full one never changes again. */
export const filledOf = (after: number, size: number): number => Math.min(CHUNK, size - after);

const clamp = (seq: number, size: number) => Math.max(1, Math.min(seq, size));
