/** What a stranger can cause as often as they like, and its owner hears of at any hour. */
const ALARMS: readonly string[] = ['LOST_CODE_SCANNED', 'SCAN_LOCATED'];

/** Seconds after an alarm during which others of the same event by the same visitor are in the list alone. */
export const SAME_ALARM = 10 * 60;

/** Alarms of a code within an hour that come at once; the others come together. */
export const ALARMS_AN_HOUR = 10;

const HOUR = 3_600;

/** Whether an alarm comes at once, is one of a visitor who caused one a moment ago, or of a code that has many. */
export type Alarm = 'AT_ONCE' | 'REPEATED' | 'GATHERED';

/** An alarm that is to be told, and by whom it was caused. */
export interface Caused {
  id: string;
  event: string;
  qrCodeId: string;
  /** What tells one visitor of the code from another. */
  visitor: string;
}

/** Whether an event is an alarm. */
export function isAlarm(event: string): boolean {
  return ALARMS.includes(event);
}

/** The budget of what one visitor causes. */
export function visitorKey({ event, visitor }: Caused): string {
  return `alarm:${event}:${visitor}`;
}

/** The budget of a code. */
export function codeKey({ qrCodeId }: Caused): string {
  return `alarms:${qrCodeId}`;
}

/** What is counted on a budget. */
interface Uses {
  key: string;
  windowSeconds: number;
  count: number;
}

/** What is to be counted for alarms, each budget once. */
export function usesOf(alarms: readonly Caused[], keyOf: (alarm: Caused) => string): Uses[] {
  const counts = new Map<string, number>();
  for (const alarm of alarms) counts.set(keyOf(alarm), (counts.get(keyOf(alarm)) ?? 0) + 1);
  const windowSeconds = keyOf === codeKey ? HOUR : SAME_ALARM;
  return [...counts].map(([key, count]) => ({ key, windowSeconds, count }));
}

/** Which alarms, in the order of their time, are within their budgets after all of them were counted. */
export function within(
  alarms: readonly Caused[],
  keyOf: (alarm: Caused) => string,
  used: readonly { key: string; used: number }[],
  allowed: number,
): Caused[] {
  const before = new Map(used.map((row) => [row.key, row.used]));
  for (const { key, count } of usesOf(alarms, keyOf)) before.set(key, (before.get(key) ?? count) - count);
  return alarms.filter((alarm) => {
    const nth = (before.get(keyOf(alarm)) ?? 0) + 1;
    before.set(keyOf(alarm), nth);
    return nth <= allowed;
  });
}

/** When what was gathered of alarms is told: at the end of the hour, also at night. */
export function gatheredUntil(now: Date): Date {
  return new Date((Math.floor(now.getTime() / (HOUR * 1000)) + 1) * HOUR * 1000);
}
