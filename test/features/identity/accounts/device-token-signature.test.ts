import {
  createDeviceToken,
  deriveLoginThrottleKeys,
} from '../../../../src/features/identity/accounts/device-token.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../../src/shared/lifetimes.ts';
import { createHashCipher, runAfter } from '../../../hash-cipher.ts';
import { t } from '../../../tap.ts';

t.test('a device token is of one user and one access epoch, is signed, and expires', async (t) => {
  const fieldCipher = createHashCipher();
  const owner = { id: generateId(), accessEpoch: 3 };
  const token = createDeviceToken(fieldCipher, owner);
  const isKnown = (deviceToken: string | undefined, of: typeof owner | null = owner) =>
    deriveLoginThrottleKeys(fieldCipher, 'ada@example.org', of, { address: '203.0.113.7', deviceToken })
      .isKnownDevice;
  t.equal(isKnown(token), true);
  t.equal(isKnown(token, { ...owner, accessEpoch: 4 }), false, 'after all sessions ended');
  t.equal(isKnown(token, { ...owner, id: generateId() }), false, 'of another user');
  t.equal(isKnown(token, null), false, 'without an account');
  const lifetime = LIFETIMES_SECONDS.deviceToken;
  t.equal(
    runAfter(lifetime - 60, () => isKnown(token)),
    true,
  );
  t.equal(
    runAfter(lifetime + 60, () => isKnown(token)),
    false,
    'expired',
  );
  const later = token.replace(/\.\d+\./, (expiry) => `.${Number(expiry.slice(1, -1)) + 3_600}.`);
  for (const wrong of [later, `${token}x`, token.slice(1), '', undefined])
    t.equal(isKnown(wrong), false, String(wrong));
});
