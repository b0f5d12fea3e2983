import { Prisma } from '../../src/generated/prisma/client.ts';
import { CopyRowBuffer, copyQueryToBuffer, parseCopyFields } from '../../src/platform/copy-query.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

t.test('copies rows of a query', async (t) => {
  const { database } = await startTestApp(t);
  const url = String(database.pool.options.connectionString);
  const rows = new CopyRowBuffer();
  const texts = () =>
    Array.from({ length: rows.length }, (_, index) =>
      parseCopyFields(rows.at(index)).map((field) => field && String(field)),
    );

  await t.test('rows have the stored fields, whatever their content', async (t) => {
    const odd = `it's "a\\b"\t\n\\. $1 ${'ü'.repeat(300)}`;
    const at = new Date('2026-03-01T12:00:00.123Z');
    await copyQueryToBuffer(
      database,
      Prisma.sql`SELECT ${odd}::text, NULL, '', (7 -${-7}::int)::text, (${at}::timestamptz = '2026-03-01 12:00:00.123+00')::text`,
      rows,
    );
    t.same(texts(), [[odd, null, '', '14', 'true']]);
    await copyQueryToBuffer(
      database,
      Prisma.sql`SELECT '\\x00ff'::bytea WHERE ${"x' OR true --"} = 'x'`,
      rows,
    );
    t.same(texts(), [], 'a value is never part of the statement');
  });

  await t.test('rows are complete and in order in reused memory', async (t) => {
    for (const count of [5_000, 3, 0, 5_000]) {
      await copyQueryToBuffer(
        database,
        Prisma.sql`SELECT n::text, repeat('x', n % 100) FROM generate_series(1, ${count}) AS made (n) ORDER BY made.n`,
        rows,
      );
      const expected = Array.from({ length: count }, (_, index) => [
        String(index + 1),
        'x'.repeat((index + 1) % 100),
      ]);
      t.same(texts(), expected, `${count} rows`);
    }
  });

  await t.test('a failing statement leaks no connection', async (t) => {
    // The only connection of this pool.
    const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
    t.teardown(() => database.close());
    const failing = Prisma.sql`SELECT 1 / (3 - n) FROM generate_series(1, ${5}) AS n`;
    await t.rejects(copyQueryToBuffer(database, failing, rows), { code: '22012' });
    await t.rejects(copyQueryToBuffer(database, Prisma.sql`SELECT ${1.5}`, rows), TypeError);
    await copyQueryToBuffer(database, Prisma.sql`SELECT 'again'`, rows);
    t.same(texts(), [['again']]);
    t.equal(database.pool.idleCount, 1);
  });
});
