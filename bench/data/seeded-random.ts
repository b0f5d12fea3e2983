/** Create a deterministic generator of numbers from 0 to 1 (mulberry32). */
export function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pickOne<Item>(list: readonly Item[], chance: () => number): Item {
  const item = list[Math.floor(chance() * list.length)];
  if (item === undefined) throw new Error('Nothing to choose from.');
  return item;
}

/** Interleave the parties so that each one gets exactly its number in total, and its share at any time. */
export function* interleave<Party extends string>(counts: Readonly<Record<Party, number>>): Generator<Party> {
  const parties = (Object.entries(counts) as [Party, number][]).map(([name, number]) => ({
    name,
    number,
    owed: 0,
  }));
  const total = parties.reduce((sum, { number }) => sum + number, 0);
  for (let index = 0; index < total; index += 1) {
    for (const party of parties) party.owed += party.number;
    const next = parties.reduce((leading, party) => (party.owed > leading.owed ? party : leading));
    next.owed -= total;
    yield next.name;
  }
}
