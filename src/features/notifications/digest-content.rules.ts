import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { t } from '../../shared/i18n/translate.ts';
import { pickStringValues } from './notification.view.ts';
import type { NotificationChannel } from './notification-kinds.rules.ts';

/** Further codes are only counted. */
const MAX_NAMED_CODES = 5;

/** DIGEST: scans. TOO_MANY: alarms of a code that exceeded its budget. */
export type DigestReason = 'DIGEST' | 'TOO_MANY';

export interface DigestItem {
  userId: string;
  accountId: string;
  channel: NotificationChannel;
  event: string;
  title: string;
  scans: string[];
  since: Date;
  until: Date;
  newest: unknown;
}

export interface DigestContent {
  channels: NotificationChannel[];
  data: Record<string, string>;
}

interface DigestRecipient {
  language: string;
  timeZone: string;
}

/** Create the content of a user's digest, with the most scanned codes first; null without items. */
export function createDigestContent(
  items: readonly DigestItem[],
  { language, timeZone }: DigestRecipient,
): DigestContent | null {
  const [first] = items;
  if (!first) return null;
  const scans = new Map<string, Set<string>>();
  // A scan can occur once per channel, and again for its position.
  for (const one of items) scans.set(one.title, new Set([...(scans.get(one.title) ?? []), ...one.scans]));
  const counts = [...scans].map(([title, { size }]): [string, number] => [title, size]);
  const sorted = counts.sort(([, one], [, other]) => other - one);
  const named = sorted.slice(0, MAX_NAMED_CODES).map(([title, count]) => `${title} (${count})`);
  const since = new Date(Math.min(...items.map((one) => one.since.getTime())));
  return {
    channels: [...new Set(items.map(({ channel }) => channel))],
    data: {
      count: String(counts.reduce((sum, [, count]) => sum + count, 0)),
      codes: [...named, ...(sorted.length > MAX_NAMED_CODES ? ['…'] : [])].join(
        t(toSupportedLocale(language), 'finder.listSeparator'),
      ),
      since: since.toISOString(),
      timeZone,
    },
  };
}

/** Return the newest position, or else the newest scan, for a digest of alarms. */
export function getNewestScanData(items: readonly DigestItem[]): Record<string, string> {
  const rank = ({ event }: DigestItem) => Number(event === 'scan.located');
  const [last] = [...items].sort(
    (one, other) => rank(other) - rank(one) || other.until.getTime() - one.until.getTime(),
  );
  if (!last) return {};
  const { qrCodeId = '', scanId = '', place, country } = pickStringValues(last.newest);
  return {
    newestEvent: last.event,
    qrCodeId,
    scanId,
    ...(place === undefined ? {} : { place }),
    ...(country === undefined ? {} : { country }),
  };
}
