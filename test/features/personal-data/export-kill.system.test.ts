import { startTestApp, TEST_PASSWORD, TEST_SECRETS } from '../../helper.ts';
import { startWorker } from '../../process/service-process.ts';
import { startS3Server } from '../../s3-server.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';
import { fetchBytes, listAllPrivateFiles, readZip, waitFor } from './helper.ts';

/** Above the size of one part in the bucket. */
const DOCUMENT_BYTES = 6 * 1024 * 1024;

t.test('a build that is killed is repeated, and nothing of the first one is left', async (t) => {
  const bucket = await startS3Server(t);
  const app = await startTestApp(t, bucket.environment);
  const { accessToken: token } = await app.createUser();
  const document = createTestPdf('x'.repeat(DOCUMENT_BYTES));
  t.equal((await uploadDocument(app, token, document)).status, 201);
  await app.services.jobs.stop();
  const before = await listAllPrivateFiles(app);
  const { id } = (await app.call('POST', '/api/auth/exports', { token, body: { password: TEST_PASSWORD } }))
    .body;
  const startBuilder = async () => {
    const owner = new URL(process.env.TEST_OWNER_URL ?? '');
    owner.pathname = new URL(app.services.config.databaseUrl ?? '').pathname;
    return startWorker(t, await createScratchFolder(t), {
      ...bucket.environment,
      ...TEST_SECRETS,
      DATABASE_URL: app.services.config.databaseUrl ?? '',
      DATABASE_OWNER_URL: owner.href,
      PUBLIC_BASE_URL: app.services.publicBaseUrl,
    });
  };

  let isStalled = false;
  bucket.override = ({ method, url }) => {
    // Never answered.
    if (method !== 'PUT' || !url?.includes('partNumber=')) return false;
    isStalled = true;
    return true;
  };
  const first = await startBuilder();
  await waitFor(async () => isStalled);
  await first.end('SIGKILL');
  bucket.override = null;
  t.equal((await bucket.uploads()).length, 1, 'the killed worker left a part');
  t.match(await app.database.client.dataExport.findUniqueOrThrow({ where: { id } }), { status: 'WAITING' });

  // As when the job has expired.
  await app.database.pool.query(
    "UPDATE pgboss.job SET state = 'retry', started_on = NULL, start_after = now() WHERE name = 'export-data'",
  );
  const second = await startBuilder();
  const isReady = async () => {
    const { body } = await app.call('GET', `/api/auth/exports/${id}`, { token });
    return body.status === 'READY';
  };
  await waitFor(isReady);
  // The job that removes files polls every two seconds.
  await waitFor(async () => (await bucket.uploads()).length === 0);
  await second.end('SIGTERM');
  t.equal((await listAllPrivateFiles(app)).length, before.length + 1, 'the document and one archive');
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'STORED' } } }), 0);
  const { bytes } = await fetchBytes(app, `/api/auth/exports/${id}/content`, token);
  const files = await readZip(bytes);
  t.ok([...files.values()].some((content) => content.equals(document)));
});
