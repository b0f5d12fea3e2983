import type { KeySet } from './key-set.ts';

/** Encryption keys of a running process, which can gain keys. */
export interface KeyRing {
  current(): KeySet;
  /** Get the keys; reload them where `id` is unknown. */
  loadWithKey(id: string): KeySet;
}

/** Create a key ring that never changes, such as that of a variable. */
export function createFixedKeyRing(keySet: KeySet): KeyRing {
  return { current: () => keySet, loadWithKey: () => keySet };
}
