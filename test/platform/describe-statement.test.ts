import { describeStatement } from '../../src/platform/describe-statement.rules.ts';
import { t } from '../tap.ts';

t.test('names what a statement is about, not the first table that it mentions', async (t) => {
  t.equal(
    describeStatement('/* insert scans */ WITH input AS (SELECT 1) SELECT id FROM inserted'),
    'insert scans',
  );
  t.equal(
    describeStatement(
      'SELECT id, EXISTS (SELECT FROM second_factors WHERE user_id = person.id) FROM sessions AS session JOIN users AS person ON true',
    ),
    'select sessions',
  );
  t.equal(
    describeStatement('SELECT id FROM unnest($1::text[]) AS w (id) JOIN users USING (id)'),
    'select users',
  );
  t.equal(
    describeStatement(
      'WITH due AS MATERIALIZED (SELECT id FROM a FOR UPDATE) UPDATE notifications SET due_at = NULL',
    ),
    'update notifications',
  );
  t.equal(
    describeStatement('with next as (select id from pgboss.job) update pgboss.job j set state = $1'),
    'update pgboss.job',
  );
  t.equal(
    describeStatement(
      "INSERT INTO budgets (key) VALUES ('from users') ON CONFLICT (key) DO UPDATE SET used = 1",
    ),
    'insert budgets',
  );
  t.equal(describeStatement('WITH part AS (SELECT id FROM codes) SELECT * FROM part'), 'select codes');
  t.equal(describeStatement('SELECT nextval($1)'), 'select');
});

t.test('names a statement by verb and table, without values', async (t) => {
  t.equal(
    describeStatement('SELECT "public"."users"."id" FROM "public"."users" WHERE email = $1'),
    'select users',
  );
  t.equal(describeStatement({ text: '\n  INSERT INTO scans (id) VALUES ($1)' }), 'insert scans');
  t.equal(describeStatement('UPDATE qr_codes SET title = $1'), 'update qr_codes');
  t.equal(describeStatement('COMMIT'), 'commit');
  t.equal(describeStatement('COPY scans TO STDOUT'), 'copy scans');
  t.equal(describeStatement('DELETE FROM "public"."users" WHERE id = $1'), 'delete users');
  t.equal(describeStatement(undefined), 'unknown');
});
