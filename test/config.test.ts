import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { ConfigError } from '../src/shared/config-error.ts';
import { findWeakSecretProblem } from '../src/shared/weak-secrets.ts';
import { findMisspelledVariables } from '../src/unknown-variables.ts';
import { createScratchFolder } from './scratch-folder.ts';
import { t } from './tap.ts';

const key = () => randomBytes(32).toString('base64');

const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://qr@db.example.org/qr?sslmode=verify-full',
  PUBLIC_BASE_URL: 'https://qr.example.org',
  JWT_SECRET: key(),
  HASH_SECRET: key(),
  PASSWORD_PEPPERS: `p1:${key()}`,
  ENCRYPTION_KEYS: `k2:${key()},k1:${key()}`,
  AUDIT_SIGNING_KEY: key(),
  SMTP_URL: 'smtps://mail.example.org',
  BILLING: 'off',
});

function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

t.test('loads a configuration without any variable', async (t) => {
  const config = loadConfig({});
  t.match(config, {
    host: '127.0.0.1',
    port: 3000,
    publicBaseUrl: 'http://localhost:3000',
    production: false,
  });
  t.ok(Object.isFrozen(config));
  t.equal(loadConfig({ PORT: '' }).port, 3000, 'treats an empty variable as not set');
});

t.test('a connection to another host is unencrypted in production only where it is said', async (t) => {
  const namesOf = (values: object) =>
    problemsOf({ ...production(), ...values }).map((problem) => problem.slice(0, problem.indexOf(':')));
  const databases = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_READ_URL'];
  for (const name of databases) {
    const of = (url: string) => namesOf({ DATABASE_URL: 'postgresql://qr@localhost/qr', [name]: url });
    for (const url of [
      'postgresql://qr@db.example.org/qr',
      'postgres://qr:a@10.0.0.2:5432/qr?application_name=sslmode%3Ddisable',
      'postgresql://qr@[2001:db8::1]/qr',
      'postgresql:///qr?host=db.example.org',
      'postgresql://qr@localhost/qr?host=localhost&host=db.example.org',
    ])
      t.same(of(url), [name], url);
    for (const url of [
      'postgresql://qr@db.example.org/qr?sslmode=disable',
      'postgresql://qr@db.example.org/qr?sslmode=require',
      'postgresql://qr@localhost/qr',
      'postgresql://qr@LOCALHOST/qr',
      'postgresql://qr@127.0.0.1:5433/qr',
      'postgresql://qr@[::1]/qr',
      'postgresql:///qr?host=/var/run/postgresql&user=qr',
      'postgresql://qr@%2Fvar%2Frun%2Fpostgresql/qr',
    ])
      t.same(of(url), [], url);
  }
  t.same(namesOf({ DATABASE_URL: 'postgresql://qr@localhost,db.example.org/qr' }), ['DATABASE_URL']);
  for (const REDIS_URL of ['redis://redis.example.org', 'redis://:a@10.0.0.2:6379/1'])
    t.same(namesOf({ REDIS_URL }), ['REDIS_URL'], REDIS_URL);
  for (const REDIS_URL of ['redis://localhost', 'redis://127.0.0.1:6379/1', 'rediss://redis.example.org'])
    t.same(namesOf({ REDIS_URL }), [], REDIS_URL);
  const REDIS_URL = 'redis://redis:6379?sslmode=disable';
  t.equal(loadConfig({ ...production(), REDIS_URL }).redisUrl, 'redis://redis:6379');
  for (const url of [
    'rediss://redis?sslmode=disable',
    'redis://redis?sslmode=require',
    'redis://redis?sslmode=disable&db=1',
  ])
    t.same(namesOf({ REDIS_URL: url }), ['REDIS_URL'], url);
  t.same(
    problemsOf({ DATABASE_URL: 'postgresql://qr@db/qr', REDIS_URL: 'redis://redis' }),
    [],
    'development',
  );
});

