import { compareLoads, toMeasurements } from '../load/compare.ts';
import { runWithBareReads } from '../reads/with-bare-reads.ts';
import type { OneMillionScansRow } from './row.ts';

const CONNECTION_COUNT = 8;

/** Compare the first ten rows of a list, for the organization and for a user with few rows, with the bare handler. */
function createListRow(name: string, path: string, barePath: string): OneMillionScansRow {
  return {
    name,
    world: 'MILLION',
    measure: (options, world) =>
      runWithBareReads(world, async (barePort) => {
        const { organization, users } = world.data;
        const lines = [];
        for (const [label, owner] of [
          ['of many', organization],
          ['of few', users[0]],
        ] as const) {
          const token = await world.createToken(owner?.id ?? '');
          const load = { expected: 200, connections: CONNECTION_COUNT };
          const results = await compareLoads(
            { ...options, onProgress: (text) => options.onProgress(`${label}, ${text}`) },
            {
              service: { ...load, port: world.port, requests: [{ method: 'GET', path, token }] },
              baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: barePath, token }] },
            },
          );
          lines.push(...toMeasurements(`${name}, ${label}`, results, { rate: { min: 0.8 }, median: null }));
        }
        return lines;
      }),
  };
}

export const codeListRow = createListRow('code-list', '/api/qrcodes', '/codes');

export const scanListRow = createListRow('scan-list', '/api/scans', '/scans');
