import { isCompatibleMigration, readMigrations } from '../../src/platform/migration-history.ts';
import { t } from '../tap.ts';
import { findContractChanges } from './contract-changes.ts';

const migrations = await readMigrations('prisma/migrations');

t.test('a migration that declares itself compatible only adds', (t) => {
  const compatible = migrations.filter(isCompatibleMigration);
  t.ok(compatible.length > 0);
  for (const { name, sql } of compatible) t.same(findContractChanges(sql), [], name);
  t.end();
});

t.test('no migration builds an index concurrently, which its transaction cannot', (t) => {
  for (const { name, sql } of migrations) t.notMatch(sql, /\bCONCURRENTLY\b/i, name);
  t.end();
});

t.test('only the first comment declares a migration compatible', (t) => {
  const isCompatible = (sql: string) => isCompatibleMigration({ name: 'a', sql });
  const comment = '-- Compatible with earlier versions: yes';
  t.ok(isCompatible(`${comment}\nSELECT 1;`));
  t.ok(isCompatible(`-- What it does.\r\n${comment}\r\nSELECT 1;`));
  t.ok(isCompatible(comment));
  t.notOk(isCompatible(`SELECT 1;\n${comment}`));
  t.notOk(isCompatible(`\n${comment}`), 'after an empty line');
  t.notOk(isCompatible('-- Compatible with earlier versions: no\nSELECT 1;'));
  t.end();
});

t.test('statements that only add are no contract changes', (t) => {
  for (const sql of [
    'ALTER TABLE users ADD COLUMN nickname text',
    "ALTER TABLE users ADD COLUMN a text, ADD COLUMN b text NOT NULL DEFAULT ''",
    'ALTER TABLE users ADD COLUMN team_id text REFERENCES teams (id) ON DELETE SET NULL',
    'ALTER TABLE users SET (fillfactor = 85)',
    'CREATE INDEX a ON users (email)',
    'CREATE INDEX IF NOT EXISTS a ON users (email)',
    'CREATE TABLE a (id text NOT NULL REFERENCES users (id) ON DELETE CASCADE)',
    'CREATE TABLE a (id text); CREATE UNIQUE INDEX b ON a (id); ALTER TABLE a ALTER COLUMN id SET NOT NULL',
    'CREATE TABLE a (id text); CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()',
    "COMMENT ON TABLE users IS 'DROP TABLE users;'",
    'CREATE OR REPLACE VIEW reporting.users AS SELECT id FROM users',
  ])
    t.same(findContractChanges(sql), [], sql);
  t.end();
});

t.test('statements that remove, rename, restrict or are unknown are contract changes', (t) => {
  for (const sql of [
    'DROP TABLE users',
    'DROP INDEX users_email_key',
    'ALTER TABLE users DROP COLUMN email',
    'ALTER TABLE users ADD COLUMN a text, DROP COLUMN email',
    'ALTER TABLE users RENAME TO accounts',
    'ALTER TABLE users RENAME COLUMN email TO mail',
    'ALTER TABLE users RENAME email TO mail',
    'ALTER TABLE users ALTER COLUMN email SET NOT NULL',
    'ALTER TABLE users ALTER COLUMN email TYPE varchar(9)',
    'ALTER TABLE users ADD COLUMN a text NOT NULL',
    "ALTER TABLE users ADD CONSTRAINT a CHECK (email <> '')",
    'ALTER TABLE users ADD COLUMN team_id text REFERENCES teams (id)',
    'CREATE TABLE a (id text REFERENCES users (id))',
    'CREATE UNIQUE INDEX a ON users (email)',
    'CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION f()',
    'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE OR REPLACE VIEW a AS SELECT id FROM users',
    'UPDATE users SET email = NULL',
    'DO $$ BEGIN END $$',
    'CREATE INDEX CONCURRENTLY a ON users (email)',
    'REVOKE SELECT ON users FROM PUBLIC',
  ])
    t.equal(findContractChanges(sql).length, 1, sql);
  t.end();
});
