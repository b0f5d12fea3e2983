import { EnvironmentSchema } from '../../src/config-variables.ts';

export type Setting = keyof typeof EnvironmentSchema.properties;

const GROUPS: Record<string, readonly Setting[]> = {
  Service: [
    'NODE_ENV',
    'HOST',
    'PORT',
    'PUBLIC_BASE_URL',
    'FRONTEND_URL',
    'OWNER_PAGES',
    'CORS_ORIGINS',
    'TRUST_PROXY',
    'CLIENT_ADDRESS_HEADER',
  ],
  Process: ['WORKER', 'LOG_LEVEL', 'RATE_LIMIT_SCALE', 'SHUTDOWN_DELAY_SECONDS'],
  Database: [
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_READ_URL',
    'DATABASE_POOLER',
    'DATABASE_POOL_SIZE',
    'REDIS_URL',
  ],
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
  'Malware scanner': ['CLAMD_URL', 'CLAMD_UNAVAILABLE', 'CLAMD_MAX_BYTES'],
  Brand: [
    'BRAND_NAME',
    'BRAND_COLOR',
    'BRAND_LOGO_FILE',
    'BRAND_IMPRINT_URL',
    'BRAND_PRIVACY_URL',
    'BRAND_ABUSE_URL',
  ],
  'Mail and push': [
    'SMTP_URL',
    'MAIL_FROM',
    'FIREBASE_SERVICE_ACCOUNT',
    'VAPID_PRIVATE_KEY',
    'WEB_PUSH_HOSTS',
  ],
  Billing: ['BILLING', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_API_BASE'],
  'Sign-in with a provider': [
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_ISSUER',
    'OIDC_AUTHORIZED_PARTIES',
  ],
  'Audit trail and retention': [
    'AUDIT_PUBLIC_KEYS',
    'AUDIT_CHECKPOINT_FILE',
    'AUDIT_CHECKPOINT_URL',
    'AUDIT_RETENTION_DAYS',
    'SCAN_RETENTION_DAYS',
    'SCAN_ARCHIVE',
  ],
  Monitoring: [
    'METRICS_PORT',
    'METRICS_HOST',
    'METRICS_TOKEN',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_SERVICE_NAME',
    'OTEL_TRACES_SAMPLER_ARG',
  ],
  Administration: ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ENTERPRISE_MODE'],
  'Scans and codes': ['GEOCODER_URL', 'URL_PAGE', 'CELL_ID'],
};

export const SETTING_GROUPS = Object.entries(GROUPS).map(([title, names]) => ({ title, names }));

const ungrouped = Object.keys(EnvironmentSchema.properties).filter(
  (name) => !SETTING_GROUPS.some(({ names }) => names.some((grouped) => grouped === name)),
);
if (ungrouped.length > 0)
  throw new Error(`scripts/docs/setting-groups.ts has no group for ${ungrouped.join(', ')}.`);
