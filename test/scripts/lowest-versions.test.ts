import { readFile } from 'node:fs/promises';
import { t } from '../tap.ts';

/** Lowest version of each package without a published advisory. */
const LOWEST: Record<string, string> = {
  fastify: '5.8.5',
  '@fastify/static': '9.1.1',
  '@fastify/middie': '9.3.3',
  '@fastify/express': '4.0.7',
  'fast-jwt': '6.1.1',
  nodemailer: '10.0.0',
};
const NEEDED = ['fastify', '@fastify/static', 'fast-jwt', 'nodemailer'];

interface Lock {
  packages: Record<string, { version?: string }>;
}

t.test('no installed package is older than its advisories allow', async (t) => {
  const lock: Lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const names = new Set<string>();
  for (const [path, { version = '' }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    const lowest = LOWEST[name];
    if (lowest === undefined) continue;
    names.add(name);
    t.ok(isAtLeast(version, lowest), `${path} ${version} is ${lowest} or newer`);
  }
  for (const name of NEEDED) t.ok(names.has(name), `${name} is in the lock file`);
});

t.test('versions are compared by number, and a pre-release is older than its release', async (t) => {
  t.ok(isAtLeast('10.0.0', '9.1.1'));
  t.ok(isAtLeast('9.1.1', '9.1.1'));
  t.notOk(isAtLeast('9.1.0', '9.1.1'));
  t.notOk(isAtLeast('5.10.0', '6.1.1'));
  t.notOk(isAtLeast('9.1.1-rc.1', '9.1.1'));
});

function isAtLeast(version: string, lowest: string): boolean {
  const [numbers = '', preRelease] = version.split('-');
  const order = numbers.localeCompare(lowest, 'en', { numeric: true });
  return order > 0 || (order === 0 && preRelease === undefined);
}
