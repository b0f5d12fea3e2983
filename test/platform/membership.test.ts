import {
  findMemberships,
  isMember,
  listOrganizationMemberships,
} from '../../src/platform/membership.repository.ts';
import { startTestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';

const test = await startTestApp(t);
const { client, pool } = test.database;
const { id: userId } = await test.createUser();
const accountId = await insertOrganization(test, { members: [{ userId, role: 'VIEWER' }] });
const key = { accountId, userId };

/** Whether the user can act for the organization, by each way to ask. */
async function canAct(isEnterpriseEnforced = false): Promise<boolean[]> {
  return [
    (await findMemberships(pool, [key], isEnterpriseEnforced)).length === 1,
    (await listOrganizationMemberships(pool, [userId], isEnterpriseEnforced)).length === 1,
    await isMember(pool, key, ['VIEWER'], isEnterpriseEnforced),
  ];
}

const update = (change: string) => pool.query(`UPDATE accounts SET ${change} WHERE id = $1`, [accountId]);

t.test('a membership is of an active organization, and of a user who may sign in', async (t) => {
  const membership = { ...key, role: 'VIEWER', isEnterprise: false };
  t.same(await findMemberships(pool, [key], false), [membership]);
  t.same(await listOrganizationMemberships(pool, [userId], false), [membership], 'no personal account');
  t.same(await canAct(), [true, true, true]);
  t.equal(await isMember(pool, key, ['OWNER', 'EDITOR'], false), false, 'another role');
  await update("status = 'SUSPENDED'");
  t.same(await canAct(), [false, false, false], 'a suspended organization');
  await update("status = 'ACTIVE'");
  await client.user.update({ where: { id: userId }, data: { status: 'SUSPENDED' } });
  t.same(await canAct(), [false, false, false], 'a suspended user');
  await client.user.update({ where: { id: userId }, data: { status: 'ACTIVE' } });
});

t.test('enterprise mode needs a second factor', async (t) => {
  t.same(await canAct(true), [false, false, false], 'that of all');
  await update('enterprise_mode = true');
  t.same(await canAct(), [false, false, false], 'that of the organization');
  await client.secondFactor.create({
    data: { userId, secret: Buffer.alloc(1), confirmedAt: new Date(), lastStep: 1n },
  });
  t.same(await canAct(), [true, true, true]);
  t.match(await findMemberships(pool, [key], false), [{ isEnterprise: true }]);
});