t.test('defaults the identity provider to Google and accepts plain http on loopback only', async (t) => {
  const provider = { OIDC_CLIENT_ID: 'the-service', OIDC_CLIENT_SECRET: 'a-secret' };
  t.equal(loadConfig({}).identityProvider, null);
  t.same(loadConfig(provider).identityProvider, {
    issuer: 'https://accounts.google.com',
    clientId: 'the-service',
    clientSecret: 'a-secret',
    authorizedParties: [],
  });
  const issuers = [
    'https://login.example.org/realms/a',
    'http://localhost:8080',
    'http://127.0.0.1/a',
    'http://[::1]:1',
  ];
  for (const OIDC_ISSUER of issuers) t.same(problemsOf({ ...provider, OIDC_ISSUER }), [], OIDC_ISSUER);
  const wrong = [
    'http://login.example.org',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@evil.example',
    'https://login.example.org/?a=b',
    'ftp://localhost',
  ];
  for (const OIDC_ISSUER of wrong) {
    t.match(problemsOf({ ...provider, OIDC_ISSUER }), [/^OIDC_ISSUER: /], OIDC_ISSUER);
  }
  t.match(problemsOf({ OIDC_ISSUER: 'https://login.example.org' }), [
    'OIDC_ISSUER: requires OIDC_CLIENT_ID.',
  ]);
  t.match(problemsOf({ OIDC_AUTHORIZED_PARTIES: 'a' }), [
    'OIDC_AUTHORIZED_PARTIES: requires OIDC_CLIENT_ID.',
  ]);
  t.same(loadConfig({ ...provider, OIDC_AUTHORIZED_PARTIES: 'a,  b' }).identityProvider?.authorizedParties, [
    'a',
    'b',
  ]);
  t.match(problemsOf({ OIDC_CLIENT_ID: 'x' }), ['OIDC_CLIENT_ID: requires OIDC_CLIENT_SECRET.']);
  t.match(problemsOf({ OIDC_CLIENT_SECRET: 'x' }), ['OIDC_CLIENT_SECRET: requires OIDC_CLIENT_ID.']);
});

t.test('requires all settings of a bucket or none', async (t) => {
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  const whole = { S3_BUCKET: 'qr-files', S3_REGION: 'eu-central-1', ...keys };
  t.equal(loadConfig({}).s3, null);
  t.match(loadConfig(whole).s3, { bucket: 'qr-files', endpoint: undefined, pathStyle: false });
  const S3_ENDPOINT = 'http://minio:9000';
  t.match(loadConfig({ ...whole, S3_ENDPOINT }).s3, { endpoint: S3_ENDPOINT, pathStyle: true });
  t.match(loadConfig({ ...whole, S3_ENDPOINT, S3_PATH_STYLE: 'false' }).s3, { pathStyle: false });
  for (const name of ['S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
    t.same(problemsOf({ ...whole, [name]: '' }), [`S3_BUCKET: requires ${name}.`]);
    t.same(problemsOf({ [name]: 'x' }), [`${name}: requires S3_BUCKET.`]);
  }
  t.same(problemsOf({ S3_ENDPOINT }), ['S3_ENDPOINT: requires S3_BUCKET.']);
  t.match(problemsOf({ ...whole, S3_BUCKET: 'A b' }), [/^S3_BUCKET: /]);
  t.match(problemsOf({ ...whole, S3_PATH_STYLE: 'perhaps' }), [/^S3_PATH_STYLE: /]);
});

t.test('turns billing off without a key, and uses a sandbox outside production', async (t) => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_12345678', STRIPE_WEBHOOK_SECRETS: 'whsec_12345678' };
  t.match(loadConfig({}), { billing: 'sandbox', stripe: null });
  t.equal(loadConfig({ BILLING: 'off' }).billing, 'off');
  t.match(loadConfig(stripe), { billing: 'stripe', stripe: { apiBase: 'https://api.stripe.com' } });
  t.equal(loadConfig({ ...stripe, BILLING: 'off' }).billing, 'off');
  const two = loadConfig({ ...stripe, STRIPE_WEBHOOK_SECRETS: 'whsec_12345678 , whsec_87654321' });
  t.same(two.stripe?.webhookSecrets, ['whsec_12345678', 'whsec_87654321']);

  for (const secrets of ['whsec_', '12345678', 'whsec_12345678,', 'whsec_12345678,87654321'])
    t.match(
      problemsOf({ ...stripe, STRIPE_WEBHOOK_SECRETS: secrets }),
      [/^STRIPE_WEBHOOK_SECRETS: /],
      secrets,
    );
  for (const key of ['pk_live_12345678', 'sk_12345678', 'sk_test_'])
    t.match(problemsOf({ ...stripe, STRIPE_SECRET_KEY: key }), [/^STRIPE_SECRET_KEY: /], key);
  for (const base of [
    'https://api.example.org',
    'https://api.example.org:8443/',
    'http://localhost:1',
    'http://[::1]',
  ])
    t.same(problemsOf({ ...stripe, STRIPE_API_BASE: base }), [], base);
  const wrong = [
    'http://api.stripe.com',
    'https://a@b.example',
    'https://api.stripe.com/v1',
    'http://127.0.0.1.a',
  ];
  for (const base of wrong)
    t.match(problemsOf({ ...stripe, STRIPE_API_BASE: base }), [/^STRIPE_API_BASE: /], base);
  t.same(problemsOf({ BILLING: 'stripe' }), ['BILLING: cannot be stripe without STRIPE_SECRET_KEY.']);
});

