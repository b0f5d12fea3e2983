import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkImports, formatViolation } from '../../scripts/check-imports.ts';
import { findCycles } from '../../scripts/imports/find-cycles.ts';
import { readImports } from '../../scripts/imports/read-imports.ts';
import { t } from '../tap.ts';

const DEPENDENCIES = ['fastify', 'pg', 'pg-boss', 'nodemailer', 'sharp', '@prisma/client', 'typebox'];

/** A tree in which each layer imports what it may. */
const IN_ORDER: Record<string, string> = {
  'server.ts': "import { buildApp } from './app.ts';\nimport { createServices } from './services.ts';",
  'app.ts': "import Fastify from 'fastify';\nimport { petRoutes } from './features/pets/pets.routes.ts';",
  'services.ts': "import { createSmtpMail } from './providers/mail/smtp-mail-provider.ts';",
  'features/pets/pets.routes.ts': [
    "import type { FastifyInstance } from 'fastify';",
    "import { findPet } from './pet.repository.ts';",
    "import { petName } from './pet.rules.ts';",
    "import { personOf } from '../people/person.ts';",
    "import type { Mail } from '../../providers/mail/mail.port.ts';",
  ].join('\n'),
  'features/pets/pet.repository.ts': [
    "import type { Pet } from '../../generated/prisma/client.ts';",
    "import type { Tx } from '../../platform/database.ts';",
  ].join('\n'),
  'features/pets/pet.rules.ts':
    "import { Type } from 'typebox';\nimport { newId } from '../../shared/ids.ts';",
  'features/people/person.ts': "import { newId } from '../../shared/ids.ts';",
  'platform/database.ts':
    "import pg from 'pg';\nimport { PrismaClient } from '../generated/prisma/client.ts';",
  'platform/jobs.ts': "import PgBoss from 'pg-boss';\nimport type { Database } from './database.ts';",
  'providers/mail/mail.port.ts': '',
  'providers/mail/smtp-mail-provider.ts':
    "import nodemailer from 'nodemailer';\nimport type { Mail } from './mail.port.ts';",
  'shared/ids.ts': "import { randomBytes } from 'node:crypto';",
};

t.test('A tree whose imports go one way is in order', async (t) => {
  t.same(await violationsOf(t, {}), []);
});

const WRONG: { title: string; file: string; code: string; expect: RegExp }[] = [
  {
    title: 'Shared does not know Fastify, not even its types',
    file: 'shared/ids.ts',
    code: "// ids\nimport type { FastifyInstance } from 'fastify';",
    expect: /^src\/shared\/ids\.ts:2 imports fastify: fastify is imported only in app\.ts/,
  },
  {
    title: 'Shared does not know Prisma',
    file: 'shared/ids.ts',
    code: "import { Prisma } from '@prisma/client';",
    expect: /^src\/shared\/ids\.ts:1 imports @prisma\/client: @prisma\/client is imported only/,
  },
  {
    title: 'Shared imports nothing above it',
    file: 'shared/ids.ts',
    code: "export { openDatabase } from '../platform/database.ts';",
    expect: /^src\/shared\/ids\.ts:1 .*: shared\/ imports only shared\//,
  },
  {
    title: 'The platform imports no feature',
    file: 'platform/jobs.ts',
    code: "export const lazy = () => import('../features/pets/pet.rules.ts');",
    expect: /^src\/platform\/jobs\.ts:1 .*: platform\/ imports only/,
  },
  {
    title: 'Routes do not import the generated client',
    file: 'features/people/person.routes.ts',
    code: "import type { Pet } from '../../generated/prisma/client.ts';",
    expect: /^src\/features\/people\/person\.routes\.ts:1 .*: only repositories and platform\/database\.ts/,
  },
  {
    title: "A feature does not import another feature's routes",
    file: 'features/people/person.routes.ts',
    code: "import {\n  petRoutes,\n} from '../pets/pets.routes.ts';",
    expect: /^src\/features\/people\/person\.routes\.ts:3 .*: only app\.ts imports routes/,
  },
  {
    title: 'A feature does not import what puts it together',
    file: 'features/people/person.ts',
    code: "import type { Services } from '../../services.ts';",
    expect: /^src\/features\/people\/person\.ts:1 .*: features\/ imports only/,
  },
  {
    title: 'A feature knows the port of a provider, not what is behind it',
    file: 'features/people/person.ts',
    code: "import { createSmtpMail } from '../../providers/mail/smtp-mail-provider.ts';",
    expect: /^src\/features\/people\/person\.ts:1 .*: features\/ imports only .*port\.ts/,
  },
  {
    title: "Only a provider's own implementation imports its SDK",
    file: 'features/people/person.ts',
    code: "const mail = createRequire(import.meta.url)('nodemailer');",
    expect:
      /^src\/features\/people\/person\.ts:1 imports nodemailer: nodemailer is imported only in providers\/mail\//,
  },
  {
    title: 'What could load any package has its places too',
    file: 'features/people/person.ts',
    code: "import { createRequire } from 'module';",
    expect: /^src\/features\/people\/person\.ts:1 imports module: node:module is imported only/,
  },
  {
    title: 'One provider does not import another',
    file: 'providers/push/local-push.ts',
    code: "import type { Mail } from '../mail/mail.port.ts';",
    expect: /^src\/providers\/push\/local-push\.ts:1 .*: providers\/ imports only/,
  },
  {
    title: 'Rules are pure: they read no rows',
    file: 'features/pets/pet.rules.ts',
    code: "import { findPet } from './pet.repository.ts';",
    expect: /^src\/features\/pets\/pet\.rules\.ts:1 .*: a file \.rules\.ts never imports \*\.repository\.ts/,
  },
  {
    title: 'A repository does not know Fastify',
    file: 'features/pets/pet.repository.ts',
    code: "import type { FastifyRequest } from 'fastify';",
    expect: /^src\/features\/pets\/pet\.repository\.ts:1 .*: a file \.repository\.ts never imports fastify/,
  },
  {
    title: 'A package that is nobody’s dependency is not imported',
    file: 'features/people/person.ts',
    code: "import { z } from 'zod';",
    expect: /^src\/features\/people\/person\.ts:1 imports zod: zod is not among the dependencies/,
  },
  {
    title: 'A package that production does not have is not loaded with the file',
    file: 'start/open-database.ts',
    code: "import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';",
    expect:
      /^src\/start\/open-database\.ts:1 .*: @qr-profile-service\/embedded-postgres is absent in production/,
  },
  {
    title: 'A package that production does not have is imported by the steps of a start alone',
    file: 'features/people/person.ts',
    code: "import type { EmbeddedPostgres } from '@qr-profile-service/embedded-postgres';",
    expect: /^src\/features\/people\/person\.ts:1 .* is imported only in start\//,
  },
  {
    title: 'A library that the build bundles is imported in its one file alone',
    file: 'features/reports/report-charts.ts',
    code: "import { init } from 'echarts/core';",
    expect:
      /^src\/features\/reports\/report-charts\.ts:1 .*: echarts is imported only in features\/reports\/chart-library\.ts/,
  },
  {
    title: 'A computed import is not allowed, since it cannot be checked',
    file: 'features/people/person.ts',
    code: 'export const load = (name: string) => import(name);',
    expect: /^src\/features\/people\/person\.ts:1 imports \(computed\)/,
  },
  {
    title: 'Nothing is imported from outside src',
    file: 'shared/ids.ts',
    code: "import { startApp } from '../../test/helper.ts';",
    expect: /^src\/shared\/ids\.ts:1 .*: src imports nothing of this project outside src/,
  },
  {
    title: 'A folder without a layer is refused until it has one',
    file: 'helpers/dates.ts',
    code: "import { newId } from '../shared/ids.ts';",
    expect: /^src\/helpers\/dates\.ts:1 .*: helpers\/ is in no layer/,
  },
  {
    title: 'Two files that import each other are a cycle',
    file: 'platform/database.ts',
    code: "import pg from 'pg';\nimport { createJobs } from './jobs.ts';",
    expect:
      /^src\/platform\/database\.ts:2 .*: no cycles: platform\/database\.ts → platform\/jobs\.ts → platform\/database\.ts/,
  },
];

