import type { EnvelopeAlgorithm } from '../../src/shared/crypto/envelope.ts';
import { startTestApp } from '../helper.ts';
import { encryptLegacyField } from '../shared/crypto/legacy-envelope.ts';
import { t } from '../tap.ts';
import {
  createKeyFilePath,
  getCommandSettings,
  queryAsOwner,
  readEncryptedData,
  runKeysCommandInProcess,
} from './keys-helper.ts';

const MEDICAL = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada Lovelace', bloodType: 'A+' } };
const PET = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };

t.test('reports, audits and keeps a value that fails to decrypt, and exits with 1', async (t) => {
  const file = await createKeyFilePath(t);
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: file });
  const { id: accountId, accessToken: token } = await app.createUser();
  const ids: string[] = [];
  for (const body of [PET, PET, MEDICAL])
    ids.push((await app.call('POST', '/api/qrcodes', { token, body })).body.id);
  const [broken = '', old = '', medical = ''] = ids;
  const setData = (id: string, bytes: Buffer) =>
    queryAsOwner(app, 'UPDATE qr_codes SET data = $2 WHERE id = $1', [id, bytes]);
  // As versions 1 and 2 wrote them, under the current primary key.
  const bytes = app.services.keyRing.current().keys.get('k1')?.export() ?? Buffer.alloc(0);
  const place = { table: 'qr_codes', column: 'data', ownerId: accountId };
  const before = (rowId: string, algorithm: EnvelopeAlgorithm) =>
    encryptLegacyField({ id: 'k1', bytes }, { ...place, rowId, algorithm }, Buffer.from('{"name":"Rex"}'));
  await setData(old, before(old, 'GCM'));
  await setData(medical, before(medical, 'CBC_HMAC'));
  const altered = before(broken, 'GCM');
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
  await setData(broken, altered);

  const rotated = await runKeysCommandInProcess(getCommandSettings(app), 'rotate');
  t.match(rotated, { code: 1, errors: new RegExp(`qr_codes\\.data of row ${broken} cannot be decrypted`) });
  t.same(await readEncryptedData(app, broken), altered, 'left as it was');
  t.same(
    [(await readEncryptedData(app, old))[0], (await readEncryptedData(app, medical))[0]],
    [3, 4],
    're-encrypts old envelope versions',
  );
  t.same((await app.call('GET', `/api/qrcodes/${old}`, { token })).body.data.name, 'Rex');
  const entries = await app.database.client.auditEntry.findMany({
    where: { action: 'DATA_INTEGRITY_FAILED' },
  });
  t.match(entries, [
    { severity: 'CRITICAL', resourceId: broken, operation: 'keys:rotate', changes: ['qr_codes.data'] },
  ]);
  t.match(await app.database.client.auditEntry.findMany({ where: { action: 'KEYS_ROTATED' } }), [
    { outcome: 'FAILURE' },
  ]);
});
