// Load client in its own process: sends requests over several connections; one result for each task message.
import { encodeRawRequest, openRawConnection, type RawConnection } from '../../test/raw-connection.ts';

process.on('disconnect', () => process.exit());

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  token?: string;
  agent?: string;
}

export interface LoadTask {
  port: number;
  requests: readonly LoadRequest[];
  expected: number;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  ms: number[];
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
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const ask = async (connection: RawConnection) => {
    while (performance.now() < end) {
      const request = bytes[next++ % bytes.length];
      if (!request) return;
      const response = await connection.send(request);
      if (response.status === expected) ms.push(response.ms);
      else failed += 1;
    }
  };
  await Promise.all(open.slice(0, connections).map(ask));
  const took = (performance.now() - startedAt) / 1000;
  return { requestsPerSecond: ms.length / took, ms: ms.sort((one, other) => one - other), failed };
}

function setUserAgent(request: Buffer, agent: string | undefined): Buffer {
  if (agent === undefined) return request;
  return Buffer.from(request.toString().replace('\r\n', `\r\nUser-Agent: ${agent}\r\n`));
}
