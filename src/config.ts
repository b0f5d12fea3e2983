import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { type Static, Type } from 'typebox';
import { parseKeySet } from './shared/crypto/key-set.ts';
import { placeholderReason } from './shared/placeholder.ts';

const URL_PATTERN = '^https?://[^\\s?#]+$';
const POSTGRES_PATTERN = '^postgres(ql)?://\\S+$';
const KEYS_PATTERN = '^[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?(,[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?)*$';

/** The environment the service understands; the README's table of settings is made from it. */
export const Environment = Type.Object({
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('production'), Type.Literal('test')], {
    default: 'development',
    description:
      '`production` demands the database, the secrets and an https base address, and generates nothing.',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on; `--lan` sets 0.0.0.0.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  PUBLIC_BASE_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description:
        'The only source of addresses in images, mails and pages. Default `http://localhost:<PORT>`; https in production.',
    }),
  ),
  FRONTEND_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: 'Web application that links in mails lead to; without it they lead to the service itself.',
    }),
  ),
  CORS_ORIGINS: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/,]+(,https?://[^\\s/,]+)*$',
      description:
        'Origins, separated by commas, whose pages may call the service in production. Elsewhere every origin may.',
    }),
  ),
  TRUST_PROXY: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f.:/]+(,[0-9A-Fa-f.:/]+)*$',
      description:
        'Addresses or networks of reverse proxies whose X-Forwarded-For is believed, separated by commas; never "all".',
    }),
  ),
  DATA_DIR: Type.String({
    default: '.data',
    minLength: 1,
    description: 'Folder of the embedded database, the generated keys and the mailbox.',
  }),
  UPLOADS_DIR: Type.String({
    default: 'uploads',
    minLength: 1,
    description: 'Folder of profile pictures and QR images.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: POSTGRES_PATTERN,
      description:
        'PostgreSQL of your own (15 or newer); without it an embedded one is started in DATA_DIR. Needed in production.',
    }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({
      pattern: POSTGRES_PATTERN,
      description:
        "The schema owner's address, used for migrations at start and then closed. Without it DATABASE_URL is used for both.",
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 12,
    minimum: 2,
    maximum: 200,
    description: 'Connections of one instance.',
  }),
  JWT_SECRET: Type.Optional(
    Type.String({ minLength: 32, description: 'Signs access tokens; 32 characters or more of chance.' }),
  ),
  HASH_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Keys the hashes of codes, tokens and addresses, and derived tokens; 32 characters or more of chance.',
    }),
  ),
  PASSWORD_PEPPERS: Type.Optional(
    Type.String({
      pattern: KEYS_PATTERN,
      description:
        '`<id>:<32 bytes in base64>`, several separated by commas, the first for new passwords and PINs.',
    }),
  ),
  ENCRYPTION_KEYS: Type.Optional(
    Type.String({
      pattern: KEYS_PATTERN,
      description:
        '`<id>:<32 bytes in base64>`, several separated by commas, the first for new rows; old ones still decrypt.',
    }),
  ),
  BCRYPT_COST: Type.Integer({
    default: 12,
    minimum: 4,
    maximum: 16,
    description: 'Cost of password hashes; 10 or more in production.',
  }),
  RATE_LIMIT_SCALE: Type.Number({
    default: 1,
    exclusiveMinimum: 0,
    maximum: 1_000_000,
    description:
      "Multiplies every limit keyed by a client's address alone, for load tests. Budgets of accounts, addresses and PINs stay.",
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://\\S+$',
      description: 'Mail server. Without it mails are files in `<DATA_DIR>/mailbox`.',
    }),
  ),
  MAIL_FROM: Type.String({
    default: 'QR Profile Service <no-reply@localhost>',
    minLength: 3,
    maxLength: 200,
    pattern: '^[^\\r\\n]+$',
    description: 'Sender of mails.',
  }),
  ADMIN_EMAIL: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'With ADMIN_PASSWORD: made administrator at start when there is none.',
    }),
  ),
  ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12, description: 'See ADMIN_EMAIL.' })),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'fatal, error, warn, info, debug, trace or silent.' },
  ),
});

