import { eraseMemberships } from '../../../../src/features/identity/organizations/erase-memberships.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import { pauseTransaction } from '../accounts/paused-operations.ts';
import { createOrganizationOf } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;
const { client } = database;

t.test('a user who became the only owner meanwhile is not erased', async (t) => {
  const { members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const erase = (userId: string) => database.transaction((tx) => eraseMemberships(tx, userId));
  await t.rejects(erase(members.OWNER.id), { code: 'CONFLICT' });
  await erase(members.EDITOR.id);
  t.same(
    await Promise.all(
      Object.values(members).map(({ id: userId }) =>
        client.membership.count({ where: { userId, accountId: { not: userId } } }),
      ),
    ),
    [1, 0],
  );
});

t.test('an erasure does not wait for who changes the role of the user', async (t) => {
  const { id, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { EDITOR } = members;
  const { paused, release, done } = pauseTransaction(test, async (tx) => {
    await tx.account.update({ where: { id }, data: { ownerCount: 2 } });
    await tx.membership.updateMany({
      where: { accountId: id, userId: EDITOR.id },
      data: { role: 'OWNER' },
    });
  });
  await paused;
  const erase = () => call('DELETE', '/api/auth/account', { token: EDITOR.token, body: {} });
  t.ok(isProblem(await erase(), 409, 'CONFLICT'));
  release();
  await done;
  t.equal((await erase()).status, 200, 'afterwards');
  const { ownerCount } = await client.account.findUniqueOrThrow({ where: { id } });
  t.equal(ownerCount, 1);
});
