import {
  createSignInState,
  deriveSignInAttempt,
  deriveSignInStateCookieValue,
  verifySignInState,
} from '../../../../src/features/identity/sign-in/sign-in-state.ts';
import { createFieldCipher } from '../../../../src/platform/field-cipher.ts';
import { createFixedKeyRing } from '../../../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../../../src/shared/crypto/key-set.ts';
import { TEST_SECRETS } from '../../../helper.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const keyRing = createFixedKeyRing(parseKeySet(TEST_SECRETS.ENCRYPTION_KEYS));
const fieldCipher = createFieldCipher({ keyRing, hashSecret: TEST_SECRETS.HASH_SECRET });
const other = createFieldCipher({ keyRing, hashSecret: 'another secret of another service, 32 characters' });
const CHALLENGE = 'c'.repeat(43);

t.test('a state is valid only with its cookie or its challenge', async (t) => {
  const cookie = createSignInState(fieldCipher, undefined);
  t.match(
    verifySignInState(fieldCipher, cookie.state, deriveSignInStateCookieValue(fieldCipher, cookie.state)),
    cookie,
  );
  t.equal(verifySignInState(fieldCipher, cookie.state, undefined), null);
  t.equal(
    verifySignInState(fieldCipher, cookie.state, deriveSignInStateCookieValue(other, cookie.state)),
    null,
  );
  const challenge = createSignInState(fieldCipher, CHALLENGE);
  t.match(verifySignInState(fieldCipher, challenge.state, undefined), {
    ...challenge,
    codeChallenge: CHALLENGE,
  });
  t.equal(verifySignInState(other, challenge.state, undefined), null);
  t.not(createSignInState(fieldCipher, undefined).state, cookie.state);
});

t.test('an expired or altered state is invalid', async (t) => {
  const { state } = createSignInState(fieldCipher, CHALLENGE);
  const [chance = ''] = state.split('.');
  t.equal(
    verifySignInState(
      fieldCipher,
      `${chance}.0000000001`,
      deriveSignInStateCookieValue(fieldCipher, `${chance}.0000000001`),
    ),
    null,
    'expired',
  );
  fc.assert(
    fc.property(fc.nat(state.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
      const altered = state.slice(0, at) + text + state.slice(at + 1);
      return altered === state || verifySignInState(fieldCipher, altered, undefined) === null;
    }),
  );
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (text, cookie) => verifySignInState(fieldCipher, text, cookie) === null,
    ),
  );
});

t.test('nonce and PKCE verifier depend on the state and on the key of the service', async (t) => {
  const [first, second] = [
    createSignInState(fieldCipher, undefined).state,
    createSignInState(fieldCipher, undefined).state,
  ];
  const toAttempt = (state: string, by = fieldCipher) =>
    deriveSignInAttempt(by, state, 'https://qr.example.org/back');
  t.same(toAttempt(first), toAttempt(first));
  const secrets = [toAttempt(first), toAttempt(second), toAttempt(first, other)].flatMap(
    ({ nonce, codeVerifier }) => [nonce, codeVerifier],
  );
  t.equal(new Set(secrets).size, 6);
  t.ok(secrets.every((secret) => /^[\w-]{43}$/.test(secret)));
});
