import { setTimeout as sleep } from 'node:timers/promises';
import { findEncryptionKeyRecords } from '../../platform/encryption-keys.repository.ts';
import { findRunningInstances } from '../../platform/instances.repository.ts';
import { runWithEncryptionKeyLock } from '../../platform/key-lock.ts';
import type { Services } from '../../services.ts';
import {
  createKeyFileEntry,
  findUnpromotedKey,
  type KeyFileEntry,
  promoteKeyFileEntry,
  toKeySet,
} from '../../shared/crypto/key-file.ts';
import { computeKeyCheckValues } from '../../shared/crypto/key-set.ts';
import { EXIT_CODES } from '../../shared/process-exit-codes.ts';
import { recordActiveEncryptionKeys } from '../../start/check-keys.ts';
import { getKeyFilePath, readKeyFile, writeKeyFile } from '../../start/keys/key-file-store.ts';

/** Running instances check for new keys every few seconds. */
const ROLLOUT_TIMEOUT_MS = 60_000;

/** Add a key and promote it once every running instance has it; the next call finishes an interrupted one. */
export async function addEncryptionKey(services: Services, signal: AbortSignal): Promise<number> {
  const { config, database } = services;
  const path = getKeyFilePath(config);
  if (path === null) return printKeyVariable(services);
  return runWithEncryptionKeyLock(database, async () => {
    const keys = await readKeyFile(path);
    if (!keys) throw new Error(`${path} no longer exists.`);
    const existingPending = findUnpromotedKey(keys);
    if (existingPending)
      console.log(`Key ${existingPending.id} was added earlier and is not the primary key yet.`);
    const all = existingPending ? keys : await appendKey(services, path, keys);
    const pendingKey = findUnpromotedKey(all);
    if (!pendingKey) throw new Error('The file does not contain the new key.');
    const missingInstances = await waitForInstances(services, pendingKey.id, signal);
    if (missingInstances.length > 0) {
      console.error(
        `Key ${pendingKey.id} is not the primary key yet: the instances ${missingInstances.join(', ')} do not have it.`,
      );
      console.error(`Give them the changed file ${path}, then run npm run keys -- add again.`);
      return EXIT_CODES.TEMPORARY;
    }
    // Read again to keep what was edited by hand meanwhile.
    await writeKeyFile(path, promoteKeyFileEntry((await readKeyFile(path)) ?? all, pendingKey.id));
    await database.transaction((tx) => recordActiveEncryptionKeys(tx, [], pendingKey.id, 'keys:add'));
    console.log(`Key ${pendingKey.id} is the primary key. Next: npm run keys -- rotate`);
    console.log(`Back up ${path} separately from the database.`);
    return 0;
  });
}

/** Add a key for decryption: first to the file, then to the database, after which every start requires it. */
async function appendKey(
  { database }: Services,
  path: string,
  keys: readonly KeyFileEntry[],
): Promise<KeyFileEntry[]> {
  const knownIds = (await findEncryptionKeyRecords(database.client)).map(({ id }) => id);
  const latest = Math.max(...keys.map(({ createdAt }) => createdAt.getTime()));
  const key = createKeyFileEntry(
    [...knownIds, ...keys.map(({ id }) => id)],
    new Date(Math.max(Date.now(), latest + 1)),
  );
  const all = [...keys, key];
  await writeKeyFile(path, all);
  const checks = computeKeyCheckValues(toKeySet(all)).filter(({ id }) => id === key.id);
  await database.transaction((tx) => recordActiveEncryptionKeys(tx, checks, null, 'keys:add'));
  console.log(
    `Key ${key.id} was added to ${path}. It becomes the primary key when every running instance has it.`,
  );
  return all;
}

/** Wait until all instances have a key; returns those that lack it at the time limit or an abort. */
async function waitForInstances({ database }: Services, id: string, signal: AbortSignal): Promise<string[]> {
  for (const deadline = Date.now() + ROLLOUT_TIMEOUT_MS; ; ) {
    const instances = await findRunningInstances(database.client);
    const missingInstances = instances
      .filter(({ keyIds }) => !keyIds.includes(id))
      .map(({ instanceId }) => instanceId);
    if (missingInstances.length === 0 || Date.now() > deadline || signal.aborted) return missingInstances;
    await sleep(250);
  }
}

async function printKeyVariable({ config, database }: Services): Promise<number> {
  const knownIds = (await findEncryptionKeyRecords(database.client)).map(({ id }) => id);
  const { id, key } = createKeyFileEntry(knownIds, new Date());
  const old = config.secrets.ENCRYPTION_KEYS;
  console.error(
    'The keys are set by ENCRYPTION_KEYS, so nothing was changed. This new key is shown only once.',
  );
  console.error('First add it to every instance for decryption only, and restart each:\n');
  console.log(`ENCRYPTION_KEYS=${old},${id}:${key}`);
  console.error('\nOnly when all of them run with it, make it the primary key, and restart each:\n');
  console.log(`ENCRYPTION_KEYS=${id}:${key},${old}`);
  console.error('\nThen run: npm run keys -- rotate');
  return 0;
}
