import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Static } from 'typebox';
import type { EnvironmentSchema } from './config-variables.ts';
import { MIN_TEXT_CONTRAST, readBrandLogo } from './shared/brand.ts';
import { LOOPBACK_HOST_NAMES } from './shared/client-address.ts';
import { computeContrastRatio } from './shared/color-contrast.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import { parseBase64PublicKeys, parseSigningKey } from './shared/crypto/signing-key.ts';
import { parseVapidKey } from './shared/crypto/vapid-key.ts';
import { isTlsUndecided, parseDatabaseUrl } from './shared/database-url.ts';
import { findEnterpriseModeConfigProblems } from './shared/enterprise-settings.ts';
import { readFirebaseServiceAccount } from './shared/firebase-service-account.ts';
import { isLoopbackHost } from './shared/public-address.ts';
import { SECRET_VARIABLE_NAMES } from './shared/secret-names.ts';
import { findPlaceholderSecretProblem, findWeakSecretProblem } from './shared/weak-secrets.ts';

export type EnvironmentValues = Static<typeof EnvironmentSchema>;

export interface ConfigProblem {
  name: string;
  text: string;
  /** The setting that is missing. */
  requires?: string;
}

/** ENCRYPTION_KEYS_FILE can replace ENCRYPTION_KEYS. */
export const REQUIRED_PRODUCTION_VARIABLES = [
  'DATABASE_URL',
  ...SECRET_VARIABLE_NAMES,
  'PUBLIC_BASE_URL',
] as const;

const DATABASE_URL_NAMES = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
] as const;

export function findConfigProblems(values: EnvironmentValues): ConfigProblem[] {
  return [
    ...findUnreadableValues(values),
    ...findDependencyProblems(values),
    ...(values.ENTERPRISE_MODE === 'hipaa' ? findEnterpriseModeConfigProblems(values) : []),
    ...(values.NODE_ENV === 'production' ? findProductionProblems(values) : []),
  ];
}

const KEY_READERS = {
  PASSWORD_PEPPERS: parseKeySet,
  ENCRYPTION_KEYS: parseKeySet,
  AUDIT_SIGNING_KEY: parseSigningKey,
  AUDIT_PUBLIC_KEYS: parseBase64PublicKeys,
  FIREBASE_SERVICE_ACCOUNT: readFirebaseServiceAccount,
  VAPID_PRIVATE_KEY: parseVapidKey,
  BRAND_LOGO_FILE: readBrandLogo,
} as const;

function findUnreadableValues(values: EnvironmentValues): ConfigProblem[] {
  return (Object.keys(KEY_READERS) as (keyof typeof KEY_READERS)[]).flatMap((name) => {
    try {
      if (values[name] !== undefined) KEY_READERS[name](values[name]);
      return [];
    } catch (error) {
      return [{ name, text: error instanceof Error ? error.message : 'cannot be read.' }];
    }
  });
}

