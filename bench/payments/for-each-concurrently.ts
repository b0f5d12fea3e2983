const DEFAULT_CONCURRENCY = 8;

export async function forEachConcurrently<One>(
  items: readonly One[],
  work: (one: One) => Promise<void>,
  concurrency = DEFAULT_CONCURRENCY,
) {
  let next = 0;
  const worker = async () => {
    for (let one = items[next++]; one !== undefined; one = items[next++]) await work(one);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

export function shuffle<One>(items: readonly One[]): One[] {
  return items
    .map((one) => ({ one, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ one }) => one);
}

export const isRandomHit = (share: number) => Math.random() < share;
