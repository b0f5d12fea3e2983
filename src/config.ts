import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { Static } from 'typebox';
import { Environment } from './config-variables.ts';
import { ConfigError } from './shared/config-error.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import { placeholderReason } from './shared/placeholder-secrets.ts';
import { SECRET_NAMES, type Secrets } from './shared/secret-names.ts';

/** The settings of one process; frozen. */
export type Config = ReturnType<typeof loadConfig>;

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
