import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BUNDLED_LIBRARIES } from '../../scripts/build/bundled-libraries.ts';
import { t } from '../tap.ts';

const CONFIG = resolve('.dependency-cruiser.mjs');
const CRUISER = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const BIOME = resolve('node_modules/@biomejs/biome/bin/biome');
const PLUGIN = resolve('scripts/lint/no-computed-import.grit');

const MANIFEST = JSON.stringify({
  dependencies: {
    fastify: '1',
    pg: '1',
    'pg-boss': '1',
    nodemailer: '1',
    '@prisma/adapter-pg': '1',
    typebox: '1',
  },
  devDependencies: { '@qr-profile-service/embedded-postgres': '1', echarts: '1', esbuild: '1' },
});

/** Sources in which each layer imports only what it may. */
const IN_ORDER: Record<string, string> = {
  'package.json': MANIFEST,
  'src/server.ts': "import { buildApp } from './app.ts';\nimport { createServices } from './services.ts';",
  'src/app.ts':
    "import Fastify from 'fastify';\nimport { features } from './features/index.ts';\nimport { codeRoutes } from './features/codes/index.ts';",
  'src/services.ts':
    "import { createSharedServices } from './shared-services.ts';\nimport { findCode } from './features/codes/index.ts';",
  'src/shared-services.ts': "import { createSmtpMail } from './providers/mail/smtp-mail-provider.ts';",
  'src/catalogue.ts': "export { codesCatalogue } from './features/codes/catalogue.ts';",
  'src/features/index.ts': "export { codeRoutes } from './codes/index.ts';",
  'src/features/codes/index.ts':
    "export { codeRoutes } from './codes.routes.ts';\nexport { findCode } from './code.repository.ts';",
  'src/features/codes/catalogue.ts': '',
  'src/features/codes/codes.routes.ts': [
    "import type { FastifyInstance } from 'fastify';",
    "import { findCode } from './code.repository.ts';",
    "import { codeName } from './code.rules.ts';",
    "import { findUser } from '../identity/index.ts';",
    "import type { MailProvider } from '../../providers/mail/mail.port.ts';",
  ].join('\n'),
  'src/features/codes/code.repository.ts': [
    "import type { Code } from '../../generated/prisma/client.ts';",
    "import type { Tx } from '../../platform/database.ts';",
  ].join('\n'),
  'src/features/codes/code.rules.ts':
    "import { Type } from 'typebox';\nimport { newId } from '../../shared/ids.ts';\nimport { isDark } from '../../platform/qr-image/color.rules.ts';",
  'src/features/identity/index.ts': "export { findUser } from './user.ts';",
  'src/features/identity/user.ts': "import { newId } from '../../shared/ids.ts';",
  'src/features/scans/index.ts': "export * from './statistics/count.ts';",
  'src/features/scans/statistics/count.ts': '',
  'src/features/scans/reports/chart-library.ts': "import { init } from 'echarts/core';",
  'src/generated/prisma/client.ts': '',
  'src/platform/database.ts':
    "import pg from 'pg';\nimport { PrismaPg } from '@prisma/adapter-pg';\nimport { PrismaClient } from '../generated/prisma/client.ts';",
  'src/platform/jobs.ts': "import PgBoss from 'pg-boss';\nimport type { Database } from './database.ts';",
  'src/platform/qr-image/color.rules.ts': '',
  'src/providers/mail/mail.port.ts': '',
  'src/providers/mail/smtp-mail-provider.ts':
    "import nodemailer from 'nodemailer';\nimport type { MailProvider } from './mail.port.ts';",
  'src/shared/ids.ts': "import { randomBytes } from 'node:crypto';",
  'src/permissions.ts': "import { codesCatalogue } from './catalogue.ts';",
  'src/start/development.ts': [
    "import type { EmbeddedPostgres } from '@qr-profile-service/embedded-postgres';",
    "export type Options = import('@qr-profile-service/embedded-postgres').Options;",
    "export const load = () => import('@qr-profile-service/embedded-postgres');",
  ].join('\n'),
  'packages/clock/package.json': JSON.stringify({ name: 'clock', dependencies: { pg: '1' } }),
  'packages/clock/src/index.ts': "import pg from 'pg';\nimport { now } from './now.ts';",
  'packages/clock/src/now.ts': '',
};

