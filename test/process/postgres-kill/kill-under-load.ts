import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rollUpScanCounts } from '../../../src/features/scans/statistics/roll-up.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { getNodeArguments } from '../../transpiled-scripts.ts';
import { createServiceOwner } from '../create-service-owner.ts';
import { compareCounts, compareRollUps, compareScans } from './compare.ts';
import { createKiller, KILL_KINDS, type Kill } from './kills.ts';
import { startVisitors, type VisitorResults } from './visitors.ts';

interface KillTarget {
  port: number;
  folder: string;
  ownerUrl: string;
  applicationUrl: string;
}

export interface KillResult {
  kills: Kill[];
  visitorResults: VisitorResults;
  stored: number;
  rolledUp: { completedRequests: number; failed: number };
  errors: string[];
}

const CODE_COUNT = 40;
/** Interval of roll-ups; scans wait during a roll-up. */
const ROLL_UP_INTERVAL_MS = 1_000;

/** Kill the database server `kills` times under load, then compare counts with scans and scans with responses. */
export async function killUnderLoad(
  target: KillTarget,
  { kills, log }: { kills: number; log: (text: string) => void },
): Promise<KillResult> {
  const base = `http://127.0.0.1:${target.port}`;
  const { post } = await createServiceOwner(base, target.ownerUrl);
  const codes: string[] = [];
  for (let index = 0; index < CODE_COUNT; index += 1) {
    const data = { url: `https://example.org/${index}` };
    codes.push((await post('/api/qrcodes', { kind: 'URL', title: `Code ${index}`, data })).id ?? '');
  }
  const bracelet = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } };
  const { id: medicalCode = '' } = await post('/api/qrcodes', bracelet);

  const killer = createKiller(target.folder);
  const connections = { withoutKey: 30, medical: 2, withKey: 8 };
  const load = { port: target.port, codes, medicalCode, connections, onAnswer: killer.onAnswer };
  const visitors = await startVisitors(load);
  const rollUps = startRollUps(target.applicationUrl);
  const killResults: Kill[] = [];
  for (let number = 0; number < kills; number += 1) {
    await sleep(200 + Math.random() * 1_300);
    const kill = await killer.kill(KILL_KINDS[number % KILL_KINDS.length] ?? 'ALL');
    killResults.push(kill);
    log(
      `${number + 1} of ${kills}: ${kill.kind} killed, first 201 after ${kill.recoveredAfterMs?.toFixed(0) ?? '∞'} ms`,
    );
    if (kill.recoveredAfterMs === null) break;
  }
  await sleep(500);
  const visitorResults = await visitors.stop();
  const rolledUp = await rollUps.stop();

  const client = new pg.Client({ connectionString: target.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ stored: number }>('SELECT count(*)::int AS stored FROM scans');
    const errors = [
      ...visitorResults.errors,
      ...(await compareScans(client, visitorResults)),
      ...(await compareCounts(client)),
    ];
    const rollUpDifferences = await compareRollUps(client, rolledUp.before);
    for (const row of rollUpDifferences) errors.push(`roll-ups: ${JSON.stringify(row)}`);
    errors.push(...(await verifyAudit(target.folder)), ...(await isMailSent(base, post)));
    const never = killResults.filter(({ recoveredAfterMs }) => recoveredAfterMs === null).length;
    if (never > 0) errors.push('the service did not come back');
    return { kills: killResults, visitorResults, stored: rows[0]?.stored ?? 0, rolledUp, errors };
  } finally {
    await client.end();
  }
}

/** Roll up repeatedly, as the job of another instance does, including the current quarter hour and day. */
function startRollUps(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  // A kill also ends connections that are in use.
  pool.on('connect', (client) => client.on('error', () => {}));
  const deadline = new Date(Date.now() + 2 * DAY_MS);
  let isGoing = true;
  let [completedRequests, failed] = [0, 0];
  const loop = (async () => {
    while (isGoing) {
      await rollUpScanCounts({ pool }, { until: deadline }).then(
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
      await loop;
      await rollUpScanCounts({ pool }, { until: deadline });
      await pool.end();
      return { completedRequests, failed, before: deadline };
    },
  };
}

/** Check that jobs still run: a registration must be followed by its mail. */
async function isMailSent(
  base: string,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<string[]> {
  const email = 'afterwards@example.org';
  await post('/api/auth/register', { email, password: 'a lighthouse for lost dogs' });
  for (let tries = 0; tries < 1_200; tries += 1) {
    if ((await (await fetch(`${base}/api/sandbox/mailbox`)).text()).includes(email)) return [];
    await sleep(50);
  }
  return ['no mail is sent after the kills'];
}

async function verifyAudit(folder: string): Promise<string[]> {
  const child = spawn(process.execPath, getNodeArguments('src/commands/audit-verify.ts'), {
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
    : [`audit verify ended with ${code}: ${text}`];
}
