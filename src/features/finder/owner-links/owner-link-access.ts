import { findLinkAccessEpoch, findUser } from '../../identity/index.ts';
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
  owner: { id: string; language: string; timeZone: string };
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
  const { event, createdAt } = notification;
  const data = pickStringValues(notification.data);
  const subject = findOwnerLinkSubject(event, data);
  if (!subject) return null;
  const mustLogIn = (await findLinkAccessEpoch(client, userId, isEnterpriseEnforced)) !== accessEpoch;
  const access = { notificationId, event, data, createdAt, subject, expiresAt, mustLogIn };
  return { ...access, owner: { id: userId, language, timeZone } };
}
