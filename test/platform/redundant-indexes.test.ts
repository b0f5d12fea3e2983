import { cloneDatabase } from '../helper.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

/** Indexes whose columns are the first ones of another index, which serves the same statements. */
const REDUNDANT_SQL = `
  SELECT redundant.indexrelid::regclass::text AS index, covering.indexrelid::regclass::text AS covering
  FROM pg_index AS redundant JOIN pg_index AS covering USING (indrelid)
  JOIN pg_class AS redundant_class ON redundant_class.oid = redundant.indexrelid
  JOIN pg_class AS covering_class ON covering_class.oid = covering.indexrelid AND covering_class.relam = redundant_class.relam
  WHERE redundant_class.relnamespace = 'public'::regnamespace AND redundant.indexrelid <> covering.indexrelid
    AND redundant_class.relam = (SELECT oid FROM pg_am WHERE amname = 'btree')
    AND NOT redundant.indisunique AND redundant.indexprs IS NULL AND covering.indexprs IS NULL
    AND coalesce(redundant.indpred::text, '') = coalesce(covering.indpred::text, '')
    AND covering.indkey::text || ' ' LIKE redundant.indkey::text || ' %'
    AND covering.indclass::text || ' ' LIKE redundant.indclass::text || ' %'
  ORDER BY 1, 2`;

t.test('no index is the beginning of another one', async (t) => {
  const { owner, drop } = await cloneDatabase(t);
  t.teardown(drop);
  t.same(await runQuery(owner, REDUNDANT_SQL), []);
});
