const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const cleanUps = new Set<() => Promise<void>>();
let isInterrupted = false;

/**
 * Does some work and cleans up after it. A signal at any moment cleans up after all work that is under way, the last
 * begun first, and ends the process as a shell counts it, in silence: what fails because its database went away says
 * nothing.
 */
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

/** The process ends elsewhere. */
function waitForever(): Promise<never> {
  return new Promise(() => {});
}
