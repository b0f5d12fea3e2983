import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { alterCiphertexts } from './ciphertexts/alter-ciphertexts.ts';

t.test('every altered ciphertext is rejected with DATA_INTEGRITY and a CRITICAL audit entry', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const result = await alterCiphertexts(app, { total: 2_000, sampleSize: 48 });
  t.ok(result.values > 10);
  t.equal(result.open, result.values, 'unaltered values can be decrypted');
  t.same(result.acceptedAlterations, []);
  t.same(result.unexpectedResponses, []);
  t.equal(result.criticalEntries, 48);

  // The ciphertext is intact, but the row belongs to another user.
  const [first, second] = [await app.createUser(), await app.createUser()];
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await app.call('POST', '/api/qrcodes', { token: first.accessToken, body })).body;
  await app.database.client.qrCode.update({ where: { id }, data: { accountId: second.id } });
  const moved = await app.call('GET', `/api/qrcodes/${id}`, { token: second.accessToken });
  t.match(
    moved,
    { status: 500, body: { code: 'DATA_INTEGRITY' } },
    'a row moved to another owner cannot be decrypted',
  );
});
