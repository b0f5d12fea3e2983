import type { KeySet } from './key-set.ts';

export interface KeyRing {
  current(): KeySet;
  /** Get the keys; reload them where `id` is unknown. */
  loadWithKey(id: string): KeySet;
}

export function createFixedKeyRing(keySet: KeySet): KeyRing {
  return { current: () => keySet, loadWithKey: () => keySet };
}
