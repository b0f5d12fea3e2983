import { HOUR_MS } from '../../../../src/shared/durations.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { client } = test.database;

async function createShelter() {
  const [owner, editor] = [await test.createUser(), await test.createUser()];
  const id = await insertOrganization(test, {
    name: 'Shelter',
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const getPath = (user: { id: string }) => `/app/${user.id}/settings/organizations/${id}`;
  return { owner, editor, id, getPath };
}

t.test('an owner reads who has no second factor, and requires one', async (t) => {
  const { owner, editor, id, getPath } = await createShelter();
  const browser = await signInBrowser(test, owner);
  const path = `${getPath(owner)}/security`;
  await browser.open(getPath(owner));
  t.match(browser.main, `href="${path}"`);
  await browser.open(path);
  t.match(browser.main, 'Members without two-factor authentication: 2');
  await browser.send('/security', { secondFactorRequired: '1', maxSessionHours: '8' });
  t.equal(browser.title, 'Set up a second factor', 'for oneself first');
  t.match(await client.account.findUnique({ where: { id } }), { secondFactorRequired: false });

  await client.secondFactor.create({
    data: { userId: owner.id, secret: new Uint8Array([1]), confirmedAt: new Date(), lastStep: 1n },
  });
  await browser.open(path);
  t.match(browser.main, 'Members without two-factor authentication: 1');
  await browser.send('/security', { secondFactorRequired: '1', maxSessionHours: '8' });
  t.equal(browser.path, `${path}?done=organization-saved`);
  t.match(await client.account.findUnique({ where: { id } }), {
    secondFactorRequired: true,
    maxSessionHours: 8,
  });

  const member = await signInBrowser(test, editor);
  await member.open(`/app/${editor.id}/settings/organizations`);
  t.match(member.main, '<bdi>Shelter</bdi>');
  await member.open(`/app/${id}/codes`);
  const enrollment = `/app/${editor.id}/settings/security/second-factor`;
  t.equal(member.path, `${enrollment}?to=${encodeURIComponent(`/app/${id}/codes`)}`);
  await member.open(getPath(editor));
  t.equal(member.path, `${enrollment}?to=${encodeURIComponent(getPath(editor))}`);
});

t.test('after the longest session a member signs in again, and returns', async (t) => {
  const { editor, id, getPath } = await createShelter();
  await client.account.update({ where: { id }, data: { maxSessionHours: 1 } });
  const browser = await signInBrowser(test, editor);
  const createdAt = new Date(Date.now() - 2 * HOUR_MS);
  await client.session.updateMany({ where: { userId: editor.id }, data: { createdAt } });
  await browser.open(`/app/${editor.id}/codes`);
  t.equal(browser.page.status, 200, 'the own account');
  for (const path of [getPath(editor), `/app/${id}/codes`]) {
    await browser.open(path);
    t.equal(browser.title, 'Sign in');
    t.match(browser.path, encodeURIComponent(path));
  }
  await browser.send('/sign-in', { email: editor.email, password: TEST_PASSWORD });
  t.equal(browser.path, `/app/${id}/codes`);
});

t.test('an owner reads the activity of an organization, and verifies it', async (t) => {
  const { owner, editor, id, getPath } = await createShelter();
  const made = await test.call('POST', '/api/qrcodes', {
    token: editor.accessToken,
    headers: { 'account-id': id },
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  t.equal(made.status, 201, made.text);
  const browser = await signInBrowser(test, owner);
  const path = `${getPath(owner)}/activity`;
  await browser.open(getPath(owner));
  t.match(browser.main, `href="${path}"`);
  await browser.open(path);
  t.match(browser.main, 'Code created');
  t.match(browser.main, `<option value="${editor.id}"`);
  await browser.open(`${path}?member=${owner.id}&from=&to=`);
  t.notMatch(browser.main, 'Code created');
  await browser.open(`${path}?member=${editor.id}&from=2020-01-01&to=2100-01-01`);
  t.match(browser.main, 'Code created');
  await browser.open(`${path}/verify?member=&from=&to=`);
  t.match(browser.main, /Verified entries: \d+\. None was changed/);
  const other = await signInBrowser(test, editor);
  t.equal((await other.open(`${getPath(editor)}/activity`)).status, 403);
  await other.open(getPath(editor));
  t.notMatch(other.main, '/activity');
});
