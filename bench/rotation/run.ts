import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { countStaleValues } from '../../src/platform/reencrypt.ts';
import type { BenchApp } from '../bench-app.ts';
import { fillEncryptedRows } from './fill.ts';
import { startKeysProcess } from './keys-process.ts';
import { startLiveRequests } from './live-requests.ts';
import { type EncryptedValuesState, verifyEncryptedValues } from './verify.ts';

export interface RotationResult {
  kills: number;
  stateBetweenKills: EncryptedValuesState[];
  end: EncryptedValuesState;
  exitCode: number | null;
  requests: number;
  busy: number;
  wrongAnswers: string[];
  longest: number;
  /** Codes whose version or modification time changed. */
  changedDuringRotation: number;
}

/**
 * Add a key during live requests, start to re-encrypt `rows` values, kill the command `kills` times (SIGKILL, each
 * after a further part of the rows) and let it finish in the end.
 */
export async function rotateUnderKills(
  bench: BenchApp,
  { rows, kills, say }: { rows: number; kills: number; say: (text: string) => void },
): Promise<RotationResult> {
  const { services, environment } = bench;
  const owner = await bench.owner();
  const filled = await fillEncryptedRows(bench, owner.id, rows);
  say(`${rows} values under ${services.keyRing.current().primary}`);
  const before = await readVersions(bench);
  const live = startLiveRequests(bench, owner.token);
  const added = startKeysProcess(environment, 'add');
  if ((await added.ended) !== 0) throw new Error(added.output());
  while (services.keyRing.current().primary === 'k1') await sleep(50);

  const total = await countStaleValues(services, new AbortController().signal);
  const stateBetweenKills: EncryptedValuesState[] = [];
  let done = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const rotation = startKeysProcess(environment, 'rotate');
    const isEnded = { yes: false };
    rotation.ended.then(() => {
      isEnded.yes = true;
    });
    const until = total - (total * kill) / (kills + 1);
    while (!isEnded.yes && (await countStaleValues(services, new AbortController().signal)) > until)
      await sleep(5);
    if (isEnded.yes) break;
    rotation.child.kill('SIGKILL');
    await rotation.ended;
    done += 1;
    const state = await verifyEncryptedValues(bench, filled);
    stateBetweenKills.push(state);
    say(`killed with ${state.stale} of ${total} left: ${state.wrong} wrong, ${state.unreadable} unreadable`);
  }
  const last = startKeysProcess(environment, 'rotate');
  const exitCode = await last.ended;
  say(last.output().trim());
  const { requests, busy, wrong, longest } = await live.stop();
  const after = await readVersions(bench);
  const changedDuringRotation = [...before].filter(([id, version]) => after.get(id) !== version).length;
  const end = await verifyEncryptedValues(bench, filled);
  return {
    kills: done,
    stateBetweenKills,
    end,
    exitCode,
    requests,
    busy,
    wrongAnswers: wrong,
    longest,
    changedDuringRotation,
  };
}

async function readVersions({ environment }: BenchApp): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: environment.DATABASE_OWNER_URL });
  await client.connect();
  const { rows } = await client.query<{ id: string; version: string }>(
    `SELECT id, version || ' ' || updated_at AS version FROM qr_codes WHERE title = 'Filled'`,
  );
  await client.end();
  return new Map(rows.map(({ id, version }) => [id, version]));
}