t.test('reports every invalid variable at once, without values', async (t) => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_URL: 'mysql://somewhere',
    TRUST_PROXY: 'all',
    BCRYPT_COST: 'much',
    CORS_ORIGINS: 'example.org',
  });
  const names = problems.map((line) => line.split(':')[0]).sort();
  t.same(names, ['BCRYPT_COST', 'CORS_ORIGINS', 'DATABASE_URL', 'PORT', 'TRUST_PROXY']);
  t.notMatch(problems.join('\n'), /70000|mysql|much/);
});

t.test('production demands the database, the secrets and an https address', async (t) => {
  const names = problemsOf({ NODE_ENV: 'production' }).map((line) => line.split(':')[0]);
  t.same(names.sort(), [
    'AUDIT_SIGNING_KEY',
    'BILLING',
    'DATABASE_URL',
    'ENCRYPTION_KEYS',
    'HASH_SECRET',
    'JWT_SECRET',
    'PASSWORD_PEPPERS',
    'PUBLIC_BASE_URL',
    'SMTP_URL',
  ]);
  t.same(problemsOf(production()), []);
  t.equal(loadConfig(production()).urlPagePolicy, 'young');
  t.equal(loadConfig({ ...production(), URL_PAGE: 'always' }).urlPagePolicy, 'always');
  t.equal(loadConfig(production()).cellId, '00');
  t.equal(loadConfig({ ...production(), CELL_ID: 'A7' }).cellId, 'a7');
  for (const CELL_ID of ['7', '007', 'g0']) t.match(problemsOf({ CELL_ID }), [/^CELL_ID: is invalid/]);
  t.equal(loadConfig({}).urlPagePolicy, 'never');
  t.match(problemsOf({ ...production(), PUBLIC_BASE_URL: 'http://qr.example.org' }), [
    /^PUBLIC_BASE_URL: .*https/,
  ]);
});

t.test('rejects placeholder secrets in production', async (t) => {
  const zeros = Buffer.alloc(32).toString('base64');
  const placeholders = {
    JWT_SECRET: 'change-me-change-me-change-me-change-me',
    HASH_SECRET: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    PASSWORD_PEPPERS: `p1:${zeros}`,
    ENCRYPTION_KEYS: `k1:${zeros}`,
    AUDIT_SIGNING_KEY: zeros,
  };
  for (const [name, value] of Object.entries(placeholders)) {
    const problems = problemsOf({ ...production(), [name]: value });
    t.match(problems, [new RegExp(`^${name}: `)], name);
    t.notMatch(problems.join(), value);
  }
});

t.test('reports unreadable key sets outside production too', async (t) => {
  t.match(problemsOf({ ENCRYPTION_KEYS: `k1:${key()},k1:${key()}` }), [/^ENCRYPTION_KEYS: /]);
});

