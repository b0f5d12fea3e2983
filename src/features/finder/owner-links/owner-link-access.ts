import { EDITING_ROLES } from '../../../shared/account-roles.ts';
import { findLinkMember, findUser } from '../../identity/index.ts';
import {
  findOwnerLinkSubject,
  findReadableNotificationsByIds,
  type OwnerLinkSubject,
  ownerLinkToken,
  pickStringValues,
} from '../../notifications/index.ts';
import type { FinderServices } from '../finder-services.ts';

export interface OwnerLinkAccess {
  notificationId: string;
  event: string;
  data: Record<string, string>;
  createdAt: Date;
  subject: OwnerLinkSubject;
  accountId: string;
  /** The user who opens it, for the account. */
  owner: { id: string; language: string; timeZone: string };
  /** Whether their role may change codes and memory tags. */
  canEdit: boolean;
  expiresAt: Date;
  /** Meanwhile the account needs more than a link. */
  mustLogIn: boolean;
}

/** Null for a token that is forged, expired, revoked or of a suspended user. */
export async function findOwnerLinkAccess(
  {
    database: { client },
    fieldCipher,
    isEnterpriseEnforced,
  }: Pick<FinderServices, 'database' | 'fieldCipher' | 'isEnterpriseEnforced'>,
  token: string | null,
): Promise<OwnerLinkAccess | null> {
  const link = ownerLinkToken.parse(token);
  if (!link) return null;
  const { notificationId, expiresAt } = link;
  const [notification] = await findReadableNotificationsByIds(client, [notificationId]);
  const owner = notification ? await findUser(client, notification.userId) : null;
  if (!notification || !owner || owner.status === 'SUSPENDED') return null;
  const { id: userId, accessEpoch, language, timeZone } = owner;
  if (!ownerLinkToken.verify(fieldCipher, token, { userId, accessEpoch })) return null;
  const { event, createdAt, accountId } = notification;
  const data = pickStringValues(notification.data);
  const subject = findOwnerLinkSubject(event, data);
  if (!subject) return null;
  const member = await findLinkMember(client, { accountId, userId }, isEnterpriseEnforced);
  const mustLogIn = member?.accessEpoch !== accessEpoch;
  const canEdit = member !== null && EDITING_ROLES.includes(member.role);
  const access = { notificationId, accountId, event, data, createdAt, subject, expiresAt, mustLogIn };
  return { ...access, canEdit, owner: { id: userId, language, timeZone } };
}
