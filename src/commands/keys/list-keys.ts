import {
  type EncryptionKeyRecord,
  findEncryptionKeyRecords,
} from '../../platform/encryption-keys.repository.ts';
import { findRunningInstances } from '../../platform/instances.repository.ts';
import { countEncryptedValuesByKey } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import { formatCountWithNoun } from '../format-count.ts';

export async function printEncryptionKeys({ database, keyRing }: Services): Promise<number> {
  const { primary, keys } = keyRing.current();
  const known = (await findEncryptionKeyRecords(database.client)).filter(
    ({ id }) => !id.startsWith('pepper.'),
  );
  const countsByColumn = await countEncryptedValuesByKey(
    database,
    known.map(({ id }) => id),
  );
  const sum = (id: string) =>
    [...countsByColumn.values()].reduce((total, counts) => total + (counts[id] ?? 0), 0);
  for (const key of known) {
    console.log(
      `${key.id}  ${getKeyState(key, primary, keys)}  ${formatKeyTimes(key)}  ${formatCountWithNoun(sum(key.id), 'value')}`,
    );
  }
  const unknownCount = sum('') - known.reduce((total, { id }) => total + sum(id), 0);
  if (unknownCount > 0)
    console.log(
      `${formatCountWithNoun(unknownCount, 'value uses', 'values use')} an unknown key: npm run keys -- rotate lists them.`,
    );
  for (const { instanceId, keyIds, primaryKeyId } of await findRunningInstances(database.client)) {
    console.log(
      `instance ${instanceId} has ${keyIds.toSorted().join(', ')} and encrypts with ${primaryKeyId}`,
    );
  }
  return 0;
}

function getKeyState(
  { id, retiredAt }: EncryptionKeyRecord,
  primary: string,
  keys: ReadonlyMap<string, unknown>,
): string {
  if (retiredAt) return 'RETIRED';
  if (id === primary) return 'PRIMARY';
  return keys.has(id) ? 'DECRYPT' : 'MISSING';
}

function formatKeyTimes({ createdAt, promotedAt, retiredAt }: EncryptionKeyRecord): string {
  const times = { added: createdAt, promoted: promotedAt, retired: retiredAt };
  return Object.entries(times)
    .flatMap(([name, time]) => (time ? [`${name} ${time.toISOString().slice(0, 16)}Z`] : []))
    .join(', ');
}
