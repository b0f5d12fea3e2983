import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPgbenchScript, findPgbench, runPgbench } from '../baselines/pgbench.ts';
import type { CodesBenchmark, RoundOptions } from '../benchmark.ts';
import { compareLoads, runWithLoadClient, toMeasurements } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import { alternateSides } from '../measure.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import type { Measurement } from '../table.ts';
import type { CodesWorld } from '../worlds/codes-world.ts';

const CONNECTIONS = 32;
const AGENT_COUNT = 1_000;

export function createScanRequests(codes: readonly string[], path = '/api/scans/public') {
  return Array.from({ length: Math.max(codes.length, AGENT_COUNT) }, (_, index) => ({
    method: 'POST' as const,
    path,
    body: { qrCodeId: codes[index % codes.length] },
    agent: `Mozilla/5.0 (Linux; Android 15; Pixel ${index % AGENT_COUNT}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
  }));
}

/** Create requests for the pages that a phone shows. */
export function createPageRequests(codes: readonly string[]): LoadRequest[] {
  return createScanRequests(codes).map(({ agent, body }) => ({
    method: 'GET' as const,
    path: `/s/${body.qrCodeId}`,
    agent,
  }));
}

/** Compare public scans with the bare handler: of many codes, of one code, and over one connection. */
export const scanBenchmark: CodesBenchmark = {
  world: 'CODES',
  async measure(options, world) {
    const [many, one] = [world.codes, world.codes.slice(0, 1)];
    return [
      ...toMeasurements('scan', await compareScans(options, world, many, CONNECTIONS), {
        rate: { min: 1.5 },
        median: null,
        p99: { max: 1 },
      }),
      ...toMeasurements('scan, one code', await compareScans(options, world, one, CONNECTIONS), {
        rate: { min: 1.5 },
        p99: null,
      }),
      ...toMeasurements('scan, alone', await compareScans(options, world, many, 1), {
        median: { max: 1.3 },
        rate: null,
      }),
    ];
  },
};

function compareScans(
  options: RoundOptions,
  { port, barePort }: CodesWorld,
  codes: readonly string[],
  connections: number,
) {
  const load = { expected: 201, connections };
  return compareLoads(options, {
    service: { ...load, port, requests: createScanRequests(codes) },
    baseline: { ...load, port: barePort, requests: createScanRequests(codes, '/scan') },
  });
}

/** Compare the page that a phone shows, which records a scan, with a scan of the same codes through the API. */
export const pageBenchmark: CodesBenchmark = {
  world: 'CODES',
  async measure(options, { port, pages }) {
    const load = { port, connections: CONNECTIONS };
    const results = await compareLoads(options, {
      service: { ...load, requests: createPageRequests(pages), expected: 200 },
      baseline: { ...load, requests: createScanRequests(pages), expected: 201 },
    });
    return toMeasurements('page', results, { rate: null, p99: { max: 1.3 } });
  },
};

/** Compare scans of the service with the statement of the bare handler in pgbench. */
export const pgbenchBenchmark: CodesBenchmark = {
  world: 'CODES',
  async measure(options, world) {
    const line = { row: 'pgbench', measure: 'scans a second', unit: '/s', ratioGoal: { min: 0.8 } };
    const program = await findPgbench();
    if (!program) return [{ ...line, service: [], baseline: [], note: 'pgbench is not installed' }];
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    return runWithCleanUp(
      () => rm(folder, { recursive: true, force: true }),
      async () => [{ ...line, ...(await comparePgbench(options, world, program, folder)) }],
    );
  },
};

function comparePgbench(
  options: RoundOptions,
  { port, codes, applicationUrl }: CodesWorld,
  program: string,
  folder: string,
): Promise<Pick<Measurement, 'service' | 'baseline'> & { failed: number }> {
  const { seconds } = options;
  return runWithLoadClient(async (run) => {
    const script = createPgbenchScript(codes);
    const task = { port, requests: createScanRequests(codes), expected: 201, connections: CONNECTIONS };
    await run({ ...task, seconds: Math.min(2, seconds) });
    let failed = 0;
    const results = await alternateSides(options, async (side) => {
      if (side === 'baseline')
        return runPgbench(program, applicationUrl, { script, folder, clients: CONNECTIONS, seconds });
      const result = await run({ ...task, seconds });
      failed += result.failed;
      return result.requestsPerSecond;
    });
    return { ...results, failed };
  });
}
