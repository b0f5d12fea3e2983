import { readFileSync, statSync } from 'node:fs';
import { parseKeyFile, toKeySet } from '../../shared/crypto/key-file.ts';
import type { KeyRing } from '../../shared/crypto/key-ring.ts';
import { excludeKeysFromSet, type KeySet } from '../../shared/crypto/key-set.ts';

const CHECK_INTERVAL_MS = 2_000;

/**
 * Create a key ring on a file, checked every two seconds of use. An unreadable file leaves the keys unchanged.
 * @param retired ids that the database lists as retired: they decrypt nothing
 * @throws Error when the file cannot be read at the start
 */
export function createFileKeyRing(
  path: string,
  retired: readonly string[],
  onProblem: (error: unknown) => void,
): KeyRing {
  let lastState = getFileState(path);
  let checkedAt = performance.now();
  let keys: KeySet = read();

  function read(): KeySet {
    return excludeKeysFromSet(toKeySet(parseKeyFile(readFileSync(path, 'utf8'))), retired);
  }

  function checkFile(): void {
    checkedAt = performance.now();
    try {
      const state = getFileState(path);
      if (state === lastState) return;
      // Before reading: the next check sees a change meanwhile.
      lastState = state;
      keys = read();
    } catch (error) {
      onProblem(error);
    }
  }

  return {
    current() {
      if (performance.now() - checkedAt > CHECK_INTERVAL_MS) checkFile();
      return keys;
    },
    loadWithKey(id) {
      if (!keys.keys.has(id)) checkFile();
      return keys;
    },
  };
}

/** Changes whenever the file is replaced or written. */
function getFileState(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
