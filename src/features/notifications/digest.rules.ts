import type { Channel } from './notification-kinds.rules.ts';

/** Codes that a digest names; of the others it has the number of scans alone. */
const NAMED = 5;

/** Scans of a code that a digest tells of by a channel. */
export interface Gathered {
  userId: string;
  channel: Channel;
  title: string;
  count: number;
  since: Date;
}

/** What a digest says, and by which channels. */
export interface DigestContent {
  channels: Channel[];
  data: Record<string, string>;
}

/** The digest of what was gathered for one person, the codes with most scans first; null where there is nothing. */
export function digestOf(gathered: readonly Gathered[], timeZone: string): DigestContent | null {
  const [first] = gathered;
  if (!first) return null;
  const counts = new Map<string, number>();
  // A scan may be there for each channel, or for one of them.
  for (const { title, count } of gathered) counts.set(title, Math.max(count, counts.get(title) ?? 0));
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const named = sorted.slice(0, NAMED).map(([title, count]) => `${title} (${count})`);
  const since = new Date(Math.min(...gathered.map((one) => one.since.getTime())));
  return {
    channels: [...new Set(gathered.map(({ channel }) => channel))],
    data: {
      count: String([...counts.values()].reduce((sum, count) => sum + count, 0)),
      codes: [...named, ...(sorted.length > NAMED ? ['…'] : [])].join(', '),
      since: since.toISOString(),
      timeZone,
    },
  };
}
