import { describeStatement } from '../../src/platform/describe-statement.rules.ts';
import { t } from '../tap.ts';

t.test('names a statement by verb and table, without values', async (t) => {
  t.equal(
    describeStatement('SELECT "public"."users"."id" FROM "public"."users" WHERE email = $1'),
    'select users',
  );
  t.equal(describeStatement({ text: '\n  INSERT INTO scans (id) VALUES ($1)' }), 'insert scans');
  t.equal(describeStatement('UPDATE qr_codes SET title = $1'), 'update qr_codes');
  t.equal(describeStatement('COMMIT'), 'commit');
  t.equal(describeStatement(undefined), 'unknown');
});
