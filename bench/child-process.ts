import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { runWithCleanUp } from './run-with-clean-up.ts';

/** Runs a file of bench/ in a process of its own for as long as the work lasts. */
export async function runWithChildProcess<Result>(
  file: string,
  words: readonly string[],
  work: (child: ChildProcess) => Promise<Result>,
): Promise<Result> {
  // A process group of its own: Ctrl-C reaches this process, which ends the other.
  const child = fork(`bench/${file}`, words, { execArgv: ['--import=tsx'], detached: true });
  return runWithCleanUp(
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    () => work(child),
  );
}

/** The next message of a process; rejects where it ends before. */
export async function waitForMessage<Message>(child: ChildProcess): Promise<Message> {
  const waiting = new AbortController();
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: waiting.signal }),
      once(child, 'exit', { signal: waiting.signal }).then(([code]) => {
        throw new Error(`${child.spawnargs.at(-1)} ended with ${code}.`);
      }),
    ]);
    return message as Message;
  } finally {
    waiting.abort();
  }
}
