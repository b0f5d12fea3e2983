import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ERRORS } from '../../../src/catalogue.ts';
import {
  createEnvelopeHeader,
  decryptField,
  decryptJsonField,
  type EnvelopeAlgorithm,
  encryptField,
  encryptJsonField,
  readEnvelopeKeyId,
} from '../../../src/shared/crypto/envelope.ts';
import { parseKeySet } from '../../../src/shared/crypto/key-set.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import { encryptLegacyField } from './legacy-envelope.ts';
import { createTestKey, createTestKeySet } from './test-keys.ts';

interface Vector {
  algorithm: EnvelopeAlgorithm;
  keyId: string;
  key: string;
  table: string;
  column: string;
  rowId: string;
  /** Absent in versions 1 and 2. */
  ownerId?: string;
  iv: string;
  associatedData: string;
  plaintext: string;
  ciphertext: string;
  tag: string;
  envelope: string;
}

const VECTORS: Vector[] = JSON.parse(readFileSync('test/vectors/envelope.json', 'utf8'));
const ALGORITHMS: readonly EnvelopeAlgorithm[] = ['GCM', 'CBC_HMAC'];
const REFUSAL = { name: 'ServiceError', code: 'DATA_INTEGRITY' } as const;
const PLACE = {
  table: 'qr_codes',
  column: 'data',
  rowId: '65b2f0c0a1b2c3d4e5f60718',
  ownerId: '65b2f0bf0011223344556677',
};

for (const [index, vector] of VECTORS.entries()) {
  t.test(
    `decrypts test vector ${index + 1} (${vector.algorithm}) and matches docs/security/encryption.md`,
    async (t) => {
      const keys = parseKeySet(`${vector.keyId}:${Buffer.from(vector.key, 'hex').toString('base64')}`);
      const place = { ...vector, ownerId: vector.ownerId ?? 'anybody' };
      const envelope = Buffer.from(vector.envelope, 'hex');
      t.doesNotThrow(() => decryptField(keys, place, envelope), 'stored data stays readable');
      t.equal(decryptField(keys, place, envelope).toString(), vector.plaintext);
      t.equal(readByHand(vector), vector.plaintext);
      const start = Buffer.from([versionOf(vector), vector.keyId.length]).toString('hex');
      const keyId = Buffer.from(vector.keyId).toString('hex');
      t.equal(vector.envelope, start + keyId + vector.iv + vector.ciphertext + vector.tag);
    },
  );
}

