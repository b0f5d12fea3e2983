import { readFile } from 'node:fs/promises';
import { readEnvelopeKeyId } from '../../src/shared/crypto/envelope.ts';
import { startTestApp, type TestApp } from '../helper.ts';
import { retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import {
  createKeyFilePath,
  getCommandSettings,
  queryAsOwner,
  readEncryptedData,
  readKeyStates,
  runKeysCommand,
  runKeysCommandInProcess,
} from './keys-helper.ts';

const MEDICAL = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada Lovelace', bloodType: 'A+' } };
const PET = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };

const longAgo = (app: TestApp, primary: string) =>
  retryUntilSuccess(async () => {
    const others = await queryAsOwner(app, 'SELECT FROM instances WHERE primary_key_id <> $1', [primary]);
    if (others.length > 0) throw new Error('an instance has another primary key');
    await queryAsOwner(app, "UPDATE instances SET primary_since = now() - interval '1 hour'");
  });

t.test('adds a key, re-encrypts everything and retires the old key while the service runs', async (t) => {
  const file = await createKeyFilePath(t);
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: file });
  const keys = (...words: string[]) => runKeysCommandInProcess(getCommandSettings(app), ...words);
  const { accessToken: token } = await app.createUser();
  await app.call(
    'PUT',
    `/api/auth/profile/${(await app.call('GET', '/api/auth/me', { token })).body.user.id}`,
    {
      token,
      body: { phone: '+4930123456' },
    },
  );
  const made: { id: string }[] = [];
  for (const body of [MEDICAL, PET])
    made.push((await app.call('POST', '/api/qrcodes', { token, body })).body);
  await app.call('POST', `/api/qrcodes/${made[1]?.id}/lost`, { token, body: { message: 'Call me' } });
  await app.call('POST', '/api/scans/geocoded', {
    body: { qrCodeId: made[1]?.id, latitude: 52.5, longitude: 13.4 },
  });
  t.same(await readKeyStates(file), { k1: 'PRIMARY' });
  const before = await Promise.all(made.map(({ id }) => app.call('GET', `/api/qrcodes/${id}`, { token })));

  const added = await keys('add');
  t.match(added, { code: 0, errors: '', out: /Key k2 is the primary key/ });
  t.same(await readKeyStates(file), { k1: 'DECRYPT', k2: 'PRIMARY' });
  t.notMatch(added.out + added.errors, /[A-Za-z0-9+/]{43}=/, 'no key is shown');

  let change = 0;
  await retryUntilSuccess(async () => {
    // The same content again would not be stored.
    const body = { data: { ...MEDICAL.data, notes: `change ${++change}` } };
    t.equal((await app.call('PUT', `/api/qrcodes/${made[0]?.id}`, { token, body })).status, 200);
    if (readEnvelopeKeyId(await readEncryptedData(app, made[0]?.id)) !== 'k2')
      throw new Error('still the old key');
  });
  t.equal(readEnvelopeKeyId(await readEncryptedData(app, made[1]?.id)), 'k1');

  await longAgo(app, 'k2');
  t.match(await keys('retire', 'k1'), { code: 1, errors: /qr_codes\.data: 1 value\b[\s\S]*still in use/ });
  t.match(await keys('retire', 'k2'), { code: 1, errors: /is the primary key/ });

  const versions = () => queryAsOwner(app, 'SELECT id, version, updated_at FROM qr_codes ORDER BY id');
  const asWas = await versions();
  t.match(await runKeysCommand(getCommandSettings(app), 'rotate'), {
    code: 0,
    out: /values are under the primary key k2 now/,
  });
  t.equal(readEnvelopeKeyId(await readEncryptedData(app, made[1]?.id)), 'k2');
  t.same(await versions(), asWas, 'no record has changed for those who read it');
  const listed = await keys('list');
  t.match(listed, {
    code: 0,
    out: /k1 {2}DECRYPT .* 0 values\nk2 {2}PRIMARY .* [1-9]\d* values\ninstance /,
  });

  t.match(await keys('retire', 'k1'), { code: 0, out: /k1 is retired/ });
  t.same(await readKeyStates(file), { k1: 'RETIRED', k2: 'PRIMARY' });
  t.notOk((await readFile(file, 'utf8')).includes('"k1",\n      "state": "RETIRED",\n      "key"'));
  const pet = await app.call('GET', `/api/qrcodes/${made[1]?.id}`, { token });
  t.same(pet.body, before[1]?.body);
  t.equal(pet.headers.etag, before[1]?.headers.etag);
  t.match((await app.call('GET', `/api/qrcodes/${made[0]?.id}`, { token })).body.data, {
    ...MEDICAL.data,
    notes: `change ${change}`,
  });
  t.equal((await app.call('GET', '/api/auth/me', { token })).body.user.phone, '+4930123456');

  const trail = await app.database.client.auditEntry.findMany({
    where: { action: { startsWith: 'KEY' } },
    orderBy: { createdAt: 'asc' },
  });
  t.same(trail.map(({ action, resourceId, operation }) => `${operation} ${action} ${resourceId}`).sort(), [
    'keys:add KEY_ADDED k2',
    'keys:add KEY_PROMOTED k2',
    'keys:retire KEY_RETIRED k1',
    'keys:rotate KEYS_ROTATED k2',
    'keys:rotate KEY_ROTATION_STARTED k2',
    'start KEY_ADDED k1',
    'start KEY_ADDED pepper.p1',
    'start KEY_PROMOTED k1',
  ]);
});
