import { startBenchApp } from '../../bench/bench-app.ts';
import { alterCiphertexts } from '../../bench/ciphertexts/run.ts';
import { cloneDatabase } from '../helper.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

t.test('every altered ciphertext is rejected with DATA_INTEGRITY and a CRITICAL audit entry', async (t) => {
  const url = await cloneDatabase(t);
  const scratch = {
    ownerUrl: url.owner,
    applicationUrl: url.application,
    folder: await createScratchFolder(t),
  };
  const app = await startBenchApp(scratch);
  t.teardown(async () => {
    await app.close();
    await url.drop();
  });
  const result = await alterCiphertexts(app, { total: 2_000, sampleSize: 48 });
  t.ok(result.values > 10);
  t.equal(result.open, result.values, 'unaltered values can be decrypted');
  t.same(result.acceptedAlterations, []);
  t.same(result.unexpectedResponses, []);
  t.equal(result.criticalEntries, 48);

  // The ciphertext is intact, but the row belongs to another user.
  const { sendRequest, services } = app;
  const [first, second] = [await app.owner(), await app.owner()];
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await sendRequest('POST', '/api/qrcodes', { token: first.token, body })).body;
  await services.database.client.qrCode.update({ where: { id }, data: { ownerId: second.id } });
  const moved = await sendRequest('GET', `/api/qrcodes/${id}`, { token: second.token });
  t.match(
    moved,
    { status: 500, body: { code: 'DATA_INTEGRITY' } },
    'a row moved to another owner cannot be decrypted',
  );
});
