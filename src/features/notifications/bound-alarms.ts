import { countUses } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { findVisitors } from '../scans/scan-visitor.repository.ts';
import {
  ALARMS_AN_HOUR,
  type Alarm,
  type Caused,
  codeKey,
  isAlarm,
  usesOf,
  visitorKey,
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
  const byVisitor = await countUses(tx, usesOf(alarms, visitorKey));
  const first = within(alarms, visitorKey, byVisitor, 1);
  const byCode = first.length > 0 ? await countUses(tx, usesOf(first, codeKey)) : [];
  const atOnce = within(first, codeKey, byCode, ALARMS_AN_HOUR);
  return new Map<string, Alarm>([
    ...alarms.map(({ id }) => [id, 'REPEATED'] as const),
    ...first.map(({ id }) => [id, 'GATHERED'] as const),
    ...atOnce.map(({ id }) => [id, 'AT_ONCE'] as const),
  ]);
}
