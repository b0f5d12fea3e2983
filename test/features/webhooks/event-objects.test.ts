import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { MAX_OBJECT_BYTES } from '../../../src/features/webhooks/read-event-object.ts';
import type { TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';
import { backdateSessions } from '../personal-data/helper.ts';
import { startReceiver, startWebhooks, verifyWebhook, waitUntil } from './helper.ts';

const test = await startWebhooks(t);
const { call, database, services, owner } = test;
const { client } = database;
const token = owner.accessToken;
await database.pool.query(`UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}'`);

const URL = '/api/webhook-endpoints';
const MEDICAL = { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada', bloodType: 'A+' } };

const call2xx = async (method: string, url: string, body?: object, user: TestUser = owner) => {
  const answer = await call(method, url, { token: user.accessToken, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
  return answer.body;
};

const createCode = (body: object = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } }) =>
  call2xx('POST', '/api/qrcodes', body);

/** An endpoint that gets objects of some events. */
async function receiveObjects(eventTypes: string[], respond?: Parameters<typeof startReceiver>[1]) {
  const { url, received } = await startReceiver(t, respond);
  const { id, secret } = await call2xx('POST', URL, { url, eventTypes, include: 'object' });
  const waitForEvent = async (count = 1) => {
    await waitUntil(() => received.length >= count);
    const one = received[count - 1];
    if (!one) throw new Error('nothing was received');
    verifyWebhook(secret, one);
    return one.event;
  };
  return { id, received, waitForEvent, remove: () => call2xx('DELETE', `${URL}/${id}`) };
}

t.test('a delivery has the object as its owner reads it by the API', async (t) => {
  const { id: endpointId, received, waitForEvent, remove } = await receiveObjects(['*']);
  const code = await createCode();
  t.match(await waitForEvent(), {
    type: 'code.created',
    data: { id: code.id, object: { data: { name: 'Rex' } } },
  });

  const scanned = await call('POST', '/api/scans/geocoded', {
    body: { qrCodeId: code.id, latitude: 52.5163, longitude: 13.3777 },
  });
  t.match(await waitForEvent(2), {
    type: 'scan.created',
    data: { object: { location: { latitude: 52.5163 } } },
  });

  const headers = { 'x-scan-token': scanned.body.scanToken };
  const message = { scanId: scanned.body.scan.id, message: 'By the gate.' };
  const opened = await call('POST', '/api/conversations/public', { body: message, headers });
  t.equal(opened.status, 201, opened.text);
  const { data: messageData } = await waitForEvent(3);
  const messages = await call2xx('GET', messageData.path);
  t.same(messageData.object, messages.data[0]);

  const document = (await uploadDocument(test, token, createTestPdf(), { title: 'Lease', note: 'Kept' }))
    .body;
  const access = { accountId: owner.id, documentId: document.id, title: document.title };
  await database.transaction((tx) => services.events.publish(tx, 'document.opened', access));
  t.match(await waitForEvent(4), { type: 'document.opened', data: { object: { note: 'Kept' } } });

  const stone = await createCode({ kind: 'MEMORY_TAG', title: 'Stone', data: { name: 'K. Brandt' } });
  await waitForEvent(5);
  const tag = await call2xx('POST', '/api/memory-tags', { name: 'Katharina Brandt', qrCodeId: stone.id });
  await signGuestBook(stone.id);
  await waitUntil(() => received.some(({ event }) => event.type === 'guest_book.signed'));
  const signed = received.find(({ event }) => event.type === 'guest_book.signed')?.event.data;
  const entries = await call2xx('GET', `/api/memory-tags/${tag.id}/guest-book`);
  t.match(entries.data, [{ message: 'We miss you.' }]);
  t.same(signed?.object, entries.data[0]);

  await call2xx('POST', `${URL}/${endpointId}/test`);
  await waitUntil(() => received.some(({ event }) => event.type === 'webhook_endpoint.test'));
  for (const { event } of received) {
    if (['message.created', 'guest_book.signed'].includes(event.type)) continue;
    // It changes by the deliveries themselves.
    t.ok(event.data.object, event.type);
    const { scanCount, counts, lastScannedAt, ...object } = Object(event.data.object);
    t.match(await call2xx('GET', event.data.path), object, event.type);
  }
  t.notMatch(JSON.stringify(received.at(-1)?.event.data.object), /whsec_/);
  await remove();
});

/** Sign the guest book of a code as a visitor. */
async function signGuestBook(codeId: string): Promise<void> {
  const page = await call('GET', `/s/${codeId}?lang=en`);
  const [scanId = ''] = /name="visit" value="([^"]+)"/.exec(page.text)?.[1]?.split('.') ?? [];
  const now = Date.now;
  Date.now = () => now() - 10_000;
  const visit = createVisitFormToken(services.fieldCipher, codeId, scanId);
  Date.now = now;
  const body = String(new URLSearchParams({ visit, name: 'Jo', message: 'We miss you.' }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await call('POST', `/s/${codeId}/guest-book?lang=en`, { body, headers });
  if (answer.status >= 400) throw new Error(answer.text);
}

t.test('nothing private is stored with a delivery, and a replay has the present', async (t) => {
  const { id, waitForEvent, remove } = await receiveObjects(['code.created']);
  const code = await createCode({ kind: 'PET', title: 'Canary', data: { name: 'Canary Rex' } });
  const { id: eventId } = await waitForEvent();
  await waitUntil(
    async () =>
      (await client.webhookDelivery.count({ where: { endpointId: id, status: 'DELIVERED' } })) === 1,
  );
  const { rows } = await database.pool.query(
    'SELECT event_data::text || attempts::text AS stored FROM webhook_deliveries WHERE endpoint_id = $1',
    [id],
  );
  t.notMatch(rows[0].stored, /Canary|object/);
  t.notMatch((await call('GET', `${URL}/${id}/deliveries`, { token })).text, /Canary|"object"/);
  t.notMatch((await call('GET', '/api/events?type=code.*', { token })).text, /Canary|"object"/);

  await call2xx('PATCH', `/api/qrcodes/${code.id}`, { data: { name: 'Bello' } });
  await call2xx('POST', `${URL}/${id}/deliveries/${eventId}/replay`);
  t.match(await waitForEvent(2), { id: eventId, data: { object: { data: { name: 'Bello' } } } });

  await call2xx('DELETE', `/api/qrcodes/${code.id}`);
  await waitUntil(
    async () =>
      (await client.webhookDelivery.count({ where: { endpointId: id, status: 'DELIVERED' } })) === 1,
  );
  await call2xx('POST', `${URL}/${id}/deliveries/${eventId}/replay`);
  t.match(await waitForEvent(3), { data: { object: null, objectOmitted: 'NOT_FOUND' } });
  await remove();
});

t.test('medical codes and health documents are never sent', async (t) => {
  const types = ['code.created', 'scan.created', 'message.created', 'document.opened'];
  const { received, waitForEvent, remove } = await receiveObjects(types);
  const { id: qrCodeId } = await createCode(MEDICAL);
  t.match(await waitForEvent(), { data: { object: null, objectOmitted: 'MEDICAL' } });
  const { body: scanned } = await call('POST', '/api/scans/public', { body: { qrCodeId } });
  t.match(await waitForEvent(2), { type: 'scan.created', data: { object: null, objectOmitted: 'MEDICAL' } });
  await call('POST', '/api/conversations/public', {
    body: { scanId: scanned.scan.id, message: 'Had a seizure.' },
    headers: { 'x-scan-token': scanned.scanToken },
  });
  t.match(await waitForEvent(3), { type: 'message.created', data: { objectOmitted: 'MEDICAL' } });
  const { body } = await uploadDocument(test, token, createTestPdf(), { title: 'Blood', kind: 'HEALTH' });
  const opened = { accountId: owner.id, documentId: body.id, title: body.title };
  await database.transaction((tx) => services.events.publish(tx, 'document.opened', opened));
  t.match(await waitForEvent(4), { data: { object: null, objectOmitted: 'MEDICAL' } });
  t.notMatch(received.map((one) => one.body).join(), /A\+|Blood|Card|seizure/);
  await remove();
});

t.test('an object that is too large or altered is left out', async (t) => {
  const { waitForEvent, remove } = await receiveObjects(['code.updated']);
  const { id } = await createCode();
  const adjustment = 'x'.repeat(MAX_OBJECT_BYTES);
  await services.webhookDispatcher.stop();
  await call2xx('PATCH', `/api/qrcodes/${id}`, { title: 'Large' });
  await client.$executeRaw`UPDATE qr_codes SET adjusted = jsonb_build_array(${adjustment}::text) WHERE id = ${id}`;
  services.webhookDispatcher.start();
  t.match(await waitForEvent(), { data: { id, object: null, objectOmitted: 'TOO_LARGE' } });
  await client.$executeRaw`UPDATE qr_codes SET adjusted = '[]' WHERE id = ${id}`;

  await services.webhookDispatcher.stop();
  await call2xx('PATCH', `/api/qrcodes/${id}`, { title: 'Altered' });
  await client.$executeRaw`UPDATE qr_codes SET data = set_byte(data, 40, get_byte(data, 40) # 1) WHERE id = ${id}`;
  services.webhookDispatcher.start();
  t.match(await waitForEvent(2), { data: { id, object: null, objectOmitted: 'UNREADABLE' } });
  const entries = await client.auditEntry.findMany({
    where: { action: 'DATA_INTEGRITY_FAILED', resourceId: id },
  });
  t.match(entries, [{ operation: 'webhooks.dispatch' }]);
  await remove();
});

t.test('an account that must enroll a second factor gets ids only', async (t) => {
  const { waitForEvent, remove } = await receiveObjects(['code.created']);
  await services.webhookDispatcher.stop();
  await createCode();
  await client.user.update({ where: { id: owner.id }, data: { enterpriseMode: true } });
  services.webhookDispatcher.start();
  t.match(await waitForEvent(), { data: { object: null, objectOmitted: 'NOT_ALLOWED' } });
  await client.user.update({ where: { id: owner.id }, data: { enterpriseMode: false } });
  await remove();
});

t.test('objects end at once when they are no longer wanted', async (t) => {
  let status = 500;
  const { id, waitForEvent, remove } = await receiveObjects(['code.created'], () => status);
  await createCode();
  t.not((await waitForEvent()).data.object, undefined);
  t.match(await call2xx('PATCH', `${URL}/${id}`, { include: null }), { include: null, version: 2 });
  status = 204;
  await client.$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE endpoint_id = ${id}`;
  await client.$executeRaw`UPDATE webhook_endpoints SET paused_until = NULL WHERE id = ${id}`;
  services.webhookDispatcher.wake();
  t.equal((await waitForEvent(2)).data.object, undefined);
  await remove();
});

t.test('objects need a recent login', async (t) => {
  const user = await test.createUser();
  const endpoint = { url: 'http://localhost:9/hook', eventTypes: ['scan.*'] };
  const created = await call2xx('POST', URL, { ...endpoint, include: 'object' }, user);
  const path = `${URL}/${created.id}`;
  const elsewhere = { url: 'http://localhost:10/hook' };
  const scopes = ['webhooks:write', 'scans:read', 'qr-codes:read'];
  const key = (await call2xx('POST', '/api/api-keys', { name: 'ERP', scopes }, user)).token;
  for (const [method, url, body] of [
    ['POST', URL, { ...endpoint, include: 'object' }],
    ['PATCH', path, { eventTypes: ['*'] }],
    ['PATCH', path, elsewhere],
  ] as const)
    t.match(await call(method, url, { token: key, body }), {
      status: 403,
      body: { code: 'API_KEY_NOT_ALLOWED' },
    });
  t.equal((await call('PATCH', path, { token: key, body: { description: 'x' } })).status, 200);

  const mails = await listMailsCausedBy(test, user.email, () =>
    call2xx('PATCH', path, { url: 'http://localhost:11/hook' }, user),
  );
  t.match(mails, [{ subject: /webhook now receives content/ }]);

  const plain = await call2xx('POST', URL, endpoint, user);
  t.equal(plain.include, null);
  await backdateSessions(test, user.id, 11);
  const late = { token: user.accessToken };
  for (const [method, url, body] of [
    ['POST', URL, { ...endpoint, include: 'object' }],
    ['PATCH', `${URL}/${plain.id}`, { include: 'object' }],
    ['PATCH', path, elsewhere],
  ] as const)
    t.match(await call(method, url, { ...late, body }), { body: { code: 'REAUTHENTICATION_REQUIRED' } });
  t.equal((await call('PATCH', path, { ...late, body: { include: null } })).status, 200);
  t.equal((await call('PATCH', path, { ...late, body: elsewhere })).status, 200);
  t.equal((await call('PATCH', path, { ...late, body: { include: 'all' } })).status, 400);
});
