import { PHONE_USER_AGENT } from '../../helper.ts';
import { captureStatements, type SqlStatement } from '../../platform/capture-statements.ts';
import { t } from '../../tap.ts';
import { startScans } from './helper.ts';

t.test('a scan finds the account of a code by its key, as it would find the user', async (t) => {
  const { call, code, scan, database } = await startScans(t);
  const id = await code();
  const statements = await captureStatements(async () => {
    t.equal((await scan({ qrCodeId: id })).status, 201);
    t.equal((await call('GET', `/s/${id}`, { headers: { 'user-agent': PHONE_USER_AGENT } })).status, 200);
  });
  const ofAccounts = statements.filter(({ text }) => text.includes('FROM accounts AS account'));
  t.ok(ofAccounts.some(({ text }) => text.includes('/* insert scans */')));
  t.ok(ofAccounts.some(({ text }) => text.includes('"ownerTimeZone"')));
  const client = await database.pool.connect();
  t.teardown(() => client.release(true));
  // The tables of a test are so small that reading them completely costs least.
  await client.query('SET enable_seqscan = off');
  const explain = async ({ text, values }: SqlStatement): Promise<string> => {
    const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const { text, values, took } of ofAccounts) {
    const plan = await explain({ text, values, took });
    t.match(plan, /Index Scan using accounts_pkey on accounts/);
    t.notMatch(plan, /Scan on accounts|users/);
    const ofUsers = await explain({
      text: text.replaceAll('FROM accounts AS', 'FROM users AS'),
      values,
      took,
    });
    t.equal(ofUsers.replaceAll('users', 'accounts'), plan);
  }
});
