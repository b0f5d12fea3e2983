import { eraseMemberships } from '../../../../src/features/identity/organizations/erase-memberships.ts';
import { INVITATIONS_PRIVACY } from '../../../../src/features/identity/organizations/invitations/invitation-personal-data.ts';
import { hashInvitedEmail } from '../../../../src/features/identity/organizations/invitations/invitation-secrets.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import { createOrganizationOf } from './helper.ts';

const test = await startTestApp(t, { DATABASE_POOL_SIZE: '8' });
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

t.test('two users who invited each other are erased at once', async (t) => {
  const { fieldCipher } = test.services;
  const { id: accountId, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER');
  const { OWNER: ada, MANAGER: grace } = members;
  const insert = async (id: string, invitedBy: string, email: string) => {
    await client.invitation.create({
      data: {
        accountId,
        id,
        invitedBy,
        email: new Uint8Array([1]),
        emailHash: hashInvitedEmail(fieldCipher, email),
        role: 'VIEWER',
        tokenHash: Buffer.from(id.padEnd(32, '0')),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    return pauseTransaction(test, (tx) =>
      tx.invitation.update({ where: { accountId_id: { accountId, id } }, data: { sends: 2 } }),
    );
  };
  const [first = '', second = ''] = [generateId(), generateId()].toSorted();
  const toGrace = await insert(first, ada.id, grace.email);
  const toAda = await insert(second, grace.id, ada.email);
  await Promise.all([toGrace.paused, toAda.paused]);
  const erase = ({ id: userId, email }: { id: string; email: string }) =>
    database.transaction(async (tx) =>
      INVITATIONS_PRIVACY.eraseWithAccount?.(tx, { userId, email, fieldCipher }),
    );
  const erasures = Promise.allSettled([erase(ada), erase(grace)]);
  await waitForLock(test, erasures, 2);
  toGrace.release();
  await toGrace.done;
  await waitForLock(test, erasures, 2);
  toAda.release();
  t.same(
    (await erasures).map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  t.equal(await client.invitation.count({ where: { accountId } }), 0);
});
