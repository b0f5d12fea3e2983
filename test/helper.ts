import './share-query-plans.ts';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { dispatchDueNotifications } from '../src/features/notifications/dispatch-notifications.use-case.ts';
import type { UserRole } from '../src/permissions.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { setMinTaskTimeout } from '../src/platform/task-timeout.ts';
import { createServices, type Services } from '../src/services.ts';
import { generateId, generateRandomAlphanumeric } from '../src/shared/ids.ts';
import type { Secrets } from '../src/shared/secret-names.ts';
import { verifyKeysMatchDatabase } from '../src/start/check-keys.ts';
import { openEncryptionKeyRing } from '../src/start/keys/open-key-ring.ts';
import { cloneDatabase } from './clone-database.ts';
import { createClientLoan } from './reuse-prisma-clients.ts';

export { cloneDatabase } from './clone-database.ts';

/** Default user agent of all calls: a phone, not a bot. */
export const PHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

// A guard only: drawing processes of a busy machine answer late.
setMinTaskTimeout(240_000);

export const TEST_PASSWORD = 'correct horse battery staple';

export const TEST_SECRETS = {
  JWT_SECRET: 'dGhlIHNpZ25pbmcga2V5IG9mIHRoZSB0ZXN0cywgNDIh',
  HASH_SECRET: 'dGhlIGhhc2hpbmcga2V5IG9mIHRoZSB0ZXN0cywgNDMh',
  PASSWORD_PEPPERS: `p1:${Buffer.from('b3f1c86e29d7450aa1e8c39f57b2d6048c7ef5a1d09b3e6274c8f1a5be902d37', 'hex').toString('base64')}`,
  ENCRYPTION_KEYS: `k1:${Buffer.from('5d0fb7c2a94e831f60cb9a7d2e48f5136ca7e0d18b35f294c0d86e1fa97b42e3', 'hex').toString('base64')}`,
  AUDIT_SIGNING_KEY: Buffer.from(
    '81c6f04be92d375a0fb8e4c1692d7a53e0b95f8c1d46a72e3bf0894c5d16ea27',
    'hex',
  ).toString('base64'),
} satisfies Secrets;

/** Guards only: on a busy machine the limits of production would make 503 of requests that this test expects to wait. */
export const DATABASE_TIMEOUTS = {
  connectionTimeoutMs: 60_000,
  transactionTimeoutMs: 60_000,
  answerTimeoutMs: 60_000,
};

/** Running application with its own database, and helpers for tests. */
export interface TestApp {
  app: FastifyInstance;
  services: Services;
  /** Bound to every account; `services.database` is not. */
  database: Database;
  log: string[];
  /** Lines of the process log; error reasons are separate lines. */
  serviceLog: string[];
  dataDir: string;
  call(method: string, url: string, options?: CallOptions): Promise<TestResponse>;
  /** Create a user with a profile and log them in. The role is given afterwards, without ending the session. */
  createUser(overrides?: TestUserOptions): Promise<TestUser>;
  getOtp(email: string): Promise<string>;
  getLastMail(email: string): Promise<{ subject: string; text: string } | null>;
  /** Get the mail to an address by subject; mails of the same second have no order. */
  getMailBySubject(email: string, subject: RegExp): Promise<{ subject: string; text: string } | null>;
}

interface TestUserOptions {
  email?: string;
  profile?: boolean;
  role?: UserRole;
}

export interface TestUser {
  id: string;
  email: string;
  accessToken: string;
  refreshToken: string;
  deviceToken: string;
}

export interface CallOptions {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  // Tests read bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: body of any response
  body: any;
}

/**
 * Build the real application over a clone of the migrated template database; both are removed after the test.
 * `environment` overrides environment variables; with ENCRYPTION_KEYS_FILE the keys are in that file, which is created
 * if missing. `overriddenServices` replaces services; `databaseTimeouts` without an entry are those of production.
 */
