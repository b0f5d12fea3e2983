import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FlakyReceiver {
  url: string;
  /** Times that each event was accepted, by its id. */
  accepted: ReadonlyMap<string, number>;
  /** Events by what they are about: `<scan id>`, or `<code id> <version>`. */
  subjects: ReadonlyMap<string, string>;
  requests(): number;
  isUp(): boolean;
  /** Drop every connection at once, and accept new ones after a while. */
  kill(downMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Start a receiver on loopback that fails a share of the requests. */
export async function startFlakyReceiver(failureShare: number): Promise<FlakyReceiver> {
  const accepted = new Map<string, number>();
  const subjects = new Map<string, string>();
  let requests = 0;
  let port = 0;
  let server: Server | null = null;

  async function listen(): Promise<void> {
    const started = createServer(async (request, response) => {
      requests += 1;
      try {
        let body = '';
        for await (const chunk of request) body += chunk;
        if (Math.random() < failureShare) return response.writeHead(500).end();
        const { id, type, data } = JSON.parse(body);
        accepted.set(id, (accepted.get(id) ?? 0) + 1);
        subjects.set(type === 'scan.created' ? data.id : `${data.id} ${data.version}`, id);
        return response.writeHead(204).end();
      } catch {
        // The connection was dropped.
        return response.destroy();
      }
    });
    await new Promise<void>((resolve, reject) => {
      started.once('error', reject);
      started.listen(port, '127.0.0.1', resolve);
    });
    port = (started.address() as AddressInfo).port;
    server = started;
  }

  async function stop(): Promise<void> {
    const stopped = server;
    server = null;
    if (!stopped) return;
    const closed = new Promise((resolve) => stopped.close(resolve));
    stopped.closeAllConnections();
    await closed;
  }

  await listen();
  return {
    url: `http://localhost:${port}/`,
    accepted,
    subjects,
    requests: () => requests,
    isUp: () => server !== null,
    async kill(downMs) {
      await stop();
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await listen();
    },
    close: stop,
  };
}
