import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { setMinTaskTimeout } from '../../src/platform/task-timeout.ts';
import { createWorkerThread } from '../../src/platform/worker-thread.ts';
import { waitForFirstLine } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getSiblingScriptPath } from '../transpiled-scripts.ts';
import type { ThreadTask } from './tasks.thread.ts';

function startThread(t: Test, taskTimeoutMs = 60_000) {
  const thread = createWorkerThread<ThreadTask, unknown>('./tasks.thread', import.meta.url, taskTimeoutMs);
  t.teardown(() => thread.close());
  return thread;
}

const previousMin = setMinTaskTimeout(60_000);
t.teardown(() => setMinTaskTimeout(previousMin));

const BUSY = { code: 'BUSY', statusCode: 503, retryAfterSeconds: 1 };

t.test('returns each task its own result, and throws its error to the caller', async (t) => {
  const thread = startThread(t);
  const tasks = Array.from({ length: 50 }, (_, of) => thread.run({ operation: 'double', of }));
  const wrong = thread.run({ operation: 'throw' });
  await t.rejects(wrong, { name: 'RangeError', message: 'not so' });
  t.same(
    await Promise.all(tasks),
    Array.from({ length: 50 }, (_, of) => of * 2),
  );
  const bytes = await thread.run({ operation: 'bytes', many: 100_000 });
  t.ok(bytes instanceof Uint8Array && bytes.length === 100_000 && bytes.every((byte) => byte === 7));
  const settings = (await thread.run({ operation: 'settings' })) as string[];
  const exposedNames = settings.filter((name) => !name.startsWith('_TAPJS_'));
  t.same(exposedNames, [], 'it has no secrets of the process');
});

t.test('a thread that exits fails its tasks with BUSY, and the next task starts a new one', async (t) => {
  const thread = startThread(t);
  for (let time = 0; time < 3; time += 1) {
    const tasks = [thread.run({ operation: 'exit' }), thread.run({ operation: 'double', of: 1 })];
    for (const task of tasks) await t.rejects(task, { ...BUSY, cause: { message: 'The thread ended.' } });
    t.equal(await thread.run({ operation: 'double', of: 4 }), 8);
  }
});

t.test('a hanging task is ended and delays no other', async (t) => {
  const thread = startThread(t, 100);
  t.equal(await thread.run({ operation: 'double', of: 1 }), 2);
  setMinTaskTimeout(0);
  const tasks = [thread.run({ operation: 'hang' }), thread.run({ operation: 'double', of: 1 })];
  setMinTaskTimeout(60_000);
  for (const task of tasks) await t.rejects(task, BUSY);
  t.equal(await thread.run({ operation: 'double', of: 5 }), 10);
});

t.test('a closed thread ends active tasks and accepts no more', async (t) => {
  const thread = startThread(t);
  const task = thread.run({ operation: 'hang' });
  const refused = t.rejects(task, BUSY);
  await thread.close();
  await refused;
  await t.rejects(thread.run({ operation: 'double', of: 1 }), BUSY);
  await thread.close();
});

t.test('fails with BUSY and without an unhandled error for an invalid thread file', async (t) => {
  const thread = createWorkerThread('./absent.thread', import.meta.url, 60_000);
  await t.rejects(thread.run({}), BUSY);
  await thread.close();
});

t.test('a process exits although it has a thread', async (t) => {
  const script = getSiblingScriptPath(import.meta.url, 'thread-process');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  t.equal(await waitForFirstLine(child), '42');
  t.same(await ended, [0, null]);
});
