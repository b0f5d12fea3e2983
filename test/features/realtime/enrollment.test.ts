import { changeEnterpriseModeByEmail } from '../../../src/features/identity/accounts/change-enterprise-mode.use-case.ts';
import { t } from '../../tap.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';
import { openSocket, startRealtime } from './helper.ts';

const test = await startRealtime(t);

const switchOn = (email: string) =>
  changeEnterpriseModeByEmail(test.services, { email, isOn: true, operation: 'admin enterprise' });

t.test('an enterprise account that must enroll a second factor opens no socket', async (t) => {
  const user = await test.createUser();
  await switchOn(user.email);
  const open = () =>
    openSocket(t, test.address, { headers: { authorization: `Bearer ${user.accessToken}` } });
  const refused = open();
  t.equal(await refused.end(), 4401);
  t.same(refused.receivedEvents, [], 'not even for a moment');
  await enableSecondFactor(test, user);
  t.ok(await open().waitForEvent('ready'));
});

t.test('an open socket closes when its account must enroll a second factor', async (t) => {
  const user = await test.createUser();
  const socket = openSocket(t, test.address, { headers: { authorization: `Bearer ${user.accessToken}` } });
  await socket.waitForEvent('ready');
  await switchOn(user.email);
  t.equal(await socket.end(), 4401);
});
