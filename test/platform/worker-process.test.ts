import { setTimeout as wait } from 'node:timers/promises';
import { setMinTaskTimeout } from '../../src/platform/task-timeout.ts';
import { createWorkerProcess } from '../../src/platform/worker-process.ts';
import { t } from '../tap.ts';
import type { EchoTask } from './echo.process.ts';

const { run } = createWorkerProcess<EchoTask, unknown>('./echo.process', import.meta.url, 100);
// Other tasks than those that hang wait for the start of the process.
const previousMin = setMinTaskTimeout(60_000);
t.teardown(() => setMinTaskTimeout(previousMin));

const BUSY = { code: 'BUSY', statusCode: 503 };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

t.test('runs tasks in parallel and transfers bytes unchanged', async (t) => {
  const bytes = Buffer.alloc(3_000_000, 'picture');
  const answers = await Promise.all(Array.from({ length: 5 }, () => run({ text: bytes })));
  for (const answer of answers) t.ok(bytes.equals(answer as Uint8Array));
  await t.rejects(run({ fail: 'The work cannot be done.' }), { message: 'The work cannot be done.' });
});

t.test('the process does not inherit the settings', async (t) => {
  process.env.JWT_SECRET = 'secret';
  const { keys } = (await run({ environment: true })) as { keys: string[] };
  t.notOk(keys.includes('JWT_SECRET') || keys.includes('DATABASE_URL'));
});

t.test('a crash or hang fails the active tasks, and the next task starts a new process', async (t) => {
  const { pid } = (await run({ environment: true })) as { pid: number };
  const ended = run({ hang: true });
  await Promise.all([t.rejects(ended, BUSY), t.rejects(run({ end: true }), BUSY)]);
  const next = (await run({ environment: true })) as { pid: number };
  t.not(next.pid, pid);
  setMinTaskTimeout(0);
  const hanging = run({ hang: true });
  setMinTaskTimeout(60_000);
  await t.rejects(hanging, BUSY, 'after its time');
  while (isRunning(next.pid)) await wait(20);
  t.ok(await run({ text: Buffer.from('x') }));
});
