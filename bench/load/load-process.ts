// The client of a measurement, in a process of its own: sends requests over so many connections, each as soon as the
// one before was answered. Told what to do by messages; answers one for each.
import { encodeRawRequest, openRawConnection, type RawConnection } from '../raw-connection.ts';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

/** A request that is sent again and again. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  token?: string;
  agent?: string;
}

/** Requests that are sent in turn, over so many connections, for so many seconds. */
export interface LoadTask {
  port: number;
  requests: readonly LoadRequest[];
  /** The status of an answer that counts. */
  expected: number;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Answers of the expected status in a second. */
  requestsPerSecond: number;
  /** Milliseconds of these answers, sorted. */
  ms: number[];
  /** Answers of another status. */
  failed: number;
}

const openConnections = new Map<number, RawConnection[]>();

process.on('message', async (task: LoadTask) => {
  process.send?.(await runLoad(task));
});

async function runLoad({ port, requests, expected, connections, seconds }: LoadTask): Promise<LoadResult> {
  const open = openConnections.get(port) ?? [];
  while (open.length < connections) open.push(await openRawConnection(port));
  openConnections.set(port, open);
  const bytes = requests.map(({ method, path, body, token, agent }) =>
    setUserAgent(encodeRawRequest(method, path, { body, token }), agent),
  );
  const ms: number[] = [];
  let failed = 0;
  let next = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const ask = async (connection: RawConnection) => {
    while (performance.now() < end) {
      const request = bytes[next++ % bytes.length];
      if (!request) return;
      const answer = await connection.send(request);
      if (answer.status === expected) ms.push(answer.ms);
      else failed += 1;
    }
  };
  await Promise.all(open.slice(0, connections).map(ask));
  const took = (performance.now() - begun) / 1000;
  return { requestsPerSecond: ms.length / took, ms: ms.sort((one, other) => one - other), failed };
}

function setUserAgent(request: Buffer, agent: string | undefined): Buffer {
  if (agent === undefined) return request;
  return Buffer.from(request.toString().replace('\r\n', `\r\nUser-Agent: ${agent}\r\n`));
}