function findDependencyProblems(values: EnvironmentValues): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const isMetricsPortPublic =
    values.METRICS_PORT !== undefined && !LOOPBACK_HOST_NAMES.has(values.METRICS_HOST);
  if (isMetricsPortPublic && values.METRICS_TOKEN === undefined)
    problems.push({
      name: 'METRICS_TOKEN',
      text: 'is required, since METRICS_HOST is reachable from other hosts.',
    });
  const requireOther = (name: keyof EnvironmentValues, other: keyof EnvironmentValues) => {
    if (values[name] !== undefined && values[other] === undefined)
      problems.push({ name, text: `requires ${other}.`, requires: other });
  };
  requireOther('DATABASE_OWNER_URL', 'DATABASE_URL');
  requireOther('DATABASE_DIRECT_URL', 'DATABASE_URL');
  requireOther('DATABASE_POOLER', 'DATABASE_DIRECT_URL');
  requireOther('DATABASE_READ_URL', 'DATABASE_URL');
  for (const name of DATABASE_URL_NAMES) {
    const text = values[name] === undefined ? undefined : findDatabaseUrlProblem(values[name]);
    if (text) problems.push({ name, text });
  }
  if (values.DATABASE_POOLER && values.DATABASE_URL?.includes('options='))
    problems.push({ name: 'DATABASE_URL', text: 'cannot have options with DATABASE_POOLER.' });
  if (problems.every(({ name }) => !name.startsWith('DATABASE_')) && !haveSameUser(values))
    problems.push({ name: 'DATABASE_DIRECT_URL', text: 'must have the user of DATABASE_URL.' });
  // Positions of different replicas cannot be compared.
  if (values.DATABASE_READ_URL?.includes(','))
    problems.push({ name: 'DATABASE_READ_URL', text: 'must have one host.' });
  requireOther('OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_ENDPOINT');
  requireOther('ADMIN_EMAIL', 'ADMIN_PASSWORD');
  requireOther('OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  requireOther('OIDC_CLIENT_SECRET', 'OIDC_CLIENT_ID');
  requireOther('OIDC_ISSUER', 'OIDC_CLIENT_ID');
  requireOther('OIDC_AUTHORIZED_PARTIES', 'OIDC_CLIENT_ID');
  requireOther('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS');
  requireOther('STRIPE_WEBHOOK_SECRETS', 'STRIPE_SECRET_KEY');
  requireOther('STRIPE_API_BASE', 'STRIPE_SECRET_KEY');
  for (const name of ['S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    requireOther('S3_BUCKET', name);
    requireOther(name, 'S3_BUCKET');
  }
  requireOther('S3_ENDPOINT', 'S3_BUCKET');
  requireOther('S3_PATH_STYLE', 'S3_BUCKET');
  if (values.BILLING === 'stripe' && values.STRIPE_SECRET_KEY === undefined)
    problems.push({
      name: 'BILLING',
      text: 'cannot be stripe without STRIPE_SECRET_KEY.',
      requires: 'STRIPE_SECRET_KEY',
    });
  if (values.REDIS_URL?.includes('sslmode=') && !/^redis:\/\/[^?]*\?sslmode=disable$/.test(values.REDIS_URL))
    problems.push({
      name: 'REDIS_URL',
      text: 'can only have ?sslmode=disable, at its end and with redis://; rediss:// encrypts.',
    });
  if (values.CLAMD_URL?.startsWith('tcp:') && !URL.canParse(values.CLAMD_URL))
    problems.push({ name: 'CLAMD_URL', text: 'has an invalid host or port.' });
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  if (endpoint !== undefined && !URL.canParse(endpoint))
    problems.push({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', text: 'has an invalid host or port.' });
  for (const name of ['PUBLIC_BASE_URL', 'FRONTEND_URL'] as const)
    if (values[name] !== undefined && !isBaseUrl(removeTrailingSlashes(values[name])))
      problems.push({
        name,
        text: 'must be a URL as browsers show it, such as https://qr.example.org: a lower-case host, no user name, no default port, other characters percent-encoded.',
      });
  if (splitList(values.CORS_ORIGINS).some((origin) => !isOrigin(origin)))
    problems.push({
      name: 'CORS_ORIGINS',
      text: 'must be origins as browsers send them, such as https://app.example.org or https://app.example.org:8443: a lower-case host, no default port, no path, no wildcard.',
    });
  if (splitList(values.TRUST_PROXY).some((network) => !isProxyNetwork(network)))
    problems.push({
      name: 'TRUST_PROXY',
      text: 'contains an invalid address, or a network larger than /8 (IPv6: /7, mapped IPv4: /104) that would let clients spoof their address.',
    });
  problems.push(...findReusedSecrets(values));
  const contrast = computeContrastRatio(values.BRAND_COLOR, '#ffffff');
  if (contrast < MIN_TEXT_CONTRAST)
    problems.push({
      name: 'BRAND_COLOR',
      text: `has a contrast of ${contrast.toFixed(2)}:1 to white; choose a darker color with at least ${MIN_TEXT_CONTRAST}:1.`,
    });
  if (values.ENCRYPTION_KEYS !== undefined && values.ENCRYPTION_KEYS_FILE !== undefined)
    problems.push({ name: 'ENCRYPTION_KEYS_FILE', text: 'cannot be combined with ENCRYPTION_KEYS.' });
  return problems;
}

export function splitList(text = ''): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

export function removeTrailingSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, hostname, port, username, password } = new URL(text);
  const isPlain = username === '' && password === '' && port !== '0' && /^[a-z0-9_.:[\]-]+$/.test(hostname);
  return isPlain && removeTrailingSlashes(href) === text;
}

function isOrigin(text: string): boolean {
  return isBaseUrl(text) && new URL(text).origin === text;
}

/** Minimum prefix lengths are those of private networks: 10.0.0.0/8 and fc00::/7. */
function isProxyNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || (prefix !== undefined && !/^[0-9]{1,3}$/.test(prefix))) return false;
  const bits = prefix === undefined ? null : Number(prefix);
  if (isIPv4(address)) return bits === null || (bits >= 8 && bits <= 32);
  return isIPv6(address) && (bits === null || (bits >= getMinIPv6Prefix(address, bits) && bits <= 128));
}

/** ::ffff:0:0/96 are the IPv4 addresses. */
function getMinIPv6Prefix(address: string, bits: number): number {
  const network = new BlockList();
  network.addSubnet(address, Math.min(bits, 96), 'ipv6');
  return network.check('::ffff:0:0', 'ipv6') ? 104 : 7;
}

