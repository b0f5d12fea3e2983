import { incrementBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { findVisitorHashes } from '../scans/index.ts';
import {
  type AlarmBudget,
  type AlarmHandling,
  type AlarmNotification,
  CODE_ALARM_BUDGET,
  countBudgetUses,
  filterWithinBudget,
  isAlarm,
  VISITOR_ALARM_BUDGET,
} from './alarms.rules.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { keepStringValues } from './notification.view.ts';

/**
 * Classify the unread alarms by notification id. Budgets are counted in the database and in one order, so that concurrent
 * processes share them.
 */
export async function classifyAlarms(
  tx: Tx,
  notifications: readonly DueNotification[],
): Promise<Map<string, AlarmHandling>> {
  const due = notifications.filter(({ event, isSeen }) => isAlarm(event) && !isSeen);
  if (due.length === 0) return new Map();
  const scanIds = due.map(({ data }) => keepStringValues(data).scanId ?? '');
  const visitors = await findVisitorHashes(tx, scanIds);
  const alarms = due.map(({ id, event, data }): AlarmNotification => {
    const { scanId = id, qrCodeId = id } = keepStringValues(data);
    return { id, event, qrCodeId, visitor: visitors.get(scanId) ?? scanId };
  });
  const firstOfVisitor = await consumeBudget(tx, alarms, VISITOR_ALARM_BUDGET);
  const immediate = await consumeBudget(tx, firstOfVisitor, CODE_ALARM_BUDGET);
  return new Map<string, AlarmHandling>([
    ...alarms.map(({ id }) => [id, 'REPEATED'] as const),
    ...firstOfVisitor.map(({ id }) => [id, 'GATHERED'] as const),
    ...immediate.map(({ id }) => [id, 'AT_ONCE'] as const),
  ]);
}

/** Count alarms on a budget, and return those within it. */
async function consumeBudget(
  tx: Tx,
  alarms: readonly AlarmNotification[],
  budget: AlarmBudget,
): Promise<AlarmNotification[]> {
  return alarms.length > 0
    ? filterWithinBudget(alarms, budget, await incrementBudgets(tx, countBudgetUses(alarms, budget)))
    : [];
}
