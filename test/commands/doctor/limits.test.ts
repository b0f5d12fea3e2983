import { CHECK_TIMEOUT_SECONDS, runChecks } from '../../../src/commands/doctor/check.ts';
import { createChecks } from '../../../src/commands/doctor/run-doctor.ts';
import { loadConfig } from '../../../src/config.ts';
import { startBareServer } from '../../providers/mail/smtp-sink.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

t.test('a server that accepts and never answers ends no check late', async (t) => {
  const server = await startBareServer(() => {});
  t.teardown(server.close);
  const DATA_DIR = await createScratchFolder(t);
  const address = `127.0.0.1:${server.port}`;
  const { checks } = createChecks(
    loadConfig({
      DATA_DIR,
      DATABASE_URL: `postgresql://app@${address}/qr`,
      DATABASE_OWNER_URL: `postgresql://owner@${address}/qr`,
      DATABASE_DIRECT_URL: `postgresql://app@${address}/qr`,
      REDIS_URL: `redis://${address}`,
      S3_ENDPOINT: `http://${address}`,
      S3_BUCKET: 'files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      SMTP_URL: `smtp://${address}`,
      CLAMD_URL: `tcp://${address}`,
      STRIPE_SECRET_KEY: 'sk_test_a1b2c3d4e5f6',
      STRIPE_WEBHOOK_SECRETS: 'whsec_a1b2c3d4e5f6',
      STRIPE_API_BASE: `http://${address}`,
      OIDC_ISSUER: `http://${address}`,
      OIDC_CLIENT_ID: 'the-service',
      OIDC_CLIENT_SECRET: 'secret',
      GEOCODER_URL: `http://${address}`,
      PUBLIC_BASE_URL: `https://${address}`,
    }),
  );
  const results = await runChecks(checks);
  const found = Object.fromEntries(results.map((result) => [result.name, result.found]));
  const late = `no answer within ${CHECK_TIMEOUT_SECONDS} seconds`;
  t.match(found, {
    database: 'cannot be used',
    'database owner': late,
    'direct connection': late,
    Redis: late,
    'bucket public/': late,
    'bucket private/': late,
    'mail server': /^The mail server could not be reached/,
    'identity provider': late,
    'malware scanner': late,
    'geocoding server': late,
    payments: late,
    address: late,
    certificate: late,
  });
  const waiting = results.filter((result) => result.name in found && result.state === 'problem');
  t.equal(waiting.length, 13, 'each of them is a problem');
});

t.test('a check that fails or never ends does not end the others', async (t) => {
  const check = (name: string, run: () => Promise<null>) => ({ name, advice: `Look at ${name}.`, run });
  const results = await runChecks(
    [
      check('endless', () => new Promise(() => {})),
      check('failing', () => Promise.reject(new TypeError('a private message'))),
      check('unknown', async () => null),
      { name: 'right', advice: '', run: async () => ({ state: 'ok', found: 'all' }) },
    ],
    0.1,
  );
  t.same(results, [
    {
      name: 'endless',
      state: 'problem',
      found: 'no answer within 0.1 seconds',
      advice: 'Look at endless.',
    },
    { name: 'failing', state: 'problem', found: 'fails (TypeError)', advice: 'Look at failing.' },
    { name: 'right', state: 'ok', found: 'all' },
  ]);
});
