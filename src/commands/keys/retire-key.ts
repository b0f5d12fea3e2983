import { addAuditEntry } from '../../platform/audit.repository.ts';
import { findKeys, markRetired } from '../../platform/encryption-keys.repository.ts';
import { findKeyHolders } from '../../platform/key-holders.repository.ts';
import { withKeyLock } from '../../platform/key-lock.ts';
import { countByKey } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import { retired } from '../../shared/crypto/key-file.ts';
import { EXIT } from '../../shared/exit.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { keyFilePath, readKeyFile, writeKeyFile } from '../../start/keys/key-file-store.ts';
import { counted } from '../counted.ts';

/**
 * `npm run keys:retire -- <id>`: takes a key out of service that nothing needs any more. Exit code 1 while a value is
 * under it, or it is the primary one; 75 while an instance still writes with it or did a moment ago.
 */
export async function retireKey(services: Services, id: string): Promise<number> {
  const { config, database, keyRing } = services;
  return withKeyLock(database, async () => {
    const known = (await findKeys(database.client)).find((key) => key.id === id);
    if (!known) return refuse(`There is no key ${id}.`);
    if (keyRing.current().primary === id)
      return refuse(`Key ${id} is the primary one. Another takes its place by: npm run keys:add`);
    const writer = await findWriter(services, id);
    if (writer !== null) {
      console.error(writer);
      return EXIT.TEMPORARY;
    }
    const needed = await findNeeded(services, id);
    if (needed.length > 0) {
      for (const line of needed) console.error(line);
      return refuse(`Key ${id} is still needed. First: npm run keys:rotate`);
    }
    // The database first: stopped in between, a start wants the key no more, and the next call goes on with the file.
    await database.transaction(async (tx) => {
      if (!(await markRetired(tx, id))) return;
      const entry = { action: 'KEY_RETIRED', operation: 'keys:retire', requestId: 'command' } as const;
      await addAuditEntry(tx, { ...entry, outcome: 'SUCCESS', resourceId: id });
    });
    const path = keyFilePath(config);
    if (path === null) {
      console.log(`Key ${id} is retired. Take it out of ENCRYPTION_KEYS and start every instance again.`);
    } else {
      await writeKeyFile(path, retired((await readKeyFile(path)) ?? [], id));
      console.log(`Key ${id} is retired and no longer in ${path}.`);
    }
    console.log('Copies of the database from before can only be read with it: keep it with them.');
    return 0;
  });
}

/** Why values could still be written with a key: a sentence, or null. */
async function findWriter({ database }: Services, id: string): Promise<string | null> {
  const holders = await findKeyHolders(database.client);
  const writer = holders.find(({ primaryKeyId }) => primaryKeyId === id);
  if (writer)
    return `The instance ${writer.instanceId} still writes with the key ${id}: start it again with another.`;
  const young = holders.find(({ secondsPrimary, keyIds }) => {
    return keyIds.includes(id) && secondsPrimary < LIFETIMES.keyNote;
  });
  if (!young) return null;
  const wait = Math.ceil(LIFETIMES.keyNote - young.secondsPrimary);
  return `The instance ${young.instanceId} changed its primary key a moment ago: try again in ${wait} s.`;
}

async function findNeeded({ database }: Services, id: string): Promise<string[]> {
  const found = await countByKey(database, [id]);
  return [...found].flatMap(([name, counts]) =>
    counts[id] ? [`${name}: ${counted(counts[id], 'value')}`] : [],
  );
}

function refuse(text: string): number {
  console.error(text);
  return 1;
}
