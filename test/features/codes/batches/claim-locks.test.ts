import {
  activateClaimedCode,
  findTagOfCode,
  markTagClaimed,
} from '../../../../src/features/codes/batches/claim.repository.ts';
import { createTagsJob } from '../../../../src/features/codes/batches/create-tags.job.ts';
import { createDeleteBatchJob } from '../../../../src/features/codes/batches/delete-batch.job.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { waitForLock } from '../../identity/accounts/paused-operations.ts';
import { createBatch } from './batch-helper.ts';

/** Claim the tag of a code, and begin a job between the locks of the claim. */
async function claimBesideJob(app: TestApp, qrCodeId: string, runJob: () => Promise<void>) {
  const { database } = app.services;
  const tag = await findTagOfCode(database.client, qrCodeId);
  if (!tag) throw new Error('There is no tag.');
  const owned = { accountId: tag.accountId, id: qrCodeId };
  let job: Promise<void> | undefined;
  const isClaimed = await database.transaction(async (tx) => {
    await activateClaimedCode(tx, owned, { title: 'Bag', data: Buffer.from('x') });
    job = runJob();
    await waitForLock(app, job);
    return markTagClaimed(tx, tag, new Date());
  });
  await job;
  return isClaimed;
}

t.test('a claim and the job that deletes the batch wait for each other', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const user = await app.createUser();
  const { batch, tags } = await createBatch(app, user, { count: 2 });
  await app.services.jobs.stop();
  const { client } = app.database;
  const where = { id: batch.id };
  const isClaimed = await claimBesideJob(app, tags[0]?.qrCodeId, async () => {
    await client.batch.updateMany({ where, data: { deletedAt: new Date() } });
    await createDeleteBatchJob(app.services)({ accountId: user.id, batchId: batch.id });
  });
  t.ok(isClaimed);
  t.equal(await client.batch.count(), 0);
  t.equal(await client.batchTag.count(), 0);
  const codes = await client.qrCode.findMany({ select: { status: true }, orderBy: { status: 'asc' } });
  t.same(codes, [{ status: 'ACTIVE' }, { status: 'DELETED' }]);
});

t.test('a claim and the job that creates tags wait for each other', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const user = await app.createUser();
  const { batch, tags } = await createBatch(app, user, { count: 1 });
  await app.services.jobs.stop();
  const { client } = app.database;
  const where = { id: batch.id };
  await client.batch.updateMany({ where, data: { size: 2, status: 'RUNNING', finishedAt: null } });
  const isClaimed = await claimBesideJob(app, tags[0]?.qrCodeId, () =>
    createTagsJob(app.services)({ accountId: user.id, batchId: batch.id }),
  );
  t.ok(isClaimed);
  t.match(await client.batch.findFirst({ where }), { status: 'COMPLETED', created: 2, claimed: 1 });
  t.equal(await client.batchTag.count(), 2);
});
