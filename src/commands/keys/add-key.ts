import { setTimeout as sleep } from 'node:timers/promises';
import { findKeys } from '../../platform/encryption-keys.repository.ts';
import { findKeyHolders } from '../../platform/key-holders.repository.ts';
import { withKeyLock } from '../../platform/key-lock.ts';
import type { Services } from '../../services.ts';
import { type FileKey, keySetOf, newKey, promoted, waitingKey } from '../../shared/crypto/key-file.ts';
import { keyChecks } from '../../shared/crypto/key-set.ts';
import { EXIT } from '../../shared/exit.ts';
import { noteServing } from '../../start/check-keys.ts';
import { keyFilePath, readKeyFile, writeKeyFile } from '../../start/keys/key-file-store.ts';

/** Milliseconds that running instances have to take a new key up; they look every few seconds. */
const PATIENCE = 60_000;

/**
 * `npm run keys:add`: a new key into the file, which becomes the primary one once every running instance has it.
 * Stopped in between it is finished by the next call. Keys of a variable are shown and not changed.
 */
export async function addKey(services: Services, stopping: AbortSignal): Promise<number> {
  const { config, database } = services;
  const path = keyFilePath(config);
  if (path === null) return showVariable(services);
  return withKeyLock(database, async () => {
    const keys = await readKeyFile(path);
    if (!keys) throw new Error(`${path} is gone.`);
    const added = waitingKey(keys);
    if (added) console.log(`Key ${added.id} was added before and waits to become the primary one.`);
    const all = added ? keys : await addTo(services, path, keys);
    const waiting = waitingKey(all);
    if (!waiting) throw new Error('The new key is not in the file.');
    const lacking = await untilKnown(services, waiting.id, stopping);
    if (lacking.length > 0) {
      console.error(
        `Not primary yet: the instances ${lacking.join(', ')} do not have the key ${waiting.id}.`,
      );
      console.error(`Give them the changed file ${path}, and call npm run keys:add again.`);
      return EXIT.TEMPORARY;
    }
    // Read again: what somebody changed by hand meanwhile stays.
    await writeKeyFile(path, promoted((await readKeyFile(path)) ?? all, waiting.id));
    await database.transaction((tx) => noteServing(tx, [], waiting.id, 'keys:add'));
    console.log(`Key ${waiting.id} is the primary one. Now: npm run keys:rotate`);
    console.log(`Keep a copy of ${path} apart from the copies of the database.`);
    return 0;
  });
}

/** Adds a key that opens only: first to the file, then to the database, after which no start goes without it. */
async function addTo({ database }: Services, path: string, keys: readonly FileKey[]): Promise<FileKey[]> {
  const known = (await findKeys(database.client)).map(({ id }) => id);
  const latest = Math.max(...keys.map(({ createdAt }) => createdAt.getTime()));
  const key = newKey([...known, ...keys.map(({ id }) => id)], new Date(Math.max(Date.now(), latest + 1)));
  const all = [...keys, key];
  await writeKeyFile(path, all);
  const checks = keyChecks(keySetOf(all)).filter(({ id }) => id === key.id);
  await database.transaction((tx) => noteServing(tx, checks, null, 'keys:add'));
  console.log(`Key ${key.id} is in ${path}. It becomes the primary one when every running instance has it.`);
  return all;
}

/** Waits until all instances have a key; answers those that do not when the patience ends or it is stopped. */
async function untilKnown({ database }: Services, id: string, stopping: AbortSignal): Promise<string[]> {
  for (const until = Date.now() + PATIENCE; ; ) {
    const holders = await findKeyHolders(database.client);
    const lacking = holders.filter(({ keyIds }) => !keyIds.includes(id)).map(({ instanceId }) => instanceId);
    if (lacking.length === 0 || Date.now() > until || stopping.aborted) return lacking;
    await sleep(250);
  }
}

async function showVariable({ config, database }: Services): Promise<number> {
  const known = (await findKeys(database.client)).map(({ id }) => id);
  const { id, key } = newKey(known, new Date());
  const old = config.secrets.ENCRYPTION_KEYS;
  console.error(
    'The keys are in the variable ENCRYPTION_KEYS: nothing was changed. This is a new key, shown only now.',
  );
  console.error('First give it to every instance as one that opens only, and start each again:\n');
  console.log(`ENCRYPTION_KEYS=${old},${id}:${key}`);
  console.error('\nOnly when all of them run with that, make it the primary one, and start each again:\n');
  console.log(`ENCRYPTION_KEYS=${id}:${key},${old}`);
  console.error('\nThen: npm run keys:rotate');
  return 0;
}
