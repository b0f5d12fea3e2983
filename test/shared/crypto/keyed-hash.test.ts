import { createHmac, hkdfSync } from 'node:crypto';
import t from 'tap';
import { keyedHash, keyedHashHex, keyedHashText, sameBytes } from '../../../src/shared/crypto/keyed-hash.ts';
import { fc } from '../../property.ts';

const SECRET = 'a secret of more than 32 characters, for tests';

t.test(
  'The hash is HMAC-SHA-256 over length-prefixed parts under a key derived for the purpose',
  async (t) => {
    const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'qr-profile-service/keyed-hash/v1/otp', 32));
    const expected = createHmac('sha256', key).update('\0\0\0\x02ab\0\0\0\x01c').digest();
    t.same(keyedHash(SECRET, 'otp', 'ab', 'c'), expected);
    t.equal(keyedHashHex(SECRET, 'otp', 'ab', Buffer.from('c')), expected.toString('hex'));
    t.equal(keyedHashText(SECRET, 'otp', 'ab', 'c'), expected.toString('base64url'));
  },
);

t.test('Another secret, purpose or division into parts gives another hash', async (t) => {
  const hashes = [
    keyedHashHex(SECRET, 'otp', 'ab', 'c'),
    keyedHashHex(`${SECRET}!`, 'otp', 'ab', 'c'),
    keyedHashHex(SECRET, 'reset', 'ab', 'c'),
    keyedHashHex(SECRET, 'otp', 'a', 'bc'),
    keyedHashHex(SECRET, 'otp', 'abc'),
    keyedHashHex(SECRET, 'otp', 'ab', 'c', ''),
  ];
  t.equal(new Set(hashes).size, hashes.length);
});

t.test('Values are the same exactly when all their bytes are', async (t) => {
  const pair = fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }));
  fc.assert(fc.property(pair, ([a, b]) => sameBytes(a, b) === Buffer.from(a).equals(b) && sameBytes(a, a)));
  t.equal(sameBytes('ä', Buffer.from('ä')), true);
  t.equal(sameBytes('abc', 'abcd'), false);
});