t.test('reports production problems beside invalid values', async (t) => {
  const environment = { ...production(), BCRYPT_COST: 'much', PUBLIC_BASE_URL: 'http://qr.example.org' };
  const names = problemsOf({ ...environment, PASSWORD_PEPPERS: 'none' }).map((line) => line.split(':')[0]);
  t.same(names.sort(), ['BCRYPT_COST', 'PASSWORD_PEPPERS', 'PUBLIC_BASE_URL']);
});

t.test('enables enterprise mode by its exact value only', async (t) => {
  t.equal(loadConfig({}).enterpriseMode, false);
  t.equal(loadConfig({ ENTERPRISE_MODE: 'hipaa' }).enterpriseMode, true);
  for (const word of ['on', 'true', 'HIPAA', 'none'])
    t.match(problemsOf({ ENTERPRISE_MODE: word }), [/^ENTERPRISE_MODE: /], word);
});

t.test('rejects a variable that requires another one', async (t) => {
  const names = (environment: Record<string, string>) =>
    problemsOf(environment).map((line) => line.split(':')[0]);
  t.same(names({ DATABASE_OWNER_URL: 'postgresql://db.example.org/qr' }), ['DATABASE_OWNER_URL']);
  t.same(names({ ADMIN_EMAIL: 'root@example.org' }), ['ADMIN_EMAIL']);
  t.same(names({ ADMIN_PASSWORD: 'a lighthouse for lost dogs' }), [], '`npm run admin -- create` takes it');
  const one = key();
  t.same(names({ JWT_SECRET: one, HASH_SECRET: one }), ['HASH_SECRET']);
});

t.test('accepts encryption keys from the variable or a file, not both', async (t) => {
  const { ENCRYPTION_KEYS, ...rest } = production();
  t.same(problemsOf({ ...rest, ENCRYPTION_KEYS_FILE: '/run/keys.json' }), []);
  t.match(problemsOf({ ...rest, ENCRYPTION_KEYS, ENCRYPTION_KEYS_FILE: '/run/keys.json' }), [
    /^ENCRYPTION_KEYS_FILE: cannot be combined with ENCRYPTION_KEYS/,
  ]);
});

t.test('reports the bounds of a setting that is out of range', async (t) => {
  const [days, cost] = problemsOf({ AUDIT_RETENTION_DAYS: '10', BCRYPT_COST: '40' }).toSorted();
  t.match(days, /^AUDIT_RETENTION_DAYS: is invalid\. .* From 90 to 36500\.$/);
  t.match(cost, /^BCRYPT_COST: .* From 4 to 16\.$/);
});

t.test('accepts a trace collector with headers', async (t) => {
  t.equal(loadConfig({}).traces, null);
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example.org/otlp/';
  const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20a, x-tenant=b==';
  t.same(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).traces, {
    endpoint: 'https://collector.example.org/otlp',
    headers: { authorization: 'Bearer a', 'x-tenant': 'b==' },
    serviceName: 'qr-profile-service',
    ratio: 0.01,
  });
  for (const invalid of [
    'collector:4318',
    'http://[',
    'http://a:70000',
    'https://a:b@c',
    'https://a/?token=b',
  ])
    t.match(
      problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: invalid }),
      [/^OTEL_EXPORTER_OTLP_ENDPOINT: /],
      invalid,
    );
  for (const invalid of ['a', 'a b=c', 'a=b%0Ac', 'a=b,', 'a=%'])
    t.match(
      problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: invalid }),
      [/^OTEL_EXPORTER_OTLP_HEADERS: /],
      invalid,
    );
  t.match(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS }), [/^OTEL_EXPORTER_OTLP_HEADERS: /]);
  t.match(problemsOf({ OTEL_TRACES_SAMPLER_ARG: '1.1' }), [/^OTEL_TRACES_SAMPLER_ARG: /]);
});

