import {
  decideIdentityLink,
  formatIdentityProviderName,
  parseProfileNameFromProvider,
} from '../../../../src/features/identity/sign-in/link.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const STATUSES = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED', 'OTHER'];

t.test('a sign-in enters, links or clears an account, or is rejected', async (t) => {
  const owner = (status: string, isLinkable = true) => ({ status, isLinkable });
  t.equal(decideIdentityLink('ACTIVE', owner('ACTIVE', false)), 'ENTER');
  t.equal(decideIdentityLink('VERIFIED', owner('VERIFIED', false)), 'ENTER');
  t.same(decideIdentityLink('SUSPENDED', owner('ACTIVE')), { errorCode: 'ACCOUNT_SUSPENDED' });
  t.same(decideIdentityLink('DELETED', owner('ACTIVE')), { errorCode: 'SIGN_IN_INVALID' });
  t.equal(decideIdentityLink(null, owner('PENDING_VERIFICATION')), 'CLEAR');
  t.equal(decideIdentityLink(null, owner('VERIFIED')), 'LINK');
  t.equal(decideIdentityLink(null, owner('ACTIVE')), 'LINK');
  t.same(decideIdentityLink(null, owner('ACTIVE', false)), { errorCode: 'IDENTITY_CONFLICT' });
  t.same(decideIdentityLink(null, owner('SUSPENDED')), { errorCode: 'ACCOUNT_SUSPENDED' });
  t.same(decideIdentityLink(null, owner('DELETED')), { errorCode: 'SIGN_IN_INVALID' });
});

t.test('only a verified user signs in, and only a verified account is linked without clearing', async () => {
  const status = fc.constantFrom(...STATUSES);
  fc.assert(
    fc.property(fc.option(status), status, fc.boolean(), (linked, owned, isLinkable) => {
      const decision = decideIdentityLink(linked, { status: owned, isLinkable });
      const open = ['VERIFIED', 'ACTIVE'];
      if (decision === 'ENTER') return linked !== null && open.includes(linked);
      if (decision === 'LINK') return linked === null && open.includes(owned) && isLinkable;
      return decision !== 'CLEAR' || (linked === null && owned === 'PENDING_VERIFICATION');
    }),
  );
});

t.test('a name from the provider has to follow the rules for entered names', async (t) => {
  t.equal(parseProfileNameFromProvider(' Zoe\u0308 '), 'Zoë');
  for (const name of [undefined, '', '   ', 'a\nb', 'a\u0000', '\ud800', '\u200b', 'x'.repeat(101)])
    t.equal(parseProfileNameFromProvider(name), null);
});

t.test('a provider has a readable name in mails', async (t) => {
  t.equal(formatIdentityProviderName('https://accounts.google.com'), 'Google');
  t.equal(formatIdentityProviderName('https://login.example.org/realms/a'), 'login.example.org');
  t.equal(formatIdentityProviderName('sandbox'), 'the emulator of this machine');
});