/** Files that each violate one rule; separate files allow one run for all. */
const WRONG: { title: string; file: string; code: string; rules: string[] }[] = [
  {
    title: 'shared does not import Fastify, not even its types',
    file: 'src/shared/wrong-fastify.ts',
    code: "import type { FastifyInstance } from 'fastify';",
    rules: ['home-fastify'],
  },
  {
    title: 'an inline type import counts too',
    file: 'src/shared/wrong-type-import.ts',
    code: "export type Instance = import('fastify').FastifyInstance;",
    rules: ['home-fastify'],
  },
  {
    title: 'shared does not import Prisma',
    file: 'src/shared/wrong-prisma.ts',
    code: "import { PrismaPg } from '@prisma/adapter-pg';",
    rules: ['home-prisma'],
  },
  {
    title: 'shared imports no layer above it',
    file: 'src/shared/wrong-layer.ts',
    code: "export { openDatabase } from '../platform/database.ts';",
    rules: ['layer-shared'],
  },
  {
    title: 'shared does not import the catalogue of the service, not even its types',
    file: 'src/shared/wrong-catalogue.ts',
    code: "export type { codesCatalogue } from '../catalogue.ts';",
    rules: ['layer-shared'],
  },
  {
    title: 'the platform imports no feature',
    file: 'src/platform/wrong-layer.ts',
    code: "export const lazy = () => import('../features/codes/index.ts');",
    rules: ['layer-platform'],
  },
  {
    title: 'routes do not import the generated client',
    file: 'src/features/identity/wrong-generated.ts',
    code: "import type { Code } from '../../generated/prisma/client.ts';",
    rules: ['generated-client'],
  },
  {
    title: "a feature does not import another feature's routes",
    file: 'src/features/scans/wrong-routes.ts',
    code: "import {\n  codeRoutes,\n} from '../codes/codes.routes.ts';",
    rules: ['feature-index-only', 'routes-stay-in-their-feature'],
  },
  {
    title: 'a feature is imported by its index',
    file: 'src/features/scans/wrong-inside.ts',
    code: "import { findUser } from '../identity/user.ts';",
    rules: ['feature-index-only'],
  },
  {
    title: 'outside features a feature is imported by its index too',
    file: 'src/commands/wrong-inside.ts',
    code: "import { findUser } from '../features/identity/user.ts';",
    rules: ['feature-index-only-outside-features'],
  },
  {
    title: 'nothing inside a feature imports its routes',
    file: 'src/features/codes/wrong-routes.ts',
    code: "import { codeRoutes } from './codes.routes.ts';",
    rules: ['routes-stay-in-their-feature'],
  },
  {
    title: 'a feature imports only features before it in the list',
    file: 'src/features/identity/wrong-order.ts',
    code: "import { count } from '../scans/index.ts';",
    rules: ['feature-order-identity'],
  },
  {
    title: 'a feature that is not in the list is rejected',
    file: 'src/features/pets/index.ts',
    code: "export { newId } from '../../shared/ids.ts';\nexport { pet } from './pet.ts';",
    rules: ['feature-in-the-list'],
  },
  {
    title: 'no feature imports the composition of features',
    file: 'src/features/scans/wrong-composition.ts',
    code: "import { other } from '../wrong-composition.ts';",
    rules: ['feature-does-not-import-the-composition'],
  },
  {
    title: 'a feature does not import files outside the layers below it',
    file: 'src/features/identity/wrong-services.ts',
    code: "import type { Queues } from '../../queues.ts';",
    rules: ['layer-features'],
  },
  {
    title: 'the catalogue of a feature imports only shared',
    file: 'src/features/identity/catalogue.ts',
    code: "import type { Tx } from '../../platform/database.ts';",
    rules: ['feature-catalogue-is-data'],
  },
  {
    title: 'a feature imports the port of a provider, not its implementation',
    file: 'src/features/identity/wrong-provider.ts',
    code: "import { createSmtpMail } from '../../providers/mail/smtp-mail-provider.ts';",
    rules: ['layer-features'],
  },
  {
    title: "only a provider's implementation imports its SDK",
    file: 'src/features/identity/wrong-sdk.ts',
    code: "const mail = require('nodemailer');",
    rules: ['home-nodemailer'],
  },
  {
    title: 'resolving a package counts as importing it',
    file: 'src/features/identity/wrong-resolve.ts',
    code: "const path = require.resolve('nodemailer');",
    rules: ['home-nodemailer'],
  },
  {
    title: 'a loader of arbitrary packages is imported only in listed files',
    file: 'src/features/identity/wrong-loader.ts',
    code: "import { createRequire } from 'module';",
    rules: ['home-node-module'],
  },
  {
    title: 'one provider does not import another',
    file: 'src/providers/push/wrong-provider.ts',
    code: "import type { MailProvider } from '../mail/mail.port.ts';",
    rules: ['layer-providers'],
  },
  {
    title: 'rules do not import a repository',
    file: 'src/features/codes/wrong-repository.rules.ts',
    code: "import { findCode } from './code.repository.ts';",
    rules: ['suffix-rules'],
  },
  {
    title: 'rules do not import Fastify',
    file: 'src/features/codes/wrong-fastify.rules.ts',
    code: "import type { FastifyRequest } from 'fastify';",
    rules: ['suffix-rules-fastify'],
  },
  {
    title: 'schemas do not import the platform',
    file: 'src/features/codes/wrong-platform.schemas.ts',
    code: "import type { Tx } from '../../platform/database.ts';",
    rules: ['suffix-schemas'],
  },
  {
    title: 'schemas do not import Fastify',
    file: 'src/features/codes/wrong-fastify.schemas.ts',
    code: "import type { FastifySchema } from 'fastify';",
    rules: ['suffix-schemas-fastify'],
  },
  {
    title: 'a repository does not import providers',
    file: 'src/features/codes/wrong-provider.repository.ts',
    code: "import type { MailProvider } from '../../providers/mail/mail.port.ts';",
    rules: ['suffix-repository'],
  },
  {
    title: 'a repository does not import Fastify',
    file: 'src/features/codes/wrong-fastify.repository.ts',
    code: "import type { FastifyRequest } from 'fastify';",
    rules: ['suffix-repository-fastify'],
  },
  {
    title: 'a port does not import the platform',
    file: 'src/features/codes/wrong-platform.port.ts',
    code: "import type { Tx } from '../../platform/database.ts';",
    rules: ['suffix-port'],
  },
  {
    title: 'a port does not import Fastify',
    file: 'src/features/codes/wrong-fastify.port.ts',
    code: "import type { FastifyRequest } from 'fastify';",
    rules: ['suffix-port-fastify'],
  },
  {
    title: 'a package that is not installed is not imported',
    file: 'src/features/identity/wrong-unresolved.ts',
    code: "import { z } from 'no-such-package';",
    rules: ['import-resolves'],
  },
  {
    title: 'a package installed only for another package is not imported',
    file: 'src/features/identity/wrong-undeclared.ts',
    code: "import semver from 'acorn';",
    rules: ['package-is-declared'],
  },
  {
    title: 'a development dependency is not imported',
    file: 'src/features/identity/wrong-development.ts',
    code: "import type { BuildOptions } from 'esbuild';",
    rules: ['package-is-declared'],
  },
  {
    title: 'a package missing in production is not imported statically',
    file: 'src/start/wrong-eager.ts',
    code: "import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';",
    rules: ['own-packages-are-absent-in-production'],
  },
  {
    title: 'a package missing in production is imported only by startup steps',
    file: 'src/features/identity/wrong-own-package.ts',
    code: "import type { EmbeddedPostgres } from '@qr-profile-service/embedded-postgres';",
    rules: ['home-qr-profile-service'],
  },
  {
    title: 'a bundled library is imported only in its own file',
    file: 'src/features/scans/reports/wrong-chart.ts',
    code: "import { init } from 'echarts/core';",
    rules: ['home-echarts'],
  },
  {
    title: 'nothing is imported from outside src',
    file: 'src/shared/wrong-outside.ts',
    code: "import { helper } from '../../test/helper.ts';",
    rules: ['src-is-closed'],
  },
  {
    title: 'a folder without a layer is rejected',
    file: 'src/helpers/dates.ts',
    code: "import { newId } from '../shared/ids.ts';",
    rules: ['layer-of-its-own'],
  },
  {
    title: 'two files that import each other are a cycle, even if one imports only types',
    file: 'src/platform/cycle-a.ts',
    code: "import { b } from './cycle-b.ts';",
    rules: ['no-cycles'],
  },
  {
    title: 'a package does not import the service',
    file: 'packages/clock/src/wrong-service.ts',
    code: "import { newId } from '../../../src/shared/ids.ts';",
    rules: ['packages-import-nothing-of-src'],
  },
  {
    title: 'a package imports only what it declares',
    file: 'packages/clock/src/wrong-undeclared.ts',
    code: "import Fastify from 'fastify';",
    rules: ['package-of-packages-is-declared'],
  },
];