/** Secrets of the service, in the form of their environment variables. */
export interface Secrets {
  JWT_SECRET: string;
  HASH_SECRET: string;
  PASSWORD_PEPPERS: string;
  ENCRYPTION_KEYS: string;
}

export const SECRET_NAMES = ['JWT_SECRET', 'HASH_SECRET', 'PASSWORD_PEPPERS', 'ENCRYPTION_KEYS'] as const;

/** The settings of one process; frozen. */
export type Config = ReturnType<typeof loadConfig>;

/** Thrown when the environment is not usable; `problems` has one line a wrong variable. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the environment into a frozen configuration. An empty variable counts as not set.
 * Throws ConfigError naming every wrong variable at once; values are never repeated.
 */
export function loadConfig(environment: Record<string, string | undefined>) {
  const { values, problems } = readEnvironment(environment);
  if (problems.length === 0) problems.push(...keySetProblems(values));
  if (problems.length === 0 && values.NODE_ENV === 'production') problems.push(...productionProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);

  const list = (text: string | undefined) => (text ? text.split(',').map((item) => item.trim()) : []);
  const secrets: Partial<Secrets> = {};
  for (const name of SECRET_NAMES) {
    const value = values[name];
    if (value !== undefined) secrets[name] = value;
  }
  return Object.freeze({
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    publicBaseUrl: (values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    publicBaseUrlGiven: values.PUBLIC_BASE_URL !== undefined,
    frontendUrl: values.FRONTEND_URL?.replace(/\/+$/, ''),
    corsOrigins: list(values.CORS_ORIGINS),
    trustProxy: list(values.TRUST_PROXY),
    dataDir: resolve(values.DATA_DIR),
    uploadsDir: resolve(values.UPLOADS_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    secrets: Object.freeze(secrets),
    bcryptCost: values.BCRYPT_COST,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    logLevel: values.LOG_LEVEL,
  });
}

type Values = Static<typeof Environment>;

function readEnvironment(environment: Record<string, string | undefined>) {
  const ajv = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: true });
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(Environment.properties)) {
    const value = environment[name]?.trim();
    if (value) values[name] = value;
  }
  const validate = ajv.compile<Values>(Environment);
  if (validate(values)) return { values, problems: [] };
  const wrong = new Set((validate.errors ?? []).map((error) => error.instancePath.slice(1)));
  return {
    values: values as Values,
    problems: [...wrong].map((name) => `${name}: ${expectation(name)}`),
  };
}

function expectation(name: string): string {
  const property = Object.entries(Environment.properties).find(([key]) => key === name)?.[1];
  const description = property && 'description' in property ? String(property.description) : '';
  return `is not of the form it must have. ${description}`;
}

function keySetProblems(values: Values): string[] {
  return (['PASSWORD_PEPPERS', 'ENCRYPTION_KEYS'] as const).flatMap((name) => {
    try {
      if (values[name] !== undefined) parseKeySet(values[name]);
      return [];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : 'cannot be read.'}`];
    }
  });
}

function productionProblems(values: Values): string[] {
  const problems: string[] = [];
  for (const name of ['DATABASE_URL', ...SECRET_NAMES, 'PUBLIC_BASE_URL'] as const) {
    if (values[name] === undefined) problems.push(`${name}: must be given in production.`);
  }
  for (const name of ['JWT_SECRET', 'HASH_SECRET'] as const) {
    const reason = values[name] === undefined ? null : placeholderReason(values[name]);
    if (reason) problems.push(`${name}: ${reason}`);
  }
  if (values.ADMIN_PASSWORD !== undefined && placeholderReason(values.ADMIN_PASSWORD, 8)) {
    problems.push('ADMIN_PASSWORD: looks like a placeholder; choose one of your own.');
  }
  if (values.PUBLIC_BASE_URL !== undefined && !values.PUBLIC_BASE_URL.startsWith('https://')) {
    problems.push('PUBLIC_BASE_URL: must begin with https:// in production.');
  }
  if (values.BCRYPT_COST < 10) problems.push('BCRYPT_COST: must be 10 or more in production.');
  return problems;
}
