// Show the statements of the most frequent requests, with the query plans among 100,000 codes, scans, notifications and
// sessions: `npm run bench:statements`. Exits with 1 if a statement scans a large table sequentially.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createServices } from '../src/services.ts';
import { insertManyCodes } from './many-codes.ts';
import { captureStatements, explainStatement, type SqlStatement } from './plans.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

const ROW_COUNT = 100_000;
const PASSWORD = 'a lighthouse for lost dogs';
const EMAIL = 'owner@example.org';
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const SECRETS = {
  JWT_SECRET: ENCRYPTION_KEY,
  HASH_SECRET: ENCRYPTION_KEY,
  PASSWORD_PEPPERS: `k:${ENCRYPTION_KEY}`,
  ENCRYPTION_KEYS: `k:${ENCRYPTION_KEY}`,
  AUDIT_SIGNING_KEY: ENCRYPTION_KEY,
};

const FILL_STATEMENTS = [
  `INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
   SELECT lpad(to_hex(1700000000 + n), 8, '0') || substr(md5('s' || n), 1, 16), code.id, code.owner_id, 'public', 'HUMAN',
          'DEFAULT', decode(md5(n::text), 'hex'), '192.0.2.0', 'bench', to_timestamp(1700000000 + n)
   FROM generate_series(1, $2::int) AS n
   JOIN (SELECT id, owner_id, row_number() OVER (ORDER BY owner_id <> $1, id) AS place FROM qr_codes) AS code
     ON code.place = 1 + n % 20000`,
  `INSERT INTO notifications (id, key, due_at, user_id, type, event, data, created_at, read_at)
   SELECT lpad(to_hex(1700000000 + n), 8, '0') || substr(md5('n' || n), 1, 16), 'n' || n, NULL,
          CASE WHEN n % 10 = 0 THEN $1 ELSE (SELECT id FROM users WHERE id <> $1 LIMIT 1) END, 'DEFAULT',
          'QR_CODE_SCANNED', '{"code": "Rex"}', to_timestamp(1700000000 + n),
          CASE WHEN n % 7 = 0 THEN NULL ELSE now() END
   FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO sessions (id, user_id, ip, user_agent, expires_at)
   SELECT lpad(to_hex(1700000000 + n), 8, '0') || substr(md5('o' || n), 1, 16),
          (SELECT id FROM users WHERE id <> $1 LIMIT 1), '192.0.2.1', 'bench', now() + interval '30 days'
   FROM generate_series(1, $2::int) AS n`,
];

process.exitCode = await withScratchDatabase(async ({ ownerUrl, applicationUrl, folder }) => {
  const ownerId = await insertManyCodes(ownerUrl, ROW_COUNT);
  const config = loadConfig({
    DATABASE_URL: applicationUrl,
    DATA_DIR: folder,
    UPLOADS_DIR: folder,
    RATE_LIMIT_SCALE: '1000',
    BCRYPT_COST: '4',
  });
  const database = openDatabase({ url: applicationUrl, poolSize: 4, onError: console.error });
  const services = createServices({
    config,
    secrets: SECRETS,
    database,
    log: { info() {}, warn() {}, error: console.error },
  });
  await fillTables(ownerUrl, ownerId, await services.passwords.hash(PASSWORD));
  await services.publicFiles.prepare();
  const app = await buildApp(services, false);
  try {
    const session = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: EMAIL, password: PASSWORD },
    });
    const headers = { authorization: `Bearer ${session.json().accessToken}` };
    const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    const createdCode = await app.inject({ method: 'POST', url: '/api/qrcodes', headers, payload: code });
    const qrCodeId = createdCode.json().id;
    const payload = { qrCodeId };
    const requests = [
      { method: 'POST', url: '/api/scans/public', payload },
      { method: 'GET', url: '/api/auth/me', headers },
      { method: 'GET', url: `/api/qrcodes/${qrCodeId}`, headers },
      { method: 'GET', url: '/api/qrcodes?limit=20', headers },
      { method: 'GET', url: '/api/scans?limit=20&cursor=start', headers },
      { method: 'GET', url: `/api/scans?limit=20&qrCodeId=${qrCodeId}`, headers },
      { method: 'GET', url: '/api/notifications', headers },
      { method: 'GET', url: '/api/dashboard/cards', headers },
      { method: 'POST', url: '/api/auth/login', payload: { email: EMAIL, password: PASSWORD } },
      {
        method: 'POST',
        url: '/api/auth/refresh-token',
        payload: { refreshToken: session.json().refreshToken },
      },
    ] as const;
    let large = 0;
    for (const request of requests) {
      await app.inject(request);
      const statements = await captureStatements(async () => {
        const { statusCode } = await app.inject(request);
        console.log(`\n${request.method} ${request.url.replace(qrCodeId, ':id')} ${statusCode}`);
      });
      for (const statement of statements) large += await printPlan(ownerUrl, statement);
    }
    console.log(
      large === 0 ? '\nNo statement reads a large table whole.' : `\n${large} read a large table whole.`,
    );
    return large === 0 ? 0 : 1;
  } finally {
    await app.close();
    await services.mailProvider.close();
    await database.close();
  }
});
process.exit();

async function fillTables(ownerUrl: string, ownerId: string, passwordHash: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `UPDATE users SET email = $2, password_hash = $3, status = 'ACTIVE', first_name = 'Ada', last_name = 'Owner',
     account_type = 'INDIVIDUAL' WHERE id = $1`,
    [ownerId, EMAIL, passwordHash],
  );
  await client.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
  for (const statement of FILL_STATEMENTS) await client.query(statement, [ownerId, ROW_COUNT]);
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}

async function printPlan(ownerUrl: string, statement: SqlStatement): Promise<number> {
  const plan = await explainStatement(ownerUrl, statement);
  const cost =
    plan.milliseconds === null
      ? 'not run twice'
      : `${plan.milliseconds.toFixed(2)} ms, ${plan.buffers} pages`;
  console.log(`  ${plan.text}\n    ${cost}`);
  for (const node of plan.nodes) console.log(`    ${node}`);
  return plan.hasFullScan.length;
}
