import { incrementBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { findVisitors } from '../scans/scan-visitor.repository.ts';
import {
  type Alarm,
  type AlarmBudget,
  type Caused,
  isAlarm,
  OF_CODE,
  OF_VISITOR,
  usesOf,
  within,
} from './alarms.rules.ts';
import type { DueNotification } from './due.repository.ts';
import { textsOf } from './notification.view.ts';

/**
 * Which of the notifications are alarms, by id, and how each is told: counted on the budgets of visitors and codes, in one
 * order, so that processes that dispatch at the same time share them. What was seen already is no alarm any more.
 */
export async function boundAlarms(
  tx: Tx,
  notifications: readonly DueNotification[],
): Promise<Map<string, Alarm>> {
  const due = notifications.filter(({ event, isSeen }) => isAlarm(event) && !isSeen);
  if (due.length === 0) return new Map();
  const scanIds = due.map(({ data }) => textsOf(data).scanId ?? '');
  const visitors = await findVisitors(tx, scanIds);
  const alarms = due.map(({ id, event, data }): Caused => {
    const { scanId = id, qrCodeId = id } = textsOf(data);
    return { id, event, qrCodeId, visitor: visitors.get(scanId) ?? scanId };
  });
  const first = await countedWithin(tx, alarms, OF_VISITOR);
  const atOnce = await countedWithin(tx, first, OF_CODE);
  return new Map<string, Alarm>([
    ...alarms.map(({ id }) => [id, 'REPEATED'] as const),
    ...first.map(({ id }) => [id, 'GATHERED'] as const),
    ...atOnce.map(({ id }) => [id, 'AT_ONCE'] as const),
  ]);
}

/** Counts alarms on a budget, and answers those that are within it. */
async function countedWithin(tx: Tx, alarms: readonly Caused[], budget: AlarmBudget): Promise<Caused[]> {
  return alarms.length > 0 ? within(alarms, budget, await incrementBudgets(tx, usesOf(alarms, budget))) : [];
}
