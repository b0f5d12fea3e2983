import { compareLoads, type RoundOptions, toMeasurements } from '../load/compare.ts';
import type { CodesWorld } from '../worlds/codes-world.ts';
import type { CodesRow } from './row.ts';

const AGENT_COUNT = 1_000;

export function createScanRequests(codes: readonly string[], path = '/api/scans/public') {
  return Array.from({ length: Math.max(codes.length, AGENT_COUNT) }, (_, index) => ({
    method: 'POST' as const,
    path,
    body: { qrCodeId: codes[index % codes.length] },
    agent: `Mozilla/5.0 (Linux; Android 15; Pixel ${index % AGENT_COUNT}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
  }));
}

function compareScanLoads(
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

export const scanRow: CodesRow = {
  name: 'scan',
  world: 'CODES',
  async measure(options, world) {
    const results = await compareScanLoads(options, world, world.codes, 32);
    return toMeasurements('scan', results, { rate: { min: 1.5 }, median: null, p99: { max: 1 } });
  },
};

export const scanOneCodeRow: CodesRow = {
  name: 'scan-one-code',
  world: 'CODES',
  async measure(options, world) {
    const results = await compareScanLoads(options, world, world.codes.slice(0, 1), 32);
    return toMeasurements('scan-one-code', results, { rate: { min: 1.5 }, p99: null });
  },
};

export const scanAloneRow: CodesRow = {
  name: 'scan-alone',
  world: 'CODES',
  async measure(options, world) {
    const results = await compareScanLoads(options, world, world.codes, 1);
    return toMeasurements('scan-alone', results, { median: { max: 1.3 }, rate: null });
  },
};
