import type { Test } from 'tap';
import { createSendPushJob } from '../../../../src/features/notifications/push/send-push.job.ts';
import type { JobHandler } from '../../../../src/platform/job-worker.ts';
import { generateId, generateRandomName } from '../../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../../../helper.ts';
import { SERVICE_ACCOUNT, startFcmServer } from '../../../providers/push/fcm-server.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';

/** The application with Firebase's servers on loopback. */
export async function startPushes(t: Test) {
  const fcm = await startFcmServer();
  t.teardown(() => fcm.close());
  const app = await startTestApp(t, { FIREBASE_SERVICE_ACCOUNT: SERVICE_ACCOUNT });
  return { ...app, fcm };
}

/** Registers a device in a session of its own; its token, id, and the access token of the session. */
export async function registerTestDevice(test: TestApp, person: TestUser) {
  const login = { email: person.email, password: TEST_PASSWORD };
  const { accessToken } = (await test.call('POST', '/api/auth/login', { body: login })).body;
  const token = `fcm:${generateRandomName(40)}`;
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

/** Writes a notification and gives it to the push office in one transaction; its id. */
export async function addPush(test: TestApp, person: TestUser, told: PushContent = {}): Promise<string> {
  const id = generateId();
  const row = { id, key: id, userId: person.id, type: 'SYSTEM', event: 'NEW_LOGIN', data: {}, ...told };
  await test.database.transaction(async (tx) => {
    await tx.notification.create({ data: row });
    await test.services.pushOutbox.post(tx, { userId: person.id, notificationId: id });
  });
  return id;
}

/** What became of a notification's pushes. */
export function listDeliveries(test: TestApp, notificationId: string) {
  return test.database.client.notificationDelivery.findMany({
    where: { notificationId, channel: 'PUSH' },
    select: { id: true, deviceId: true, status: true, reason: true, attempts: true },
    orderBy: { deviceId: 'asc' },
  });
}

/** Has the workers send what waits, until nothing does. */
export async function sendAllPushes(test: TestApp): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until; ) {
    if ((await test.database.client.notificationDelivery.count({ where: { status: 'WAITING' } })) === 0)
      return;
    test.services.pushOutbox.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('pushes were not sent within 15 s');
}

/** Tries a push once by this job, as a worker would; the delivery afterwards, and whether the job is tried again. */
export async function runJobOnce(test: TestApp, job: JobHandler, notificationId: string) {
  const [before] = await listDeliveries(test, notificationId);
  const again = await job({ deliveryId: before?.id }).then(
    () => false,
    () => true,
  );
  const [delivery] = await listDeliveries(test, notificationId);
  return { ...delivery, again };
}

/** A job of its own, with its own memory of what it said. */
export const createPushJob = (test: TestApp) => createSendPushJob(test.services);

/** For each job of a notification's push that is still to be done: whether it waits for a quarter of a minute or longer. */
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