/** Files that the violating files import. */
const BESIDE_WRONG: Record<string, string> = {
  'src/features/pets/pet.ts': '',
  'src/features/wrong-composition.ts': '',
  'src/platform/cycle-b.ts': "import type { A } from './cycle-a.ts';",
  'src/queues.ts': '',
  'test/helper.ts': '',
};

t.test('a tree with allowed imports has no violations', async (t) => {
  t.same(await findViolations(t, IN_ORDER), []);
});

t.test('each rule reports its violation', async (t) => {
  const violatingFiles = Object.fromEntries(WRONG.map(({ file, code }) => [file, code]));
  const violations = await findViolations(t, { ...IN_ORDER, ...BESIDE_WRONG, ...violatingFiles });
  for (const { title, file, rules } of WRONG) {
    const brokenRules = violations.filter(({ from }) => from === file).map(({ rule }) => rule);
    t.same([...new Set(brokenRules)].sort(), rules.sort(), title);
  }
  const files = new Set(WRONG.map(({ file }) => file));
  t.same(
    violations.filter(({ from }) => !files.has(from)),
    [],
    'no other file has a violation',
  );
});

t.test('each rule has a violation in this test', async (t) => {
  const { default: config } = await import(CONFIG);
  const coveredRules = new Set(WRONG.flatMap(({ rules }) => rules).map(toFamily));
  const families = new Set<string>(config.forbidden.map(({ name }: { name: string }) => toFamily(name)));
  t.same(
    [...families].filter((family) => !coveredRules.has(family)),
    [],
  );
  for (const { comment, severity } of config.forbidden) {
    t.match(comment, /\.$/);
    t.equal(severity, 'error');
  }
});

