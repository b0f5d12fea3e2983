import { findKeys, type StoredKey } from '../../platform/encryption-keys.repository.ts';
import { findKeyHolders } from '../../platform/key-holders.repository.ts';
import { countByKey } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import { counted } from '../counted.ts';

/** `npm run keys:list`: each key with its state, its times and how many values are under it; then who has which. */
export async function listKeys({ database, keyRing }: Services): Promise<number> {
  const { primary, keys } = keyRing.current();
  const known = (await findKeys(database.client)).filter(({ id }) => !id.startsWith('pepper.'));
  const found = await countByKey(
    database,
    known.map(({ id }) => id),
  );
  const sum = (id: string) => [...found.values()].reduce((total, counts) => total + (counts[id] ?? 0), 0);
  for (const key of known) {
    console.log(
      `${key.id}  ${stateOf(key, primary, keys)}  ${timesOf(key)}  ${counted(sum(key.id), 'value')}`,
    );
  }
  const rest = sum('') - known.reduce((total, { id }) => total + sum(id), 0);
  if (rest > 0)
    console.log(
      `${counted(rest, 'value names', 'values name')} none of these keys: npm run keys:rotate tells which.`,
    );
  for (const { instanceId, keyIds, primaryKeyId } of await findKeyHolders(database.client)) {
    console.log(`instance ${instanceId} has ${keyIds.toSorted().join(', ')} and writes with ${primaryKeyId}`);
  }
  return 0;
}

function stateOf({ id, retiredAt }: StoredKey, primary: string, keys: ReadonlyMap<string, unknown>): string {
  if (retiredAt) return 'RETIRED';
  if (id === primary) return 'PRIMARY';
  return keys.has(id) ? 'DECRYPT' : 'MISSING';
}

function timesOf({ createdAt, promotedAt, retiredAt }: StoredKey): string {
  const times = { added: createdAt, promoted: promotedAt, retired: retiredAt };
  return Object.entries(times)
    .flatMap(([name, time]) => (time ? [`${name} ${time.toISOString().slice(0, 16)}Z`] : []))
    .join(', ');
}