export async function startTestApp(
  t: Test,
  environment: Record<string, string> = {},
  overriddenServices: Pick<Parameters<typeof createServices>[0], 'payments'> = {},
  databaseTimeouts: Partial<typeof DATABASE_TIMEOUTS> = DATABASE_TIMEOUTS,
): Promise<TestApp> {
  const url = await cloneDatabase(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-app-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    UPLOADS_DIR: join(dataDir, 'uploads'),
    DATABASE_URL: url.application,
    // Enough for races. Each connection costs PostgreSQL 30 ms.
    DATABASE_POOL_SIZE: '4',
    BCRYPT_COST: '4',
    RATE_LIMIT_SCALE: '1000',
    PUBLIC_BASE_URL: 'https://qr.example.org',
    ...environment,
  });
  await mkdir(join(dataDir, 'mailbox'), { recursive: true });
  const log: string[] = [];
  const { createClient, release } = createClientLoan();
  const database = openDatabase({
    createClient,
    url: url.application,
    replicaUrl: config.databaseReadUrl,
    poolSize: config.databasePoolSize,
    ...databaseTimeouts,
    onError: () => {},
  });
  const serviceLog: string[] = [];
  const recordLog = (details: object, message: string) => {
    serviceLog.push(message);
    const reason: unknown = Reflect.get(details, 'reason');
    if (typeof reason === 'string') serviceLog.push(`reason: ${reason}`);
  };
  const notes = { info: recordLog, warn: recordLog, error: recordLog };
  const keyRing = config.encryptionKeysFile
    ? await openEncryptionKeyRing(config, database, notes)
    : undefined;
  const services = createServices({
    config,
    secrets: TEST_SECRETS,
    keyRing,
    database,
    log: notes,
    repeatsJobs: false,
    ...overriddenServices,
  });
  if (keyRing) {
    await verifyKeysMatchDatabase(database, TEST_SECRETS, keyRing.current());
    await services.instanceHeartbeat.start();
  }
  for (const store of [services.publicFiles, services.privateFiles]) await store.prepare();
  await services.jobs.start();
  const app = await buildApp(services, { level: 'info', stream: { write: (line) => log.push(line) } });
  await app.ready();
  t.teardown(async () => {
    await app.close();
    services.push?.close();
    services.webPush.close();
    await services.jobs.stop();
    if (keyRing) await services.instanceHeartbeat.stop();
    await services.mailProvider.close();
    await services.closeFiles();
    await url.recordActions(database.pool);
    await database.close();
    release();
    await url.drop();
  });

  const call = async (method: string, url: string, options: CallOptions = {}): Promise<TestResponse> => {
    const { token, body, headers, remoteAddress } = options;
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        'user-agent': PHONE_USER_AGENT,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
      ...(remoteAddress ? { remoteAddress } : {}),
    });
    const type = String(response.headers['content-type'] ?? '');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body:
        /^application\/(?:[\w.-]+\+)?json/.test(type) && response.payload
          ? JSON.parse(response.payload)
          : undefined,
    };
  };

  const getLastMail = (email: string) => waitForMail(services, email);
  const getMailBySubject = (email: string, subject: RegExp) => waitForMail(services, email, subject);
  const getOtp = async (email: string) =>
    /^\d{6}/.exec((await getMailBySubject(email, /^\d{6}/))?.subject ?? '')?.[0] ?? '';

  const createUser = async (overrides: TestUserOptions = {}): Promise<TestUser> => {
    const email = overrides.email ?? `${generateRandomAlphanumeric(12)}@example.org`;
    await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
    const verified = await call('POST', '/api/auth/verify-otp', {
      body: { email, otp: await getOtp(email) },
    });
    const { accessToken, refreshToken, deviceToken, user } = verified.body;
    if (overrides.profile !== false) {
      await call('POST', '/api/auth/create-profile', {
        token: accessToken,
        body: { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' },
      });
    }
    const { role } = overrides;
    if (role) await database.client.user.update({ where: { id: user.id }, data: { role } });
    return { id: user.id, email, accessToken, refreshToken, deviceToken };
  };

  return {
    app,
    services,
    // Tests look at records of all accounts.
    database: database.forEveryAccount('COMMAND'),
    log,
    serviceLog,
    dataDir,
    call,
    createUser,
    getOtp,
    getLastMail,
    getMailBySubject,
  };
}

export const generateAbsentId = () => generateId();

async function waitForMail(services: Services, email: string, subject = /^/) {
  const { listMailboxEntries: listMailbox, readMailboxMail: readMailbox } = await import(
    '../src/providers/mail/mailbox-reader.ts'
  );
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const waiting = await services.database.client.outgoingMail.count({ where: { status: 'WAITING' } });
    if (waiting === 0 && (await dispatchDueNotifications(services)) === 0) {
      const mails = await listMailbox(services.mailboxDir, 200);
      const matching = mails.filter((mail) => mail.to === email && subject.test(mail.subject));
      // Mails of one moment are written at once: the order of their files is any.
      const sent = await services.database.client.outgoingMail.findMany({
        select: { id: true, createdAt: true },
      });
      const createdAt = new Map(sent.map((mail) => [mail.id.slice(8), mail.createdAt.getTime()]));
      const [newest] = matching
        .map(({ file }) => ({ file, at: createdAt.get(file.slice(-20, -4)) ?? 0 }))
        .sort((one, other) => other.at - one.at);
      return newest ? readMailbox(services.mailboxDir, newest.file) : null;
    }
    services.mailOutbox.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('mails were not sent within 60 s');
}
