import { EnvironmentSchema } from '../src/config-variables.ts';
import { describeSetting } from './configuration-table.ts';

type SettingName = keyof typeof EnvironmentSchema.properties;

const SETTING_GROUPS: Record<string, readonly SettingName[]> = {
  Service: ['NODE_ENV', 'HOST', 'PORT', 'PUBLIC_BASE_URL', 'FRONTEND_URL', 'CORS_ORIGINS', 'TRUST_PROXY'],
  Process: ['WORKER', 'LOG_LEVEL', 'RATE_LIMIT_SCALE'],
  Database: ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_POOL_SIZE', 'REDIS_URL'],
  'Secrets and keys': [
    'JWT_SECRET',
    'HASH_SECRET',
    'PASSWORD_PEPPERS',
    'ENCRYPTION_KEYS',
    'ENCRYPTION_KEYS_FILE',
    'AUDIT_SIGNING_KEY',
    'BCRYPT_COST',
  ],
  Files: [
    'DATA_DIR',
    'UPLOADS_DIR',
    'MAX_DOCUMENT_BYTES',
    'S3_BUCKET',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_ENDPOINT',
    'S3_PATH_STYLE',
  ],
  'Malware scanner': ['CLAMD_URL', 'CLAMD_AWAY', 'CLAMD_MAX_BYTES'],
  'Mail and push': ['SMTP_URL', 'MAIL_FROM', 'FIREBASE_SERVICE_ACCOUNT'],
  Billing: ['BILLING', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_API_BASE'],
  'Sign-in with a provider': ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  'Audit trail and retention': [
    'AUDIT_PUBLIC_KEYS',
    'AUDIT_CHECKPOINT_FILE',
    'AUDIT_CHECKPOINT_URL',
    'AUDIT_RETENTION_DAYS',
    'SCAN_RETENTION_DAYS',
  ],
  Administration: ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ENTERPRISE_MODE'],
  'Scans and codes': ['GEOCODER_URL', 'URL_PAGE'],
};

const HEADER = `# Every setting of the service, with its default. Copy this file to .env and remove the # before what you change.
# Variables of the environment win over .env. Keep .env out of version control.
# Made by \`npm run docs:config\` from src/config-variables.ts; do not edit.`;

const LINE_LENGTH = 110;

/**
 * The settings as an .env file in which all of them are commented out.
 * @throws Error when a setting is in no group
 */
export function formatEnvExample(): string {
  const grouped = new Set(Object.values(SETTING_GROUPS).flat());
  const missing = listSettings().filter((name) => !grouped.has(name));
  if (missing.length > 0) throw new Error(`scripts/env-example.ts has no group for ${missing.join(', ')}.`);
  const groups = Object.entries(SETTING_GROUPS).map(([title, names]) =>
    [`# --- ${title} ---`, ...names.map(formatSetting)].join('\n\n'),
  );
  return `${[HEADER, ...groups].join('\n\n')}\n`;
}

function listSettings(): SettingName[] {
  return Object.keys(EnvironmentSchema.properties) as SettingName[];
}

function formatSetting(name: SettingName): string {
  const property = EnvironmentSchema.properties[name];
  const value = String(Reflect.get(property, 'default') ?? '');
  return `${wrapComment(describeSetting(name, property))}\n# ${name}=${quoteValue(value)}`;
}

function wrapComment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length < LINE_LENGTH) lines[lines.length - 1] = line;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join('\n');
}

/** Quotes what a shell or docker compose would read otherwise. */
function quoteValue(value: string): string {
  return /^[\w./:@-]*$/.test(value) ? value : `"${value}"`;
}
