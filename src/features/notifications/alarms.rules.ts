import { HOUR_SECONDS } from '../../shared/durations.ts';

/** Events that a visitor can cause any number of times, and that ignore quiet hours. */
const ALARM_EVENTS: readonly string[] = ['code.scanned_while_lost', 'scan.located'];

/** REPEATED: not the first of a visitor within the window. GATHERED: over the budget of the code, sent in a digest. */
export type AlarmHandling = 'AT_ONCE' | 'REPEATED' | 'GATHERED';

export interface AlarmNotification {
  id: string;
  event: string;
  qrCodeId: string;
  /** Identifies the network of a visitor of the code. */
  visitor: string;
}

export function isAlarmEvent(event: string): boolean {
  return ALARM_EVENTS.includes(event);
}

/** Allowed alarms with the same key within a window. */
export interface AlarmBudget {
  getKey(alarm: AlarmNotification): string;
  windowSeconds: number;
  allowed: number;
}

/** One alarm per event and visitor; others appear in the list only. */
export const VISITOR_ALARM_BUDGET: AlarmBudget = {
  getKey: ({ event, visitor }) => `alarm:${event}:${visitor}`,
  windowSeconds: 10 * 60,
  allowed: 1,
};

/** Alarms of a code over this budget are sent in a digest. */
export const CODE_ALARM_BUDGET: AlarmBudget = {
  getKey: ({ qrCodeId }) => `alarms:${qrCodeId}`,
  windowSeconds: HOUR_SECONDS,
  allowed: 10,
};

export function countAlarmsByBudgetKey(
  alarms: readonly AlarmNotification[],
  { getKey, windowSeconds }: AlarmBudget,
) {
  const counts = new Map<string, number>();
  for (const alarm of alarms) counts.set(getKey(alarm), (counts.get(getKey(alarm)) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, windowSeconds, count }));
}

/** Return the alarms within a budget, in order, after all of them were counted on it. */
export function filterAlarmsWithinBudget(
  alarms: readonly AlarmNotification[],
  budget: AlarmBudget,
  used: readonly { key: string; used: number }[],
): AlarmNotification[] {
  const { getKey, allowed } = budget;
  const usedByKey = new Map(used.map((row) => [row.key, row.used]));
  for (const { key, count } of countAlarmsByBudgetKey(alarms, budget))
    usedByKey.set(key, (usedByKey.get(key) ?? count) - count);
  return alarms.filter((alarm) => {
    const nth = (usedByKey.get(getKey(alarm)) ?? 0) + 1;
    usedByKey.set(getKey(alarm), nth);
    return nth <= allowed;
  });
}

/** Return the time of the next alarm digest: the end of the hour, also in quiet hours. */
export function getNextAlarmDigestTime(now: Date): Date {
  return new Date((Math.floor(now.getTime() / (HOUR_SECONDS * 1000)) + 1) * HOUR_SECONDS * 1000);
}
