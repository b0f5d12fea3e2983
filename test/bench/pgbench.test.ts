import { createPgbenchScript, parseTransactionsPerSecond } from '../../bench/scan/pgbench.ts';
import { cloneDatabase } from '../helper.ts';
import { t } from '../tap.ts';

t.test('transactions per second are parsed from the output of old and new pgbench versions', async (t) => {
  t.equal(
    parseTransactionsPerSecond(
      'latency average = 7.9 ms\ntps = 4012.345678 (without initial connection time)\n',
    ),
    4012.345678,
  );
  const old =
    'tps = 99.5 (including connections establishing)\ntps = 100.5 (excluding connections establishing)\n';
  t.equal(parseTransactionsPerSecond(old), 100.5);
  t.throws(() => parseTransactionsPerSecond('pgbench: error: connection failed'));
  t.throws(() =>
    parseTransactionsPerSecond(
      'number of failed transactions: 3 (0.1 %)\ntps = 1.0 (without initial connection time)',
    ),
  );
});

t.test('the script is one statement that PostgreSQL accepts', async (t) => {
  const script = createPgbenchScript(['0123456789abcdef01234567', '0123456789abcdef01234568']);
  t.match(script, /^\\set number random\(1, 2\)\n[^\n]+;\n$/);
  t.notMatch(script, /\$\d/);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url.application });
  await client.connect();
  const [, statement = ''] = script.split('\n');
  t.same((await client.query(statement.replace(':number', '1'))).rows, [], 'the codes do not exist');
  await client.end();
});
