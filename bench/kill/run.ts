import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { createOwner } from '../scan/scanned-codes.ts';
import { compareCounts, compareRollUps, compareScans } from './compare.ts';
import { createKiller, KILL_KINDS, type Kill } from './kills.ts';
import { startVisitors, type VisitorResults } from './visitors.ts';

/** A running service with its embedded server. */
interface KillTarget {
  port: number;
  folder: string;
  ownerUrl: string;
  applicationUrl: string;
}

export interface KillResult {
  kills: Kill[];
  visitorResults: VisitorResults;
  /** Scans that are stored. */
  stored: number;
  /** Times that counts were rolled up meanwhile, and times that a kill came in between. */
  rolledUp: { completedRequests: number; failed: number };
  /** All that is not as it should be, a line each. */
  wrong: string[];
}

const CODE_COUNT = 40;
/** Milliseconds between two times that counts are rolled up: whoever scans waits meanwhile. */
const ROLL_UP_INTERVAL_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Kills the database server of a service so many times at random moments, while 32 visitors scan as fast as they are
 * answered, others scan with an Idempotency-Key until they are acknowledged, and counts are rolled up. Then holds all
 * that counts scans against the scans, and these against what the visitors were told.
 */
export async function killUnderLoad(
  place: KillTarget,
  { kills, say }: { kills: number; say: (text: string) => void },
): Promise<KillResult> {
  const base = `http://127.0.0.1:${place.port}`;
  const { post } = await createOwner(base, place.ownerUrl);
  const codes: string[] = [];
  for (let index = 0; index < CODE_COUNT; index += 1) {
    const data = { url: `https://example.org/${index}` };
    codes.push((await post('/api/qrcodes', { kind: 'URL', title: `Code ${index}`, data })).id ?? '');
  }
  const bracelet = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } };
  const { id: medicalCode = '' } = await post('/api/qrcodes', bracelet);

  const killer = createKiller(place.folder);
  const connections = { plain: 30, medical: 2, keyed: 8 };
  const load = { port: place.port, codes, medicalCode, connections, onAnswer: killer.onAnswer };
  const visitors = await startVisitors(load);
  const folding = startRollUps(place.applicationUrl);
  const made: Kill[] = [];
  for (let number = 0; number < kills; number += 1) {
    await sleep(200 + Math.random() * 1_300);
    const kill = await killer.kill(KILL_KINDS[number % KILL_KINDS.length] ?? 'ALL');
    made.push(kill);
    say(
      `${number + 1} of ${kills}: ${kill.kind} killed, first 201 after ${kill.recoveredAfterMs?.toFixed(0) ?? '∞'} ms`,
    );
    if (kill.recoveredAfterMs === null) break;
  }
  await sleep(500);
  const visitorResults = await visitors.stop();
  const rolledUp = await folding.stop();

  const client = new pg.Client({ connectionString: place.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ stored: number }>('SELECT count(*)::int AS stored FROM scans');
    const wrong = [
      ...visitorResults.wrong,
      ...(await compareScans(client, visitorResults)),
      ...(await compareCounts(client)),
    ];
    const differing = await compareRollUps(client, rolledUp.by);
    for (const row of differing) wrong.push(`roll-ups: ${JSON.stringify(row)}`);
    wrong.push(...(await verifyAudit(place.folder)), ...(await isMailSent(base, post)));
    const never = made.filter(({ recoveredAfterMs }) => recoveredAfterMs === null).length;
    if (never > 0) wrong.push('the service did not come back');
    return { kills: made, visitorResults, stored: rows[0]?.stored ?? 0, rolledUp, wrong };
  } finally {
    await client.end();
  }
}

/** Rolls up again and again, as another instance's job; the quarter and the day that go on too. */
function startRollUps(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  const until = new Date(Date.now() + 2 * DAY_MS);
  let isGoing = true;
  let [completedRequests, failed] = [0, 0];
  const folding = (async () => {
    while (isGoing) {
      await rollUpScanCounts({ pool }, { until }).then(
        () => {
          completedRequests += 1;
        },
        () => {
          failed += 1;
        },
      );
      await sleep(ROLL_UP_INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      isGoing = false;
      await folding;
      await rollUpScanCounts({ pool }, { until });
      await pool.end();
      return { completedRequests, failed, by: until };
    },
  };
}

/** Whether jobs are still worked on: a registration is followed by its mail. */
async function isMailSent(
  base: string,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<string[]> {
  const email = 'afterwards@example.org';
  await post('/api/auth/register', { email, password: 'a lighthouse for lost dogs' });
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await (await fetch(`${base}/api/sandbox/mailbox`)).text()).includes(email)) return [];
    await sleep(50);
  }
  return ['no mail is sent after the kills'];
}

/** What the command says of the audit trail where it is not whole. */
async function verifyAudit(folder: string): Promise<string[]> {
  const child = spawn(process.execPath, ['--import=tsx', 'src/commands/audit-verify.ts'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const [code] = await once(child, 'close');
  return code === 0 && /The audit trail is valid/.test(text)
    ? []
    : [`audit:verify ended with ${code}: ${text}`];
}
