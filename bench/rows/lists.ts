import { compareLoads, measuresOf } from '../load/compare.ts';
import { withBareReads } from '../reads/with-bare-reads.ts';
import type { MillionRow } from './row.ts';

const CONNECTIONS = 8;

/** A list's first ten rows, of the organization and of a person with few of them, against the bare handler. */
function listRow(name: string, path: string, barePath: string): MillionRow {
  return {
    name,
    world: 'MILLION',
    measure: (turns, place) =>
      withBareReads(place, async (barePort) => {
        const { organization, people } = place.data;
        const lines = [];
        for (const [whose, owner] of [
          ['of many', organization],
          ['of few', people[0]],
        ] as const) {
          const token = await place.tokenOf(owner?.id ?? '');
          const load = { expected: 200, connections: CONNECTIONS };
          const seen = await compareLoads(
            { ...turns, say: (text) => turns.say(`${whose}, ${text}`) },
            {
              service: { ...load, port: place.port, requests: [{ method: 'GET', path, token }] },
              baseline: { ...load, port: barePort, requests: [{ method: 'GET', path: barePath, token }] },
            },
          );
          lines.push(...measuresOf(`${name}, ${whose}`, seen, { rate: { least: 0.8 }, median: null }));
        }
        return lines;
      }),
  };
}

export const codeListRow = listRow('code-list', '/api/qrcodes', '/codes');

export const scanListRow = listRow('scan-list', '/api/scans', '/scans');
