import { createHmac } from 'node:crypto';
import type { FieldCipher } from '../src/platform/field-cipher.ts';

/** Create a cipher that only computes keyed hashes, for tests of signatures without an application. */
export function createHashCipher(key = 'key'): FieldCipher {
  const hash = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return { hash } as never;
}

/** Run work as if some seconds had passed. */
export function runAfter<Result>(seconds: number, work: () => Result): Result {
  const { now } = Date;
  Date.now = () => now() + seconds * 1000;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}
