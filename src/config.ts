import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { Static } from 'typebox';
import { boundsOf, Environment } from './config-variables.ts';
import { ConfigError } from './shared/config-error.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import { readPublicKeys, readSigningKey } from './shared/crypto/signing-key.ts';
import { enterpriseProblems } from './shared/enterprise-settings.ts';
import { placeholderReason } from './shared/placeholder-secrets.ts';
import { SECRET_NAMES, type Secrets } from './shared/secret-names.ts';
import { readServiceAccount } from './shared/service-account.ts';

const GOOGLE = 'https://accounts.google.com';

/** The settings of one process; frozen. */
export type Config = ReturnType<typeof loadConfig>;

/**
 * Reads the environment into a frozen configuration. An empty variable counts as not set.
 * Throws ConfigError naming every wrong variable at once; values are never repeated.
 */
export function loadConfig(environment: Record<string, string | undefined>) {
  const { values, problems, wrong } = readEnvironment(environment);
  const isRight = (problem: Problem) => !wrong.has(problem.name);
  const more: Problem[] = [...keySetProblems(values), ...pairProblems(values)];
  if (values.ENTERPRISE_MODE === 'hipaa') more.push(...enterpriseProblems(values));
  if (values.NODE_ENV === 'production') more.push(...productionProblems(values));
  problems.push(...more.filter(isRight).map(({ name, text }) => `${name}: ${text}`));
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
    redisUrl: values.REDIS_URL,
    secrets: Object.freeze(secrets),
    auditPublicKeys: values.AUDIT_PUBLIC_KEYS,
    auditCheckpointFile: resolve(
      values.AUDIT_CHECKPOINT_FILE ?? join(values.DATA_DIR, 'audit-checkpoints.jsonl'),
    ),
    auditCheckpointUrl: values.AUDIT_CHECKPOINT_URL,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    scanRetentionDays: values.SCAN_RETENTION_DAYS,
    encryptionKeysFile: values.ENCRYPTION_KEYS_FILE && resolve(values.ENCRYPTION_KEYS_FILE),
    bcryptCost: values.BCRYPT_COST,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    firebaseAccount: values.FIREBASE_SERVICE_ACCOUNT
      ? readServiceAccount(values.FIREBASE_SERVICE_ACCOUNT)
      : null,
    identityProvider: identityProviderOf(values),
    geocoderUrl: values.GEOCODER_URL,
    urlPage: urlPageOf(values),
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    enterpriseMode: values.ENTERPRISE_MODE === 'hipaa',
    worker: values.WORKER,
    logLevel: values.LOG_LEVEL,
  });
}

type Values = Static<typeof Environment>;

/** Where strangers register, a code of a new account may lead to a forged page; elsewhere there are none. */
function urlPageOf({ URL_PAGE, NODE_ENV }: Values): 'never' | 'young' | 'always' {
  const known = (['never', 'young', 'always'] as const).find((one) => one === URL_PAGE);
  return known ?? (NODE_ENV === 'production' ? 'young' : 'never');
}

function readEnvironment(environment: Record<string, string | undefined>) {
  const ajv = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: true });
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(Environment.properties)) {
    const value = environment[name]?.trim();
    if (value) values[name] = value;
  }
  const validate = ajv.compile<Values>(Environment);
  if (validate(values)) return { values, problems: [], wrong: new Set<string>() };
  const wrong = new Set((validate.errors ?? []).map((error) => error.instancePath.slice(1)));
  return {
    // Those that are wrong are named already, and nothing is read from them.
    values: values as Values,
    problems: [...wrong].map((name) => `${name}: ${expectation(name)}`),
    wrong,
  };
}

/** What is wrong with a variable beyond its form. */
interface Problem {
  name: string;
  text: string;
}

function expectation(name: string): string {
  const property = Object.entries(Environment.properties).find(([key]) => key === name)?.[1];
  const description = property && 'description' in property ? String(property.description) : '';
  const bounds = property ? boundsOf(property) : '';
  return `is not of the form it must have. ${description} ${bounds}`.trimEnd();
}

/** What reads the variables that hold keys or whole files; each throws an Error that says what is wrong. */
const KEY_READERS = {
  PASSWORD_PEPPERS: parseKeySet,
  ENCRYPTION_KEYS: parseKeySet,
  AUDIT_SIGNING_KEY: readSigningKey,
  AUDIT_PUBLIC_KEYS: readPublicKeys,
  FIREBASE_SERVICE_ACCOUNT: readServiceAccount,
} as const;

function keySetProblems(values: Values): Problem[] {
  return (Object.keys(KEY_READERS) as (keyof typeof KEY_READERS)[]).flatMap((name) => {
    try {
      if (values[name] !== undefined) KEY_READERS[name](values[name]);
      return [];
    } catch (error) {
      return [{ name, text: error instanceof Error ? error.message : 'cannot be read.' }];
    }
  });
}

/** Variables that mean nothing alone, which somebody who set one did not know. */
function pairProblems(values: Values): Problem[] {
  const problems: Problem[] = [];
  const needs = (name: keyof Values, other: keyof Values) => {
    if (values[name] !== undefined && values[other] === undefined)
      problems.push({ name, text: `means nothing without ${other}.` });
  };
  needs('DATABASE_OWNER_URL', 'DATABASE_URL');
  needs('ADMIN_EMAIL', 'ADMIN_PASSWORD');
  needs('OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  needs('OIDC_CLIENT_SECRET', 'OIDC_CLIENT_ID');
  needs('OIDC_ISSUER', 'OIDC_CLIENT_ID');
  if (values.JWT_SECRET !== undefined && values.JWT_SECRET === values.HASH_SECRET)
    problems.push({ name: 'HASH_SECRET', text: 'must be another than JWT_SECRET.' });
  if (values.ENCRYPTION_KEYS !== undefined && values.ENCRYPTION_KEYS_FILE !== undefined)
    problems.push({ name: 'ENCRYPTION_KEYS_FILE', text: 'cannot be given with ENCRYPTION_KEYS: take one.' });
  return problems;
}

function identityProviderOf(values: Values) {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  return Object.freeze({ issuer: values.OIDC_ISSUER ?? GOOGLE, clientId, clientSecret });
}

function productionProblems(values: Values): Problem[] {
  const problems: Problem[] = [];
  for (const name of ['DATABASE_URL', ...SECRET_NAMES, 'PUBLIC_BASE_URL'] as const) {
    const isInFile = name === 'ENCRYPTION_KEYS' && values.ENCRYPTION_KEYS_FILE !== undefined;
    if (values[name] === undefined && !isInFile)
      problems.push({ name, text: 'must be given in production.' });
  }
  for (const name of ['JWT_SECRET', 'HASH_SECRET'] as const) {
    const text = values[name] === undefined ? null : placeholderReason(values[name]);
    if (text) problems.push({ name, text });
  }
  if (values.ADMIN_PASSWORD !== undefined && placeholderReason(values.ADMIN_PASSWORD, 8)) {
    problems.push({ name: 'ADMIN_PASSWORD', text: 'looks like a placeholder; choose one of your own.' });
  }
  if (values.PUBLIC_BASE_URL !== undefined && !values.PUBLIC_BASE_URL.startsWith('https://')) {
    problems.push({ name: 'PUBLIC_BASE_URL', text: 'must begin with https:// in production.' });
  }
  if (values.BCRYPT_COST < 10)
    problems.push({ name: 'BCRYPT_COST', text: 'must be 10 or more in production.' });
  return problems;
}
