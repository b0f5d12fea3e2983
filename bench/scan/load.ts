// The client of bench/scan.ts, in a process of its own: sends scans over so many connections, each as soon as the one
// before was answered. Told what to do by messages; answers one for each.
import { openConnection, type RawConnection, rawRequest } from '../raw-connection.ts';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

export interface Task {
  port: number;
  path: string;
  codes: readonly string[];
  connections: number;
  seconds: number;
}

export interface Seen {
  /** Scans answered with 201 in a second. */
  rate: number;
  /** Milliseconds of the answers, sorted. */
  ms: number[];
  /** Answers that were none of 201. */
  failed: number;
}

const AGENTS = 1_000;

const opened = new Map<string, RawConnection[]>();

process.on('message', async (task: Task) => {
  process.send?.(await run(task));
});

async function run({ port, path, codes, connections, seconds }: Task): Promise<Seen> {
  const open = opened.get(`${port}`) ?? [];
  while (open.length < connections) open.push(await openConnection(port));
  opened.set(`${port}`, open);
  const requests = Array.from({ length: Math.max(codes.length, AGENTS) }, (_, index) =>
    withAgent(rawRequest('POST', path, { body: { qrCodeId: codes[index % codes.length] } }), index % AGENTS),
  );
  const ms: number[] = [];
  let failed = 0;
  let next = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const ask = async (connection: RawConnection) => {
    while (performance.now() < end) {
      const request = requests[next++ % requests.length];
      if (!request) return;
      const answer = await connection.send(request);
      if (answer.status === 201) ms.push(answer.ms);
      else failed += 1;
    }
  };
  await Promise.all(open.slice(0, connections).map(ask));
  const took = (performance.now() - begun) / 1000;
  return { rate: ms.length / took, ms: ms.sort((one, other) => one - other), failed };
}

/** The same request by a phone of which there are many. */
function withAgent(request: Buffer, number: number): Buffer {
  const agent = `Mozilla/5.0 (Linux; Android 15; Pixel ${number}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;
  return Buffer.from(request.toString().replace('\r\n', `\r\nUser-Agent: ${agent}\r\n`));
}