for (const { title, file, code, expect } of WRONG) {
  t.test(title, async (t) => {
    const violations = await violationsOf(t, { [file]: code });
    t.equal(violations.length, 1);
    t.match(violations[0], expect);
  });
}

t.test('A package may be loaded on first use, and its types may be used', async (t) => {
  const code = [
    "import type { Cluster } from '@qr-profile-service/embedded-postgres';",
    "export const load = () => import('@qr-profile-service/embedded-postgres');",
  ].join('\n');
  t.same(await violationsOf(t, { 'start/open-database.ts': code }), []);
});

t.test('A package imports neither the service nor what it does not declare', async (t) => {
  const root = t.testdir({
    'package.json': '{}',
    src: { 'server.ts': '' },
    packages: {
      clock: {
        'package.json': '{"dependencies":{"pg":"1.0.0"}}',
        src: {
          'index.ts':
            "import pg from 'pg';\nimport { html } from '../../../src/shared/html.ts';\nimport 'zod';",
        },
      },
    },
  });
  t.same((await checkImports(root)).map(formatViolation), [
    'packages/clock/src/index.ts:2 imports ../../../src/shared/html.ts: a package imports nothing of this project outside its src',
    "packages/clock/src/index.ts:3 imports zod: zod is not among the dependencies of the package's package.json",
  ]);
});

t.test('An empty tree is an error, not a success', async (t) => {
  const root = t.testdir({ 'package.json': '{}', src: {} });
  await t.rejects(checkImports(root), /no sources/);
});

t.test('Every form of import is read, with the line of its name', async (t) => {
  const source = [
    "import a from 'a'; export * from 'b';",
    'import {',
    "  c, // it's c",
    '} from "c";',
    "import 'd';",
    "type E = import('e').E;",
    "const f = await import('f');",
    "const g = require.resolve('g');",
    'const h = import.meta.resolve(`h`);',
    "const i = createRequire(import.meta.url).resolve('i');",
    'const j = import(`./$' + '{name}.ts`);',
    "const text = Array.from('not one');",
  ].join('\n');
  const found = readImports(source);
  t.same(
    found.map(({ line, specifier }) => `${line} ${specifier}`),
    ['1 a', '1 b', '4 c', '5 d', '6 e', '7 f', '8 g', '9 h', '10 i', '11 null'],
  );
  t.same(
    found.filter(({ isEager }) => isEager).map(({ specifier }) => specifier),
    ['a', 'b', 'c', 'd', 'g', 'i'],
    'those that are loaded with the file',
  );
});

t.test('Cycles are found through several files, and none where branches meet', async (t) => {
  const meeting = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', []],
  ]);
  t.same(findCycles(meeting), []);
  const round = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
  ]);
  t.same(findCycles(round), [['b', 'c', 'b']]);
});

async function violationsOf(t: Tap, changes: Record<string, string>): Promise<string[]> {
  const root = t.testdir({});
  const files = { ...IN_ORDER, ...changes };
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, '1.0.0'])) }),
  );
  for (const [path, code] of Object.entries(files)) {
    const file = join(root, 'src', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  return (await checkImports(root)).map(formatViolation);
}

type Tap = Pick<typeof t, 'testdir'>;
