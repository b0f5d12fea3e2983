import {
  createSignInState,
  deriveSignInAttempt,
  verifySignInState,
} from '../../../../src/features/identity/sign-in/sign-in-state.ts';
import { createFieldCipher } from '../../../../src/platform/field-cipher.ts';
import { createFixedKeyRing } from '../../../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../../../src/shared/crypto/key-set.ts';
import { LIFETIMES_SECONDS } from '../../../../src/shared/lifetimes.ts';
import { runAfter } from '../../../hash-cipher.ts';
import { TEST_SECRETS } from '../../../helper.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const keyRing = createFixedKeyRing(parseKeySet(TEST_SECRETS.ENCRYPTION_KEYS));
const fieldCipher = createFieldCipher({ keyRing, hashSecret: TEST_SECRETS.HASH_SECRET });
const other = createFieldCipher({ keyRing, hashSecret: 'another secret of another service, 32 characters' });
const CHALLENGE = 'c'.repeat(43);

t.test('a state is valid only with its cookie or its challenge', async (t) => {
  const { state, cookie } = createSignInState(fieldCipher);
  const verify = (text: string | null) => verifySignInState(fieldCipher, state, text ?? undefined);
  t.match(verify(cookie), { state, codeChallenge: null });
  t.equal(verify(null), null);
  t.equal(verify(createSignInState(fieldCipher).cookie), null, 'of another sign-in');
  t.equal(verifySignInState(other, state, cookie ?? undefined), null, 'of another service');
  const [random = '', expiry = ''] = state.split('.');
  t.equal(verifySignInState(fieldCipher, random, `${expiry}.${cookie}`), null, 'divided in another way');
  const challenged = createSignInState(fieldCipher, CHALLENGE);
  t.equal(challenged.cookie, null);
  t.match(verifySignInState(fieldCipher, challenged.state, undefined), {
    state: challenged.state,
    codeChallenge: CHALLENGE,
  });
  t.equal(verifySignInState(other, challenged.state, undefined), null);
  t.not(createSignInState(fieldCipher).state, state);
});

t.test('an expired or altered state is invalid', async (t) => {
  const unbound = createSignInState(fieldCipher);
  const verifyAfter = (seconds: number) =>
    runAfter(seconds, () => verifySignInState(fieldCipher, unbound.state, unbound.cookie ?? undefined));
  t.ok(verifyAfter(LIFETIMES_SECONDS.signInAttempt - 60));
  t.equal(verifyAfter(LIFETIMES_SECONDS.signInAttempt + 1), null, 'expired');
  const { state } = createSignInState(fieldCipher, CHALLENGE);
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
  const [first, second] = [createSignInState(fieldCipher).state, createSignInState(fieldCipher).state];
  const toAttempt = (state: string, by = fieldCipher) =>
    deriveSignInAttempt(by, state, 'https://qr.example.org/back');
  t.same(toAttempt(first), toAttempt(first));
  const secrets = [toAttempt(first), toAttempt(second), toAttempt(first, other)].flatMap(
    ({ nonce, codeVerifier }) => [nonce, codeVerifier],
  );
  t.equal(new Set(secrets).size, 6);
  t.ok(secrets.every((secret) => /^[\w-]{43}$/.test(secret)));
});
