import { isExemptFromPin } from '../../../src/features/scans/index.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { startScans } from './helper.ts';

const test = await startScans(t);

t.test('who reads health data of the account guesses no PIN, and only they are exempt', async (t) => {
  const roles = ['OWNER', 'EDITOR', 'VIEWER', 'RESPONDER', 'BILLING'] as const;
  const members = await Promise.all(
    roles.map(async (role) => ({ role, userId: (await test.createUser()).id })),
  );
  const accountId = await insertOrganization(test, { members });
  const listExempt = async (isEnterpriseEnforced = false) => {
    const services = { database: test.database, isEnterpriseEnforced };
    const exempt = await Promise.all(
      members.map(async ({ role, userId }) =>
        (await isExemptFromPin(services, accountId, userId)) ? [role] : [],
      ),
    );
    return exempt.flat();
  };
  t.same(await listExempt(), ['OWNER', 'EDITOR', 'VIEWER']);
  t.same(await listExempt(true), [], 'enterprise mode requires a second factor');
  await test.database.client.secondFactor.createMany({
    data: members.map(({ userId }) => ({
      userId,
      secret: Buffer.alloc(1),
      confirmedAt: new Date(),
      lastStep: 1n,
    })),
  });
  t.same(await listExempt(true), ['OWNER', 'EDITOR'], 'in enterprise mode for all');
  await test.database.pool.query('UPDATE accounts SET enterprise_mode = true WHERE id = $1', [accountId]);
  t.same(await listExempt(), ['OWNER', 'EDITOR'], 'in that of the account');
  const services = { database: test.database, isEnterpriseEnforced: true };
  t.equal(await isExemptFromPin(services, test.owner.id, test.owner.id), true, 'an own account');
  t.equal(await isExemptFromPin(services, accountId, test.owner.id), false, 'a stranger');
});
