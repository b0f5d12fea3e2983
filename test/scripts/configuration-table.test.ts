import { readFile } from 'node:fs/promises';
import { createConfigurationTable, replaceConfigurationTable } from '../../scripts/configuration-table.ts';
import { t } from '../tap.ts';

t.test('The table has a row for each setting, with its default and its meaning', async (t) => {
  const rows = createConfigurationTable().split('\n');
  t.match(rows[0], /^\| name +\| default +\| meaning +\|$/);
  t.match(
    rows.find((row) => row.includes('`PORT`')),
    /^\| `PORT` +\| `3000` +\| Port to listen on.*\|$/,
  );
  t.match(
    rows.find((row) => row.includes('`JWT_SECRET`')),
    /^\| `JWT_SECRET` +\| +\| .+ \|$/,
    'no default for a secret',
  );
  for (const row of rows) t.equal(row.split(/(?<!\\)\|/).length, 5, row);
});

t.test('The text around the table stays, and writing it again changes nothing', async (t) => {
  const text = 'before\n<!-- configuration -->\nold\n<!-- /configuration -->\nafter\n';
  const once = replaceConfigurationTable(text);
  t.ok(once.startsWith('before\n<!-- configuration -->\n\n| name '));
  t.ok(once.endsWith('|\n\n<!-- /configuration -->\nafter\n'));
  t.notMatch(once, /\nold\n/);
  t.equal(replaceConfigurationTable(once), once);
});

t.test('A text without the markers is refused', async (t) => {
  t.throws(() => replaceConfigurationTable('nothing'), /needs the lines/);
  t.throws(() => replaceConfigurationTable('<!-- configuration --> and no end'), /needs the lines/);
});

t.test('The table of the README is what the schema says; `npm run docs:config` writes it', async (t) => {
  const readme = await readFile('README.md', 'utf8');
  t.ok(readme === replaceConfigurationTable(readme), 'if not: npm run docs:config');
});

t.test('What bounds a setting is in its row', async (t) => {
  const rows = createConfigurationTable().split('\n');
  for (const [name, bounds] of [
    ['AUDIT_RETENTION_DAYS', 'From 90 to 36500.'],
    ['BCRYPT_COST', 'From 4 to 16.'],
    ['RATE_LIMIT_SCALE', 'More than 0, up to 1000000.'],
    ['ADMIN_PASSWORD', '12 characters or more.'],
    ['MAIL_FROM', '3 to 200 characters.'],
  ] as const)
    t.ok(rows.find((row) => row.includes(`| \`${name}\``))?.includes(bounds), `${name}: ${bounds}`);
});
