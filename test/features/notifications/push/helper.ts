import type { Test } from 'tap';
import { createSendPushJob } from '../../../../src/features/notifications/push/send-push.job.ts';
import type { JobHandler } from '../../../../src/platform/job-worker.ts';
import { generateId, generateRandomAlphanumeric } from '../../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../../../helper.ts';
import { SERVICE_ACCOUNT, startFcmServer } from '../../../providers/push/fcm-server.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';

/** Start the application with fake Firebase servers on loopback. */
export async function startPushes(t: Test) {
  const fcm = await startFcmServer();
  t.teardown(() => fcm.close());
  const app = await startTestApp(t, { FIREBASE_SERVICE_ACCOUNT: SERVICE_ACCOUNT });
  return { ...app, fcm };
}

/** Register a device in a new session; returns its token, id, and access token. */
export async function registerTestDevice(test: TestApp, user: TestUser) {
  const login = { email: user.email, password: TEST_PASSWORD };
  const { accessToken } = (await test.call('POST', '/api/auth/login', { body: login })).body;
  const token = `fcm:${generateRandomAlphanumeric(40)}`;
  const made = await test.call('POST', '/api/notifications/devices', {
    token: accessToken,
    body: { token, platform: 'ANDROID' },
  });
  return { token, id: String(made.body.id), accessToken: String(accessToken) };
}

interface PushContent {
  event?: string;
  type?: string;
  data?: Record<string, string>;
  createdAt?: Date;
}

/** Create a notification and its pushes in one transaction. Returns its id. */
export async function addPush(test: TestApp, user: TestUser, content: PushContent = {}): Promise<string> {
  const id = generateId();
  const recipient = { userId: user.id, accountId: user.id };
  const row = { id, key: id, ...recipient, type: 'SYSTEM', event: 'login.created', data: {}, ...content };
  await test.database.transaction(async (tx) => {
    await tx.notification.create({ data: row });
    await test.services.pushOutbox.post(tx, { userId: user.id, notificationId: id });
  });
  return id;
}

/** List the push deliveries of a notification. */
export function listDeliveries(test: TestApp, notificationId: string) {
  return test.database.client.notificationDelivery.findMany({
    where: { notificationId, channel: 'PUSH' },
    select: { id: true, deviceId: true, status: true, reason: true, attempts: true },
    orderBy: { deviceId: 'asc' },
  });
}

/** Run the workers until no push is waiting. */
export async function sendAllPushes(test: TestApp): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until; ) {
    if ((await test.database.client.notificationDelivery.count({ where: { status: 'WAITING' } })) === 0)
      return;
    test.services.pushOutbox.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('pushes were not sent within 15 s');
}

/** Attempt a push once like a worker. Returns the delivery, and whether the job is retried. */
export async function runJobOnce(test: TestApp, job: JobHandler, notificationId: string) {
  const [before] = await listDeliveries(test, notificationId);
  const again = await job({ deliveryId: before?.id }).then(
    () => false,
    () => true,
  );
  const [delivery] = await listDeliveries(test, notificationId);
  return { ...delivery, again };
}

export const createPushJob = (test: TestApp) => createSendPushJob(test.services);

/** List for each pending job of a notification whether it is delayed by 15 seconds or more. */
export async function listPendingFlags(test: TestApp, notificationId: string): Promise<boolean[]> {
  const rows = await queryDatabase(
    test,
    `SELECT job.start_after > now() + interval '15 seconds' AS later FROM pgboss.job AS job
     JOIN notification_deliveries AS delivery ON delivery.id = job.data ->> 'deliveryId'
     WHERE job.name = 'push' AND delivery.notification_id = $1 ORDER BY job.created_on`,
    notificationId,
  );
  return rows.map(({ later }) => later);
}
