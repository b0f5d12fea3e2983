import { ACCOUNT_ROLES, findLowerRole } from '../../src/shared/account-roles.ts';
import { t } from '../tap.ts';

t.test('the lower of two roles is the one that the other includes', async (t) => {
  for (const role of ACCOUNT_ROLES) {
    t.equal(findLowerRole(role, role), role);
    t.equal(findLowerRole('OWNER', role), role);
    t.equal(findLowerRole(role, 'OWNER'), role);
  }
  for (const role of ['RESPONDER', 'VIEWER', 'BILLING'] as const) {
    t.equal(findLowerRole('EDITOR', role), role);
    t.equal(findLowerRole(role, 'MANAGER'), role);
  }
  t.equal(findLowerRole('MANAGER', 'EDITOR'), 'EDITOR');
  for (const [one, other] of [
    ['RESPONDER', 'VIEWER'],
    ['VIEWER', 'BILLING'],
    ['BILLING', 'RESPONDER'],
  ] as const) {
    t.equal(findLowerRole(one, other), null);
    t.equal(findLowerRole(other, one), null);
  }
});