for (const algorithm of ALGORITHMS) {
  t.test(`round-trips any value with ${algorithm} at its location`, async (t) => {
    const keys = createTestKeySet('k1');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (plaintext) => {
        const bytes = encryptField(keys, { ...PLACE, algorithm }, plaintext);
        return decryptField(keys, PLACE, bytes).equals(plaintext);
      }),
    );
    const value = { note: 'Ä 犬', list: [1, null, true] };
    t.same(decryptJsonField(keys, PLACE, encryptJsonField(keys, { ...PLACE, algorithm }, value)), value);
    t.throws(() => encryptJsonField(keys, { ...PLACE, algorithm }, undefined), TypeError);
    t.throws(
      () => decryptJsonField(keys, PLACE, encryptField(keys, { ...PLACE, algorithm }, Buffer.from('{'))),
      REFUSAL,
    );
  });

  t.test(`encrypts the same value to different bytes with ${algorithm}`, async (t) => {
    const [keys, plaintext] = [createTestKeySet('k1'), Buffer.from('a note')];
    const envelopes = Array.from({ length: 50 }, () =>
      encryptField(keys, { ...PLACE, algorithm }, plaintext).toString('hex'),
    );
    t.equal(new Set(envelopes).size, 50);
  });

  t.test(`rejects any flipped bit of ${algorithm}`, async (t) => {
    const keys = createTestKeySet('k1', 'k0');
    const bytes = encryptField(keys, { ...PLACE, algorithm }, Buffer.from('a medical note of a few words'));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (!refused(() => decryptField(keys, PLACE, altered))) t.fail(`bit ${bit} was not noticed`);
    }
    t.ok(decryptField(keys, PLACE, bytes));
  });

  t.test(`rejects truncated, extended or unrelated bytes for ${algorithm}`, async (t) => {
    const keys = createTestKeySet('k1');
    const bytes = encryptField(keys, { ...PLACE, algorithm }, Buffer.from('a medical note'));
    for (let length = 0; length < bytes.length; length += 1) {
      if (!refused(() => decryptField(keys, PLACE, bytes.subarray(0, length))))
        t.fail(`${length} bytes were taken`);
    }
    const further = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(further, (more) => refused(() => decryptField(keys, PLACE, Buffer.concat([bytes, more])))),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (noise) =>
        refused(() => decryptField(keys, PLACE, noise)),
      ),
    );
    t.ok(decryptField(keys, PLACE, bytes));
  });

  t.test(`rejects bytes of ${algorithm} copied to another row, column, table or owner`, async (t) => {
    const keys = createTestKeySet('k1');
    const text = fc.string({ maxLength: 8 });
    const place = fc.record({ table: text, column: text, rowId: text, ownerId: text });
    fc.assert(
      fc.property(place, place, (here, there) => {
        const bytes = encryptField(keys, { ...here, algorithm }, Buffer.from('note'));
        const same = JSON.stringify(Object.values(here)) === JSON.stringify(Object.values(there));
        return same || refused(() => decryptField(keys, there, bytes));
      }),
    );
    const here = { table: 'a', column: 'bc', rowId: 'd', ownerId: 'e' };
    const bytes = encryptField(keys, { ...here, algorithm }, Buffer.from('note'));
    t.throws(() => decryptField(keys, { ...here, table: 'ab', column: 'c' }, bytes), REFUSAL);
    t.throws(() => decryptField(keys, { ...here, rowId: 'de', ownerId: '' }, bytes), REFUSAL);
    t.throws(
      () => decryptField(keys, { ...here, ownerId: 'f' }, bytes),
      REFUSAL,
      'a row moved to another owner',
    );
  });

  t.test(`decrypts a value of ${algorithm} without a bound owner, only at its own row`, async (t) => {
    const keys = createTestKeySet('k2', 'k1');
    const key = { id: 'k1', bytes: Buffer.from(createTestKey('k1'), 'base64') };
    const bytes = encryptLegacyField(key, { ...PLACE, algorithm }, Buffer.from('an old note'));
    t.equal(decryptField(keys, PLACE, bytes).toString(), 'an old note');
    t.throws(() => decryptField(keys, { ...PLACE, rowId: '65b2f0c0a1b2c3d4e5f60719' }, bytes), REFUSAL);
    bytes[0] = (bytes[0] ?? 0) + 2;
    t.throws(
      () => decryptField(keys, PLACE, bytes),
      REFUSAL,
      'it does not pass for one that binds its owner',
    );
  });

  t.test(`the header of ${algorithm} is not encrypted`, async (t) => {
    const bytes = encryptField(createTestKeySet('k2026'), { ...PLACE, algorithm }, Buffer.from('note'));
    const head = createEnvelopeHeader(algorithm, 'k2026');
    t.same(bytes.subarray(0, head.length), head);
    t.equal(readEnvelopeKeyId(bytes), 'k2026');
    for (const none of [[], [3], [3, 0], [3, 17], [3, 2, 107]])
      t.equal(readEnvelopeKeyId(Uint8Array.from(none)), null);
  });

  t.test(`does not decrypt ${algorithm} with a different key under the same id`, async (t) => {
    const bytes = encryptField(createTestKeySet('k1'), { ...PLACE, algorithm }, Buffer.from('note'));
    const other = parseKeySet(`k1:${Buffer.from(VECTORS[0]?.key ?? '', 'hex').toString('base64')}`);
    t.throws(() => decryptField(other, PLACE, bytes), REFUSAL);
  });
}

