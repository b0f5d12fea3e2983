import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Database } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { toIntegrityFailureAuditEntry } from '../../../platform/integrity-failure.ts';
import { type JobHandler, SilentRetryError } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition, JobScheduler } from '../../../platform/jobs.ts';
import { PushError, type PushProvider, type WebPushProvider } from '../../../providers/push/push.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { pickStringValues } from '../notification.view.ts';
import {
  createPushData,
  findPushSkipReason,
  getPushDeliveryOptions,
  translatePushNotification,
} from './push-content.rules.ts';
import {
  completePush,
  findWaitingPush,
  recordFailedPushAttempt,
  type WaitingPush,
} from './push-delivery.repository.ts';
import { deletePushDevice } from './push-device.repository.ts';
import { PUSH_TOKEN } from './register-device.use-case.ts';
import { createDeviceSender } from './send-to-device.ts';

/** Jobs contain only the id of a delivery. */
export const PUSH_QUEUE: JobQueueDefinition = {
  name: 'push',
  expireInSeconds: 30,
  retryLimit: 8,
  retryDelay: 5,
};

/** About twenty minutes with the growing delays of the queue. */
const MAX_ATTEMPTS = 9;

const INTEGRITY_FAILURE_REASON = 'DATA_INTEGRITY';

const PLATFORM_REASON = 'PLATFORM_CREDENTIALS';

const FAILURE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  CREDENTIALS: 'the provider rejects FIREBASE_SERVICE_ACCOUNT; pushes are retried, then fail',
  VAPID_KEY_REFUSED:
    'a push service of browsers rejects our VAPID key: check the clock; logged once until one succeeds',
  [PLATFORM_REASON]:
    'Apple or a Web Push service rejects Firebase: renew the APNs key or the web push certificate in the Firebase console, Cloud Messaging; pushes to such devices are retried, then fail; logged once',
};

const JOB_AUDIT_FIELDS = { operation: PUSH_QUEUE.name, requestId: 'job' } as const;

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  push: PushProvider | null;
  webPush: WebPushProvider;
  isEnterpriseEnforced: boolean;
  log: { error(details: object, message: string): void };
}

/**
 * Create the job that sends one push. A repeat after a crash replaces the first one on the device. While the provider asks
 * to back off, no attempt is made or counted.
 */
export function createSendPushJob({
  database,
  fieldCipher,
  jobs,
  push,
  webPush,
  isEnterpriseEnforced,
  log,
}: Services): JobHandler {
  const { client } = database;
  const sendToDevice = createDeviceSender({ push, webPush });
  // Each reason is logged once until a push succeeds; that of a platform once, since other platforms succeed.
  const loggedReasons = new Set<string>();
  let backoffUntil = 0;

  return async ({ deliveryId }) => {
    const waiting = typeof deliveryId === 'string' ? await findWaitingPush(client, deliveryId) : null;
    if (!waiting) return;
    const { deviceId, token, vapidPublicKey } = waiting;
    const isBrowser = vapidPublicKey !== null;
    if (!isBrowser && !push) return completePush(client, waiting.id, 'NOT_SENT', 'NOT_CONFIGURED');
    if (isBrowser && vapidPublicKey !== webPush.publicKey)
      return completePush(client, waiting.id, 'NOT_SENT', 'KEY_CHANGED');
    const notification = { ...waiting, id: waiting.notificationId, data: pickStringValues(waiting.data) };
    const now = new Date();
    const skipReason = findPushSkipReason(notification, deviceId !== null && token !== null, now);
    if (skipReason !== null || deviceId === null || token === null)
      return completePush(client, waiting.id, 'NOT_SENT', skipReason);
    const hidesKind = isEnterpriseEnforced || waiting.isEnterprise;
    const backoffSeconds = isBrowser ? 0 : Math.ceil((backoffUntil - now.getTime()) / 1000);
    if (backoffSeconds > 0) return database.transaction((tx) => enqueueRetry(tx, waiting, backoffSeconds));
    try {
      const secret = PUSH_TOKEN.decryptValue(fieldCipher, { id: deviceId, userId: waiting.userId }, token);
      await sendToDevice(
        { secret, isBrowser },
        {
          ...translatePushNotification(
            toSupportedLocale(waiting.language),
            notification,
            hidesKind ? null : waiting.kind,
          ),
          data: createPushData(notification),
          collapseKey: notification.id,
          ...getPushDeliveryOptions(notification, now),
        },
      );
    } catch (error) {
      return handleFailure(waiting, deviceId, error);
    }
    for (const reason of loggedReasons) if (reason !== PLATFORM_REASON) loggedReasons.delete(reason);
    await completePush(client, waiting.id, 'DELIVERED', null);
  };

  async function handleFailure(waiting: WaitingPush, deviceId: string, error: unknown): Promise<void> {
    const { failure, reason, retryAfter } = toPushFailure(error);
    if (failure !== 'DEVICE_GONE') logFailure(reason);
    // A quota may be that of one device, which must not delay the others; push services of browsers are many.
    if (retryAfter !== null && reason === 'UNAVAILABLE' && waiting.vapidPublicKey === null)
      backoffUntil = Date.now() + retryAfter * 1000;
    const isLast = failure === 'DEVICE_GONE' || failure === 'REFUSED' || waiting.attempts + 1 >= MAX_ATTEMPTS;
    await database.transaction(async (tx) => {
      if (
        error instanceof ServiceError &&
        error.integrityFailure &&
        waiting.reason !== INTEGRITY_FAILURE_REASON
      )
        await insertAuditEntry(tx, {
          ...toIntegrityFailureAuditEntry(error.integrityFailure),
          ...JOB_AUDIT_FIELDS,
        });
      if (failure === 'DEVICE_GONE') await deletePushDevice(tx, deviceId);
      if (isLast) return completePush(tx, waiting.id, 'FAILED', reason);
      await recordFailedPushAttempt(tx, waiting.id, reason);
      if (retryAfter !== null) await enqueueRetry(tx, waiting, retryAfter);
    });
    if (isLast || retryAfter !== null) return;
    throw error instanceof PushError ? new SilentRetryError(reason) : error;
  }

  async function enqueueRetry(
    tx: Parameters<JobScheduler['enqueue']>[0],
    { id }: WaitingPush,
    seconds: number,
  ) {
    await jobs.enqueue(tx, PUSH_QUEUE, { deliveryId: id }, seconds);
  }

  function logFailure(reason: string): void {
    if (loggedReasons.has(reason)) return;
    loggedReasons.add(reason);
    const description =
      FAILURE_DESCRIPTIONS[reason] ?? 'the provider rejected a push; logged once until one succeeds';
    log.error({ reason }, `pushes: ${description} (${reason})`);
  }
}

// A decryption failure is retried: the key may not be known here yet.
function toPushFailure(error: unknown): Pick<PushError, 'failure' | 'reason' | 'retryAfter'> {
  if (error instanceof PushError) return error;
  const isIntegrityFailure = error instanceof ServiceError && error.integrityFailure !== undefined;
  return {
    failure: 'BUSY',
    reason: isIntegrityFailure ? INTEGRITY_FAILURE_REASON : 'UNEXPECTED',
    retryAfter: null,
  };
}