t.test('each bundled library has one file that may import it', async (t) => {
  const { default: config } = await import(CONFIG);
  const homes = new Map<string, string>(
    config.forbidden.map((rule: { name: string; comment: string }) => [rule.name, rule.comment]),
  );
  for (const [file, libraries] of Object.entries(BUNDLED_LIBRARIES)) {
    if (file.startsWith('generated/')) continue;
    for (const library of libraries) {
      const name = `home-${library.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '')}`;
      t.ok(homes.get(name)?.endsWith(`/${file.split('/').at(-1)}.`), `${library} in ${file}`);
    }
  }
});

t.test('a computed import is rejected because it cannot be checked', async (t) => {
  const files = {
    'computed.ts': 'export const load = (name: string) => import(name);',
    'joined.ts': "export const load = (name: string) => import('./' + name);",
    'resolved.ts': "export const path = import.meta.resolve('pg');",
    'literal.ts': "export const load = () => import('./computed.ts');",
  };
  const root = t.testdir({ ...files, 'biome.json': JSON.stringify({ plugins: [PLUGIN] }) });
  const { stdout } = spawnSync(process.execPath, [BIOME, 'lint', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
  });
  t.match(stdout, /The check of imports cannot see this import/);
  const reported = Object.keys(files).filter((name) => stdout.includes(name));
  t.same(reported, ['computed.ts', 'joined.ts', 'resolved.ts']);
});

/** Treat the rules generated from a table as one. */
function toFamily(rule: string): string {
  return rule.replace(/^(layer|feature-order|home)-(?!of-its-own).*/, '$1');
}

async function findViolations(t: Tap, files: Record<string, string>) {
  const root = t.testdir({});
  for (const [path, code] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  await symlink(resolve('node_modules'), join(root, 'node_modules'), 'junction');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISER, 'src', 'packages/*/src', '--config', CONFIG, '--output-type', 'json'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
}

interface Violation {
  from: string;
  rule: { name: string };
}

type Tap = Pick<typeof t, 'testdir'>;
