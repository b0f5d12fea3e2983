import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { formatUserAgentFamily, lockUserAndSession } from '../../identity/index.ts';
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
import type { NewWebPushSubscription } from './web-push.schemas.ts';
import { formatSubscription } from './web-push-subscription.ts';

/** Per user; the least recently used ones are removed. */
const MAX_DEVICES = 20;

export const PUSH_TOKEN = defineColumnCipher(notificationsCatalogue, 'push_devices.token').of<string>();

interface DeviceServices {
  database: Database;
  fieldCipher: FieldCipher;
}

interface NewDevice {
  /** By what it is reached: a token of Firebase, or the subscription of a browser. */
  secret: string;
  platform: PushDeviceRow['platform'];
  name: string | undefined;
  /** Without a name of its user. */
  defaultName: string | null;
  vapidPublicKey: string | null;
}

type RegisteredDevice = Promise<{ row: PushDeviceRow; isNew: boolean }>;

/** Register a device of Firebase. @throws UNAUTHENTICATED if the session has ended */
export function registerPushDevice(
  services: DeviceServices,
  context: RequestContext,
  user: CurrentUser,
  { token, platform, name }: Static<typeof NewPushDevice>,
): RegisteredDevice {
  return storeDevice(services, context, user, {
    secret: token,
    platform,
    name,
    defaultName: null,
    vapidPublicKey: null,
  });
}

/** Register a browser, which subscribed with our current key. @throws UNAUTHENTICATED if the session has ended */
export function registerWebPushSubscription(
  services: DeviceServices,
  context: RequestContext,
  user: CurrentUser,
  { endpoint, keys, applicationServerKey, name }: Static<typeof NewWebPushSubscription>,
): RegisteredDevice {
  return storeDevice(services, context, user, {
    secret: formatSubscription({ endpoint, ...keys }),
    platform: 'WEB',
    name,
    defaultName: formatUserAgentFamily(context.userAgent),
    vapidPublicKey: applicationServerKey,
  });
}

/**
 * Store a device of the user's session. A known one is updated, or moved from another user: who knows all of its secret is
 * signed in on it.
 */
async function storeDevice(
  { database, fieldCipher }: DeviceServices,
  context: RequestContext,
  user: CurrentUser,
  { secret, platform, vapidPublicKey, defaultName, ...input }: NewDevice,
): RegisteredDevice {
  const tokenHash = fieldCipher.hash('push-token', secret);
  const fields = { userId: user.id, sessionId: user.sessionId, platform, vapidPublicKey };
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
    const token = PUSH_TOKEN.encrypt(fieldCipher, { id, userId: user.id }, secret);
    const row = await insertPushDevice(tx, { ...fields, id, name: name ?? defaultName, token, tokenHash });
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
