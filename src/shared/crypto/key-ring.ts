import type { KeySet } from './key-set.ts';

/** The encryption keys of a running process, which may become more while it runs. */
export interface KeyRing {
  /** The keys as they are known now. */
  current(): KeySet;
  /** The keys after a fresh look at where they come from, where `id` is not among those known. */
  loadWithKey(id: string): KeySet;
}

/** Keys that stay as they are, such as those of a variable. */
export function createFixedKeyRing(keySet: KeySet): KeyRing {
  return { current: () => keySet, loadWithKey: () => keySet };
}
