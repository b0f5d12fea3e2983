import { incrementAttemptBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { findNetworksByScan } from '../scans/index.ts';
import {
  type AlarmBudget,
  type AlarmHandling,
  type AlarmNotification,
  CODE_ALARM_BUDGET,
  countAlarmsByBudgetKey,
  filterAlarmsWithinBudget,
  isAlarmEvent,
  VISITOR_ALARM_BUDGET,
} from './alarms.rules.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { pickStringValues } from './notification.view.ts';

/**
 * Classify the unread alarms by notification id. Budgets are counted in the database and in one order, so that concurrent
 * processes share them.
 */
export async function classifyAlarms(
  fieldCipher: FieldCipher,
  tx: Tx,
  notifications: readonly DueNotification[],
): Promise<Map<string, AlarmHandling>> {
  const due = notifications.filter(({ event, isSeen }) => isAlarmEvent(event) && !isSeen);
  if (due.length === 0) return new Map();
  const scanIds = due.map(({ data }) => pickStringValues(data).scanId ?? '');
  const networks = await findNetworksByScan(tx, scanIds);
  const alarms = due.map(({ id, userId, accountId, event, data }): AlarmNotification => {
    const { scanId = id, qrCodeId = id } = pickStringValues(data);
    // One visitor can have any number of agents.
    const network = fieldCipher.hash('alarm-visitor', qrCodeId, networks.get(scanId) ?? scanId);
    // Each member is alarmed, whoever else was.
    const member = userId === accountId ? '' : `:${userId}`;
    return {
      id,
      event,
      qrCodeId: `${qrCodeId}${member}`,
      visitor: `${network.toString('base64url')}${member}`,
    };
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
    ? filterAlarmsWithinBudget(
        alarms,
        budget,
        await incrementAttemptBudgets(tx, countAlarmsByBudgetKey(alarms, budget)),
      )
    : [];
}
