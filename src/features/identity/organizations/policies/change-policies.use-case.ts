import type { Static } from 'typebox';
import { consumeAttempts } from '../../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../../platform/audit.ts';
import type { CurrentUser } from '../../../../platform/current-user.ts';
import type { Db, Tx } from '../../../../platform/database.ts';
import type { RequestContext } from '../../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../../shared/durations.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { pickChanges } from '../../../../shared/pick-changes.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { requireRecentLogin } from '../../accounts/require-recent-login.ts';
import { hasSecondFactor } from '../../second-factor/second-factor.repository.ts';
import { formatForeignName } from '../invitations/invitation.rules.ts';
import { getOwnOrganization, lockOwnOrganization } from '../manage-organizations.use-case.ts';
import { managesMembers } from '../member.rules.ts';
import { type OrganizationRow, updateOrganization } from '../organization.repository.ts';
import {
  MAX_LISTED_MEMBERS,
  type OrganizationPoliciesChangeInput,
  type OrganizationPoliciesSchema,
} from './policies.schemas.ts';
import {
  countUnenrolledMembers,
  findPolicies,
  listUnenrolledMembers,
  type OrganizationPolicies,
} from './policy.repository.ts';

type Services = Pick<AccountServices, 'database' | 'mailOutbox'>;

/** Each sends an email to every member without a second factor. */
const MAX_MAILINGS_PER_DAY = 3;

export interface ReadPolicies {
  organization: OrganizationRow;
  policies: Static<typeof OrganizationPoliciesSchema>;
}

/**
 * Read what an organization requires of its members, and who has no second factor, as an owner or a manager.
 * @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED
 */
export async function readPolicies(db: Db, userId: string, id: string): Promise<ReadPolicies> {
  const organization = await getOwnOrganization(db, userId, id);
  if (!managesMembers(organization.role)) throw new ServiceError('FORBIDDEN');
  const { version } = organization;
  const members = await listUnenrolledMembers(db, id, MAX_LISTED_MEMBERS);
  const policies = {
    ...(await getPolicies(db, id)),
    membersWithoutSecondFactor: {
      count: await countUnenrolledMembers(db, id),
      members: members.map(({ userId, name, role }) => ({ userId, name, role })),
    },
    version,
  };
  return { organization, policies };
}

/**
 * Change what an organization requires, as its owner. Members without a second factor get an email when it is required.
 * @throws NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED, PRECONDITION_FAILED, RATE_LIMITED, MFA_ENROLLMENT_REQUIRED for an
 * owner who requires a second factor without one
 */
export async function changePolicies(
  { database, mailOutbox }: Services,
  context: RequestContext,
  user: CurrentUser,
  { id, ifMatch }: { id: string; ifMatch: string | undefined },
  input: OrganizationPoliciesChangeInput,
): Promise<ReadPolicies> {
  const changed = await database.transaction(async (tx) => {
    const before = await lockOwnOrganization(tx, user.id, id, ifMatch);
    await requireRecentLogin(tx, user);
    const changes = pickChanges(await getPolicies(tx, id), input);
    if (Object.keys(changes).length === 0) return readPolicies(tx, user.id, id);
    if (changes.secondFactorRequired) {
      if (!(await hasSecondFactor(tx, user.id))) throw new ServiceError('MFA_ENROLLMENT_REQUIRED');
      await sendSecondFactorMails(mailOutbox, tx, before);
    }
    await updateOrganization(tx, id, changes);
    await recordAuditEntry(tx, context, { resourceId: id, accountId: id, changes: Object.keys(changes) });
    return readPolicies(tx, user.id, id);
  });
  mailOutbox.wake();
  return changed;
}

async function sendSecondFactorMails(
  mailOutbox: Services['mailOutbox'],
  tx: Tx,
  { id, name }: OrganizationRow,
): Promise<void> {
  const budget = { key: `second-factor-mails:${id}`, allowed: MAX_MAILINGS_PER_DAY };
  await consumeAttempts(tx, [{ ...budget, windowSeconds: DAY_SECONDS }]);
  const values = { organization: formatForeignName(name) };
  for (const { email: to, language } of await listUnenrolledMembers(tx, id, null))
    await mailOutbox.enqueue(tx, { template: 'ORGANIZATION_REQUIRES_SECOND_FACTOR', to, language, values });
}

/** @throws NOT_FOUND */
async function getPolicies(db: Db, id: string): Promise<OrganizationPolicies> {
  const policies = await findPolicies(db, id);
  if (!policies) throw new ServiceError('NOT_FOUND');
  return policies;
}
