import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { TestBrowser } from './browser.ts';
import { signInBrowser } from './signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { database } = test;

/** Invite an address; `link` is the path that the email leads to. */
async function invite(email: string) {
  const owner = await test.createUser();
  const id = await insertOrganization(test, { members: [{ userId: owner.id, role: 'OWNER' }] });
  const path = `/api/organizations/${id}/invitations`;
  const { accessToken: token } = owner;
  const created = await test.call('POST', path, { token, body: { email, role: 'EDITOR' } });
  if (created.status !== 201) throw new Error(created.text);
  const mail = await test.getMailBySubject(email, /invites you/);
  const link = /https:\/\/qr\.example\.org(\/app\/invitations\/[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  return { id, link, isMember: () => isMember(id, email) };
}

async function isMember(accountId: string, email: string): Promise<boolean> {
  return (await database.client.membership.count({ where: { accountId, user: { email } } })) === 1;
}

t.test('who has no account creates one, comes back and accepts', async (t) => {
  const email = `${generateId()}@example.org`;
  const { id, link, isMember: isIn } = await invite(email);
  const browser = new TestBrowser(test);
  t.equal((await browser.open(link)).status, 200);
  t.notMatch(browser.main, 'Harbor School');
  const signUp = /href="([^"]*\/sign-up[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(signUp);
  await browser.send('/sign-up', {
    email,
    password: TEST_PASSWORD,
    firstName: 'Grace',
    lastName: 'Hopper',
  });
  await browser.send('/sign-up/code', { code: await test.getOtp(email) });
  t.equal(browser.path, link);
  t.match(browser.main, 'Harbor School');
  await browser.send('/accept');
  t.match(browser.main, 'Welcome! You are now a member.');
  t.match(browser.main, `href="/app/${id}"`);
  t.ok(await isIn());
  for (let index = 0; index < 21; index += 1) await browser.open(link);
  t.equal(browser.path, `/app/${id}`, 'the link leads to the organization from then on');
  await database.client.membership.deleteMany({ where: { accountId: id, user: { email } } });
  t.equal((await browser.open(link)).status, 404, 'unless they are no longer a member');
});

t.test('who has an account signs in, and is led back', async (t) => {
  const user = await test.createUser();
  const { link, isMember: isIn } = await invite(user.email);
  const browser = new TestBrowser(test);
  await browser.open(link);
  const signIn = /href="([^"]*\/sign-in[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(signIn);
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(browser.path, link);
  t.match(browser.main, 'Harbor School');
  await browser.send('/decline');
  t.match(browser.main, 'Invitation declined.');
  t.notOk(await isIn());
  t.equal((await browser.open(link)).status, 404);
});

t.test('who answers after their session ended signs in, and is led back', async (t) => {
  const user = await test.createUser();
  const { link, isMember: isIn } = await invite(user.email);
  const browser = await signInBrowser(test, user);
  await browser.open(link);
  await database.pool.query("UPDATE sessions SET ended_at = now(), end_reason = 'REVOKED'");
  t.equal((await browser.send('/accept')).status, 401);
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(browser.path, link);
  await browser.send('/accept');
  t.ok(await isIn());
});

t.test('before the sign-in the page is the same for every link', async (t) => {
  const { link } = await invite(`${generateId()}@example.org`);
  const open = async (path: string) => {
    const { status, text } = await new TestBrowser(test).open(path);
    const token = path.split('/').at(-1) ?? '';
    return { status, text: text.replaceAll(token, '').replace(/name="token" value="[^"]*"/g, '') };
  };
  t.same(await open(link), await open(`/app/invitations/${'x'.repeat(43)}`));
});

t.test('another user does not learn of which organization it is, and can change the account', async (t) => {
  const [invited, other] = [await test.createUser(), await test.createUser()];
  const { link, isMember: isIn } = await invite(invited.email);
  const browser = await signInBrowser(test, other);
  t.equal((await browser.open(link)).status, 404);
  t.match(browser.main, 'This invitation does not work');
  t.match(browser.main, other.email);
  t.notMatch(browser.page.text, /Harbor School/);
  t.notMatch(browser.page.text, invited.email);
  const wrong = await browser.open(`/app/invitations/${'x'.repeat(43)}`);
  t.equal(wrong.status, 404, 'as a wrong link');
  await browser.open(link);
  const signIn = /href="([^"]*reason=invitation[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(signIn);
  t.match(browser.main, 'Sign in with the address that the invitation was sent to.');
  t.notMatch(browser.main, `value="${other.email}"`);
  await browser.send('/sign-in', { email: invited.email, password: TEST_PASSWORD });
  t.equal(browser.path, link);
  await browser.send('/accept');
  t.ok(await isIn());
  t.notOk(
    await database.client.membership.count({ where: { userId: other.id, accountId: { not: other.id } } }),
  );
});

t.test('the token is in no line of the log', async (t) => {
  const user = await test.createUser();
  const { link } = await invite(user.email);
  const browser = await signInBrowser(test, user);
  await browser.open(link);
  await browser.send('/accept');
  const token = link.split('/').at(-1) ?? '';
  t.ok(token);
  t.notOk(test.log.some((line) => line.includes(token)));
});
