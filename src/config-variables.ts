import { Type } from 'typebox';

const URL_PATTERN = '^https?://[^\\s?#]+$';
const BRAND_LINK_PATTERN = '^(https?://|mailto:)[^\\s"<>]+$';
const POSTGRES_PATTERN = '^postgres(ql)?://\\S+$';
/** Values are percent-encoded ASCII without control characters. */
const OTLP_HEADER = "[!#$&'*+.^_`|~0-9A-Za-z-]+=(?:[!-$&-+\\--~]|%[2-7][0-9A-Fa-f])*";
const KEY_LIST_PATTERN = '^[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?(,[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?)*$';

export function describeSchemaBounds(property: object): string {
  const readKeyword = (name: string): unknown => Reflect.get(property, name);
  const [minimum, above, maximum] = [
    readKeyword('minimum'),
    readKeyword('exclusiveMinimum'),
    readKeyword('maximum'),
  ];
  if (maximum !== undefined)
    return above === undefined ? `From ${minimum} to ${maximum}.` : `More than ${above}, up to ${maximum}.`;
  const [minLength, maxLength] = [readKeyword('minLength'), readKeyword('maxLength')];
  if (typeof minLength === 'number' && minLength > 1)
    return maxLength === undefined
      ? `${minLength} characters or more.`
      : `${minLength} to ${maxLength} characters.`;
  return maxLength === undefined ? '' : `Up to ${maxLength} characters.`;
}

/**
 * The environment variables of the service; docs/reference/configuration.md is generated from it. `writeOnly` marks a
 * secret, which can be in a file and is never printed.
 */
