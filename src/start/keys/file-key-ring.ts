import { readFileSync, statSync } from 'node:fs';
import { parseKeyFile, toKeySet } from '../../shared/crypto/key-file.ts';
import type { KeyRing } from '../../shared/crypto/key-ring.ts';
import { excludeKeys, type KeySet } from '../../shared/crypto/key-set.ts';

/** Milliseconds after which the file is looked at again before a key is used. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * The keys of a file, which is read again after it changed: every two seconds of use a look at its date, and at once
 * when a key is asked for that is not known. Looks are synchronous, since encrypting is; what is read is small and
 * changes a few times in a service's life. A file that is damaged or gone leaves the keys as they were.
 * @param retired ids that the database says are retired: they open nothing even where their bytes are still there
 * @throws Error when the file cannot be read at the start
 */
export function createFileKeyRing(
  path: string,
  retired: readonly string[],
  onProblem: (error: unknown) => void,
): KeyRing {
  let seen = getFileState(path);
  let lookedAt = performance.now();
  let keys: KeySet = read();

  function read(): KeySet {
    return excludeKeys(toKeySet(parseKeyFile(readFileSync(path, 'utf8'))), retired);
  }

  function look(): void {
    lookedAt = performance.now();
    try {
      const state = getFileState(path);
      if (state === seen) return;
      // Before it is read: a change meanwhile is seen by the next look.
      seen = state;
      keys = read();
    } catch (error) {
      onProblem(error);
    }
  }

  return {
    current() {
      if (performance.now() - lookedAt > CHECK_INTERVAL_MS) look();
      return keys;
    },
    loadWithKey(id) {
      if (!keys.keys.has(id)) look();
      return keys;
    },
  };
}

/** Changes whenever the file is replaced or written to. */
function getFileState(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