t.test('accepts clamd at a TCP port or a local socket', async (t) => {
  t.equal(loadConfig({}).clamd, null);
  for (const CLAMD_URL of ['tcp://clamd:3310', 'tcp://[::1]:3310', 'unix:/run/clamav/clamd.ctl'])
    t.same(loadConfig({ CLAMD_URL }).clamd, {
      url: CLAMD_URL,
      maxBytes: 26_214_400,
      whenUnavailable: 'refuse',
    });
  const more = { CLAMD_UNAVAILABLE: 'hold', CLAMD_MAX_BYTES: '1000' };
  const { clamd } = loadConfig({ CLAMD_URL: 'unix:/a', ...more });
  t.same(clamd, { url: 'unix:/a', maxBytes: 1_000, whenUnavailable: 'hold' });
  for (const CLAMD_URL of [
    'clamd:3310',
    'tcp://clamd',
    'tcp://clamd:70000',
    'tcp://a/b:1',
    'unix:a',
    'http://a:1',
  ])
    t.match(problemsOf({ CLAMD_URL }), [/^CLAMD_URL: /], CLAMD_URL);
  t.match(problemsOf({ CLAMD_UNAVAILABLE: 'store' }), [/^CLAMD_UNAVAILABLE: /]);
});

t.test('accepts a geocoding server on https or loopback, and none in enterprise mode', async (t) => {
  t.equal(loadConfig({}).geocoderUrl, undefined);
  for (const GEOCODER_URL of [
    'https://maps.example.org/nominatim',
    'http://localhost:8080',
    'http://[::1]:1/a',
  ])
    t.equal(loadConfig({ GEOCODER_URL }).geocoderUrl, GEOCODER_URL);
  for (const GEOCODER_URL of [
    'http://maps.example.org',
    'http://localhost.example.org',
    'https://me:word@maps.example.org',
    'https://maps.example.org/?key=1',
    'ftp://localhost',
  ]) {
    const [problem, ...more] = problemsOf({ GEOCODER_URL });
    t.match(problem, /^GEOCODER_URL: /);
    t.notOk(problem?.includes('maps.example'), 'no value is repeated');
    t.same(more, []);
  }
  t.match(problemsOf({ GEOCODER_URL: 'https://maps.example.org', ENTERPRISE_MODE: 'hipaa' }), [
    /^GEOCODER_URL: must not be set/,
  ]);
});

t.test('reads a Firebase service account from JSON or a file and rejects an invalid one', async (t) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = (of: KeyObject) => of.export({ type: 'pkcs8', format: 'pem' }).toString();
  const account = { project_id: 'the-service', client_email: 'a@b.example', private_key: pem(privateKey) };
  const read = (FIREBASE_SERVICE_ACCOUNT: string) => loadConfig({ FIREBASE_SERVICE_ACCOUNT }).firebaseAccount;
  t.equal(loadConfig({}).firebaseAccount, null);
  const expected = { projectId: 'the-service', clientEmail: 'a@b.example', privateKey: pem(privateKey) };
  t.same(read(JSON.stringify(account)), expected);
  const file = join(t.testdir({ 'account.json': JSON.stringify(account, null, 2) }), 'account.json');
  t.same(read(file), expected);

  const placeholder = '-----BEGIN PRIVATE KEY-----\nyour key\n-----END PRIVATE KEY-----\n';
  const wrong: [string, RegExp][] = [
    ['/nowhere/account.json', /neither JSON nor a readable file/],
    [`${file}.missing`, /neither JSON nor a readable file/],
    ['/dev/zero', /neither JSON nor a readable file/],
    ['{"project_id":', /not JSON/],
    ['{}', /no project_id/],
    [JSON.stringify({ ...account, project_id: 7 }), /no project_id/],
    [JSON.stringify({ ...account, project_id: 'a/../b' }), /no project_id/],
    [JSON.stringify({ ...account, client_email: 'somebody' }), /no client_email/],
    [JSON.stringify({ ...account, private_key: placeholder }), /no valid private_key/],
    [JSON.stringify({ ...account, private_key: pem(elliptic) }), /no valid private_key/],
  ];
  for (const [value, problem] of wrong) {
    const problems = problemsOf({ FIREBASE_SERVICE_ACCOUNT: value });
    t.match(problems, [problem], value.slice(0, 40));
    t.match(problems, [/^FIREBASE_SERVICE_ACCOUNT: /]);
    t.equal(problems.length, 1);
    t.notOk(problems.join().includes(pem(privateKey).slice(30, 60)), 'nothing of it is repeated');
  }
});

