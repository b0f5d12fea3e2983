import { createHmac, hkdfSync } from 'node:crypto';
import { createKeyedHashFunction, timingSafeEquals } from '../../../src/shared/crypto/keyed-hash.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const SECRET = 'a secret of more than 32 characters, for tests';
const keyedHash = createKeyedHashFunction(SECRET);

t.test('computes HMAC-SHA-256 over length-prefixed parts under a key derived for the purpose', async (t) => {
  const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'qr-profile-service/keyed-hash/v1/otp', 32));
  const expected = createHmac('sha256', key).update('\0\0\0\x02ab\0\0\0\x01c').digest();
  t.same(keyedHash('otp', 'ab', 'c'), expected);
  t.same(keyedHash('otp', 'ab', Buffer.from('c')), expected, 'text is its UTF-8');
});

t.test('another secret, purpose or split into parts gives another hash', async (t) => {
  const hashes = [
    keyedHash('otp', 'ab', 'c'),
    createKeyedHashFunction(`${SECRET}!`)('otp', 'ab', 'c'),
    keyedHash('reset', 'ab', 'c'),
    keyedHash('otp', 'a', 'bc'),
    keyedHash('otp', 'abc'),
    keyedHash('otp', 'ab', 'c', ''),
  ];
  t.equal(new Set(hashes.map((hash) => hash.toString('hex'))).size, hashes.length);
});

t.test('compares all bytes of two values', async (t) => {
  t.equal(timingSafeEquals('abc', 'abcd'), false);
  const pair = fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }));
  fc.assert(
    fc.property(
      pair,
      ([a, b]) => timingSafeEquals(a, b) === Buffer.from(a).equals(b) && timingSafeEquals(a, a),
    ),
  );
  t.equal(timingSafeEquals('ä', Buffer.from('ä')), true);
});
