import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import {
  type ConfigProblem,
  type EnvironmentValues,
  findConfigProblems,
  removeTrailingSlashes,
  splitList,
} from './config-problems.ts';
import { describeSchemaBounds, EnvironmentSchema } from './config-variables.ts';
import { readSecretFiles } from './secret-files.ts';
import { type Brand, readBrandLogo } from './shared/brand.ts';
import { ConfigError } from './shared/config-error.ts';
import { readFirebaseServiceAccount } from './shared/firebase-service-account.ts';
import { SECRET_VARIABLE_NAMES, type Secrets } from './shared/secret-names.ts';
import { findMisspelledVariables } from './unknown-variables.ts';

const GOOGLE_ISSUER = 'https://accounts.google.com';
const DEFAULT_STRIPE_API_BASE = 'https://api.stripe.com';

export type Config = ReturnType<typeof loadConfig>;

/** Load the configuration; empty variables count as not set. @throws ConfigError naming all wrong ones, no values */
export function loadConfig(
  environment: Record<string, string | undefined>,
  warn: (message: string) => void = console.warn,
) {
  // Before anything can fail: the misspelled name may be why.
  for (const { name, setting } of findMisspelledVariables(environment))
    warn(`${name} is not a setting and is ignored; did you mean ${setting}?`);
  const { values, problems, invalidNames } = readEnvironment(environment);
  const isReportable = ({ name, requires = name }: ConfigProblem) =>
    !invalidNames.has(name) && !invalidNames.has(requires);
  problems.push(
    ...findConfigProblems(values)
      .filter(isReportable)
      .map(({ name, text }) => `${name}: ${text}`),
  );
  if (problems.length > 0) throw new ConfigError(problems);

  const secrets: Partial<Secrets> = {};
  for (const name of SECRET_VARIABLE_NAMES) {
    const value = values[name];
    if (value !== undefined) secrets[name] = value;
  }
  const publicBaseUrl = removeTrailingSlashes(values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`);
  return Object.freeze({
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    publicBaseUrl,
    isPublicBaseUrlSet: values.PUBLIC_BASE_URL !== undefined,
    frontendUrl: values.FRONTEND_URL && removeTrailingSlashes(values.FRONTEND_URL),
    ownerPages: (values.OWNER_PAGES ?? (values.FRONTEND_URL === undefined ? 'on' : 'off')) === 'on',
    corsOrigins: splitList(values.CORS_ORIGINS),
    trustProxy: splitList(values.TRUST_PROXY),
    clientAddressHeader: values.CLIENT_ADDRESS_HEADER,
    dataDir: resolve(values.DATA_DIR),
    uploadsDir: resolve(values.UPLOADS_DIR),
    maxDocumentBytes: values.MAX_DOCUMENT_BYTES,
    s3: getS3Settings(values),
    clamd: values.CLAMD_URL
      ? Object.freeze({
          url: values.CLAMD_URL,
          maxBytes: values.CLAMD_MAX_BYTES,
          whenUnavailable: values.CLAMD_UNAVAILABLE,
        })
      : null,
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    isDatabasePooled: values.DATABASE_POOLER === 'transaction',
    databasePoolSize: values.DATABASE_POOL_SIZE,
    // The parameter is for people: the library would take it for an option of its own.
    redisUrl: values.REDIS_URL?.replace(/\?sslmode=disable$/, ''),
    secrets: Object.freeze(secrets),
    auditPublicKeys: values.AUDIT_PUBLIC_KEYS,
    auditCheckpointFile: resolve(
      values.AUDIT_CHECKPOINT_FILE ?? join(values.DATA_DIR, 'audit-checkpoints.jsonl'),
    ),
    auditCheckpointUrl: values.AUDIT_CHECKPOINT_URL,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    scanRetentionDays: values.SCAN_RETENTION_DAYS,
    isScanArchived: values.SCAN_ARCHIVE,
    cellId: values.CELL_ID.toLowerCase(),
    encryptionKeysFile: values.ENCRYPTION_KEYS_FILE && resolve(values.ENCRYPTION_KEYS_FILE),
    bcryptCost: values.BCRYPT_COST,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    smtpUrl: values.SMTP_URL === 'none' ? undefined : values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? formatMailFrom(values.BRAND_NAME, new URL(publicBaseUrl).hostname),
    brand: getBrand(values),
    firebaseAccount: values.FIREBASE_SERVICE_ACCOUNT
      ? readFirebaseServiceAccount(values.FIREBASE_SERVICE_ACCOUNT)
      : null,
    vapidPrivateKey: values.VAPID_PRIVATE_KEY,
    webPushHosts: splitList(values.WEB_PUSH_HOSTS),
    billing: getBilling(values),
    stripe: getStripeSettings(values),
    identityProvider: getIdentityProviderSettings(values),
    geocoderUrl: values.GEOCODER_URL,
    urlPagePolicy: getUrlPagePolicy(values),
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    enterpriseMode: values.ENTERPRISE_MODE === 'hipaa',
    worker: values.WORKER,
    metrics:
      values.METRICS_PORT === undefined
        ? null
        : Object.freeze({
            host: values.METRICS_HOST,
            port: values.METRICS_PORT,
            token: values.METRICS_TOKEN,
          }),
    traces: getTracingSettings(values),
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_SECONDS * 1000,
  });
}

/** RFC 5322, 3.2.4: a quoted name can have any character. */
function formatMailFrom(name: string, host: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}" <no-reply@${host}>`;
}

function getBrand(values: EnvironmentValues): Brand {
  return Object.freeze({
    name: values.BRAND_NAME,
    color: values.BRAND_COLOR.toLowerCase(),
    logo: values.BRAND_LOGO_FILE ? readBrandLogo(values.BRAND_LOGO_FILE) : null,
    imprintUrl: values.BRAND_IMPRINT_URL,
    privacyUrl: values.BRAND_PRIVACY_URL,
    abuseUrl: values.BRAND_ABUSE_URL,
  });
}

/** With public registration a new account could use a code to redirect to a phishing page. */
function getUrlPagePolicy({ URL_PAGE, NODE_ENV }: EnvironmentValues): 'never' | 'young' | 'always' {
  const known = (['never', 'young', 'always'] as const).find((one) => one === URL_PAGE);
  return known ?? (NODE_ENV === 'production' ? 'young' : 'never');
}

/** Nothing can be sold without a key; outside production a sandbox replaces the provider. */
function getBilling({
  BILLING,
  STRIPE_SECRET_KEY,
  NODE_ENV,
}: EnvironmentValues): 'stripe' | 'off' | 'sandbox' {
  if (BILLING) return BILLING;
  if (STRIPE_SECRET_KEY !== undefined) return 'stripe';
  return NODE_ENV === 'production' ? 'off' : 'sandbox';
}

function getStripeSettings(values: EnvironmentValues) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: secrets } = values;
  if (secretKey === undefined || secrets === undefined) return null;
  const webhookSecrets = Object.freeze(splitList(secrets));
  return Object.freeze({
    secretKey,
    webhookSecrets,
    apiBase: values.STRIPE_API_BASE ?? DEFAULT_STRIPE_API_BASE,
  });
}

