import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rollUpScanCounts } from '../../src/features/statistics/roll-up.ts';
import { makeOwner } from '../scan/scanned-codes.ts';
import { compareCounts, compareRollUps, compareScans } from './compare.ts';
import { createKiller, KINDS, type Kill } from './kills.ts';
import { type Seen, startVisitors } from './visitors.ts';

/** A running service with its embedded server. */
interface Place {
  port: number;
  folder: string;
  ownerUrl: string;
  applicationUrl: string;
}

export interface Killed {
  kills: Kill[];
  seen: Seen;
  /** Scans that are stored. */
  stored: number;
  /** Times that counts were rolled up meanwhile, and times that a kill came in between. */
  rolledUp: { done: number; failed: number };
  /** All that is not as it should be, a line each. */
  wrong: string[];
}

const CODES = 40;
/** Milliseconds between two times that counts are rolled up: whoever scans waits meanwhile. */
const PAUSE = 1_000;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Kills the database server of a service so many times at random moments, while 32 visitors scan as fast as they are
 * answered, others scan with an Idempotency-Key until they are acknowledged, and counts are rolled up. Then holds all
 * that counts scans against the scans, and these against what the visitors were told.
 */
export async function killUnderLoad(
  place: Place,
  { kills, say }: { kills: number; say: (text: string) => void },
): Promise<Killed> {
  const base = `http://127.0.0.1:${place.port}`;
  const { post } = await makeOwner(base, place.ownerUrl);
  const codes: string[] = [];
  for (let index = 0; index < CODES; index += 1) {
    const data = { url: `https://example.org/${index}` };
    codes.push((await post('/api/qrcodes', { kind: 'URL', title: `Code ${index}`, data })).id ?? '');
  }
  const bracelet = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } };
  const { id: medicalCode = '' } = await post('/api/qrcodes', bracelet);

  const killer = createKiller(place.folder);
  const connections = { plain: 30, medical: 2, keyed: 8 };
  const load = { port: place.port, codes, medicalCode, connections, onAnswer: killer.onAnswer };
  const visitors = await startVisitors(load);
  const folding = startFolding(place.applicationUrl);
  const made: Kill[] = [];
  for (let number = 0; number < kills; number += 1) {
    await sleep(200 + Math.random() * 1_300);
    const kill = await killer.kill(KINDS[number % KINDS.length] ?? 'ALL');
    made.push(kill);
    say(
      `${number + 1} of ${kills}: ${kill.kind} killed, first 201 after ${kill.backAfter?.toFixed(0) ?? '∞'} ms`,
    );
    if (kill.backAfter === null) break;
  }
  await sleep(500);
  const seen = await visitors.stop();
  const rolledUp = await folding.stop();

  const client = new pg.Client({ connectionString: place.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ stored: number }>('SELECT count(*)::int AS stored FROM scans');
    const wrong = [...seen.wrong, ...(await compareScans(client, seen)), ...(await compareCounts(client))];
    const differing = await compareRollUps(client, rolledUp.by);
    for (const row of differing) wrong.push(`roll-ups: ${JSON.stringify(row)}`);
    wrong.push(...(await verifyAudit(place.folder)), ...(await sendsMails(base, post)));
    const never = made.filter(({ backAfter }) => backAfter === null).length;
    if (never > 0) wrong.push('the service did not come back');
    return { kills: made, seen, stored: rows[0]?.stored ?? 0, rolledUp, wrong };
  } finally {
    await client.end();
  }
}

/** Rolls up again and again, as another instance's job; the quarter and the day that go on too. */
function startFolding(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  const until = new Date(Date.now() + 2 * DAY);
  let isGoing = true;
  let [done, failed] = [0, 0];
  const folding = (async () => {
    while (isGoing) {
      await rollUpScanCounts({ pool }, { until }).then(
        () => {
          done += 1;
        },
        () => {
          failed += 1;
        },
      );
      await sleep(PAUSE);
    }
  })();
  return {
    async stop() {
      isGoing = false;
      await folding;
      await rollUpScanCounts({ pool }, { until });
      await pool.end();
      return { done, failed, by: until };
    },
  };
}

/** Whether jobs are still worked on: a registration is followed by its mail. */
async function sendsMails(
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
  return code === 0 && /The audit trail is whole/.test(text)
    ? []
    : [`audit:verify ended with ${code}: ${text}`];
}
