import {
  attemptOf,
  cookieValueFor,
  newState,
  readState,
} from '../../../src/features/identities/sign-in-state.ts';
import { createVault } from '../../../src/platform/vault.ts';
import { fixedKeyRing } from '../../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../../src/shared/crypto/key-set.ts';
import { SECRETS } from '../../helper.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const keyRing = fixedKeyRing(parseKeySet(SECRETS.ENCRYPTION_KEYS));
const vault = createVault({ keyRing, hashSecret: SECRETS.HASH_SECRET });
const other = createVault({ keyRing, hashSecret: 'another secret of another service, 32 characters' });
const CHALLENGE = 'c'.repeat(43);

t.test('A18 a state is read by whoever is bound to it', async (t) => {
  const cookie = newState(vault, undefined);
  t.match(readState(vault, cookie.state, cookieValueFor(vault, cookie.state)), cookie);
  t.equal(readState(vault, cookie.state, undefined), null);
  t.equal(readState(vault, cookie.state, cookieValueFor(other, cookie.state)), null);
  const challenge = newState(vault, CHALLENGE);
  t.match(readState(vault, challenge.state, undefined), { ...challenge, codeChallenge: CHALLENGE });
  t.equal(readState(other, challenge.state, undefined), null);
  t.not(newState(vault, undefined).state, cookie.state);
});

t.test('A18 a state that is over, or altered in any place, is none', async (t) => {
  const { state } = newState(vault, CHALLENGE);
  const [chance = ''] = state.split('.');
  t.equal(
    readState(vault, `${chance}.0000000001`, cookieValueFor(vault, `${chance}.0000000001`)),
    null,
    'over',
  );
  fc.assert(
    fc.property(fc.nat(state.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
      const altered = state.slice(0, at) + text + state.slice(at + 1);
      return altered === state || readState(vault, altered, undefined) === null;
    }),
  );
  fc.assert(fc.property(fc.string(), fc.string(), (text, cookie) => readState(vault, text, cookie) === null));
});

t.test('A18 nonce and PKCE secret are of one state alone, and of the service', async (t) => {
  const [first, second] = [newState(vault, undefined).state, newState(vault, undefined).state];
  const of = (state: string, by = vault) => attemptOf(by, state, 'https://qr.example.org/back');
  t.same(of(first), of(first));
  const secrets = [of(first), of(second), of(first, other)].flatMap(({ nonce, codeVerifier }) => [
    nonce,
    codeVerifier,
  ]);
  t.equal(new Set(secrets).size, 6);
  t.ok(secrets.every((secret) => /^[\w-]{43}$/.test(secret)));
});
