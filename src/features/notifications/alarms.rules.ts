/** What a stranger can cause as often as they like, and its owner hears of at any hour. */
const ALARM_EVENTS: readonly string[] = ['LOST_CODE_SCANNED', 'SCAN_LOCATED'];

const HOUR_SECONDS = 3_600;

/** Whether an alarm comes at once, is one of a visitor who caused one a moment ago, or of a code that has many. */
export type AlarmHandling = 'AT_ONCE' | 'REPEATED' | 'GATHERED';

/** An alarm that is to be told, and by whom it was caused. */
export interface AlarmNotification {
  id: string;
  event: string;
  qrCodeId: string;
  /** What tells one visitor of the code from another. */
  visitor: string;
}

/** Whether an event is an alarm. */
export function isAlarm(event: string): boolean {
  return ALARM_EVENTS.includes(event);
}

/** How many alarms with the same key come within a time, in seconds. */
export interface AlarmBudget {
  getKey(alarm: AlarmNotification): string;
  windowSeconds: number;
  allowed: number;
}

/** One of an event by one visitor in ten minutes; others of theirs are in the list alone. */
export const VISITOR_ALARM_BUDGET: AlarmBudget = {
  getKey: ({ event, visitor }) => `alarm:${event}:${visitor}`,
  windowSeconds: 10 * 60,
  allowed: 1,
};

/** Ten of a code within an hour come at once; the others come together. */
export const CODE_ALARM_BUDGET: AlarmBudget = {
  getKey: ({ qrCodeId }) => `alarms:${qrCodeId}`,
  windowSeconds: HOUR_SECONDS,
  allowed: 10,
};

/** What is to be counted on a budget for alarms, each key once. */
export function countBudgetUses(
  alarms: readonly AlarmNotification[],
  { getKey, windowSeconds }: AlarmBudget,
) {
  const counts = new Map<string, number>();
  for (const alarm of alarms) counts.set(getKey(alarm), (counts.get(getKey(alarm)) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, windowSeconds, count }));
}

/** Which alarms, in the order of their time, are within a budget after all of them were counted on it. */
export function filterWithinBudget(
  alarms: readonly AlarmNotification[],
  budget: AlarmBudget,
  used: readonly { key: string; used: number }[],
): AlarmNotification[] {
  const { getKey, allowed } = budget;
  const usedByKey = new Map(used.map((row) => [row.key, row.used]));
  for (const { key, count } of countBudgetUses(alarms, budget))
    usedByKey.set(key, (usedByKey.get(key) ?? count) - count);
  return alarms.filter((alarm) => {
    const nth = (usedByKey.get(getKey(alarm)) ?? 0) + 1;
    usedByKey.set(getKey(alarm), nth);
    return nth <= allowed;
  });
}

/** When what was gathered of alarms is told: at the end of the hour, also at night. */
export function getAlarmDigestTime(now: Date): Date {
  return new Date((Math.floor(now.getTime() / (HOUR_SECONDS * 1000)) + 1) * HOUR_SECONDS * 1000);
}
