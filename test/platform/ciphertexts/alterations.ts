import { randomBytes, randomInt } from 'node:crypto';
import { encryptField, type FieldLocation } from '../../../src/shared/crypto/envelope.ts';
import { parseKeySet } from '../../../src/shared/crypto/key-set.ts';

export interface StoredCiphertext {
  location: FieldLocation;
  bytes: Buffer;
}

const RETIRED_KEY_SET = parseKeySet(`k0:${randomBytes(32).toString('base64')}`);

/** Changes that an attacker with database write access could make to a stored value or its location. */
export const ALTERATIONS: Record<
  string,
  (value: StoredCiphertext, all: readonly StoredCiphertext[]) => StoredCiphertext
> = {
  'a bit': (value) => ({ ...value, bytes: flipBits(value.bytes, 1) }),
  'several bits': (value) => ({ ...value, bytes: flipBits(value.bytes, randomInt(2, 20)) }),
  version: ({ location, bytes }) => ({ location, bytes: replaceByte(bytes, 0, getDifferentByte(bytes[0])) }),
  'length of the key id': ({ location, bytes }) => ({
    location,
    bytes: replaceByte(bytes, 1, getDifferentByte(bytes[1])),
  }),
  'key id': ({ location, bytes }) => ({ location, bytes: replaceByte(bytes, 3, getDifferentByte(bytes[3])) }),
  truncated: ({ location, bytes }) => ({ location, bytes: bytes.subarray(0, randomInt(bytes.length)) }),
  'tag cut': ({ location, bytes }) => ({
    location,
    bytes: bytes.subarray(0, bytes.length - randomInt(1, 16)),
  }),
  extended: ({ location, bytes }) => ({
    location,
    bytes: Buffer.concat([bytes, randomBytes(randomInt(1, 40))]),
  }),
  noise: ({ location, bytes }) => ({ location, bytes: randomBytes(bytes.length) }),
  'another value': ({ location, bytes }, all) => ({ location, bytes: pickOtherCiphertext(bytes, all) }),
  'head of another, rest kept': ({ location, bytes }, all) => {
    const other = pickOtherCiphertext(bytes, all);
    return { location, bytes: Buffer.concat([other.subarray(0, 24), bytes.subarray(24)]) };
  },
  'a retired key': ({ location }) => ({
    location,
    bytes: encryptField(RETIRED_KEY_SET, { ...location, algorithm: 'GCM' }, Buffer.from('{"name":"Rex"}')),
  }),
  'another row': ({ location, bytes }) => ({
    bytes,
    location: { ...location, rowId: alterId(location.rowId) },
  }),
  'another owner': ({ location, bytes }) => ({
    bytes,
    location: { ...location, ownerId: alterId(location.ownerId) },
  }),
  'another column': ({ location, bytes }) => ({
    bytes,
    location: { ...location, column: `${location.column}_` },
  }),
  'another table': ({ location, bytes }) => ({
    bytes,
    location: { ...location, table: `${location.table}_` },
  }),
};

export const BYTE_ALTERATIONS = Object.keys(ALTERATIONS).filter(
  (name) => !/^another (row|owner|column|table)$/.test(name),
);

function flipBits(bytes: Buffer, count: number): Buffer {
  const altered = Buffer.from(bytes);
  const bits = new Set(Array.from({ length: count }, () => randomInt(bytes.length * 8)));
  for (const bit of bits) altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return altered;
}

function replaceByte(bytes: Buffer, at: number, value: number): Buffer {
  const altered = Buffer.from(bytes);
  altered[at] = value;
  return altered;
}

function getDifferentByte(value = 0): number {
  return (value + randomInt(1, 256)) % 256;
}

function pickOtherCiphertext(bytes: Buffer, all: readonly StoredCiphertext[]): Buffer {
  const others = all.filter((value) => !value.bytes.equals(bytes));
  return others[randomInt(others.length)]?.bytes ?? Buffer.alloc(0);
}

function alterId(id: string): string {
  if (id === '') return 'x';
  const at = randomInt(id.length);
  const digit = id[at] === '0' ? '1' : '0';
  return id.slice(0, at) + digit + id.slice(at + 1);
}
