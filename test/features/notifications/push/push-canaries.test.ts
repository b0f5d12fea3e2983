import { generateId } from '../../../../src/shared/ids.ts';
import { t } from '../../../tap.ts';
import { insertTestQrCode } from '../../audit-trail-helper.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { BERLIN_POSITION } from '../../scans/helper.ts';
import { addPush, listDeliveries, registerTestDevice, sendAllPushes, startPushes } from './helper.ts';

const test = await startPushes(t);
const { call, database, fcm, services } = test;

/** Values that must not occur in any byte sent to the provider. */
const CANARIES = {
  title: 'Canary insulin bracelet',
  content: 'canary penicillin',
  message: 'canary I am at the fountain',
  finder: 'Canary Finder',
  finderMail: 'canary-finder@example.net',
  pin: '80417325',
  place: 'Berlin',
  position: String(BERLIN_POSITION.latitude),
};

t.test('sends no titles of sensitive codes, places or messages of finders in a push', async (t) => {
  const owner = await test.createUser();
  const device = await registerTestDevice(test, owner);
  const token = owner.accessToken;
  const make = async (kind: string, title: string, data: object, pin?: string): Promise<string> => {
    const body = { kind, title, data, ...(pin ? { pin } : {}), contactable: true };
    const made = await call('POST', '/api/qrcodes', { token, body });
    t.equal(made.status, 201, made.text);
    return made.body.id;
  };
  const { title, content, message, finder, finderMail, pin } = CANARIES;
  const codes = [
    await make('MEDICAL', title, { name: 'Ada', notes: content }, pin),
    await make('IDENTIFICATION', title, { name: 'Ada' }),
    await make('DOCUMENT', title, { name: content }),
    await make('LUGGAGE', 'Blue suitcase', { name: 'Ada', contents: content }, pin),
  ];
  for (const [index, qrCodeId] of codes.entries()) {
    const finderAt = { remoteAddress: `198.51.${index}.7` };
    const scanned = await call('POST', '/api/scans/geocoded', {
      body: { qrCodeId, ...BERLIN_POSITION },
      ...finderAt,
    });
    t.equal(scanned.status, 201, scanned.text);
    const headers = { 'x-scan-token': scanned.body.scanToken };
    const said = { scanId: scanned.body.scan.id, message, name: finder, email: finderMail };
    const opened = await call('POST', '/api/conversations/public', { body: said, headers, ...finderAt });
    t.equal(opened.status, 201, opened.text);
    for (let count = 0; count < 6; count += 1)
      await call('POST', '/api/scans/public', { body: { qrCodeId, pin: '59913377' }, ...finderAt });
  }
  const notifications = await database.client.notification.findMany({ where: { userId: owner.id } });
  for (const { id } of notifications)
    await database.transaction((tx) =>
      services.pushOutbox.post(tx, { userId: owner.id, notificationId: id }),
    );
  await sendAllPushes(test);

  const events = new Set(notifications.map(({ event }) => event));
  for (const event of ['scan.created', 'message.created', 'code.pin_rejected', 'login.created'])
    t.ok(events.has(event), event);
  t.ok(
    notifications.some(({ data }) => JSON.stringify(data).includes(CANARIES.place)),
    'the list names the place',
  );
  t.same(
    fcm.received.map(({ data }) => data.notificationId).sort(),
    notifications.map(({ id }) => id).sort(),
    'each once',
  );
  t.ok(fcm.received.every((one) => one.token === device.token));
  const sentContent = fcm.getReceivedText();
  t.match(sentContent, 'Blue suitcase', 'a thing is named');
  for (const [name, canary] of Object.entries(CANARIES)) t.notOk(sentContent.includes(canary), name);
  for (const own of [owner.email, owner.accessToken, 'Lovelace']) t.notOk(sentContent.includes(own), own);
  for (const { data } of fcm.received)
    for (const [key, value] of Object.entries(data))
      t.match(value, key === 'event' ? /^[a-z_]+\.[a-z_]+$/ : /^[0-9a-f]{24}$/, key);
});

t.test('does not name a code of an unknown kind', async (t) => {
  const user = await test.createUser();
  await registerTestDevice(test, user);
  const data = { qrCodeId: 'f'.repeat(24), code: CANARIES.title };
  const ids = [
    await addPush(test, user, { event: 'code.expired', data }),
    await addPush(test, user, { event: 'SOMETHING_NEW', data }),
  ];
  await sendAllPushes(test);
  for (const id of ids) t.match(await listDeliveries(test, id), [{ status: 'DELIVERED' }]);
  t.match(
    fcm.received
      .slice(-2)
      .map(({ notification }) => notification.title)
      .sort(),
    ['One of your codes has expired', 'Update about one of your codes'],
  );
  t.notOk(fcm.getReceivedText().includes(CANARIES.title));
});

t.test('names no code in enterprise mode', async (t) => {
  const user = await test.createUser();
  await registerTestDevice(test, user);
  await queryDatabase(test, 'UPDATE users SET enterprise_mode = true WHERE id = $1', user.id);
  const qrCodeId = await insertTestQrCode(test, user.id, { id: generateId(), title: 'Rex' });
  await addPush(test, user, { event: 'code.expired', data: { qrCodeId, code: 'Rex' } });
  await sendAllPushes(test);
  t.match(fcm.received.at(-1), {
    notification: { title: 'One of your codes has expired' },
    data: { qrCodeId },
  });
  await queryDatabase(test, 'UPDATE users SET enterprise_mode = false WHERE id = $1', user.id);
  await addPush(test, user, { event: 'code.expired', data: { qrCodeId, code: 'Rex' } });
  await sendAllPushes(test);
  t.match(fcm.received.at(-1), { notification: { title: '“Rex” has expired' } });
});
