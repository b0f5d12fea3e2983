import { createMoveCodesJob } from '../../../../src/features/transfers/move-codes.job.ts';
import { startTestApp } from '../../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t);
const { database, services } = test;
await setPackageLimit(test, 'FREE', { qrCodes: null });

async function runMoves() {
  const moves = await database.client.codeMove.findMany({ where: { finishedAt: null } });
  for (const { accountId, id } of moves) await createMoveCodesJob(services)({ accountId, codeMoveId: id });
}

const countCodes = (accountId: string) => database.client.qrCode.count({ where: { accountId } });

t.test('somebody with one account is led to organizations, and moves all codes to theirs', async (t) => {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/settings`;
  await createTestCode(test, user);
  await createTestCode(test, user);
  await browser.open(`/app/${user.id}/codes`);
  t.notMatch(browser.main, '/selected/move', 'nowhere to move to');
  await browser.open(`${path}/move-codes`);
  t.match(browser.main, 'Create an organization first.');
  await browser.open(`${path}/organizations`);
  await browser.send('/organizations', { name: 'Shelter' });
  t.match(browser.main, `href="${path}/move-codes"`);
  const { accountId: id } = await database.client.membership.findFirstOrThrow({
    where: { userId: user.id, accountId: { not: user.id } },
  });
  await browser.open(`${path}/organizations/${id}`);
  t.match(browser.main, `${path}/move-codes?to=${id}`);
  await browser.open(`${path}/move-codes?to=${id}`);
  t.match(browser.main, 'Your own account');
  t.match(browser.main, 'all 2 codes');
  await browser.send('/move-codes', { to: id });
  t.match(browser.main, 'The codes are on their way.');
  t.match(browser.main, '0 of 2 codes moved.');
  await runMoves();
  await browser.open(`${path}/move-codes`);
  t.match(browser.main, '2 of 2 codes moved.');
  t.match(browser.main, 'There are no codes to move.');
  t.equal(await countCodes(id), 2);
});

t.test('selected codes of an organization move to the own account of its owner', async (t) => {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const id = await insertOrganization(test, { members: [{ userId: user.id, role: 'OWNER' }] });
  const codes = [
    await createCodeOfAccount(test, { accountId: id, userId: user.id }),
    await createCodeOfAccount(test, { accountId: id, userId: user.id }),
  ];
  const select = async (selected: Record<string, string>) => {
    await browser.open(`/app/${id}/codes`);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(browser.main) ?? [];
    const body = String(new URLSearchParams({ token, ...selected }));
    await browser.open(`/app/${id}/codes/selected/move`, { method: 'POST', body });
  };
  await select({ [`code-${codes[0]}`]: 'on' });
  t.equal(browser.path, `/app/${user.id}/settings/move-codes?from=${id}&ids=${codes[0]}`);
  t.match(browser.main, '1 selected code');
  await browser.send('/move-codes', { to: user.id });
  await runMoves();
  t.equal(await countCodes(user.id), 1);
  t.equal(await countCodes(id), 1);
  await select({});
  t.match(browser.main, 'Select at least one code first.');
});

t.test('the page says why codes stay', async (t) => {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const id = await insertOrganization(test, { members: [{ userId: user.id, role: 'OWNER' }] });
  await createTestCode(test, user);
  await browser.open(`/app/${user.id}/settings/move-codes`);
  await database.client.membership.updateMany({ where: { accountId: id }, data: { role: 'VIEWER' } });
  const refused = await browser.send('/move-codes', { to: id });
  t.equal(refused.status, 403);
  t.match(browser.main, 'Only owners can move codes away');
  await database.client.codeMove.create({
    data: {
      accountId: user.id,
      id: id.replace(/.$/, '0'),
      toAccountId: id,
      requestedBy: user.id,
      codeIds: [],
      codes: 2,
      moved: 1,
      leftOut: [{ id, code: 'EXTERNAL_ID_TAKEN' }],
      status: 'FAILED',
      failure: 'PLAN_LIMIT_REACHED',
      requestId: id,
      finishedAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
  await browser.open(`/app/${user.id}/settings/move-codes`);
  t.match(browser.main, 'The plan of the account doesn’t include more codes.');
  t.match(browser.main, '1 code stayed');
});

t.test('after the longest session of an organization its owner signs in again', async (t) => {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const id = await insertOrganization(test, { members: [{ userId: user.id, role: 'OWNER' }] });
  await createTestCode(test, user);
  await browser.open(`/app/${user.id}/settings/move-codes`);
  await database.client.account.update({ where: { id }, data: { maxSessionHours: 1 } });
  const createdAt = new Date(Date.now() - 2 * 3_600_000);
  await database.client.session.updateMany({ where: { userId: user.id }, data: { createdAt } });
  await browser.send('/move-codes', { to: id });
  t.equal(browser.title, 'Sign in');
  t.equal(await database.client.codeMove.count({ where: { accountId: user.id } }), 0);
});

t.test('a member who is limited to folders is offered no move into the organization', async (t) => {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const id = await insertOrganization(test, { members: [{ userId: user.id, role: 'EDITOR' }] });
  await createTestCode(test, user);
  await browser.open(`/app/${user.id}/settings/move-codes`);
  t.match(browser.main, `value="${id}"`);
  await database.client.membership.updateMany({ where: { accountId: id }, data: { limitedToFolders: true } });
  await browser.open(`/app/${user.id}/settings/move-codes`);
  t.notMatch(browser.main, `value="${id}"`);
});
