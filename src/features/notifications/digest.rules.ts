import { pickStrings } from './notification.view.ts';
import type { NotificationChannel } from './notification-kinds.rules.ts';

/** Codes that a digest names; of the others it has the number of scans alone. */
const MAX_NAMED_CODES = 5;

/** Why something waits for a digest: of ordinary scans, or of alarms of a code that has many. */
export type DigestReason = 'DIGEST' | 'TOO_MANY';

/** Scans of a code that a digest tells of by a channel. */
export interface DigestItem {
  userId: string;
  channel: NotificationChannel;
  event: string;
  title: string;
  /** Their ids. */
  scans: string[];
  since: Date;
  until: Date;
  /** What the last notification holds. */
  newest: unknown;
}

/** What a digest says, and by which channels. */
export interface DigestContent {
  channels: NotificationChannel[];
  data: Record<string, string>;
}

/** The digest of what was gathered for one person, the codes with most scans first; null where there is nothing. */
export function createDigestContent(items: readonly DigestItem[], timeZone: string): DigestContent | null {
  const [first] = items;
  if (!first) return null;
  const scans = new Map<string, Set<string>>();
  // A scan may be there for each channel, or for one of them, and again for its position.
  for (const one of items) scans.set(one.title, new Set([...(scans.get(one.title) ?? []), ...one.scans]));
  const counts = [...scans].map(([title, { size }]): [string, number] => [title, size]);
  const sorted = counts.sort(([, one], [, other]) => other - one);
  const named = sorted.slice(0, MAX_NAMED_CODES).map(([title, count]) => `${title} (${count})`);
  const since = new Date(Math.min(...items.map((one) => one.since.getTime())));
  return {
    channels: [...new Set(items.map(({ channel }) => channel))],
    data: {
      count: String(counts.reduce((sum, [, count]) => sum + count, 0)),
      codes: [...named, ...(sorted.length > MAX_NAMED_CODES ? ['…'] : [])].join(', '),
      since: since.toISOString(),
      timeZone,
    },
  };
}

/** What a digest of alarms says beside: where the newest position was given, else the newest scan was, and of what it is. */
export function toNewestScanData(items: readonly DigestItem[]): Record<string, string> {
  const rank = ({ event }: DigestItem) => Number(event === 'SCAN_LOCATED');
  const [last] = [...items].sort(
    (one, other) => rank(other) - rank(one) || other.until.getTime() - one.until.getTime(),
  );
  if (!last) return {};
  const { qrCodeId = '', scanId = '', place } = pickStrings(last.newest);
  return { told: last.event, qrCodeId, scanId, ...(place === undefined ? {} : { place }) };
}
