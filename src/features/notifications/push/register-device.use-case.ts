import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { lockUserAndSession } from '../../identity/index.ts';
import { notificationsCatalogue } from '../catalogue.ts';
import {
  deleteLeastRecentlyUsedPushDevices,
  deletePushDevice,
  findPushDevice,
  findPushDeviceByToken,
  insertPushDevice,
  type PushDeviceRow,
  updatePushDevice,
} from './push-device.repository.ts';
import type { NewPushDevice } from './push-devices.schemas.ts';

/** Per user; the least recently used ones are removed. */
const MAX_DEVICES = 20;

export const PUSH_TOKEN = defineColumnCipher(notificationsCatalogue, 'push_devices.token').of<string>();

/**
 * Register a device for push in the user's session. A known token updates its device, or moves it from another user.
 * @throws UNAUTHENTICATED if the session has ended
 */
export async function registerPushDevice(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  context: RequestContext,
  user: CurrentUser,
  input: Static<typeof NewPushDevice>,
): Promise<{ row: PushDeviceRow; isNew: boolean }> {
  const { platform } = input;
  const tokenHash = fieldCipher.hash('push-token', input.token);
  const fields = { userId: user.id, sessionId: user.sessionId, platform };
  const name = input.name?.normalize('NFC');
  return database.transaction(async (tx) => {
    await lockUserAndSession(tx, user);
    const existing = await findPushDeviceByToken(tx, tokenHash);
    if (existing?.userId === user.id) {
      const row = await updatePushDevice(tx, { ...fields, id: existing.id, name: name ?? existing.name });
      if (row) {
        if (existing.sessionId !== user.sessionId)
          await recordAuditEntry(tx, context, { resourceId: user.sessionId });
        return { row, isNew: false };
      }
    }
    if (existing)
      await recordAuditEntry(tx, context, { action: 'PUSH_DEVICE_MOVED', resourceId: existing.sessionId });
    const id = generateId();
    const token = PUSH_TOKEN.encrypt(fieldCipher, { id, userId: user.id }, input.token);
    const row = await insertPushDevice(tx, { ...fields, id, name: name ?? null, token, tokenHash });
    await deleteLeastRecentlyUsedPushDevices(tx, user.id, MAX_DEVICES);
    await recordAuditEntry(tx, context, { resourceId: user.sessionId });
    return { row, isNew: true };
  });
}

/** Stop pushes to a device; its session goes on. @throws NOT_FOUND */
export function removePushDevice(
  database: Database,
  context: RequestContext,
  userId: string,
  id: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    const device = await findPushDevice(tx, userId, id);
    if (!device) throw new ServiceError('NOT_FOUND');
    await deletePushDevice(tx, id);
    await recordAuditEntry(tx, context, { resourceId: device.sessionId });
  });
}