t.test(
  'production refuses an open web address, keys that are not random, and defaults that cost',
  async (t) => {
    const namesOf = (changes: Record<string, string>) =>
      problemsOf({ ...production(), ...changes }).map((line) => line.split(':')[0]);
    t.same(namesOf({ FRONTEND_URL: 'http://app.example.org' }), ['FRONTEND_URL']);
    t.same(namesOf({ FRONTEND_URL: 'https://app.example.org' }), []);
    t.same(namesOf({ SMTP_URL: '' }), ['SMTP_URL']);
    t.same(namesOf({ SMTP_URL: 'none' }), []);
    t.equal(loadConfig({ ...production(), SMTP_URL: 'none' }).smtpUrl, undefined);
    t.same(namesOf({ BILLING: '' }), ['BILLING']);

    t.same(namesOf({ JWT_SECRET: 'aB3dE6gH9jK2mN5p'.repeat(3) }), ['JWT_SECRET']);
    const counted = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
    const zeros = Buffer.alloc(32).toString('base64');
    const halves = Buffer.from(randomBytes(16).toString('latin1').repeat(2), 'latin1').toString('base64');
    for (const weak of [counted, zeros, halves]) {
      t.same(namesOf({ AUDIT_SIGNING_KEY: weak }), ['AUDIT_SIGNING_KEY'], weak);
      t.same(namesOf({ ENCRYPTION_KEYS: `k2:${key()},k1:${weak}` }), ['ENCRYPTION_KEYS'], weak);
      t.same(namesOf({ PASSWORD_PEPPERS: `p1:${weak}` }), ['PASSWORD_PEPPERS'], weak);
    }
  },
);

t.test('production refuses secrets that are texts, sequences or repetitions', async (t) => {
  const namesOf = (changes: Record<string, string>) =>
    problemsOf({ ...production(), ...changes }).map((line) => line.split(':')[0]);
  const weak = [
    'the quick brown fox jumps over 13 lazy dogs',
    'thequickbrownfoxjumpsoverthelazydog',
    'CORRECT-HORSE-BATTERY-STAPLE-AND-MORE',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210ZYX',
    'Qwertyuiop1Asdfghjkl2Zxcvbnm3,.-4Qwx',
    `${'aB3dE6gH9jK2mN5p'.repeat(2)}x7`,
    `${'x8'.repeat(4)}${'aB3dE6gH9jK2mN5p'.repeat(2)}`,
    'MySuperJwtKeyForProduction2024!!',
    'Correct-Horse-Battery-Staple-1234',
    'ThisIsTheKeyOfOurProductionServer1',
    'aA1!aA2@aA3#aA4$aA5%aA6^aA7&aA8*',
    '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    'TODO-8fK2vQ0xZr5LhB9tW3nYc7JpG1sM6dX4',
    Buffer.from('the signing key of the tests, 42!').toString('base64'),
    Buffer.from('the signing key of the tests, 42!').toString('base64url'),
  ];
  for (const value of weak)
    for (const name of ['JWT_SECRET', 'HASH_SECRET']) t.same(namesOf({ [name]: value }), [name], value);
  const random = 'u7ToDoR2pXk0vQ9sLwZt4mGf/Y8hJc1nKb3DqXe5+Vg=';
  t.equal(findWeakSecretProblem(random), null, 'a word can occur in a random value');
  const secrets = Array.from({ length: 2_000 }, () => randomBytes(32)).flatMap((bytes) =>
    (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding)),
  );
  t.same(
    secrets.filter((value) => findWeakSecretProblem(value)),
    [],
  );
});

t.test('refuses one secret under two names', async (t) => {
  const one = key();
  const inKeySet = (name: string, value: string) =>
    ['PASSWORD_PEPPERS', 'ENCRYPTION_KEYS'].includes(name) ? `a2:${key()},a1:${value}` : value;
  const names = ['JWT_SECRET', 'HASH_SECRET', 'PASSWORD_PEPPERS', 'ENCRYPTION_KEYS', 'AUDIT_SIGNING_KEY'];
  for (const [index, first] of names.entries())
    for (const second of names.slice(index + 1)) {
      const values = { [first]: inKeySet(first, one), [second]: inKeySet(second, one) };
      t.same(problemsOf({ ...production(), ...values }), [`${second}: must differ from ${first}.`]);
      t.same(problemsOf(values), [`${second}: must differ from ${first}.`], 'outside production too');
    }
  const url = one.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
  t.match(problemsOf({ JWT_SECRET: one, HASH_SECRET: url }), [/^HASH_SECRET: /], 'in another notation');
});

