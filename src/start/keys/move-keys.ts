import { type KeyFileEntry, parseKeyVariable } from '../../shared/crypto/key-file.ts';
import { readStoredKeys, removeStoredKeys, SecretsMissingError } from '../secrets-file.ts';
import { createKeyFile, readKeyFile, writeKeyFile } from './key-file-store.ts';

/**
 * Moves the encryption keys that an earlier version kept in `secrets.json` into the file of keys, once. They leave
 * `secrets.json` only after the other file was written, synced and read back, so that a kill at any moment leaves
 * each key in one of the two. Throws SecretsMissingError where the two files hold different keys under one id.
 */
export async function moveKeysToKeyFile(dataDir: string, path: string): Promise<void> {
  const text = await readStoredKeys(dataDir);
  if (text === undefined) return;
  const moved = parseKeyVariable(text, new Date());
  const there = (await readKeyFile(path)) ?? (await createKeyFile(path, moved));
  const missing = moved.filter(({ id }) => !there.some((key) => key.id === id));
  const openOnly = missing.map(
    (key): KeyFileEntry => ({ ...key, state: 'DECRYPT', createdAt: oldest(there) }),
  );
  if (missing.length > 0) await writeKeyFile(path, [...there, ...openOnly]);
  const kept = (await readKeyFile(path)) ?? [];
  for (const key of moved) {
    const same = kept.find(({ id }) => id === key.id);
    if (!same || (same.state !== 'RETIRED' && same.key !== key.key))
      throw new SecretsMissingError(path, `and secrets.json hold different keys ${key.id}`);
  }
  await removeStoredKeys(dataDir);
}

/** Not later than the primary key, so that none of them passes for one that waits to be primary. */
function oldest(keys: readonly KeyFileEntry[]): Date {
  return new Date(Math.min(...keys.map(({ createdAt }) => createdAt.getTime())));
}
