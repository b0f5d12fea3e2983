import { setTimeout as wait } from 'node:timers/promises';
import { FCM_RESPONSES } from '../../test/providers/push/fcm-responses.ts';
import { type ReceivedPush, startFcmServer } from '../../test/providers/push/fcm-server.ts';
import type { BenchedService } from '../service-process.ts';
import type { DeliveryCounter, ReceivedDelivery } from './deliveries.ts';
import { repeatConcurrently } from './repeat-concurrently.ts';

const MEAN_RESPONSE_MS = 150;

const OWNER = { email: 'owner@example.org', password: 'a lighthouse for lost dogs' };

/** Start an FCM server on loopback that counts pushes by scan; an event is the alarm of a scanned lost item. */
export async function startPushDeliveries(): Promise<DeliveryCounter> {
  const received = new Map<string, ReceivedDelivery>();
  let inFlight = 0;
  const server = await startFcmServer();
  server.state.reply = async (push) => {
    inFlight += 1;
    await wait(Math.random() * 2 * MEAN_RESPONSE_MS);
    inFlight -= 1;
    const { event, scanId = '' } = push.data;
    // Ignore pushes about the login of the owner.
    if (event !== 'LOST_CODE_SCANNED') return FCM_RESPONSES.accepted();
    const delivery = received.get(scanId) ?? { count: 0, keys: new Set() };
    delivery.count += 1;
    delivery.keys.add(getPushTag(push));
    received.set(scanId, delivery);
    return FCM_RESPONSES.accepted();
  };
  return {
    name: 'pushes',
    queue: 'push',
    environment: {
      ...server.environment,
      ...{ BILLING: 'off', ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password },
    },
    received,
    countInFlight: () => inFlight,
    createEvents: scanLostCodes,
    close: () => server.close(),
  };
}

/** Tag by which a device replaces the first push with its repeat. */
function getPushTag({ android }: ReceivedPush): string {
  const { notification } = android as { notification?: { tag?: string } };
  return notification?.tag ?? '';
}

/** Scans of a lost item that send an immediate alarm: each by a different phone, within an hour. */
const MAX_ALARMS_PER_CODE = 10;

async function scanLostCodes({ port }: BenchedService, events: number): Promise<Set<string>> {
  const call = async (method: string, path: string, body: object, token?: string, phone = 0) => {
    const response = await fetch(`http://localhost:${port}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${phone} like Mac OS X) Version/18.${phone} Mobile/15E148 Safari/604.1`,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`);
    return response.json() as Promise<Record<string, never>>;
  };
  const { accessToken } = await call('POST', '/auth/login', OWNER);
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const codes: string[] = [];
  await repeatConcurrently(Math.ceil(events / MAX_ALARMS_PER_CODE), async () => {
    const { id } = await call('POST', '/qrcodes', pet, accessToken);
    await call('POST', `/qrcodes/${id}/lost`, {}, accessToken);
    codes.push(String(id));
  });
  await call(
    'POST',
    '/notifications/devices',
    { token: 'a-device-of-its-owner', platform: 'ANDROID' },
    accessToken,
  );
  // Their mails would count as mails of no registration.
  const preferences = { LOST_CODE_SCANNED: { EMAIL: false } };
  await call('PUT', '/notifications/preferences', { preferences }, accessToken);
  const scans = new Set<string>();
  await repeatConcurrently(events, async (index) => {
    const qrCodeId = codes[Math.floor(index / MAX_ALARMS_PER_CODE)];
    const { scan } = await call(
      'POST',
      '/scans/public',
      { qrCodeId },
      undefined,
      index % MAX_ALARMS_PER_CODE,
    );
    scans.add(Reflect.get(scan ?? {}, 'id'));
  });
  return scans;
}
