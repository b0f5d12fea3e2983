// Compare the processor time of requests without traces, with the default share of traces and with all of them, in
// alternating rounds of one process: `npm run bench:tracing`. Two processes would differ by more than the default share
// costs. Sending the spans counts. `off again` shows how far equal rounds differ. Exits with 1 if the default share
// costs more than 3 percent of a scan or of a page.
import type { AddressInfo } from 'node:net';
import type { Config } from '../src/config.ts';
import { startTracing } from '../src/start/start-tracing.ts';
import { startBenchApp } from './bench-app.ts';
import { runWithChildProcess, waitForMessage } from './child-process.ts';
import { runWithLoadClient } from './load/compare.ts';
import type { LoadTask } from './load/load-process.ts';
import { readArguments } from './read-arguments.ts';
import { createScanRequests } from './rows/scan.ts';
import { withScratchDatabase } from './scratch-database.ts';
import { formatTable, type Measurement, summarizeMeasurement } from './table.ts';

readArguments(import.meta.url);

const ROUNDS = 30;
const WARM_UP_ROUNDS = 3;
const SECONDS = 2;
const CODE_COUNT = 200;
const CONNECTIONS = 16;
const MAX_RATIO = 1.03;

type Settings = Config['traces'];

interface Comparison {
  tasks: Readonly<Record<string, Omit<LoadTask, 'seconds'>>>;
  modes: Readonly<Record<string, Settings>>;
}

const measurements = await withScratchDatabase((scratch) =>
  runWithChildProcess('tracing-collector.ts', [], async (collector) => {
    const port = await waitForMessage<number>(collector);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const bench = await startBenchApp(scratch, { BILLING: 'off', ...endpoint });
    try {
      const { traces } = bench.services.config;
      if (!traces) throw new Error('Tracing is not configured.');
      const { token } = await bench.owner();
      const codes: string[] = [];
      while (codes.length < CODE_COUNT) {
        const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
        const { status, body } = await bench.sendRequest('POST', '/api/qrcodes', { token, body: code });
        if (status !== 201) throw new Error(`A code was answered with ${status}.`);
        codes.push(body.id);
      }
      await bench.app.listen({ host: '127.0.0.1', port: 0 });
      const load = { port: (bench.app.server.address() as AddressInfo).port, connections: CONNECTIONS };
      const scans = createScanRequests(codes);
      const visits = scans.map(({ agent, body }) => ({
        method: 'GET' as const,
        path: `/s/${body.qrCodeId}`,
        agent,
      }));
      return await compareModes({
        tasks: {
          scan: { ...load, expected: 201, requests: scans },
          page: { ...load, expected: 200, requests: visits },
        },
        modes: {
          off: null,
          [`${traces.ratio * 100} percent`]: traces,
          all: { ...traces, ratio: 1 },
          'off again': null,
        },
      });
    } finally {
      await bench.close();
    }
  }),
);
const lines = measurements.map(summarizeMeasurement);
console.log(`\n${formatTable(lines)}\n\nNode ${process.versions.node}`);
process.exit(lines.every(({ isGoalReached }) => isGoalReached !== false) ? 0 : 1);

function compareModes({ tasks, modes }: Comparison) {
  const [baseline = '', share = '', ...others] = Object.keys(modes);
  return runWithLoadClient(async (run) => {
    let failed = 0;
    async function measureCpuMs(load: Omit<LoadTask, 'seconds'>, settings: Settings): Promise<number> {
      const tracing = await startTracing(settings, { info() {}, warn: console.error, error: console.error });
      const before = process.cpuUsage();
      const result = await run({ ...load, seconds: SECONDS });
      await tracing.stop();
      const { user, system } = process.cpuUsage(before);
      failed += result.failed;
      return (user + system) / 1000 / result.ms.length;
    }
    const measurements: Measurement[] = [];
    for (const [task, load] of Object.entries(tasks)) {
      const cpuMs = new Map<string, number[]>(Object.keys(modes).map((mode) => [mode, []]));
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        // No mode always follows the same one.
        const order = round % 2 === 0 ? Object.entries(modes) : Object.entries(modes).toReversed();
        const first = Math.abs(round) % order.length;
        for (const [mode, settings] of [...order.slice(first), ...order.slice(0, first)]) {
          const value = await measureCpuMs(load, settings);
          if (round >= 0) cpuMs.get(mode)?.push(value);
        }
        process.stderr.write(`${task}: ${round + 1} of ${ROUNDS} rounds\n`);
      }
      for (const mode of [share, ...others])
        measurements.push({
          row: task,
          measure: `processor time, ${mode}`,
          unit: 'ms',
          service: cpuMs.get(mode) ?? [],
          baseline: cpuMs.get(baseline) ?? [],
          ratioGoal: mode === share ? { max: MAX_RATIO } : null,
          failed,
        });
    }
    return measurements;
  });
}
