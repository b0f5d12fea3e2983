import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { PushError, type PushProvider, type WebPushProvider } from '../../../providers/push/push.port.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { deletePushDevice, findPushDeviceToken } from './push-device.repository.ts';
import { PUSH_TOKEN } from './register-device.use-case.ts';
import { createDeviceSender } from './send-to-device.ts';

/** Of a user. */
const MAX_TESTS_PER_HOUR = 20;

const TEST_TTL_SECONDS = 5 * MINUTE_SECONDS;

export interface TestPushServices {
  database: Database;
  fieldCipher: FieldCipher;
  push: PushProvider | null;
  webPush: WebPushProvider;
}

interface TestPushResult {
  id: string;
  status: 'SENT' | 'FAILED';
  reason: string | null;
  /** The device was removed. */
  isGone: boolean;
}

/**
 * Send a push to one device now. A device that is gone is removed.
 * @throws NOT_FOUND, RATE_LIMITED
 */
export async function sendTestPush(
  { database, fieldCipher, push, webPush }: TestPushServices,
  context: RequestContext,
  user: Pick<CurrentUser, 'id' | 'language'>,
  id: string,
): Promise<TestPushResult> {
  const device = await database.transaction(async (tx) => {
    const key = `push-tests:${fieldCipher.hash('push-tests', user.id).toString('hex')}`;
    await consumeAttempts(tx, [{ key, allowed: MAX_TESTS_PER_HOUR, windowSeconds: HOUR_SECONDS }]);
    const row = await findPushDeviceToken(tx, user.id, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: row.sessionId });
    return row;
  });
  const isBrowser = device.vapidPublicKey !== null;
  if (isBrowser && device.vapidPublicKey !== webPush.publicKey)
    return { id, status: 'FAILED', reason: 'KEY_CHANGED', isGone: false };
  const secret = PUSH_TOKEN.decryptValue(fieldCipher, { id, userId: user.id }, device.token);
  const locale = toSupportedLocale(user.language);
  try {
    await createDeviceSender({ push, webPush })(
      { secret, isBrowser },
      {
        title: t(locale, 'pushes.TEST'),
        body: '',
        data: { event: 'test' },
        collapseKey: 'test',
        urgent: true,
        ttl: TEST_TTL_SECONDS,
      },
    );
    return { id, status: 'SENT', reason: null, isGone: false };
  } catch (error) {
    if (!(error instanceof PushError)) throw error;
    const isGone = error.failure === 'DEVICE_GONE';
    if (isGone) await deletePushDevice(database.client, id);
    return { id, status: 'FAILED', reason: error.reason, isGone };
  }
}