/** Each secret has one purpose: the same bytes under two names would let one leak break both. */
function findReusedSecrets(values: EnvironmentValues): ConfigProblem[] {
  const nameByKey = new Map<string, string>();
  return SECRET_VARIABLE_NAMES.flatMap((name) => {
    const keys = listKeyMaterial(values[name] ?? '');
    const other = keys.map((key) => nameByKey.get(key)).find(Boolean);
    for (const key of keys) nameByKey.set(key, name);
    return other === undefined ? [] : [{ name, text: `must differ from ${other}.` }];
  });
}

/** Strip key ids and normalize base64url, so that equal keys compare equal. */
function listKeyMaterial(value: string): string[] {
  const parts = value.split(',').map((part) => part.trim().replace(/^[a-z0-9]{1,16}:/, ''));
  return parts
    .map((part) => part.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/'))
    .filter((part) => part !== '');
}

function haveSameUser({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: EnvironmentValues): boolean {
  if (url === undefined || direct === undefined) return true;
  return parseDatabaseUrl(url).user === parseDatabaseUrl(direct).user;
}

function findDatabaseUrlProblem(url: string): string | undefined {
  try {
    parseDatabaseUrl(url);
    return undefined;
  } catch {
    return 'has an invalid host, port or parameter.';
  }
}

function findProductionProblems(values: EnvironmentValues): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const name of REQUIRED_PRODUCTION_VARIABLES) {
    const isInFile = name === 'ENCRYPTION_KEYS' && values.ENCRYPTION_KEYS_FILE !== undefined;
    if (values[name] === undefined && !isInFile) problems.push({ name, text: 'is required in production.' });
  }
  for (const name of ['JWT_SECRET', 'HASH_SECRET'] as const) {
    const text = values[name] === undefined ? null : findWeakSecretProblem(values[name]);
    if (text) problems.push({ name, text });
  }
  if (values.ADMIN_PASSWORD !== undefined && findPlaceholderSecretProblem(values.ADMIN_PASSWORD, 8)) {
    problems.push({ name: 'ADMIN_PASSWORD', text: 'looks like a placeholder; choose your own.' });
  }
  if (values.PUBLIC_BASE_URL !== undefined && !values.PUBLIC_BASE_URL.startsWith('https://')) {
    problems.push({ name: 'PUBLIC_BASE_URL', text: 'must start with https:// in production.' });
  }
  if (values.FRONTEND_URL !== undefined && !values.FRONTEND_URL.startsWith('https://')) {
    problems.push({ name: 'FRONTEND_URL', text: 'must start with https:// in production.' });
  }
  if (splitList(values.CORS_ORIGINS).some((origin) => !isSecureOrigin(origin)))
    problems.push({
      name: 'CORS_ORIGINS',
      text: 'must use https:// in production, except for localhost.',
    });
  if (values.SMTP_URL === undefined)
    problems.push({ name: 'SMTP_URL', text: 'is required in production; `none` keeps emails as files.' });
  if (values.BILLING === undefined && values.STRIPE_SECRET_KEY === undefined)
    problems.push({
      name: 'BILLING',
      text: 'is required in production without STRIPE_SECRET_KEY; `off` has no limits.',
      requires: 'STRIPE_SECRET_KEY',
    });
  if (values.BILLING === 'sandbox')
    problems.push({ name: 'BILLING', text: 'cannot be sandbox in production.' });
  if (values.BCRYPT_COST < 10)
    problems.push({ name: 'BCRYPT_COST', text: 'must be 10 or more in production.' });
  return [...problems, ...findPlainConnectionProblems(values)];
}

/** A connection to another host that nobody has decided to leave unencrypted. */
function findPlainConnectionProblems(values: EnvironmentValues): ConfigProblem[] {
  const problems: ConfigProblem[] = DATABASE_URL_NAMES.filter(
    (name) => values[name] !== undefined && isTlsUndecided(values[name]),
  ).map((name) => ({
    name,
    text: 'must have sslmode in production, since the database is on another host: verify-full encrypts, disable does not.',
  }));
  if (values.REDIS_URL !== undefined && isRedisTlsUndecided(values.REDIS_URL))
    problems.push({
      name: 'REDIS_URL',
      text: 'must start with rediss:// in production, since Redis is on another host; ?sslmode=disable leaves it unencrypted.',
    });
  return problems;
}

function isRedisTlsUndecided(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, searchParams } = new URL(url);
  return protocol === 'redis:' && !isLoopbackHost(hostname) && !searchParams.has('sslmode');
}

/** A page loaded over http can be modified in transit and then use its user's tokens. */
function isSecureOrigin(origin: string): boolean {
  return (
    origin.startsWith('https://') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?$/.test(origin)
  );
}
