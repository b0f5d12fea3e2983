import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '../tap.ts';
import { getNodeArguments, getSiblingScriptPath } from '../transpiled-scripts.ts';

const SCRIPT = getSiblingScriptPath(import.meta.url, 'shutdown-process');

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  t.test(`${signal} closes what was opened last first, and exits with 0`, async (t) => {
    const { code, lines } = await run('plain', [signal]);
    t.equal(code, 0);
    t.match(lines, [
      'up',
      `stopping: ${signal}`,
      'told',
      'third opened: closed',
      'second opened: closed',
      'first opened: closed',
      'stopped',
    ]);
  });
}

t.test('requests are served for the configured time before the first phase', async (t) => {
  const { code, lines } = await run('delayed', ['SIGTERM']);
  t.equal(code, 0);
  t.match(lines, [
    'up',
    'stopping: SIGTERM',
    'told',
    'a request is served',
    'third opened: closed',
    'second opened: closed',
    'first opened: closed',
    'stopped',
  ]);
});

t.test('a slow phase does not block the next', async (t) => {
  const { code, lines } = await run('late', ['SIGTERM']);
  t.equal(code, 0);
  t.match(lines.slice(-3), ['second opened: not closed in time', 'first opened: closed', 'stopped']);
});

t.test('a failing phase does not block the next', async (t) => {
  const { code, lines } = await run('failing', ['SIGTERM']);
  t.equal(code, 0);
  t.match(lines.join('\n'), /second opened: failed to close[\s\S]*no use/);
  t.match(lines.slice(-2), ['first opened: closed', 'stopped']);
});

t.test('a second signal ends the process at once', async (t) => {
  const { code, lines } = await run('slow', ['SIGTERM', 'SIGTERM']);
  t.equal(code, 1);
  t.match(lines.at(-1), 'SIGTERM again: stopped immediately');
});

t.test('one Ctrl-C that arrives twice counts once', async (t) => {
  const { code, lines } = await run('twice at once', []);
  t.equal(code, 0);
  t.equal(lines.at(-1), 'stopped {}');
});

for (const way of ['exception', 'rejection']) {
  t.test(`an uncaught ${way} closes all phases and exits with 1`, async (t) => {
    const { code, lines } = await run(way, []);
    t.equal(code, 1);
    t.match(lines[1], 'stopping after an error');
    t.match(lines.slice(-2), ['first opened: closed', 'stopped']);
  });
}

t.test('the process can start its own shutdown', async (t) => {
  const { code, lines } = await run('inside', []);
  t.equal(code, 0);
  t.match(lines[1], 'stopping: work is done');
});

t.test('rejects phases that could take more than ten seconds together', async (t) => {
  const { code, lines } = await run('too much', []);
  t.equal(code, 1);
  t.match(lines.join('\n'), /stopping after an error[\s\S]*10000/);
});

// Run the script and send signals half a second or more apart. @returns its output
async function run(
  way: string,
  signals: NodeJS.Signals[],
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [...getNodeArguments(SCRIPT), way], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const up = new Promise<void>((done) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('up\n')) done();
    });
  });
  const code = new Promise<number | null>((done) => child.once('close', done));
  await up;
  for (const signal of signals) {
    child.kill(signal);
    await sleep(signals.length > 1 ? 700 : 0);
  }
  return { code: await code, lines: text.trim().split('\n') };
}
