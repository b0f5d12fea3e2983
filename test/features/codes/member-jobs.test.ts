import { cleanUpPrintSheets } from '../../../src/features/codes/print-sheets/clean-up-print-sheets.use-case.ts';
import { startTestApp, type TestResponse } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { waitForCondition } from '../realtime/helper.ts';
import { importFile } from './import-helper.ts';

const test = await startTestApp(t, { BILLING: 'off' });
const { call, createUser, database } = test;
const member = await createUser();
const accountId = await insertOrganization(test, {
  members: [
    { userId: (await createUser()).id, role: 'OWNER' },
    { userId: member.id, role: 'EDITOR' },
  ],
});
const headers = { 'account-id': accountId };

/** Wait until the job of an accepted request has ended. Returns how. */
async function waitForJob({ status, text, headers: { location } }: TestResponse): Promise<string> {
  if (status !== 202) throw new Error(text);
  let ended = '';
  await waitForCondition('the end of a job', async () => {
    const { body } = await call('GET', String(location), { token: member.accessToken, headers });
    ended = ['WAITING', 'RUNNING'].includes(body.status) ? '' : body.status;
    return ended !== '';
  });
  return ended;
}

/** Who did what, and for which account, in the audit trail. */
async function listActors(action: string) {
  const { rows } = await database.pool.query<{ actor: string; account: string | null }>(
    `SELECT actor.user_id AS actor, account.user_id AS account FROM audit_entries AS entry
     JOIN audit_actors AS actor ON actor.reference = actor_reference
     LEFT JOIN audit_actors AS account ON account.reference = account_reference
     WHERE action = $1`,
    [action],
  );
  return rows;
}

const importAsMember = async (csv: string) => waitForJob(await importFile(test, member, csv, { headers }));

const asMember = [{ actor: member.id, account: accountId }];

t.test('the audit trail names the member whose import and print sheet a job makes', async (t) => {
  t.equal(await importAsMember('kind,title,data.name\r\nPET,Rex,Rex\r\n'), 'COMPLETED');
  for (const action of ['IMPORT_REQUESTED', 'QRCODE_CREATED', 'IMPORT_COMPLETED'])
    t.same(await listActors(action), asMember, action);
  t.equal(await importAsMember('kind,title,data.name\r\nPET,"Rex'), 'FAILED');
  t.same(await listActors('IMPORT_FAILED'), asMember);

  const [{ id } = { id: '' }] = await database.client.qrCode.findMany({ where: { accountId } });
  const body = { ids: [id], template: 'avery-l7160' };
  const request = () => call('POST', '/api/print-sheets', { token: member.accessToken, headers, body });
  t.equal(await waitForJob(await request()), 'READY');
  t.same(await listActors('PRINT_SHEET_CREATED'), asMember);
});

t.test('also of one whose job was lost, and of one that was requested before', async (t) => {
  const { client } = database;
  const sheet = { template: null, options: {}, codeIds: [], codes: 1, requestId: 'lost' };
  await client.printSheet.create({
    data: { ...sheet, accountId, id: 'a'.repeat(24), createdBy: member.id },
  });
  await client.printSheet.create({ data: { ...sheet, accountId: member.id, id: 'b'.repeat(24) } });
  await cleanUpPrintSheets(test.services);
  const actors = await listActors('PRINT_SHEET_FAILED');
  t.same(
    actors.toSorted((one) => (one.account ? -1 : 1)),
    [...asMember, { actor: member.id, account: null }],
  );
});
