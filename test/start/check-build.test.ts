import { execFile } from 'node:child_process';
import { cp, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { getTranspiledPath } from '../../scripts/testing/transpile.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const BUILT_AT = new Date('2026-01-01');
const LATER = new Date('2026-01-02');

/** Run a program of dist/ in a folder with a build and one source. */
async function runBuilt(t: Test, { changedAt, folders }: { changedAt: Date; folders: string[] }) {
  const folder = await createScratchFolder(t);
  for (const name of ['dist', ...folders]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await cp(getTranspiledPath('src/start/check-build.ts'), join(folder, 'dist/check-build.js'));
  await utimes(join(folder, 'dist/check-build.js'), BUILT_AT, BUILT_AT);
  for (const name of folders.filter((one) => one.startsWith('src'))) {
    await writeFile(join(folder, name, 'source.ts'), '');
    await utimes(join(folder, name, 'source.ts'), changedAt, changedAt);
  }
  const words = ['--import=./dist/check-build.js', '--eval', 'console.log("runs")'];
  return promisify(execFile)(process.execPath, words, { cwd: folder });
}

const CHECKOUT = ['src/features', 'node_modules/typescript'];

t.test('a command says that dist/ is older than a source, and runs', async (t) => {
  const { stdout, stderr } = await runBuilt(t, { changedAt: LATER, folders: CHECKOUT });
  t.equal(stdout, 'runs\n');
  t.equal(stderr, 'dist/ is older than src/features/source.ts. To rebuild it: npm run build\n');
});

t.test('it says nothing of a current build, of generated sources, and in a production install', async (t) => {
  for (const options of [
    { changedAt: BUILT_AT, folders: CHECKOUT },
    { changedAt: LATER, folders: ['src/generated/prisma', 'node_modules/typescript'] },
    { changedAt: LATER, folders: ['src/features'] },
    { changedAt: LATER, folders: ['node_modules/typescript'] },
  ])
    t.same(await runBuilt(t, options), { stdout: 'runs\n', stderr: '' }, options.folders.join());
});

t.test('without dist/ a command names the one that makes it', async (t) => {
  const folder = await createScratchFolder(t);
  await mkdir(join(folder, 'scripts'));
  await cp('scripts/run-built.mjs', join(folder, 'scripts/run-built.mjs'));
  await cp('package.json', join(folder, 'package.json'));
  const run = promisify(execFile)('npm', ['run', '--silent', 'doctor'], { cwd: folder });
  await t.rejects(run, { code: 78, stderr: 'There is no dist/: run npm run build.\n' });
});
