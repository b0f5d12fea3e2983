import { Secret } from 'otpauth';
import {
  generateRecoveryCodes,
  normalizeRecoveryCode,
  RECOVERY_CODE_COUNT,
} from '../../../../src/features/identity/second-factor/recovery-code.rules.ts';
import {
  findTotpStep,
  generateTotpSecret,
} from '../../../../src/features/identity/second-factor/totp.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

t.test('TOTP codes match RFC 6238, appendix B, and are valid one step early or late', async (t) => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  // RFC 6238, appendix B: Unix seconds, and the last six digits of the eight-digit code.
  const vectors: readonly (readonly [number, string])[] = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = Math.floor(seconds / 30);
    t.equal(findTotpStep(secret, code, seconds * 1000), step, code);
    t.equal(findTotpStep(secret, code, (seconds + 30) * 1000), step, 'one step late');
    t.equal(findTotpStep(secret, code, (seconds - 30) * 1000), step, 'one step early');
    t.equal(findTotpStep(secret, code, (seconds + 61) * 1000), null, 'two steps late');
    t.equal(findTotpStep(secret, code, (seconds - 61) * 1000), null, 'two steps early');
  }
});

t.test('every secret is different and has 160 bits', async (t) => {
  const secrets = Array.from({ length: 100 }, generateTotpSecret);
  t.equal(new Set(secrets).size, 100);
  for (const secret of secrets) t.equal(Secret.fromBase32(secret).bytes.length, 20);
});

t.test('a recovery code has 120 random bits', async (t) => {
  for (const code of generateRecoveryCodes())
    t.match(code, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/, '24 of 32 characters');
});

t.test('a recovery code is the same however it is typed', async (t) => {
  const codes = Array.from({ length: 20 }, generateRecoveryCodes).flat();
  t.equal(new Set(codes).size, 20 * RECOVERY_CODE_COUNT);
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      fc.constantFrom('', ' ', '-', ' - '),
      fc.boolean(),
      (code, between, inCapitals) => {
        const groups = code.split('-').join(between).replaceAll('0', 'o').replaceAll('1', 'l');
        const typed = inCapitals ? groups.toUpperCase() : groups;
        return normalizeRecoveryCode(typed) === code.replaceAll('-', '');
      },
    ),
  );
});