t.test('trusts only proxies of a bounded network', async (t) => {
  for (const TRUST_PROXY of [
    '127.0.0.1',
    '10.0.0.0/8',
    '172.16.0.0/12,192.168.1.5',
    '::1,fc00::/7,2001:db8::/32',
    '::ffff:10.0.0.0/104,::ffff:192.168.1.5',
  ])
    t.same(problemsOf({ TRUST_PROXY }), [], TRUST_PROXY);
  t.same(loadConfig({ TRUST_PROXY: '10.0.0.1, ::1' }).trustProxy, ['10.0.0.1', '::1']);
  for (const TRUST_PROXY of [
    '0.0.0.0/0',
    '0.0.0.0/1,128.0.0.0/1',
    '::/0',
    '::/8',
    '2000::/3',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/97',
    '0:0:0:0:0:FFFF:8000:0/103',
    '10.0.0.1, ::ffff:0:0/96',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '999.0.0.1',
    '1',
    'abcd',
    '127.0.0.1,1',
  ])
    t.match(problemsOf({ TRUST_PROXY }), [/^TRUST_PROXY: contains an invalid address/], TRUST_PROXY);
});

t.test('accepts a brand that people can read', async (t) => {
  t.same(problemsOf({ BRAND_COLOR: '#767676', BRAND_NAME: 'Fundbüro – 落とし物' }), []);
  t.match(problemsOf({ BRAND_COLOR: '#777777' }), [/^BRAND_COLOR: has a contrast of 4\.48:1/]);
  t.match(problemsOf({ BRAND_COLOR: '#ffcc00' }), [/^BRAND_COLOR: has a contrast of 1\.51:1/]);
  t.match(problemsOf({ BRAND_COLOR: 'red' }), [/^BRAND_COLOR: is invalid/]);
  t.match(problemsOf({ BRAND_NAME: 'a\u202eb' }), [/^BRAND_NAME: is invalid/]);
  for (const BRAND_ABUSE_URL of ['javascript:a()', 'ftp://x', 'https://x y', 'https://x"y'])
    t.match(problemsOf({ BRAND_ABUSE_URL }), [/^BRAND_ABUSE_URL: is invalid/], BRAND_ABUSE_URL);

  const folder = await createScratchFolder(t);
  const file = join(folder, 'logo');
  // A device never ends.
  for (const path of [file, folder, '/dev/zero'])
    t.match(problemsOf({ BRAND_LOGO_FILE: path }), ['BRAND_LOGO_FILE: cannot be read.'], path);
  for (const [content, isAccepted] of [
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', true],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', true],
    ['\x89PNG\r\n\x1a\n', true],
    ['RIFF0000WEBPVP8 ', true],
    ['<html><svg></svg></html>', false],
    ['\xff\xd8\xff', false],
    [`<svg>${'x'.repeat(100_000)}</svg>`, false],
    ['', false],
  ] as const) {
    await writeFile(file, content, 'latin1');
    const problems = problemsOf({ BRAND_LOGO_FILE: file });
    if (isAccepted) t.same(problems, [], content);
    else t.match(problems, [/^BRAND_LOGO_FILE: must name an SVG, PNG or WebP file/], content.slice(0, 40));
  }
});

