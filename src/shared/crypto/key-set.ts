import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { deriveKey } from './derive-key.ts';
import { timingSafeEquals } from './keyed-hash.ts';

export interface KeySet {
  readonly primary: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

export interface KeyCheckValue {
  id: string;
  checkValue: string;
}

const KEY_BYTES = 32;
const KEY_ID_PATTERN = /^[a-z0-9]{1,16}$/;
const KEY_MATERIAL_PATTERN = /^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/;
const PRINTABLE_PATTERN = /^[\x20-\x7e]+$/;

/** Parse `<id>:<32 bytes in base64>[,…]`, primary key first; throws an Error that never contains a key. */
export function parseKeySet(text: string): KeySet {
  const entries = text.split(',').map((entry) => parseKeyEntry(entry.trim()));
  const problems = [
    ...entries.flatMap(({ problem }, index) => (problem ? [`key ${index + 1} ${problem}`] : [])),
    ...findDuplicates(entries),
  ];
  const primary = entries[0];
  if (problems.length > 0 || !primary) throw new Error(`${problems.join('; ')}.`);
  const keys = new Map(entries.map(({ id, bytes }) => [id, createSecretKey(bytes)]));
  return { primary: primary.id, keys };
}

/** Remove keys from a set; the primary one stays. */
export function excludeKeysFromSet({ primary, keys }: KeySet, ids: readonly string[]): KeySet {
  return { primary, keys: new Map([...keys].filter(([id]) => id === primary || !ids.includes(id))) };
}

export function computeKeyCheckValues(keySet: KeySet): KeyCheckValue[] {
  return [...keySet.keys].map(([id, key]) => ({ id, checkValue: computeCheckValue(id, key) }));
}

/** Find stored check values whose key is missing or different; one message for each. */
export function findKeyCheckProblems(keySet: KeySet, stored: readonly KeyCheckValue[]): string[] {
  return stored.flatMap((check) => {
    const key = keySet.keys.get(check.id);
    if (!key) return [`key ${check.id} is used by the database and is missing`];
    const same = timingSafeEquals(computeCheckValue(check.id, key), check.checkValue);
    return same ? [] : [`key ${check.id} is not the one that the database was written with`];
  });
}

function computeCheckValue(id: string, key: KeyObject): string {
  return createHmac('sha256', deriveKey(key, 'qr-profile-service/key-check/v1'))
    .update(id)
    .digest('hex')
    .slice(0, 32);
}

function parseKeyEntry(entry: string): { id: string; bytes: Buffer; problem: string | null } {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, Math.max(colon, 0));
  const material = entry.slice(colon + 1);
  const bytes = Buffer.from(material, 'base64');
  return { id, bytes, problem: findEntryProblem(colon, id, material, bytes) };
}

function findEntryProblem(colon: number, id: string, material: string, bytes: Buffer): string | null {
  if (colon < 0) return 'is not of the form <id>:<base64>';
  if (!KEY_ID_PATTERN.test(id)) return 'has an id that is not 1 to 16 lower-case letters and digits';
  if (!KEY_MATERIAL_PATTERN.test(material) || bytes.length !== KEY_BYTES) return 'is not 32 bytes in base64';
  if (PRINTABLE_PATTERN.test(bytes.toString('latin1'))) return 'is text and not 32 random bytes';
  return isRepeatingPattern(bytes) ? 'is a repeating pattern and not 32 random bytes' : null;
}

/** 32 random bytes have about 30 distinct values, and no constant step. */
function isRepeatingPattern(bytes: Buffer): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));
  return new Set(bytes).size < 20 || steps.size < 4;
}

function findDuplicates(entries: readonly { id: string; bytes: Buffer }[]): string[] {
  return entries.flatMap(({ id, bytes }, index) => {
    const before = entries.slice(0, index);
    if (before.some((other) => other.id === id)) return [`key ${index + 1} has the id of an earlier one`];
    const copied = before.some((other) => other.bytes.length > 0 && other.bytes.equals(bytes));
    return copied ? [`key ${index + 1} is a copy of an earlier one`] : [];
  });
}
