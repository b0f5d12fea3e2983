import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { runWithCleanUp } from './run-with-clean-up.ts';

export async function runWithChildProcess<Result>(
  file: string,
  args: readonly string[],
  work: (child: ChildProcess) => Promise<Result>,
): Promise<Result> {
  // Own process group: Ctrl-C reaches only this process, which then stops the child.
  const child = fork(`bench/${file}`, args, { execArgv: ['--import=tsx'], detached: true });
  return runWithCleanUp(
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    () => work(child),
  );
}

/** Wait for the next message of a process; rejects if the process exits first. */
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
