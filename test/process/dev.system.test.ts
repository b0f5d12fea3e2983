import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createScratchFolder, retryUntilSuccess, waitForExit } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { killQuietly } from './service-process.ts';

const ROOT = process.cwd();
const LIMIT_MS = 120_000;
const DATABASE_URL = 'postgresql://app@localhost/app';

interface DevProcess {
  child: ChildProcess;
  output(): string;
  waitFor(pattern: RegExp): Promise<string>;
}

function startDev(t: Test, folder: string, environment: Record<string, string> = {}): DevProcess {
  const words = [`--import=${import.meta.resolve('tsx')}`, join(ROOT, 'scripts/dev.ts')];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    // With another database than the embedded one there is nothing to start before the service.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let readLength = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  t.teardown(async () => {
    child.kill('SIGTERM');
    await waitForExit(child);
    for (const pid of await processesIn(folder)) killQuietly(pid, 'SIGKILL');
  });
  return {
    child,
    output: () => text,
    waitFor: (pattern) =>
      retryUntilSuccess(async () => {
        const match = pattern.exec(text.slice(readLength));
        if (!match) throw new Error(`${pattern} is not in what was written:\n${text}`);
        readLength += match.index + match[0].length;
        return match[0];
      }, LIMIT_MS),
  };
}

/** Processes whose working folder is the folder or below it (Linux). */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const path = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (path === folder || path.startsWith(`${folder}/`)) found.push(Number(pid));
  }
  return found;
}

const SERVICE = (version: string) => `
  import { rmSync, writeFileSync } from 'node:fs';
  // Before the lock, which a signal between the two would leave behind.
  process.on('SIGTERM', () => {
    setTimeout(() => {
      rmSync('lock');
      console.log('stopped ${version}');
      process.exit();
    }, 500);
  });
  writeFileSync('lock', '', { flag: 'wx' });
  console.log('started ${version}', process.env.SETTING ?? '');
  setInterval(() => {}, 1_000);`;

async function projectFolder(t: Test): Promise<string> {
  const folder = await createScratchFolder(t);
  for (const path of ['prisma', 'src/start', 'src/generated/prisma', 'test', 'bench', 'scripts', 'packages'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'prisma/schema.prisma'), '');
  await writeFile(join(folder, 'src/generated/prisma/client.ts'), '');
  await writeFile(
    join(folder, 'src/start/env-file.ts'),
    await readFile(join(ROOT, 'src/start/env-file.ts'), 'utf8'),
  );
  await writeFile(join(folder, 'src/server.ts'), SERVICE('one'));
  return folder;
}

t.test('a change restarts the service; many quick ones leave the last version running', async (t) => {
  const folder = await projectFolder(t);
  const dev = startDev(t, folder);
  await dev.waitFor(/started one/);
  for (const version of ['two', 'three', 'four', 'five', 'six']) {
    await writeFile(join(folder, 'src/server.ts'), SERVICE(version));
    await new Promise((done) => setTimeout(done, 150));
  }
  await dev.waitFor(/restarting: src\/server\.ts changed[\s\S]*stopped one[\s\S]*started six/);
  // A version that was read while it was written may be empty, and ends with 0.
  t.notMatch(dev.output(), /EEXIST|exit code 1/, 'never two at once');
  dev.child.kill('SIGINT');
  t.equal(await waitForExit(dev.child), 0);
  t.match(dev.output(), /stopped six\n$/, 'Ctrl-C waits for the shutdown of the service');
});

t.test('waits for the next change after an error in a file', async (t) => {
  const folder = await projectFolder(t);
  const dev = startDev(t, folder);
  await dev.waitFor(/started one/);
  await writeFile(join(folder, 'src/server.ts'), 'const = ;');
  await dev.waitFor(/src\/server\.ts: .*; waiting for a change/);
  await writeFile(join(folder, 'src/server.ts'), 'process.exit(3);');
  await dev.waitFor(/the service ended with exit code 3; waiting for a change/);
  await writeFile(join(folder, 'src/server.ts'), SERVICE('two'));
  await dev.waitFor(/started two/);
});

t.test('reads .env and restarts the service when it changes', async (t) => {
  const folder = await projectFolder(t);
  const dev = startDev(t, folder);
  await dev.waitFor(/started one/);
  await writeFile(join(folder, '.env'), 'SETTING=first\n');
  await dev.waitFor(/started one first/);
  await writeFile(join(folder, '.env'), 'SETTING=second\n');
  await dev.waitFor(/restarting: \.env changed[\s\S]*started one second/);
});

t.test('editor backups and other files do not restart the service', async (t) => {
  const folder = await projectFolder(t);
  const dev = startDev(t, folder);
  await dev.waitFor(/started one/);
  for (const name of ['server.ts~', '.server.ts.swp', '.#server.ts', 'notes.md'])
    await writeFile(join(folder, 'src', name), SERVICE('none'));
  await writeFile(join(folder, 'src/start/other.ts'), '');
  t.equal(await dev.waitFor(/restarting: .* changed/), 'restarting: src/start/other.ts changed');
});

t.test('the service restarts on the same database server, writes JSON and leaves no process', async (t) => {
  const folder = await createScratchFolder(t);
  // As root, the embedded server runs as another user, who needs access to the data folder.
  await chmod(folder, 0o711);
  for (const name of ['src', 'locales', 'prisma', 'prisma.config.ts', 'package.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const port = await findFreePort();
  for (const path of ['test', 'bench', 'scripts', 'packages']) await mkdir(join(folder, path));
  const dev = startDev(t, folder, { PORT: String(port), BCRYPT_COST: '4', DATABASE_URL: '' });
  const isReady = async () => {
    const answer = await fetch(`http://localhost:${port}/api/health/ready`);
    if (!answer.ok) throw new Error(`/api/health/ready answered ${answer.status}`);
  };
  await dev.waitFor(/"msg":"database: /);
  await isReady();
  const readPostmaster = () => readFile(join(folder, '.data/postgres/postmaster.pid'), 'utf8');
  const postmaster = await readPostmaster();
  const now = new Date();
  await utimes(join(folder, 'src/app.ts'), now, now);
  await dev.waitFor(/restarting: src\/app\.ts changed[\s\S]*"msg":"stopped"[\s\S]*"msg":"database: /);
  await isReady();
  t.equal(await readPostmaster(), postmaster, 'PostgreSQL runs on');
  dev.child.kill('SIGTERM');
  t.equal(await waitForExit(dev.child), 0);
  t.same(await processesIn(folder), [], 'no process is left');
  const locks = (await readdir(join(folder, '.data'))).filter((name) => name.endsWith('.sock'));
  t.same(locks, [], 'the data folder is not locked');
  for (const line of dev.output().trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), line);
});
