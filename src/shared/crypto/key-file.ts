import { randomBytes } from 'node:crypto';
import { type KeySet, parseKeySet } from './key-set.ts';

export type EncryptionKeyState = 'PRIMARY' | 'DECRYPT' | 'RETIRED';

export interface KeyFileEntry {
  id: string;
  state: EncryptionKeyState;
  createdAt: Date;
  /** 32 bytes in base64; null once retired. */
  key: string | null;
}

const KEY_STATES: readonly EncryptionKeyState[] = ['PRIMARY', 'DECRYPT', 'RETIRED'];

/** Parse a key file (docs/security/encryption.md); throws an Error that never contains a key. */
export function parseKeyFile(text: string): KeyFileEntry[] {
  const keys = parseRows(text).map(parseRow);
  const primaries = keys.filter(({ state }) => state === 'PRIMARY').length;
  if (primaries !== 1) throw new Error(`has ${primaries} primary keys instead of one.`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('has a key id twice.');
  toKeySet(keys);
  return keys;
}

export function formatKeyFile(keys: readonly KeyFileEntry[]): string {
  const rows = keys.map(({ id, state, createdAt, key }) => {
    return { id, state, createdAt: createdAt.toISOString(), ...(key === null ? {} : { key }) };
  });
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`;
}

export function toKeySet(keys: readonly KeyFileEntry[]): KeySet {
  const primaryFirst = keys.toSorted((a, b) => KEY_STATES.indexOf(a.state) - KEY_STATES.indexOf(b.state));
  const usable = primaryFirst.flatMap(({ id, key }) => (key === null ? [] : [`${id}:${key}`]));
  return parseKeySet(usable.join(','));
}

/** Convert a key variable (`<id>:<base64>,…`, the first is primary) to key file entries. */
export function parseKeyVariable(text: string, createdAt: Date): KeyFileEntry[] {
  const { primary, keys } = parseKeySet(text);
  return [...keys].map(([id, material]) => {
    const state = id === primary ? 'PRIMARY' : 'DECRYPT';
    return { id, state, createdAt, key: material.export().toString('base64') };
  });
}

/** Create a key with an unused id. It only decrypts until `promoteKeyFileEntry`. */
export function createKeyFileEntry(usedIds: readonly string[], createdAt: Date): KeyFileEntry {
  const numbers = usedIds.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0));
  const id = `k${Math.max(0, ...numbers) + 1}`;
  return { id, state: 'DECRYPT', createdAt, key: randomBytes(32).toString('base64') };
}

/** Find the key that was added after the primary one and not promoted yet. */
export function findUnpromotedKey(keys: readonly KeyFileEntry[]): KeyFileEntry | undefined {
  const primary = keys.find(({ state }) => state === 'PRIMARY');
  return keys.find(
    ({ state, createdAt }) => state === 'DECRYPT' && primary !== undefined && createdAt > primary.createdAt,
  );
}

export function promoteKeyFileEntry(keys: readonly KeyFileEntry[], id: string): KeyFileEntry[] {
  return keys.map((key) => {
    if (key.id === id) return { ...key, state: 'PRIMARY' };
    return key.state === 'PRIMARY' ? { ...key, state: 'DECRYPT' } : key;
  });
}

export function retireKeyFileEntry(keys: readonly KeyFileEntry[], id: string): KeyFileEntry[] {
  return keys.map((key) => (key.id === id ? { ...key, state: 'RETIRED', key: null } : key));
}

function parseRows(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('is not JSON.');
  }
  const rows = readProperty(value, 'keys');
  if (!Array.isArray(rows)) throw new Error('has no list "keys".');
  return rows;
}

function parseRow(row: unknown, index: number): KeyFileEntry {
  const [id, state, key] = [readProperty(row, 'id'), readProperty(row, 'state'), readProperty(row, 'key')];
  const createdAt = new Date(String(readProperty(row, 'createdAt')));
  const knownState = KEY_STATES.find((name) => name === state);
  if (typeof id !== 'string' || !knownState || Number.isNaN(createdAt.getTime()))
    throw new Error(`has a key ${index + 1} without an id, a state or a creation time.`);
  if (knownState === 'RETIRED') return { id, state: knownState, createdAt, key: null };
  if (typeof key !== 'string') throw new Error(`has a key ${index + 1} without its bytes.`);
  return { id, state: knownState, createdAt, key };
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
