import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Services } from '../../src/services.ts';
import { startTracing } from '../../src/start/start-tracing.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { runWithLoadClient } from '../load/compare.ts';
import type { LoadTask } from '../load/load-process.ts';
import { runWithScratchServices, withScratchDatabase } from '../scratch-database.ts';
import type { Measurement } from '../table.ts';
import { createPageRequests, createScanRequests } from './scan.ts';

const CODE_COUNT = 200;
const CONNECTIONS = 16;
const WARM_UP_ROUNDS = 1;
const MAX_RATIO = 1.03;

type Settings = Config['traces'];
type Load = Omit<LoadTask, 'seconds'>;

/**
 * Compare the processor time of requests with the default share of traces, and with all of them, with that without
 * traces. One process does all, because two would differ by more than the default share costs. Sending the spans counts.
 */
export const tracingBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    withScratchDatabase((scratch) =>
      runWithChildProcess('load/http-sink.ts', [], async (collector) => {
        const endpoint = `http://127.0.0.1:${await waitForMessage<number>(collector)}`;
        return runWithScratchServices(scratch, (services) => compareTraces(options, services), {
          OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        });
      }),
    ),
};

async function compareTraces(options: RoundOptions, services: Services): Promise<Measurement[]> {
  const { traces } = services.config;
  if (!traces) throw new Error('Tracing is not configured.');
  const app = await buildApp(services, false);
  try {
    const codes = await createCodes(app, services);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const load = { port: Number(new URL(address).port), connections: CONNECTIONS };
    const tasks: Record<string, Load> = {
      scan: { ...load, expected: 201, requests: createScanRequests(codes) },
      page: { ...load, expected: 200, requests: createPageRequests(codes) },
    };
    const modes = new Map<string, Settings>([
      ['off', null],
      [`${traces.ratio * 100} percent`, traces],
      ['all', { ...traces, ratio: 1 }],
      // Shows how far equal rounds differ.
      ['off again', null],
    ]);
    const lines: Measurement[] = [];
    for (const [name, task] of Object.entries(tasks))
      lines.push(...(await compareModes(options, `tracing, ${name}`, task, modes)));
    return lines;
  } finally {
    await app.close();
  }
}

async function createCodes(app: FastifyInstance, { database, passwords }: Services): Promise<string[]> {
  const [email, password] = ['owner@example.org', 'a lighthouse for lost dogs'];
  const profile = { firstName: 'Ada', lastName: 'Owner', accountType: 'INDIVIDUAL', status: 'ACTIVE' };
  const user = { id: '0123456789abcdef01234567', email, passwordHash: await passwords.hash(password) };
  await database.client.user.create({ data: { ...profile, ...user } });
  const logIn = { method: 'POST', url: '/api/auth/login', payload: { email, password } } as const;
  const headers = { authorization: `Bearer ${(await app.inject(logIn)).json().accessToken}` };
  const payload = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const codes: string[] = [];
  while (codes.length < CODE_COUNT) {
    const created = await app.inject({ method: 'POST', url: '/api/qrcodes', headers, payload });
    if (created.statusCode !== 201) throw new Error(`A code was answered with ${created.statusCode}.`);
    codes.push(created.json().id);
  }
  return codes;
}

function compareModes(
  { rounds, seconds, onProgress }: RoundOptions,
  row: string,
  load: Load,
  modes: ReadonlyMap<string, Settings>,
): Promise<Measurement[]> {
  return runWithLoadClient(async (run) => {
    let failed = 0;
    const measureCpuMs = async (settings: Settings) => {
      const tracing = await startTracing(settings, { info() {}, warn: console.error, error: console.error });
      const before = process.cpuUsage();
      const result = await run({ ...load, seconds });
      await tracing.stop();
      const { user, system } = process.cpuUsage(before);
      failed += result.failed;
      return (user + system) / 1000 / result.ms.length;
    };
    const cpuMs = new Map<string, number[]>([...modes.keys()].map((mode) => [mode, []]));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      // No mode always follows the same one.
      const order = round % 2 === 0 ? [...modes] : [...modes].reverse();
      const first = Math.abs(round) % order.length;
      for (const [mode, settings] of [...order.slice(first), ...order.slice(0, first)]) {
        const value = await measureCpuMs(settings);
        if (round >= 0) cpuMs.get(mode)?.push(value);
      }
      onProgress(`${row}: ${round + 1} of ${rounds} rounds`);
    }
    const [[, baseline = []] = [], ...others] = [...cpuMs];
    return others.map(([mode, service], index) => ({
      row,
      measure: `processor time, ${mode}`,
      unit: 'ms',
      service,
      baseline,
      ratioGoal: index === 0 ? { max: MAX_RATIO } : null,
      failed,
    }));
  });
}