/** Self-hosted S3 servers seldom have a host name per bucket. */
function getS3Settings(values: EnvironmentValues) {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = values;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const { S3_PATH_STYLE: pathStyle = endpoint !== undefined } = values;
  if (!bucket || !region || !accessKeyId || !secretAccessKey) return null;
  return Object.freeze({ endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle });
}

function getTracingSettings(values: EnvironmentValues) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return null;
  const entries = splitList(headers).map((entry) => {
    const [name = ''] = entry.split('=', 1);
    return [name, decodeURIComponent(entry.slice(name.length + 1))] as const;
  });
  return Object.freeze({
    endpoint: removeTrailingSlashes(endpoint),
    headers: Object.freeze(Object.fromEntries(entries)),
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  });
}

// Once: compiling takes longer than building the rest of the configuration.
const validateEnvironment = new Ajv({
  coerceTypes: true,
  useDefaults: true,
  allErrors: true,
}).compile<EnvironmentValues>(EnvironmentSchema);

function readEnvironment(environment: Record<string, string | undefined>) {
  const files = readSecretFiles(environment);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(EnvironmentSchema.properties) as (keyof EnvironmentValues)[]) {
    const value = (files.values[name] ?? environment[name])?.trim();
    if (value) values[name] = value;
  }
  validateEnvironment(values);
  const invalidValues = new Set(
    (validateEnvironment.errors ?? []).map((error) => error.instancePath.slice(1)),
  );
  return {
    values: values as EnvironmentValues,
    problems: [
      ...files.problems.map(({ name, text }) => `${name}: ${text}`),
      ...[...invalidValues].map((name) => `${name}: ${describeExpectation(name)}`),
    ],
    invalidNames: new Set([...invalidValues, ...files.problems.map(({ setting }) => setting)]),
  };
}

function describeExpectation(name: string): string {
  const property = Object.entries(EnvironmentSchema.properties).find(([key]) => key === name)?.[1];
  const description = property && 'description' in property ? String(property.description) : '';
  const bounds = property ? describeSchemaBounds(property) : '';
  return `is invalid. ${description} ${bounds}`.trimEnd();
}

function getIdentityProviderSettings(values: EnvironmentValues) {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  return Object.freeze({
    issuer: values.OIDC_ISSUER ?? GOOGLE_ISSUER,
    clientId,
    clientSecret,
    authorizedParties: values.OIDC_AUTHORIZED_PARTIES?.split(/,\s*/) ?? [],
  });
}
