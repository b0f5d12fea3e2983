import { type Alarm, gatheredUntil } from './alarms.rules.ts';
import {
  type Channel,
  isMailedElsewhere,
  isToldEvent,
  NOTIFICATION_KINDS,
} from './notification-kinds.rules.ts';
import { afterQuiet, nextTimeOfDay, quietSpanAt, type Span } from './quiet-hours.rules.ts';
import { isWanted, type Settings } from './settings.rules.ts';

const HOUR = 3_600_000;

/** Minutes past midnight at which a daily digest comes: in the morning. */
const DAILY_AT = 8 * 60;

/** Ordinary scans of one hour, or of one night's quiet hours, that an AUTOMATIC digest leaves to themselves. */
export const SINGLY = 5;

/** What a person wishes, and where they are. */
export interface Wishes extends Settings {
  timeZone: string;
}

/** What is to be sent, by which channel. */
export interface Sendable {
  event: string;
  createdAt: Date;
  /** Whether it is among the first ordinary scans of its window; see `singlesSince`. */
  isAmongFirst: boolean;
  /** How it is told where it is an alarm. */
  alarm?: Alarm | undefined;
}

/** What becomes of it: nothing, the list alone, now, at the end of quiet hours, or as part of a digest: of scans, or of alarms. */
export type Decision =
  | { act: 'NOTHING' | 'LIST' | 'SEND' }
  | { act: 'HOLD' | 'GATHER' | 'GATHER_ALARM'; until: Date };

/** What becomes of a notification by a channel, at this moment. */
export function decide(wishes: Wishes, sendable: Sendable, channel: Channel, now: Date): Decision {
  const { event } = sendable;
  if (!isToldEvent(event) || !isWanted(wishes.preferences, event, channel)) return { act: 'NOTHING' };
  if (channel === 'EMAIL' && isMailedElsewhere(event)) return { act: 'NOTHING' };
  if (sendable.alarm === 'REPEATED') return { act: 'LIST' };
  if (sendable.alarm === 'GATHERED') return { act: 'GATHER_ALARM', until: gatheredUntil(now) };
  if (NOTIFICATION_KINDS[event].isUrgent) return { act: 'SEND' };
  if (isGathered(wishes, sendable))
    return { act: 'GATHER', until: digestAt(wishes, sendable.createdAt, now) };
  const quiet = quietSpanAt(wishes.quietHours, wishes.timeZone, now);
  return quiet ? { act: 'HOLD', until: quiet.until } : { act: 'SEND' };
}

/** Since when ordinary scans are counted, of which the first come singly: the hour, or the quiet hours, of a moment. */
export function singlesSince(wishes: Wishes, at: Date): Date {
  return windowAt(wishes, at).since;
}

/** Whether it matters how many ordinary scans came before. */
export function isCounted({ digest }: Wishes, event: string): boolean {
  return digest === 'AUTOMATIC' && event === 'QR_CODE_SCANNED';
}

/** When the digest of a moment is told; of one that should have been told already, the next. */
export function digestAt(wishes: Wishes, at: Date, now: Date): Date {
  const { digest, quietHours, timeZone } = wishes;
  const end = (moment: Date) =>
    digest === 'DAILY' ? nextTimeOfDay(DAILY_AT, timeZone, moment) : windowAt(wishes, moment).until;
  const due = end(at) > now ? end(at) : end(now);
  return afterQuiet(quietHours, timeZone, due);
}

function isGathered({ digest }: Wishes, { event, isAmongFirst }: Sendable): boolean {
  if (event !== 'QR_CODE_SCANNED' || digest === 'NEVER') return false;
  return digest === 'AUTOMATIC' ? !isAmongFirst : true;
}

function windowAt({ quietHours, timeZone }: Wishes, at: Date): Span {
  const hour = Math.floor(at.getTime() / HOUR) * HOUR;
  const quiet = quietSpanAt(quietHours, timeZone, at);
  return quiet ?? { since: new Date(hour), until: new Date(hour + HOUR) };
}
