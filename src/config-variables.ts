import { Type } from 'typebox';

const URL_PATTERN = '^https?://[^\\s?#]+$';
const POSTGRES_PATTERN = '^postgres(ql)?://\\S+$';
const KEY_LIST_PATTERN = '^[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?(,[a-z0-9]{1,16}:[A-Za-z0-9+/_-]{43}=?)*$';

export function describeBounds(property: object): string {
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

/** The environment variables of the service; docs/reference/configuration.md is generated from it. */
export const EnvironmentSchema = Type.Object({
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
    description: 'Bytes that a document may have; where packages are sold also a tenth of what they store.',
  }),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description:
        'Bucket of an S3-compatible server that keeps all files, in place of UPLOADS_DIR and `<DATA_DIR>/files`. Neither public nor versioned; the server has to know conditional writes (If-None-Match).',
    }),
  ),
  S3_REGION: Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'Region of S3_BUCKET.' }),
  ),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Key that may list, read, write and delete in S3_BUCKET.',
    }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'See S3_ACCESS_KEY_ID.' }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: "Address of the server of S3_BUCKET; without it Amazon's.",
    }),
  ),
  S3_PATH_STYLE: Type.Optional(
    Type.Boolean({
      description:
        'Whether the bucket is named in the path of an address and not in its host; the default with S3_ENDPOINT.',
    }),
  ),
  CLAMD_URL: Type.Optional(
    Type.String({
      pattern: '^(tcp://[^\\s/?#@]+:[0-9]{1,5}|unix:/[^\\s]+)$',
      description:
        'ClamAV’s daemon, which documents are checked by while they come: `tcp://host:3310` or `unix:/path/of/its.sock`. Without it nothing is checked.',
    }),
  ),
  CLAMD_AWAY: Type.Union([Type.Literal('refuse'), Type.Literal('hold')], {
    default: 'refuse',
    description:
      'What becomes of documents while CLAMD_URL does not answer: `refuse` answers 503, `hold` stores them, and nobody reads them until they were checked.',
  }),
  CLAMD_MAX_BYTES: Type.Integer({
    default: 26_214_400,
    minimum: 1,
    maximum: 4_294_967_295,
    description:
      'The smallest of StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf. Larger documents are stored unchecked; to have none, give MAX_DOCUMENT_BYTES the same.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: POSTGRES_PATTERN,
      description:
        'PostgreSQL of your own (15 or newer); without it an embedded one is started in DATA_DIR, where development packages are installed.',
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
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://\\S+$',
      description:
        'Redis through which several instances share request limits and tell each other what open sockets are to hear; without it, and while it is away, they do so through PostgreSQL.',
    }),
  ),
  JWT_SECRET: Type.Optional(
    Type.String({ minLength: 32, description: 'Signs access tokens; made of chance.' }),
  ),
  HASH_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description: 'Keys the hashes of codes, tokens and addresses, and derived tokens; made of chance.',
    }),
  ),
  PASSWORD_PEPPERS: Type.Optional(
    Type.String({
      pattern: KEY_LIST_PATTERN,
      description:
        '`<id>:<32 bytes in base64>`, several separated by commas, the first for new passwords and PINs.',
    }),
  ),
  ENCRYPTION_KEYS: Type.Optional(
    Type.String({
      pattern: KEY_LIST_PATTERN,
      description:
        '`<id>:<32 bytes in base64>`, several separated by commas, the first for new rows; old ones still decrypt.',
    }),
  ),
  ENCRYPTION_KEYS_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File of the encryption keys, in place of ENCRYPTION_KEYS; `npm run keys:add` changes it. Default outside production: `<DATA_DIR>/encryption-keys.json`.',
    }),
  ),
  AUDIT_SIGNING_KEY: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description:
        'Signs the audit trail (Ed25519): 32 bytes of chance in base64. See docs/security/audit-trail.md.',
    }),
  ),
  AUDIT_PUBLIC_KEYS: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$',
      description:
        'Public keys of earlier AUDIT_SIGNING_KEYs, in base64, separated by commas: what they signed stays provable.',
    }),
  ),
  AUDIT_CHECKPOINT_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File that signed checkpoints of the audit trail are appended to. Default `<DATA_DIR>/audit-checkpoints.jsonl`.',
    }),
  ),
  AUDIT_CHECKPOINT_URL: Type.Optional(
    Type.String({
      pattern: URL_PATTERN,
      description: 'Address that each checkpoint is also sent to by POST, as JSON.',
    }),
  ),
  AUDIT_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 90,
      maximum: 36500,
      description:
        'Days from which audit entries are dropped, the rest staying provable. Without it they are kept for ever.',
    }),
  ),
  SCAN_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 120,
      maximum: 36500,
      description:
        'Days from which scans are dropped, a month at a time; their counts stay. Without it they are kept for ever.',
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
  FIREBASE_SERVICE_ACCOUNT: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Service account of Firebase Cloud Messaging: its JSON, or the path of its file. Without it pushes are recorded as not sent.',
    }),
  ),
  BILLING: Type.Optional(
    Type.Union([Type.Literal('stripe'), Type.Literal('off'), Type.Literal('sandbox')], {
      description:
        'How packages are sold: `stripe`, the default with STRIPE_SECRET_KEY; `off`, the default in production without it: nothing is sold and nothing is limited; `sandbox`, the default elsewhere, never in production: an emulator of Stripe on this machine, with which no money moves.',
    }),
  ),
  STRIPE_SECRET_KEY: Type.Optional(
    Type.String({
      pattern: '^[sr]k_(test|live)_\\w{8,}$',
      description: 'Secret or restricted key of Stripe.',
    }),
  ),
  STRIPE_WEBHOOK_SECRETS: Type.Optional(
    Type.String({
      pattern: '^whsec_[^\\s,]{8,}(\\s*,\\s*whsec_[^\\s,]{8,})*$',
      description:
        'Signing secrets of the webhook, separated by commas; an event is taken that one of them signed, so that they can be exchanged one by one.',
    }),
  ),
  STRIPE_API_BASE: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)/?$',
      description:
        'Where Stripe is reached, without a path. Default `https://api.stripe.com`. Plain http on loopback only.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Name of the service at the identity provider (OpenID Connect). Without it nobody signs in by one; on a laptop an emulator does.',
    }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 1, description: 'See OIDC_CLIENT_ID.' })),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#]*)?)$',
      description:
        'Identity provider of OIDC_CLIENT_ID; default `https://accounts.google.com`. Plain http on loopback only.',
    }),
  ),
  GEOCODER_URL: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s?#]*)?)$',
      description:
        'Nominatim-compatible server on a public address, asked later for streets: it learns positions to ten metres. Plain http on loopback only.',
    }),
  ),
  WORKER: Type.Union([Type.Literal('in-process'), Type.Literal('separate')], {
    default: 'in-process',
    description:
      '`separate`: the service leaves mails, exports and other jobs to processes of `npm run worker`, which need the same settings and folders.',
  }),
  URL_PAGE: Type.Optional(
    Type.Union(
      ['never', 'young', 'always'].map((value) => Type.Literal(value)),
      {
        description:
          'Whose codes of kind URL show where they lead before going on: `young` those of accounts in their first 14 days, `always` all, `never` only where the owner wants it. Default `young` in production, else `never`.',
      },
    ),
  ),
  ADMIN_EMAIL: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'With ADMIN_PASSWORD: made administrator at start when there is none.',
    }),
  ),
  ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12, description: 'See ADMIN_EMAIL.' })),
  ENTERPRISE_MODE: Type.Optional(
    Type.Literal('hipaa', {
      description:
        '`hipaa` puts every account into enterprise mode (docs/guides/enterprise-mode.md). Without it single accounts can be in it.',
    }),
  ),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'fatal, error, warn, info, debug, trace or silent.' },
  ),
});
