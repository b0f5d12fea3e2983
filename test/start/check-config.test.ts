import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { SECRET_SETTINGS } from '../../src/secret-files.ts';
import { ConfigError } from '../../src/shared/config-error.ts';
import { createKeyFileEntry, formatKeyFile, promoteKeyFileEntry } from '../../src/shared/crypto/key-file.ts';
import { checkConfig } from '../../src/start/check-config.ts';
import { SecretsMissingError } from '../../src/start/secrets-file.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const key = () => randomBytes(32).toString('base64');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const PRODUCTION: Record<string, string> = {
  NODE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://qr.example.org',
  DATABASE_URL: 'postgresql://app:database-password@db.example.org:5433/qr?sslmode=require',
  DATABASE_OWNER_URL: 'postgresql://owner:owner-password@db.example.org/qr?sslmode=require',
  DATABASE_DIRECT_URL: 'postgresql://app:direct-password@db.example.org/qr?sslmode=require',
  DATABASE_READ_URL: 'postgresql://app:replica-password@replica.example.org/qr?sslmode=require',
  REDIS_URL: 'rediss://me:redis-password@redis.example.org:6380/1',
  JWT_SECRET: key(),
  HASH_SECRET: key(),
  PASSWORD_PEPPERS: `p1:${key()}`,
  ENCRYPTION_KEYS: `k1:${key()}`,
  AUDIT_SIGNING_KEY: key(),
  SMTP_URL: 'smtps://me:mail-password@mail.example.org',
  STRIPE_SECRET_KEY: 'sk_live_a1b2c3d4e5f6',
  STRIPE_WEBHOOK_SECRETS: 'whsec_a1b2c3d4e5f6',
  S3_BUCKET: 'qr-files',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'AKIA-access-key-id',
  S3_SECRET_ACCESS_KEY: 'bucket-secret',
  OIDC_CLIENT_ID: 'the-service',
  OIDC_CLIENT_SECRET: 'client-secret',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    project_id: 'the-project',
    client_email: 'push@the-project.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
  // Of the example of RFC 8291.
  VAPID_PRIVATE_KEY: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  METRICS_PORT: '9464',
  METRICS_TOKEN: key(),
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.org:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-token=collector-secret',
  ADMIN_EMAIL: 'root@example.org',
  ADMIN_PASSWORD: 'a lighthouse for lost-dogs',
  TRUST_PROXY: '10.0.0.1',
};

t.test('describes the settings without secrets', async (t) => {
  const text = await checkConfig(loadConfig(PRODUCTION));
  t.match(text, /^The configuration is valid\.\n/);
  for (const line of [
    /^ {2}Mode +production$/m,
    /^ {2}Address +https:\/\/qr\.example\.org$/m,
    /^ {2}Listens on +127\.0\.0\.1:3000$/m,
    /^ {2}Trusted proxies +10\.0\.0\.1$/m,
    /^ {2}Database +postgresql:\/\/app@db\.example\.org:5433\/qr$/m,
    /^ {2}Read replica +postgresql:\/\/app@replica\.example\.org\/qr$/m,
    /^ {2}Redis +rediss:\/\/redis\.example\.org:6380$/m,
    /^ {2}Files +bucket qr-files at Amazon S3$/m,
    /^ {2}Email +smtps:\/\/mail\.example\.org$/m,
    /^ {2}Push +browsers, Firebase project the-project$/m,
    /^ {2}Billing +Stripe, live mode$/m,
    /^ {2}Sign-in +https:\/\/accounts\.google\.com$/m,
    /^ {2}Metrics +127\.0\.0\.1:9464$/m,
    /^ {2}Traces +http:\/\/collector\.example\.org:4318$/m,
  ])
    t.match(text, line);
  t.match(text, /\nWarnings:\n {2}CLAMD_URL is not set: documents are not scanned$/);
  t.notOk(
    SECRET_SETTINGS.some((name) => PRODUCTION[name] === undefined),
    'every secret is set',
  );
  for (const name of SECRET_SETTINGS) t.notOk(text.includes(PRODUCTION[name] ?? ''), name);
  t.notMatch(text, /-password|-secret|lighthouse|access-key-id|whsec_|sk_live|BEGIN/);
});

t.test('an IPv6 address is in brackets', async (t) => {
  t.match(await checkConfig(loadConfig({ HOST: '::1' })), / \[::1\]:3000\n/);
});

t.test('warnings are about production only', async (t) => {
  t.notMatch(await checkConfig(loadConfig({ BILLING: 'off' })), 'Warnings');
  const { TRUST_PROXY: _none, ...withoutProxy } = PRODUCTION;
  const text = await checkConfig(loadConfig({ ...withoutProxy, RATE_LIMIT_SCALE: '10', SMTP_URL: 'none' }));
  for (const name of ['TRUST_PROXY', 'RATE_LIMIT_SCALE', 'CLAMD_URL', 'SMTP_URL'])
    t.match(text, new RegExp(`^ {2}${name} is `, 'm'));
});

t.test('reads the file of the encryption keys', async (t) => {
  const file = join(await createScratchFolder(t), 'keys.json');
  const check = ({ ENCRYPTION_KEYS: _none, ...settings }: Record<string, string>) =>
    checkConfig(loadConfig({ ...settings, ENCRYPTION_KEYS_FILE: file }));
  const failure = await check(PRODUCTION).catch((error: unknown) => error);
  t.type(failure, ConfigError);
  t.match(failure, {
    problems: [
      `ENCRYPTION_KEYS_FILE: ${file} is missing. Restore it from a backup; for a new database npm run keys -- add creates it.`,
    ],
  });
  t.match(await check({}), `Encryption keys  ${file}`, 'created by the start');
  await writeFile(file, 'keys');
  await t.rejects(check(PRODUCTION), SecretsMissingError);
  await t.rejects(check({}), { message: new RegExp(`^${file} is invalid`) });
  const entry = createKeyFileEntry([], new Date());
  await writeFile(file, formatKeyFile(promoteKeyFileEntry([entry], entry.id)));
  t.match(await check(PRODUCTION), `Encryption keys  ${file}`);
});
