import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { listMailsTo } from '../../identity/accounts/helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { database } = test;

async function openAs(role: 'OWNER' | 'MANAGER' | 'EDITOR', name = 'Cats & <Dogs>') {
  const user = await test.createUser();
  const id = await insertOrganization(test, { name, members: [{ userId: user.id, role }] });
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/settings/organizations/${id}`;
  await browser.open(path);
  return { user, id, browser, path };
}

const createAddress = () => `${generateId()}@example.org`;

t.test('an owner invites, sends again and revokes', async (t) => {
  const { browser, path } = await openAs('OWNER');
  t.match(browser.main, `href="${path}/invitations"`);
  await browser.open(`${path}/invitations`);
  t.match(browser.main, 'Nobody is invited at the moment.');
  t.match(browser.main, 'Billing: Takes care of the plan');
  const email = createAddress();
  await browser.send('/invitations', { email, role: 'EDITOR' });
  t.equal(browser.path, `${path}/invitations?done=invitation-sent`);
  t.match(browser.main, 'Invitation sent.');
  t.match(browser.main, email);
  const [mail] = await listMailsTo(test, email);
  t.match(mail?.text, /https:\/\/qr\.example\.org\/app\/invitations\/[\w-]{43}/);

  await browser.send('/resend');
  t.match(browser.main, 'Invitation sent.');
  t.equal((await listMailsTo(test, email)).length, 2);
  await browser.send('/revoke');
  t.match(browser.main, 'Invitation revoked.');
  t.notMatch(browser.main, email);
});

t.test('a form that is sent twice invites once', async (t) => {
  const { browser, path, id } = await openAs('OWNER');
  await browser.open(`${path}/invitations`);
  const form = browser.findForm('/invitations');
  const email = createAddress();
  const body = String(new URLSearchParams({ ...form?.hidden, email, role: 'VIEWER' }));
  for (let times = 0; times < 2; times += 1)
    await browser.open(`${path}/invitations`, { method: 'POST', body });
  t.match(await database.client.invitation.findMany({ where: { accountId: id } }), [{ sends: 1 }]);
});

t.test('what is wrong stands at its field, with what was entered', async (t) => {
  const { user, browser, path } = await openAs('OWNER');
  await browser.open(`${path}/invitations`);
  await browser.send('/invitations', { email: 'no address', role: 'VIEWER' });
  t.equal(browser.page.status, 400);
  t.match(
    browser.main,
    /aria-invalid="true"[^>]*value="no address"|value="no address"[^>]*aria-invalid="true"/,
  );
  await browser.send('/invitations', { email: createAddress() });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="role-error"');
  await browser.send('/invitations', { email: user.email, role: 'VIEWER' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Somebody with this address is already a member.');
});

t.test('a manager invites to the roles below, other members not at all', async (t) => {
  const { browser, path } = await openAs('MANAGER');
  await browser.open(`${path}/invitations`);
  t.match(browser.main, 'value="EDITOR"');
  t.notMatch(browser.main, 'value="BILLING"');
  await browser.send('/invitations', { email: createAddress(), role: 'BILLING' });
  t.equal(browser.page.status, 403);
  t.match(browser.main, 'Only its owners and managers can invite.');
  const editor = await openAs('EDITOR');
  t.notMatch(editor.browser.main, '/invitations"');
  t.equal((await editor.browser.open(`${editor.path}/invitations`)).status, 403);
  const stranger = await openAs('OWNER');
  const others = path.replace(/^\/app\/\w+/, `/app/${stranger.user.id}`);
  t.equal((await stranger.browser.open(`${others}/invitations`)).status, 404);
});

t.test('invitations to a user stand above their organizations', async (t) => {
  const { browser, path, id } = await openAs('OWNER', 'Harbor <School>');
  const invited = await test.createUser();
  const invitedBrowser = await signInBrowser(test, invited);
  const own = `/app/${invited.id}/settings/organizations`;
  const invite = async () => {
    await browser.open(`${path}/invitations`);
    await browser.send('/invitations', { email: invited.email, role: 'VIEWER' });
    await invitedBrowser.open(own);
  };
  await invite();
  t.match(invitedBrowser.main, 'Invitations to you');
  t.match(invitedBrowser.main, '<bdi>Harbor <School></bdi>');
  await invitedBrowser.send('/decline');
  t.match(invitedBrowser.main, 'Invitation declined.');
  t.notMatch(invitedBrowser.main, 'Invitations to you');
  await invite();
  const accept = invitedBrowser.findForm('/accept');
  await invitedBrowser.send('/accept');
  t.equal(invitedBrowser.path, `${own}?done=invitation-accepted`);
  t.match(invitedBrowser.main, `<a href="/app/${id}"><bdi>Harbor <School></bdi></a>`);
  t.equal((await invitedBrowser.open(`/app/${id}/codes`)).status, 200);
  await database.client.membership.deleteMany({ where: { accountId: id, userId: invited.id } });
  const body = String(new URLSearchParams(accept?.hidden));
  await invitedBrowser.open(accept?.action ?? '', { method: 'POST', body });
  t.match(invitedBrowser.main, 'This invitation does not work');
});
