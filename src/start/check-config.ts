import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ConfigError } from '../shared/config-error.ts';
import { formatDatabaseAddress } from '../shared/database-url.ts';
import { assertDevelopmentPackagesInstalled } from './development-packages.ts';
import { findConfigWarnings } from './find-config-warnings.ts';
import { getKeyFilePath, readKeyFile } from './keys/key-file-store.ts';

/**
 * Check what a start reads before it connects to anything, and describe the settings without secrets.
 * @throws ConfigError, SecretsMissingError as the start does
 */
export async function checkConfig(config: Config): Promise<string> {
  await assertDevelopmentPackagesInstalled(config);
  await assertKeyFileUsable(config);
  const lines = listSettings(config).map(([name, value]) => `  ${name.padEnd(17)}${value}`);
  const warnings = findConfigWarnings(config);
  return [
    'The configuration is valid.',
    '',
    ...lines,
    ...(warnings.length > 0 ? ['', 'Warnings:', ...warnings.map((text) => `  ${text}`)] : []),
  ].join('\n');
}

/** Outside production a missing file is created. */
async function assertKeyFileUsable(config: Config): Promise<void> {
  const path = getKeyFilePath(config);
  if (path === null || (await readKeyFile(path)) !== undefined || !config.production) return;
  throw new ConfigError([
    `ENCRYPTION_KEYS_FILE: ${path} is missing. Restore it from a backup; for a new database npm run keys -- add creates it.`,
  ]);
}

function listSettings(config: Config): [name: string, value: string][] {
  const { s3, clamd, metrics, stripe, identityProvider, firebaseAccount } = config;
  return [
    ['Mode', config.production ? 'production' : 'development'],
    ['Address', config.publicBaseUrl],
    ['Listens on', formatHostAndPort(config.host, config.port)],
    ['Trusted proxies', config.trustProxy.join(', ') || 'none'],
    ['Database', formatDatabase(config)],
    ['Read replica', config.databaseReadUrl ? formatDatabaseAddress(config.databaseReadUrl) : 'none'],
    ['Redis', formatServer(config.redisUrl)],
    ['Files', s3 ? `bucket ${s3.bucket} at ${s3.endpoint ?? 'Amazon S3'}` : formatFolders(config)],
    ['Encryption keys', getKeyFilePath(config) ?? 'ENCRYPTION_KEYS'],
    ['Email', config.smtpUrl ? formatServer(config.smtpUrl) : join(config.dataDir, 'mailbox')],
    ['Push', firebaseAccount ? `browsers, Firebase project ${firebaseAccount.projectId}` : 'browsers'],
    ['Billing', config.billing === 'stripe' && stripe ? describeStripe(stripe) : config.billing],
    ['Sign-in', identityProvider?.issuer ?? 'none'],
    ['Malware scanner', clamd?.url ?? 'none'],
    ['Geocoding', config.geocoderUrl ?? 'offline'],
    ['Jobs', config.worker === 'separate' ? 'npm run worker' : 'this process'],
    ['Metrics', metrics ? formatHostAndPort(metrics.host, metrics.port) : 'none'],
    ['Traces', formatServer(config.traces?.endpoint)],
    ['Enterprise mode', config.enterpriseMode ? 'all users' : 'by user'],
  ];
}

function formatDatabase({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? formatDatabaseAddress(databaseUrl) : `embedded, in ${join(dataDir, 'postgres')}`;
}

function formatFolders({ uploadsDir, dataDir }: Config): string {
  return `${uploadsDir}, ${join(dataDir, 'files')}`;
}

/** Without credentials and parameters. */
function formatServer(url: string | undefined): string {
  if (url === undefined) return 'none';
  if (!URL.canParse(url)) return 'set';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function formatHostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function describeStripe({ secretKey }: { secretKey: string }): string {
  return secretKey.includes('_live_') ? 'Stripe, live mode' : 'Stripe, test mode';
}
