import { insertAuditEntry } from '../../platform/audit.repository.ts';
import {
  findEncryptionKeyRecords,
  markEncryptionKeyRetired,
} from '../../platform/encryption-keys.repository.ts';
import { findRunningInstances } from '../../platform/instances.repository.ts';
import { runWithEncryptionKeyLock } from '../../platform/key-lock.ts';
import { countEncryptedValuesByKey } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import { retireKeyFileEntry } from '../../shared/crypto/key-file.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { EXIT_CODES } from '../../shared/process-exit-codes.ts';
import { getKeyFilePath, readKeyFile, writeKeyFile } from '../../start/keys/key-file-store.ts';
import { formatCountWithNoun } from '../format-count.ts';

/** Retire a key; exits with 1 while it is primary or used, with 75 while an instance writes or just wrote with it. */
export async function retireEncryptionKey(services: Services, id: string): Promise<number> {
  const { config, database, keyRing } = services;
  return runWithEncryptionKeyLock(database, async () => {
    const storedKey = (await findEncryptionKeyRecords(database.client)).find((key) => key.id === id);
    if (!storedKey) return printFailure(`Key ${id} does not exist.`);
    if (keyRing.current().primary === id)
      return printFailure(`Key ${id} is the primary key. Replace it first: npm run keys -- add`);
    const writer = await findRetirementBlocker(services, id);
    if (writer !== null) {
      console.error(writer);
      return EXIT_CODES.TEMPORARY;
    }
    const usage = await findKeyUsage(services, id);
    if (usage.length > 0) {
      for (const line of usage) console.error(line);
      return printFailure(`Key ${id} is still in use. First run: npm run keys -- rotate`);
    }
    // Database first: after an interruption a start no longer requires the key, and the next call finishes.
    await database.transaction(async (tx) => {
      if (!(await markEncryptionKeyRetired(tx, id))) return;
      const entry = { action: 'KEY_RETIRED', operation: 'keys:retire', requestId: 'command' } as const;
      await insertAuditEntry(tx, { ...entry, outcome: 'SUCCESS', resourceId: id });
    });
    const path = getKeyFilePath(config);
    if (path === null) {
      console.log(`Key ${id} is retired. Remove it from ENCRYPTION_KEYS and restart every instance.`);
    } else {
      await writeKeyFile(path, retireKeyFileEntry((await readKeyFile(path)) ?? [], id));
      console.log(`Key ${id} is retired and no longer in ${path}.`);
    }
    console.log('Older backups of the database need this key: keep it with them.');
    return 0;
  });
}

async function findRetirementBlocker({ database }: Services, id: string): Promise<string | null> {
  const instances = await findRunningInstances(database.client);
  const writer = instances.find(({ primaryKeyId }) => primaryKeyId === id);
  if (writer)
    return `The instance ${writer.instanceId} still encrypts with key ${id}. Restart it with another one.`;
  const recentInstance = instances.find(({ secondsPrimary, keyIds }) => {
    return keyIds.includes(id) && secondsPrimary < LIFETIMES_SECONDS.instanceHeartbeat;
  });
  if (!recentInstance) return null;
  const wait = Math.ceil(LIFETIMES_SECONDS.instanceHeartbeat - recentInstance.secondsPrimary);
  return `The instance ${recentInstance.instanceId} has just changed its primary key. Try again in ${wait} s.`;
}

async function findKeyUsage({ database }: Services, id: string): Promise<string[]> {
  const found = await countEncryptedValuesByKey(database, [id]);
  return [...found].flatMap(([name, counts]) =>
    counts[id] ? [`${name}: ${formatCountWithNoun(counts[id], 'value')}`] : [],
  );
}

function printFailure(text: string): number {
  console.error(text);
  return 1;
}
