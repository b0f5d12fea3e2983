const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const cleanUps = new Set<() => Promise<void>>();
let isInterrupted = false;

/** Clean up after the work; a signal cleans up after all running work, last started first, and exits with its code. */
export async function runWithCleanUp<Result>(
  cleanUp: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  cleanUps.add(cleanUp);
  try {
    return await work();
  } finally {
    if (isInterrupted) await waitForever();
    cleanUps.delete(cleanUp);
    await cleanUp();
  }
}

for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => exitAfterCleanUp(code));

async function exitAfterCleanUp(code: number): Promise<void> {
  if (isInterrupted) return;
  isInterrupted = true;
  process.stderr.write('broken off\n');
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => {});
  console.log = console.error = console.warn = () => {};
  for (const cleanUp of [...cleanUps].reverse()) await cleanUp().catch(() => {});
  process.exit(code);
}

function waitForever(): Promise<never> {
  return new Promise(() => {});
}