export const EnvironmentSchema = Type.Object({
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('production'), Type.Literal('test')], {
    default: 'development',
    description:
      '`production` requires the database, the secrets and an https base URL, and generates nothing.',
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
    description: 'Port to listen on; 0 chooses a free one.',
  }),
  PUBLIC_BASE_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description:
        'Base of all URLs in images, emails and pages. Default `http://localhost:<PORT>`; https in production.',
    }),
  ),
  FRONTEND_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: 'URL of the web application for links in emails. Default: the service itself.',
    }),
  ),
  OWNER_PAGES: Type.Optional(
    Type.Union([Type.Literal('on'), Type.Literal('off')], {
      description:
        'Pages for owners below `/app`. Default: on, unless FRONTEND_URL names another application.',
    }),
  ),
  CORS_ORIGINS: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/,]+(,\\s*https?://[^\\s/,]+)*$',
      description:
        'Allowed CORS origins in production, separated by commas: https, or http on localhost. Outside production every origin is allowed.',
    }),
  ),
  TRUST_PROXY: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f.:/]+(,\\s*[0-9A-Fa-f.:/]+)*$',
      description:
        'Addresses or networks of reverse proxies whose CLIENT_ADDRESS_HEADER, X-Request-Id and traceparent are trusted, separated by commas; at most a /8 (IPv6: /7).',
    }),
  ),
  CLIENT_ADDRESS_HEADER: Type.String({
    default: 'X-Forwarded-For',
    pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
    description:
      'Header in which the proxies of TRUST_PROXY name the address of the client, such as Forwarded. They must append to it or replace it: clients can send it, too.',
  }),
  DATA_DIR: Type.String({
    default: '.data',
    minLength: 1,
    description: 'Folder of the embedded database, the generated keys, the mailbox and private files.',
  }),
  UPLOADS_DIR: Type.String({
    default: 'uploads',
    minLength: 1,
    description: 'Folder of profile pictures and QR images.',
  }),
  MAX_DOCUMENT_BYTES: Type.Integer({
    default: 2_147_483_648,
    minimum: 1,
    maximum: 1_099_511_627_776,
    description:
      'Maximum size of a document in bytes; with billing also limited to a tenth of the storage of the package.',
  }),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description:
        'Bucket of an S3-compatible server for all files, instead of UPLOADS_DIR and `<DATA_DIR>/files`. It must be private and unversioned; the server must support conditional writes (If-None-Match).',
    }),
  ),
  S3_REGION: Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'Region of S3_BUCKET.' }),
  ),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      writeOnly: true,
      minLength: 1,
      maxLength: 200,
      description: 'Access key with permission to list, read, write and delete in S3_BUCKET.',
    }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ writeOnly: true, minLength: 1, maxLength: 500, description: 'See S3_ACCESS_KEY_ID.' }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: 'URL of the S3 server. Default: Amazon S3.',
    }),
  ),
  S3_PATH_STYLE: Type.Optional(
    Type.Boolean({
      description:
        'Whether the bucket name is in the path of the URL instead of its host; the default with S3_ENDPOINT.',
    }),
  ),
  CLAMD_URL: Type.Optional(
    Type.String({
      pattern: '^(tcp://[^\\s/?#@]+:[0-9]{1,5}|unix:/[^\\s]+)$',
      description:
        'ClamAV daemon that scans documents during the upload: `tcp://host:3310` or `unix:/path/of/its.sock`. Without it documents are not scanned.',
    }),
  ),
  CLAMD_UNAVAILABLE: Type.Union([Type.Literal('refuse'), Type.Literal('hold')], {
    default: 'refuse',
    description:
      'Handling of documents while CLAMD_URL is unavailable: `refuse` responds with 503, `hold` stores them unreadable until they are scanned.',
  }),
  CLAMD_MAX_BYTES: Type.Integer({
    default: 26_214_400,
    minimum: 1,
    maximum: 4_294_967_295,
    description:
      'The smallest of StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf. Larger documents are stored without a scan; to prevent that, set MAX_DOCUMENT_BYTES to the same value.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: POSTGRES_PATTERN,
      description:
        'URL of PostgreSQL 15 or newer, or of its pooler; several hosts are separated by commas. In production on another host with `sslmode`. Without it an embedded server is started in DATA_DIR, if the development packages are installed.',
    }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: POSTGRES_PATTERN,
      description:
        'URL for the schema owner, used only for migrations at start; never of a pooler. Default: DATABASE_DIRECT_URL, else DATABASE_URL.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: POSTGRES_PATTERN,
      description:
        'URL of the server itself for the role of DATABASE_URL, where that is a pooler: for LISTEN and locks of a session. Default: DATABASE_URL.',
    }),
  ),
  DATABASE_POOLER: Type.Optional(
    Type.Literal('transaction', {
      description:
        '`transaction`: DATABASE_URL is a pooler that gives each transaction another connection, such as PgBouncer. Needs DATABASE_DIRECT_URL.',
    }),
  ),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: POSTGRES_PATTERN,
      description:
        'URL of a streaming replica of DATABASE_URL for lists, statistics, reports and exports: one server, no pooler. While it is late or gone, the primary is read.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 12,
    minimum: 2,
    maximum: 200,
    description: 'Maximum number of database connections of an instance.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^rediss?://\\S+$',
      description:
        'Redis through which instances share rate limits and realtime events. Without it, and while it is unavailable, they use PostgreSQL. In production on another host: rediss://, or `?sslmode=disable` at the end to leave it unencrypted.',
    }),
  ),
  JWT_SECRET: Type.Optional(
    Type.String({ writeOnly: true, minLength: 32, description: 'Random secret that signs access tokens.' }),
  ),
  HASH_SECRET: Type.Optional(
    Type.String({
      writeOnly: true,
      minLength: 32,
      description: 'Random secret for the hashes of codes, tokens and addresses, and for derived tokens.',
    }),
  ),
  PASSWORD_PEPPERS: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: KEY_LIST_PATTERN,
      description:
        '`<id>:<32 bytes in base64>`, separated by commas; the first is used for new passwords and PINs.',
    }),
  ),
  ENCRYPTION_KEYS: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: KEY_LIST_PATTERN,
      description: '`<id>:<32 bytes in base64>`, separated by commas; the first encrypts, all decrypt.',
    }),
  ),
  ENCRYPTION_KEYS_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File of the encryption keys, instead of ENCRYPTION_KEYS; `npm run keys -- add` changes it. Default outside production: `<DATA_DIR>/encryption-keys.json`.',
    }),
  ),
  AUDIT_SIGNING_KEY: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description:
        'Ed25519 key that signs the audit trail: 32 random bytes in base64. See docs/security/audit-trail.md.',
    }),
  ),
  AUDIT_PUBLIC_KEYS: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$',
      description:
        'Public keys of earlier AUDIT_SIGNING_KEYs in base64, separated by commas, to verify what they signed.',
    }),
  ),
  AUDIT_CHECKPOINT_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File to which signed checkpoints of the audit trail are appended. Default `<DATA_DIR>/audit-checkpoints.jsonl`.',
    }),
  ),
  AUDIT_CHECKPOINT_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: 'URL to which each checkpoint is also posted as JSON.',
    }),
  ),
  AUDIT_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 90,
      maximum: 36500,
      description: 'Retention of audit entries in days; the rest stays verifiable. Default: unlimited.',
    }),
  ),
  SCAN_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 120,
      maximum: 36500,
      description:
        'Retention of scans in days; they are dropped by month and their counts are kept. Default: unlimited.',
    }),
  ),
  SCAN_ARCHIVE: Type.Boolean({
    default: false,
    description:
      'Whether scans are written to the private files before `SCAN_RETENTION_DAYS` drops them, as compressed JSON Lines without anything about visitors.',
  }),
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
      'Multiplies every limit of requests and sockets by client, for load tests. Limits of email addresses, passwords and PINs are unchanged.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^(smtps?://\\S+|none)$',
      description:
        'URL of the mail server; required in production. `none`, the default otherwise: emails are readable files in `<DATA_DIR>/mailbox`.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 200,
      pattern: '^[^\\r\\n]+$',
      description:
        'Sender of emails: an address, or `Name <address>`. Default: `<BRAND_NAME> <no-reply@<host of PUBLIC_BASE_URL>>`.',
    }),
  ),
  BRAND_NAME: Type.String({
    default: 'QR Profile Service',
    minLength: 1,
    maxLength: 40,
    pattern: '^[^\\p{C}]+$',
    description: 'Name of your service on pages and in emails.',
  }),
  BRAND_COLOR: Type.String({
    default: '#0b4fb3',
    pattern: '^#[0-9A-Fa-f]{6}$',
    description:
      'Accent color of pages and emails as `#rrggbb`, with a contrast of 4.5:1 or more to white. Dark pages use a lighter tone of it.',
  }),
  BRAND_LOGO_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Logo at the top of pages and in the tab: an SVG, PNG or WebP file of up to 100 kB, best square. Emails show PNG and WebP only.',
    }),
  ),
  BRAND_IMPRINT_URL: Type.Optional(
    Type.String({
      pattern: BRAND_LINK_PATTERN,
      maxLength: 500,
      description: 'Legal notice, linked from pages and emails.',
    }),
  ),
  BRAND_PRIVACY_URL: Type.Optional(
    Type.String({
      pattern: BRAND_LINK_PATTERN,
      maxLength: 500,
      description: 'Privacy notice, linked from pages and emails.',
    }),
  ),
  BRAND_ABUSE_URL: Type.Optional(
    Type.String({
      pattern: BRAND_LINK_PATTERN,
      maxLength: 500,
      description: 'Where strangers report abuse: a page, or `mailto:` and an address.',
    }),
  ),
  FIREBASE_SERVICE_ACCOUNT: Type.Optional(
    Type.String({
      writeOnly: true,
      minLength: 1,
      description:
        'Service account of Firebase Cloud Messaging: its JSON, or the path of its file. Without it push notifications are recorded as not sent.',
    }),
  ),
  VAPID_PRIVATE_KEY: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^[A-Za-z0-9_-]{43}$',
      description:
        'Key by which push services of browsers know this service (VAPID): a private key of P-256, 32 bytes in base64url. Default: derived from HASH_SECRET. With another key browsers have to subscribe again.',
    }),
  ),
  WEB_PUSH_HOSTS: Type.String({
    pattern: '^(\\*\\.)?[a-z0-9.-]+(,\\s*(\\*\\.)?[a-z0-9.-]+)*$',
    default:
      'fcm.googleapis.com,jmt17.google.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com',
    description:
      'Hosts of the push services of browsers, separated by commas; `*.` stands for any name below. Pushes are sent to no other host.',
  }),
  BILLING: Type.Optional(
    Type.Union([Type.Literal('stripe'), Type.Literal('off'), Type.Literal('sandbox')], {
      description:
        'Billing: `stripe`, the default with STRIPE_SECRET_KEY; `off`: no packages and no limits, must be set in production without that key; `sandbox`, the default otherwise, never in production: a local emulator of Stripe without real payments.',
    }),
  ),
  STRIPE_SECRET_KEY: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^[sr]k_(test|live)_\\w{8,}$',
      description: 'Secret or restricted key of Stripe.',
    }),
  ),
  STRIPE_WEBHOOK_SECRETS: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^whsec_[^\\s,]{8,}(\\s*,\\s*whsec_[^\\s,]{8,})*$',
      description:
        'Signing secrets of the webhook, separated by commas. Any of them is accepted, which allows rotation.',
    }),
  ),
  STRIPE_API_BASE: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)/?$',
      description:
        'Base URL of the Stripe API, without a path. Default `https://api.stripe.com`. Plain http on loopback only.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Client id at the OpenID Connect provider. Without it sign-in by a provider is off; outside production an emulator is used.',
    }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({ writeOnly: true, minLength: 1, description: 'See OIDC_CLIENT_ID.' }),
  ),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#]*)?)$',
      description:
        'Issuer URL of the identity provider. Default `https://accounts.google.com`. Plain http on loopback only.',
    }),
  ),
  OIDC_AUTHORIZED_PARTIES: Type.Optional(
    Type.String({
      pattern: '^[^\\s,]+(,\\s*[^\\s,]+)*$',
      maxLength: 4000,
      description:
        'Client ids of your native apps whose ID tokens for OIDC_CLIENT_ID are accepted, separated by commas: Android and iOS apps of Google get tokens for the server under a client id of their own.',
    }),
  ),
  GEOCODER_URL: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#]*)?)$',
      description:
        'Nominatim-compatible server on a public address for street names. It receives positions rounded to ten meters. Plain http on loopback only.',
    }),
  ),
  WORKER: Type.Union([Type.Literal('in-process'), Type.Literal('separate')], {
    default: 'in-process',
    description:
      '`separate`: emails, exports and other jobs are run by `npm run worker` processes, which need the same settings and, without S3, the same folders.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 120,
    description:
      'Time between a termination signal and the end of requests. Meanwhile readiness is 503, so that a load balancer sends no more; longer than the interval of its checks.',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65535,
      description:
        'Port for `/metrics` (Prometheus), `/health/live` and `/health/ready`, of the service or a worker. Each process on a host needs a different one. If it is not set, they are not served.',
    }),
  ),
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address that METRICS_PORT listens on. Any but a loopback address requires METRICS_TOKEN.',
  }),
  METRICS_TOKEN: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: '^[A-Za-z0-9._~+/=-]{24,}$',
      description:
        'Token of 24 characters or more that scrapers of `/metrics` send as `Authorization: Bearer`.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      description:
        'Base URL of an OpenTelemetry collector that receives traces by OTLP/HTTP as JSON, such as `http://localhost:4318`. Without it nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      writeOnly: true,
      pattern: `^${OTLP_HEADER}(,\\s*${OTLP_HEADER})*$`,
      description: 'Headers for the collector: `name=value`, percent-encoded and separated by commas.',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({
    default: 'qr-profile-service',
    minLength: 1,
    maxLength: 100,
    description: 'Name of the service in traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 0.01,
    minimum: 0,
    maximum: 1,
    description:
      'Share of the traces that are recorded, below 1 at most two a second in each process. A `traceparent` from TRUST_PROXY decides for its request.',
  }),
  URL_PAGE: Type.Optional(
    Type.Union(
      ['never', 'young', 'always'].map((value) => Type.Literal(value)),
      {
        description:
          'Which URL codes show their target before the redirect: `young` those of accounts in their first 14 days, `always` all, `never` only those whose owner chose it. Default `young` in production, else `never`.',
      },
    ),
  ),
  CELL_ID: Type.String({
    default: '00',
    pattern: '^[0-9A-Fa-f]{2}$',
    description:
      'Two hexadecimal digits that ids of new codes carry after their time. Give each of several installations its own, so that a printed address says which one has the code.',
  }),
  ADMIN_EMAIL: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'With ADMIN_PASSWORD: creates this administrator at start if there is none.',
    }),
  ),
  ADMIN_PASSWORD: Type.Optional(
    Type.String({ writeOnly: true, minLength: 12, description: 'See ADMIN_EMAIL.' }),
  ),
  ENTERPRISE_MODE: Type.Optional(
    Type.Literal('hipaa', {
      description:
        '`hipaa` enforces enterprise mode for all users (docs/guides/enterprise-mode.md). Without it, it can be switched on per user.',
    }),
  ),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Log level: fatal, error, warn, info, debug, trace or silent.' },
  ),
});
