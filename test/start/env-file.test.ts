import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { getTranspiledPath } from '../../scripts/testing/transpile.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const PRELOAD = `--import=${resolve(getTranspiledPath('src/start/env-file.ts'))}`;
const PRINT = 'console.log(JSON.stringify([process.env.FROM_FILE, process.env.FROM_BOTH]))';

/** Values of two variables in a program that runs after `.env` was loaded in its folder. */
async function readVariables(folder: string, environment: Record<string, string> = {}, program = PRINT) {
  const env = { PATH: process.env.PATH, ...environment };
  await writeFile(join(folder, 'program.mjs'), program);
  const words = [PRELOAD, 'program.mjs'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, env });
  return JSON.parse(stdout);
}

async function folderWithEnvFile(t: Test): Promise<string> {
  const folder = await createScratchFolder(t);
  await writeFile(join(folder, '.env'), 'FROM_FILE="from the file"\nFROM_BOTH=file\n# FROM_BOTH=comment\n');
  return folder;
}

t.test('.env sets what the environment does not', async (t) => {
  const folder = await folderWithEnvFile(t);
  t.same(await readVariables(folder), ['from the file', 'file']);
  t.same(await readVariables(folder, { FROM_BOTH: 'environment' }), ['from the file', 'environment']);
  t.same(
    await readVariables(folder, { FROM_BOTH: '' }),
    ['from the file', ''],
    'an empty variable stays empty',
  );
});

t.test('accepts a folder without .env', async (t) => {
  t.same(await readVariables(await createScratchFolder(t)), [null, null]);
});

t.test('fails when .env is not a file', async (t) => {
  const folder = await createScratchFolder(t);
  await mkdir(join(folder, '.env'));
  await t.rejects(readVariables(folder), /\.env/);
});

t.test('threads and child processes with their own environment do not read .env', async (t) => {
  const folder = await folderWithEnvFile(t);
  await writeFile(
    join(folder, 'child.mjs'),
    `import { parentPort } from 'node:worker_threads';
     const known = [process.env.FROM_FILE ?? null];
     if (parentPort) parentPort.postMessage(known);
     else process.send(known, () => process.disconnect());`,
  );
  const program = `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    const [thread] = await once(new Worker('./child.mjs', { env: {} }), 'message');
    const [child] = await once(fork('./child.mjs', { env: {} }), 'message');
    console.log(JSON.stringify({ thread, child }));`;
  t.same(await readVariables(folder, {}, program), { thread: [null], child: [null] });
});

t.test('npm scripts run programs of dist/ with .env and with the words of the command line', async (t) => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [name, script] of Object.entries(scripts)) t.notMatch(script, /node .*dist\//, name);
  const folder = await folderWithEnvFile(t);
  await mkdir(join(folder, 'dist/start'), { recursive: true });
  for (const name of ['env-file', 'check-build'])
    await cp(getTranspiledPath(`src/start/${name}.ts`), join(folder, `dist/start/${name}.js`));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const program = 'console.log(JSON.stringify([process.env.FROM_FILE, ...process.argv.slice(1)]))';
  await writeFile(join(folder, 'dist/program.js'), program);
  const words = [resolve('scripts/run-built.mjs'), 'program.js', '--lan'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder });
  t.same(JSON.parse(stdout), ['from the file', join(folder, 'dist/program.js'), '--lan']);
});
