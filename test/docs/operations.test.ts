import { readFile } from 'node:fs/promises';
import { createChecks } from '../../src/commands/doctor/run-doctor.ts';
import { loadConfig } from '../../src/config.ts';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { LIFETIMES_SECONDS } from '../../src/shared/lifetimes.ts';
import { t } from '../tap.ts';

t.test('every setting that names another machine is in the list of connections', async (t) => {
  const page = await readFile('docs/operations/connections.md', 'utf8');
  const ownAddresses = ['PUBLIC_BASE_URL', 'FRONTEND_URL'];
  // Links for people: the service does not open them.
  ownAddresses.push('BRAND_IMPRINT_URL', 'BRAND_PRIVACY_URL', 'BRAND_ABUSE_URL');
  const names = Object.keys(EnvironmentSchema.properties).filter(
    (name) =>
      /(?:_URL|_ENDPOINT|_ISSUER|_API_BASE|_SERVICE_ACCOUNT)$/.test(name) && !ownAddresses.includes(name),
  );
  t.ok(names.length >= 9, names.join(', '));
  for (const name of names) t.ok(page.includes(`\`${name}\``), name);
});

t.test('every check of an installation is listed', async (t) => {
  const page = await readFile('docs/operations/doctor.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(/[,;] (?:with S3 )?/),
  );
  const bucket = {
    S3_BUCKET: 'files',
    S3_REGION: 'eu',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const names = [{}, bucket].flatMap((settings) =>
    createChecks(loadConfig(settings)).checks.map(({ name }) => name),
  );
  for (const name of names) t.ok(rows.includes(name), name);
  t.same(
    rows.filter((name) => !names.includes(name) && !['check', '---'].includes(name)),
    [],
  );
});

t.test('the page about authentication has the durations of the code', async (t) => {
  const page = await readFile('docs/security/authentication.md', 'utf8');
  const { refreshToken, maxSession, idleSession, enterpriseSession } = LIFETIMES_SECONDS;
  const row = (name: string) => page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  t.match(row('inactivity'), `after ${refreshToken / 86_400} days without a refresh`);
  t.match(row('inactivity'), `after ${idleSession / 60} minutes without a request`);
  t.match(row('absolute end'), `${maxSession / 86_400} days after the login`);
  t.match(row('absolute end'), `${enterpriseSession / 3_600} hours`);
  t.match(row('at the same time'), 'any number');
  t.match(page, /NIST SP 800-63B suggests/);
  t.match(page, /\n## Sessions of a provider\n/);
});

t.test('dependencies have time frames for advisories and updates', async (t) => {
  const page = await readFile('docs/reference/dependencies.md', 'utf8');
  const section = page.split('\n## Updates\n')[1]?.split('\n## ')[0] ?? '';
  t.equal([...section.matchAll(/^\| .+ \| .*\d+ days/gm)].length, 4);
  t.match(section, 'once a month');
});

t.test('every alert has a first step', async (t) => {
  const page = await readFile('docs/operations/incidents.md', 'utf8');
  const rules = await Promise.all(
    ['alerts.yml', 'exporter-alerts.yml'].map((name) => readFile(`deploy/monitoring/${name}`, 'utf8')),
  );
  const alerts = [...rules.join('\n').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, name = '']) => name);
  t.ok(alerts.length > 25);
  t.same(rows.toSorted(), alerts.toSorted());
});
