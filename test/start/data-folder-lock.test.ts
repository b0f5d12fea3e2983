import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderInUseError, lockDataFolder } from '../../src/start/data-folder-lock.ts';
import { createScratchFolder, startScript, waitForExit, waitForFirstLine } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getSiblingScriptPath } from '../transpiled-scripts.ts';

const SCRIPT = getSiblingScriptPath(import.meta.url, 'lock-process');

t.test('rejects a second lock with the id of its owner, and locks again after release', async (t) => {
  const folder = await createScratchFolder(t);
  const lock = await lockDataFolder(folder);
  const error = await refusal(folder);
  t.ok(error instanceof DataFolderInUseError);
  t.match(error, { pid: process.pid, message: folder });
  await lock.release();
  const again = await lockDataFolder(folder);
  await again.release();
  t.same(await readdir(folder), [], 'nothing is left behind');
});

t.test('creates a missing folder', async (t) => {
  const folder = join(await createScratchFolder(t), 'a', 'b');
  const lock = await lockDataFolder(folder);
  t.equal((await readdir(folder)).length, 1);
  await lock.release();
});

t.test('names the owning process, and kill -9 releases the lock', async (t) => {
  const folder = await createScratchFolder(t);
  const owner = startScript(t, SCRIPT, folder);
  t.equal(await waitForFirstLine(owner), `held ${owner.pid}`);
  t.match(await refusal(folder), { pid: owner.pid });
  owner.kill('SIGKILL');
  await waitForExit(owner);
  t.equal((await readdir(folder)).length, 1, 'the dead left its socket');
  const lock = await lockDataFolder(folder);
  await lock.release();
  t.same(await readdir(folder), []);
});

t.test('a stopped process keeps the lock', async (t) => {
  const folder = await createScratchFolder(t);
  const owner = startScript(t, SCRIPT, folder);
  await waitForFirstLine(owner);
  owner.kill('SIGSTOP');
  t.match(await refusal(folder), { pid: owner.pid });
});

t.test('exactly one of eight parallel processes gets the lock', async (t) => {
  for (const round of [1, 2]) {
    const folder = await createScratchFolder(t);
    const starters = Array.from({ length: 8 }, () => startScript(t, SCRIPT, folder));
    const lines = await Promise.all(starters.map(waitForFirstLine));
    t.equal(lines.filter((line) => line.startsWith('held')).length, 1, `round ${round}`);
    for (const line of lines) t.match(line, /^(held|refused) \d+$/);
    for (const starter of starters) starter.kill('SIGKILL');
  }
});

t.test('exactly one of many attempts in one process gets the lock', async (t) => {
  const folder = await createScratchFolder(t);
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)));
  const locks = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  t.equal(locks.length, 1);
  for (const attempt of attempts) {
    if (attempt.status === 'rejected') t.ok(attempt.reason instanceof DataFolderInUseError);
  }
  await Promise.all(locks.map((lock) => lock.release()));
});

t.test('locks a folder whose path is longer than a socket path', async (t) => {
  const folder = join(await createScratchFolder(t), 'x'.repeat(120), 'y'.repeat(60));
  await mkdir(folder, { recursive: true });
  const lock = await lockDataFolder(folder);
  t.match(await refusal(folder), { pid: process.pid });
  await lock.release();
  t.same(await readdir(folder), []);
});

// The error of a lock attempt; the lock itself where it wrongly succeeds.
function refusal(folder: string): Promise<unknown> {
  return lockDataFolder(folder).catch((error: unknown) => error);
}
