/** Rows in their order, cut into batches of so many bytes at the most; a row that is larger is a batch of its own. */
export function splitIntoBatches<Row extends { bytes: number }>(
  rows: readonly Row[],
  maxBytes: number,
): Row[][] {
  const batches: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = batches.at(-1);
    if (last && bytes + row.bytes <= maxBytes) {
      last.push(row);
      bytes += row.bytes;
    } else {
      batches.push([row]);
      bytes = row.bytes;
    }
  }
  return batches;
}