t.test('the algorithm cannot be changed by the version byte', async (t) => {
  const keys = createTestKeySet('k1');
  for (const algorithm of ALGORITHMS) {
    const bytes = encryptField(keys, { ...PLACE, algorithm }, Buffer.alloc(64));
    const written = bytes[0];
    for (let version = 0; version < 256; version += 1) {
      bytes[0] = version;
      if (version !== written && !refused(() => decryptField(keys, PLACE, bytes)))
        t.fail(`version ${version}`);
    }
  }
});

t.test('decrypts with old keys, encrypts with the primary key, and fails without the key', async (t) => {
  const old = encryptField(createTestKeySet('k1'), { ...PLACE, algorithm: 'GCM' }, Buffer.from('note'));
  const rotated = createTestKeySet('k2', 'k1');
  t.equal(decryptField(rotated, PLACE, old).toString(), 'note');
  const young = encryptField(rotated, { ...PLACE, algorithm: 'GCM' }, Buffer.from('note'));
  t.equal(decryptField(createTestKeySet('k2'), PLACE, young).toString(), 'note');
  t.throws(() => decryptField(createTestKeySet('k2'), PLACE, old), REFUSAL);
});

t.test('every failure is the same error without details', async (t) => {
  const keys = createTestKeySet('k1');
  const bytes = encryptField(keys, { ...PLACE, algorithm: 'CBC_HMAC' }, Buffer.from('note'));
  const badTag = Buffer.from(bytes).fill(0, bytes.length - 1);
  const causes = [Buffer.alloc(0), Buffer.from([9, 9]), badTag, bytes.subarray(0, 40)];
  const messages = new Set<string>();
  for (const wrong of causes) {
    try {
      decryptField(keys, PLACE, wrong);
      t.fail('was opened');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, cause, errors, members } = error;
      messages.add(JSON.stringify({ code, message, cause, errors, members }));
    }
  }
  t.same(
    [...messages],
    [JSON.stringify({ code: 'DATA_INTEGRITY', message: ERRORS.DATA_INTEGRITY.title, members: {} })],
  );
});

function refused(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    return error instanceof ServiceError && error.code === REFUSAL.code;
  }
}

/** A decoder written from docs/security/encryption.md alone. */
function versionOf({ algorithm, ownerId }: Vector): number {
  return (algorithm === 'GCM' ? 1 : 2) + (ownerId === undefined ? 0 : 2);
}

function readByHand(vector: Vector): string {
  const version = versionOf(vector);
  const [iv, ciphertext] = [Buffer.from(vector.iv, 'hex'), Buffer.from(vector.ciphertext, 'hex')];
  const derive = (use: string) => {
    const info = `qr-profile-service/envelope/v${version}/${use}`;
    return Buffer.from(hkdfSync('sha256', Buffer.from(vector.key, 'hex'), Buffer.alloc(0), info, 32));
  };
  const owner = vector.ownerId === undefined ? [] : [vector.ownerId];
  const parts = [vector.table, vector.column, vector.rowId, ...owner, vector.keyId];
  const prefixed = parts.map(
    (part) => part.length.toString(16).padStart(8, '0') + Buffer.from(part).toString('hex'),
  );
  const associated = Buffer.from(`0${version}${prefixed.join('')}`, 'hex');
  if (associated.toString('hex') !== vector.associatedData) return 'other associated data';
  if (vector.algorithm === 'GCM') {
    const decipher = createDecipheriv('aes-256-gcm', derive('encrypt'), iv);
    decipher.setAAD(associated).setAuthTag(Buffer.from(vector.tag, 'hex'));
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
  }
  const length = associated.length.toString(16).padStart(8, '0');
  const authenticated = Buffer.concat([Buffer.from(length, 'hex'), associated, iv, ciphertext]);
  const tag = createHmac('sha256', derive('mac')).update(authenticated).digest('hex');
  if (tag !== vector.tag) return 'other tag';
  const decipher = createDecipheriv('aes-256-cbc', derive('encrypt'), iv);
  return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
}
