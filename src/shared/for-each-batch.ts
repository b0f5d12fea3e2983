/** Read rows in batches, each after the last row of the one before, and handle each batch. */
export async function forEachBatch<Row>(
  batchSize: number,
  load: (after: Row | null) => Promise<readonly Row[]>,
  handle: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let after: Row | null = null, isLast = false; !isLast; ) {
    const rows: readonly Row[] = await load(after);
    await handle(rows);
    after = rows.at(-1) ?? null;
    isLast = rows.length < batchSize;
  }
}
