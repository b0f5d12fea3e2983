import {
  generateApiKeyToken,
  getShownApiKeyPrefix,
  hasApiKeyTokenMac,
  isApiKeyToken,
} from '../../src/shared/api-key-token.ts';
import { createKeyedHashFunction } from '../../src/shared/crypto/keyed-hash.ts';
import { t } from '../tap.ts';

const hash = createKeyedHashFunction('secret');

t.test('a token has the documented form, and its checksum finds a changed character', async (t) => {
  const token = generateApiKeyToken(hash);
  t.match(token, /^qrps_live_[0-9A-Za-z]{36}$/);
  t.equal(isApiKeyToken(token), true);
  for (let index = 0; index < token.length; index++) {
    const changed = token.slice(0, index) + (token[index] === '0' ? '1' : '0') + token.slice(index + 1);
    t.equal(isApiKeyToken(changed), false, changed);
  }
  for (const text of ['', 'qrps_live_', `${token}0`, ` ${token}`, token.toUpperCase()])
    t.equal(isApiKeyToken(text), false, text);
  t.match(getShownApiKeyPrefix(token), /^qrps_live_[0-9A-Za-z]{4}$/);
});

t.test('only the service that generated a token finds its MAC right', async (t) => {
  const token = generateApiKeyToken(hash);
  t.equal(hasApiKeyTokenMac(hash, token), true);
  t.equal(hasApiKeyTokenMac(createKeyedHashFunction('other'), token), false);
  t.equal(hasApiKeyTokenMac(hash, `qrps_live_${'0'.repeat(30)}49XY8F`), false, 'made before there was a MAC');
});

t.test('the checksum is CRC-32 of all before it, in base 62', async (t) => {
  t.equal(isApiKeyToken(`qrps_live_${'0'.repeat(30)}49XY8F`), true);
});
