import { setTimeout as sleep } from 'node:timers/promises';
import { countStaleEncryptedValues } from '../../../src/platform/reencrypt.ts';
import type { TestApp } from '../../helper.ts';
import { getCommandSettings, queryAsOwner } from '../keys-helper.ts';
import { fillEncryptedRows } from './fill-encrypted-rows.ts';
import { startKeysProcess } from './keys-process.ts';
import { startLiveRequests } from './live-requests.ts';
import { type EncryptedValuesState, verifyEncryptedValues } from './verify-encrypted-values.ts';

export interface RotationResult {
  kills: number;
  stateBetweenKills: EncryptedValuesState[];
  end: EncryptedValuesState;
  exitCode: number | null;
  requests: number;
  busy: number;
  wrongAnswers: string[];
  maxMs: number;
  changedDuringRotation: number;
}

/** Re-encrypt under a new key during live requests, killing the command `kills` times before it finishes. */
export async function rotateUnderKills(
  app: TestApp,
  { rows, kills, log }: { rows: number; kills: number; log: (text: string) => void },
): Promise<RotationResult> {
  const { services } = app;
  const environment = getCommandSettings(app);
  const owner = await app.createUser();
  // The filled mails are not to be sent.
  await services.jobs.stop();
  const filledRows = await fillEncryptedRows(app, owner.id, rows);
  log(`${rows} values under ${services.keyRing.current().primary}`);
  const before = await readVersions(app);
  const live = startLiveRequests(app, owner.accessToken);
  const addition = startKeysProcess(environment, 'add');
  if ((await addition.exited) !== 0) throw new Error(addition.output());
  while (services.keyRing.current().primary === 'k1') await sleep(50);

  const total = await countStaleEncryptedValues(services, new AbortController().signal);
  const stateBetweenKills: EncryptedValuesState[] = [];
  let rotatedCount = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const rotation = startKeysProcess(environment, 'rotate');
    const isEnded = { yes: false };
    rotation.exited.then(() => {
      isEnded.yes = true;
    });
    const target = total - (total * kill) / (kills + 1);
    while (!isEnded.yes && (await countStaleEncryptedValues(services, new AbortController().signal)) > target)
      await sleep(5);
    if (isEnded.yes) break;
    rotation.child.kill('SIGKILL');
    await rotation.exited;
    rotatedCount += 1;
    const state = await verifyEncryptedValues(app, filledRows);
    stateBetweenKills.push(state);
    log(
      `killed with ${state.stale} of ${total} left: ${state.mismatches} wrong, ${state.unreadable} unreadable`,
    );
  }
  const last = startKeysProcess(environment, 'rotate');
  const exitCode = await last.exited;
  log(last.output().trim());
  const { requests, busy, errors, maxMs } = await live.stop();
  const after = await readVersions(app);
  const changedDuringRotation = [...before].filter(([id, version]) => after.get(id) !== version).length;
  const end = await verifyEncryptedValues(app, filledRows);
  return {
    kills: rotatedCount,
    stateBetweenKills,
    end,
    exitCode,
    requests,
    busy,
    wrongAnswers: errors,
    maxMs,
    changedDuringRotation,
  };
}

async function readVersions(app: TestApp): Promise<Map<string, string>> {
  const rows = await queryAsOwner(
    app,
    `SELECT id, version || ' ' || updated_at AS version FROM qr_codes WHERE title = 'Filled'`,
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
