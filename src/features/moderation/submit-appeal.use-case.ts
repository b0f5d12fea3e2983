import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { findOwnQrCode, lockQrCodeForModeration } from '../codes/index.ts';
import { encryptModerationText } from './encrypted-moderation-fields.ts';
import type { ModerationServices } from './moderation-services.ts';
import {
  findCurrentTakedown,
  findLastOwnTakedown,
  insertAppeal,
  type TakedownRow,
} from './takedown.repository.ts';

const MAX_APPEALS = 3;
export const APPEALS_WINDOW_SECONDS = 30 * DAY_SECONDS;

/**
 * Appeal as the owner: one appeal at a time, and three in 30 days.
 * @throws NOT_FOUND, CODE_NOT_TAKEN_DOWN, APPEAL_ALREADY_OPEN, RATE_LIMITED
 */
export function submitAppeal(
  { database, fieldCipher }: Pick<ModerationServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  { accountId, id: qrCodeId }: { accountId: string; id: string },
  message: string,
): Promise<TakedownRow> {
  return database.transaction(async (tx) => {
    if (!(await findOwnQrCode(tx, accountId, qrCodeId))) throw new ServiceError('NOT_FOUND');
    // So that the takedown cannot end meanwhile.
    await lockQrCodeForModeration(tx, qrCodeId);
    const takedown = await findCurrentTakedown(tx, { id: qrCodeId, accountId });
    if (!takedown) throw new ServiceError('CODE_NOT_TAKEN_DOWN');
    const id = generateId();
    const text = encryptModerationText(fieldCipher, 'appealMessage', { id, accountId }, message);
    if (!(await insertAppeal(tx, { id, takedownId: takedown.id, accountId, message: text })))
      throw new ServiceError('APPEAL_ALREADY_OPEN');
    const key = `appeals:${fieldCipher.hash('appeals', takedown.id).toString('hex')}`;
    await consumeAttempts(tx, [{ key, allowed: MAX_APPEALS, windowSeconds: APPEALS_WINDOW_SECONDS }]);
    await recordAuditEntry(tx, context, { resourceId: qrCodeId });
    const appealed = await findLastOwnTakedown(tx, accountId, qrCodeId);
    if (!appealed) throw new ServiceError('NOT_FOUND');
    return appealed;
  });
}
