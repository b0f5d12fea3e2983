import { cloneDatabase } from '../helper.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

/** The columns of a key are the first ones of an index without a condition but IS NOT NULL on one of them. */
const MISSING_SQL = `SELECT conrelid::regclass || ': ' || conname AS key FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT FROM pg_index WHERE indrelid = conrelid AND cardinality(conkey) <= indnkeyatts
      AND (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
      AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) IN (
        SELECT format('(%I IS NOT NULL)', attname) FROM pg_attribute
        WHERE attrelid = conrelid AND attnum = ANY(conkey))))`;

t.test('every foreign key has an index', async (t) => {
  const { owner, drop } = await cloneDatabase(t);
  t.teardown(drop);
  t.same(await runQuery(owner, MISSING_SQL), []);
  await runQuery(owner, 'DROP INDEX subscriptions_version_idx');
  t.same(await runQuery(owner, MISSING_SQL), [{ key: 'subscriptions: subscriptions_version_fkey' }]);
});
