import { startTestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { signIn } from '../settings/helper.ts';

t.test('an owner takes over the key of a former member by one button', async (t) => {
  const app = await startTestApp(t);
  const [owner, editor] = [await app.createUser(), await app.createUser()];
  const accountId = await insertOrganization(app, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const { body: key } = await app.call('POST', '/api/api-keys', {
    token: editor.accessToken,
    headers: { 'account-id': accountId },
    body: { name: 'Gate', scopes: ['qr-codes:read'] },
  });
  const list = (token: string) => app.call('GET', '/api/qrcodes', { token });
  t.equal((await list(key.token)).status, 200);
  const path = `/app/${accountId}/developers`;
  const [browser, other] = [await signIn(app, owner), await signIn(app, editor)];
  await browser.open(path);
  t.match(browser.main, /Gate[\s\S]*Made by <bdi>\w/);
  await browser.open(`${path}/keys/${key.id}`);
  t.equal(browser.findForm('/rotate'), null, 'only its member replaces it');
  t.ok(browser.findForm('/take-over'));
  await other.open(`${path}/keys/${key.id}`);
  t.ok(other.findForm('/rotate'));
  t.equal(other.findForm('/take-over'), null);

  await app.database.client.membership.deleteMany({ where: { accountId, userId: editor.id } });
  t.equal((await list(key.token)).status, 401);
  await other.open(`${path}/keys/${key.id}`);
  t.equal(other.page.status, 404);
  await browser.open(`${path}/keys/${key.id}`);
  t.match(browser.main, 'Stopped');
  t.match(browser.main, 'no longer a member');
  t.match(browser.main, 'does not work again');
  t.notMatch(browser.main, 'name="overlap"');
  await browser.fill('/take-over', {});
  const secret = /<pre id="secret" dir="ltr">(.*?)<\/pre>/.exec(browser.main)?.[1] ?? '';
  t.same([(await list(secret)).status, (await list(key.token)).status], [200, 401]);
  t.match(browser.main, `href="${path}"`, 'the way back leads to the organization');
  await browser.open(`${path}/keys/${key.id}`);
  t.match(browser.main, 'Active');
  t.ok(browser.findForm('/rotate'));
  await browser.open(`/app/${owner.id}/developers/keys/${key.id}`);
  t.equal(browser.page.status, 404, 'it is no key of the personal account');
});