t.test('production accepts pages of other origins by https only', async (t) => {
  const namesOf = (changes: Record<string, string>) =>
    problemsOf({ ...production(), ...changes }).map((line) => line.split(':')[0]);
  t.same(namesOf({ CORS_ORIGINS: 'https://app.example.org,http://localhost:5173' }), []);
  t.same(namesOf({ CORS_ORIGINS: 'https://app.example.org,http://app.example.org' }), ['CORS_ORIGINS']);
  t.same(namesOf({ CORS_ORIGINS: 'http://localhost.example.org' }), ['CORS_ORIGINS']);
  t.same(problemsOf({ CORS_ORIGINS: 'http://app.example.org' }), []);
  for (const name of ['PUBLIC_BASE_URL', 'FRONTEND_URL'])
    for (const url of ['https://me:word@qr.example.org', 'https://qr.example.org:99999', 'https://['])
      t.same(namesOf({ [name]: url }), [name], url);
});

t.test('accepts origins and base URLs only as browsers write them', async (t) => {
  t.same(loadConfig({ CORS_ORIGINS: 'https://app.example.org, http://[::1]:5173' }).corsOrigins, [
    'https://app.example.org',
    'http://[::1]:5173',
  ]);
  for (const origin of [
    'https://App.example.org',
    'https://app.example.org:443',
    'https://*.example.org',
    'https://app.example.org?x',
    'https://me@app.example.org',
    'https://app.example.org:99999',
    'https://app.example.org;a',
  ])
    t.match(
      problemsOf({ CORS_ORIGINS: `http://localhost:5173,${origin}` }),
      [/^CORS_ORIGINS: must be origins as browsers send them, such as https:/],
      origin,
    );
  for (const name of ['PUBLIC_BASE_URL', 'FRONTEND_URL']) {
    for (const url of ['http://localhost:3000', 'https://qr.example.org/a/b//', 'http://[::1]:3000/'])
      t.same(problemsOf({ [name]: url }), [], url);
    for (const url of [
      'https://qr.example.org;evil',
      'https://qr.example.org/<x>',
      'https://qr.example.org/"onclick=',
      'https://qr.example.org:0',
      'https://qr.example.org:443',
      'https://QR.example.org',
      'https://qr.example.org/a/../b',
    ])
      t.match(problemsOf({ [name]: url }), [new RegExp(`^${name}: must be a URL as browsers show it`)], url);
  }
});

t.test('every process names misspelled variables, also if it does not start', async (t) => {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  loadConfig({ REDISURL: 'a', REDIS_UR: '' }, warn);
  t.throws(() => loadConfig({ PORT: 'a', DATABASE_URI: 'a' }, warn));
  t.same(warnings, [
    'REDISURL is not a setting and is ignored; did you mean REDIS_URL?',
    'DATABASE_URI is not a setting and is ignored; did you mean DATABASE_URL?',
  ]);
});

t.test('names variables that look like settings', async (t) => {
  const find = (environment: Record<string, string>) =>
    findMisspelledVariables(environment).map(({ name, setting }) => `${name} ${setting}`);
  for (const [name, setting] of [
    ['REDISURL', 'REDIS_URL'],
    ['database_url', 'DATABASE_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['CLAMAV_URL', 'CLAMD_URL'],
    ['CLAMD_AWAY', 'CLAMD_URL'],
    ['S3_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
    ['STRIPE_KEY', 'STRIPE_SECRET_KEY'],
    ['SMTP_FROM', 'SMTP_URL'],
    ['SCAN_RETENTION', 'SCAN_RETENTION_DAYS'],
    ['DATABASE_POOL', 'DATABASE_POOLER'],
    ['RATE_LIMIT', 'RATE_LIMIT_SCALE'],
    ['OIDC_CLIENT', 'OIDC_CLIENT_ID'],
    ['ADMIN_PASS', 'ADMIN_PASSWORD'],
  ] as const)
    t.same(find({ [name]: 'a' }), [`${name} ${setting}`]);
  t.same(find({ REDIS_URL: 'a', REDISURL: 'a' }), ['REDISURL REDIS_URL'], 'also beside the right one');
  const others = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'PGPORT', 'PGDATABASE', 'NODE_OPTIONS', 'LOG_FORMAT'];
  const discovered = ['REDIS_SERVICE_HOST', 'REDIS_PORT', 'REDIS_PORT_6379_TCP', 'DATABASE_SERVICE_PORT'];
  for (const name of [...others, ...discovered]) t.same(find({ [name]: 'a' }), [], name);
});
