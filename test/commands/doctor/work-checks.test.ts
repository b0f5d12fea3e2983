import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { MAX_LAG_SECONDS, MIN_PARTITION_DAYS } from '../../../src/commands/doctor/work-checks.ts';
import { MAX_JOB_WAIT_SECONDS, MAX_WORKER_SILENCE_SECONDS } from '../../../src/features/system/index.ts';
import { cloneDatabase } from '../../helper.ts';
import { runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { diagnoseOne } from './doctor-helper.ts';

const url = await cloneDatabase(t);
t.teardown(() => url.drop());
const run = (sql: string) => runQuery(url.owner, sql);
const diagnose = (name: string, environment: Record<string, string> = {}) =>
  diagnoseOne(name, { DATABASE_URL: url.application, ...environment });

t.test('a worker that is silent is a problem', async (t) => {
  await run('UPDATE pgboss.version SET maintained_on = NULL');
  t.match(await diagnose('worker'), {
    state: 'problem',
    found: 'none was ever seen',
    advice: 'Start the service: npm start.',
  });
  await run(
    `INSERT INTO instances (id, key_ids, primary_key_id, enterprise_mode_enforced)
     VALUES ('aaaaaaaaaaaaaaaaaaaaaaaa', '{k1}', 'k1', false)`,
  );
  t.match(await diagnose('worker'), { state: 'warning', found: 'none was seen yet' });
  await run(`UPDATE pgboss.version SET maintained_on = now() - interval '61 seconds'`);
  t.match(await diagnose('worker', { WORKER: 'separate' }), {
    state: 'problem',
    found: /^seen 6\d s ago$/,
    advice: 'Start npm run worker.',
  });
  await run('UPDATE pgboss.version SET maintained_on = now()');
  t.match(await diagnose('worker'), { state: 'ok', found: /^seen \d s ago$/ });
});

t.test('jobs that wait for long are a problem, failed ones a warning', async (t) => {
  t.match(await diagnose('jobs'), { state: 'ok', found: '0 waiting, 0 failed' });
  await run(`INSERT INTO pgboss.job (name, state) VALUES ('mail', 'failed')`);
  t.match(await diagnose('jobs'), {
    state: 'warning',
    found: '0 waiting, 1 failed',
    advice: /GET \/api\/admin\/jobs\/failed/,
  });
  await run(`INSERT INTO pgboss.job (name, start_after) VALUES ('mail', now() - interval '601 seconds')`);
  t.match(await diagnose('jobs'), {
    state: 'problem',
    found: /^1 waiting, the oldest due one \(mail\) since 60\d s, 1 failed$/,
  });
});

t.test('late statistics are a problem', async (t) => {
  t.match(await diagnose('background work'), { state: 'ok' });
  await run(
    `INSERT INTO scan_dirty_buckets VALUES ('a', 'QUARTER_HOUR', now() - interval '2 hours 15 minutes')`,
  );
  t.match(await diagnose('background work'), {
    state: 'problem',
    found: /^statistics 72\d\d s late$/,
  });
});

t.test('partitions of scans that end soon are a warning, then a problem', async (t) => {
  t.match(await diagnose('partitions'), { state: 'ok', found: /^scans can be stored for \d{3} more days$/ });
  const dropFrom = (month: string) =>
    run(`DO $$ BEGIN EXECUTE (
      SELECT string_agg(format('DROP TABLE %s', child.oid::regclass), ';')
      FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
      WHERE inhparent = 'scans'::regclass AND child.relname ~ '^scans_[0-9]{4}_[0-9]{2}$'
        AND to_date(right(child.relname, 7), 'YYYY_MM') >= ${month}); END $$`);
  // Two to seven weeks are left on every day of a month.
  await dropFrom(`date_trunc('month', now() + interval '15 days') + interval '1 month'`);
  t.match(await diagnose('partitions'), { state: 'warning', advice: /scan-partitions/ });
  await dropFrom(`date_trunc('month', now())`);
  t.match(await diagnose('partitions'), { state: 'problem', found: 'scans can be stored for 0 more days' });
});

t.test('the limits are those of the alerts', async (t) => {
  const { groups } = parse(await readFile('deploy/monitoring/alerts.yml', 'utf8'));
  const expressions: string[] = groups[0].rules.map(({ expr }: { expr: string }) => expr);
  for (const [name, { seconds }] of Object.entries(MAX_LAG_SECONDS))
    t.ok(expressions.includes(`max(${name}) > ${seconds}`), name);
  t.ok(expressions.includes(`max(qrps_worker_silence_seconds) > ${MAX_WORKER_SILENCE_SECONDS}`));
  t.ok(expressions.includes(`max by (queue) (qrps_job_wait_seconds) > ${MAX_JOB_WAIT_SECONDS}`));
  t.ok(
    expressions.includes(
      `min(qrps_scan_partitions_until_timestamp_seconds) - time() < ${MIN_PARTITION_DAYS} * 86400`,
    ),
  );
});
