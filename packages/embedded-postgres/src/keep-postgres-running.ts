import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { prepareClusterForStart } from './cluster-processes.ts';
import type { Log } from './log.ts';
import { type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

const MIN_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 5_000;
const STOP_TIMEOUT_MS = 2_500;

/** Restart a server that dies on the same port, so that pools reconnect. `stop` is safe to call twice. */
export function keepPostgresRunning(
  cluster: Cluster,
  first: Postmaster,
  options: { logFile: string; log: Log },
): { stop(): Promise<void> } {
  const { logFile, log } = options;
  const abort = new AbortController();
  let latest: Promise<Postmaster | undefined> = Promise.resolve(first);
  let stopping: Promise<void> | undefined;

  watch(first);
  return {
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };

  function watch(postmaster: Postmaster): void {
    postmaster.waitForExit.then(async () => {
      if (abort.signal.aborted) return;
      log.warn({ port: postmaster.port }, 'the database server died, restarting');
      latest = startAgain(postmaster.port);
      const next = await latest;
      if (next) watch(next);
    });
  }

  async function startAgain(port: number): Promise<Postmaster | undefined> {
    for (
      let pause = MIN_RESTART_DELAY_MS;
      !abort.signal.aborted;
      pause = Math.min(pause * 2, MAX_RESTART_DELAY_MS)
    ) {
      try {
        await prepareClusterForStart(cluster.folder);
        const postmaster = await startPostmaster(cluster, { port, logFile, abort: abort.signal });
        log.info({ port }, 'the database server is running again');
        return postmaster;
      } catch (error) {
        if (!abort.signal.aborted) log.warn({ err: error }, 'the database server could not be restarted');
      }
      await sleep(pause, undefined, { signal: abort.signal }).catch(() => {});
    }
    return undefined;
  }

  async function stop(): Promise<void> {
    abort.abort();
    const postmaster = await latest;
    if (postmaster) await stopPostmaster(cluster, postmaster, STOP_TIMEOUT_MS);
  }
}
