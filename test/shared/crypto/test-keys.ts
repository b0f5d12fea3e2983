import { createHash } from 'node:crypto';
import { type KeySet, parseKeySet } from '../../../src/shared/crypto/key-set.ts';

/** 32 bytes that look random and are the same in every run. */
export function createTestKey(name: string): string {
  return createHash('sha256').update(name).digest('base64');
}

/** Create a key set; the first id is primary. */
export function createTestKeySet(...ids: string[]): KeySet {
  return parseKeySet(ids.map((id) => `${id}:${createTestKey(id)}`).join(','));
}
