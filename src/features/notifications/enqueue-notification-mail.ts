import type { Tx } from '../../platform/database.ts';
import { ANSWERING_ROLES } from '../../shared/account-roles.ts';
import type { NotificationEventName } from '../../shared/i18n/notification-text.ts';
import { getOwnerPreviewUrl } from '../codes/index.ts';
import { createConversationToken } from '../conversations/index.ts';
import { findLinkMember, getLinkEpoch } from '../identity/index.ts';
import { createUserUnsubscribeUrls, type MailTemplateValues } from '../mail/index.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due-notification.repository.ts';
import type { NotificationRecipient } from './load-notification-batch.ts';
import { pickStringValues } from './notification.view.ts';
import {
  type ConfigurableEvent,
  isChannelConfigurable,
  isConfigurableEvent,
} from './notification-kinds.rules.ts';
import { findOwnerLinkSubject, ownerLinkToken } from './owner-link.ts';

type Services = Pick<
  NotificationDispatchServices,
  'fieldCipher' | 'mailOutbox' | 'publicBaseUrl' | 'ownerPagesUrl' | 'applicationUrl' | 'isEnterpriseEnforced'
>;

/** Their texts have a time or a date; that of the notification would say when a job ran. */
export const EVENTS_WITH_OWN_TIME: readonly NotificationEventName[] = [
  'code.expiring',
  'document.expiring',
  'document.expired',
  'memory_tag.birth_anniversary',
  'memory_tag.death_anniversary',
  'scan.digest',
  'subscription.ending',
  'subscription.trial_ending',
];

/** Enqueue the mail of a notification, with an unsubscribe link if its kind can be disabled. Returns the mail id. */
export async function enqueueNotificationMail(
  services: Services,
  tx: Tx,
  recipient: Pick<NotificationRecipient, 'id' | 'email' | 'language' | 'timeZone'>,
  {
    id,
    accountId,
    event,
    data,
    createdAt,
  }: Pick<DueNotification, 'id' | 'accountId' | 'event' | 'data' | 'createdAt'>,
): Promise<string> {
  const texts = pickStringValues(data);
  const mailKind = findConfigurableMailKind(event, texts);
  return services.mailOutbox.enqueue(tx, {
    template: 'NOTIFICATION',
    to: recipient.email,
    values: {
      event,
      data: texts,
      link: await findMailLink(services, tx, recipient, { id, accountId, event, texts }),
      at: EVENTS_WITH_OWN_TIME.some((one) => one === event) ? null : createdAt,
      timeZone: recipient.timeZone,
    },
    ...(mailKind ? createUserUnsubscribeUrls(services, { subjectId: recipient.id, mailKind }) : {}),
  });
}

/** Find the kind of a notification's mails; null where they cannot be disabled. */
export function findConfigurableMailKind(
  event: string,
  data: Readonly<Record<string, string>>,
): ConfigurableEvent | null {
  // A digest is unsubscribed as the event that it is about.
  const kind = event === 'scan.digest' ? (data.newestEvent ?? 'scan.created') : event;
  return isConfigurableEvent(kind) && isChannelConfigurable(kind, 'EMAIL') ? kind : null;
}

const CONVERSATION_EVENTS: readonly string[] = ['message.created', 'conversation.assigned'];

// To a page without a login, to the application, or else to the page of the code.
async function findMailLink(
  services: Services,
  tx: Tx,
  { id: userId, language }: Pick<NotificationRecipient, 'id' | 'language'>,
  {
    id,
    accountId,
    event,
    texts,
  }: { id: string; accountId: string; event: string; texts: Record<string, string> },
): Promise<MailTemplateValues['NOTIFICATION']['link']> {
  const { fieldCipher, publicBaseUrl, applicationUrl, isEnterpriseEnforced } = services;
  const { qrCodeId, conversationId } = texts;
  const isMessage = CONVERSATION_EVENTS.includes(event) && conversationId !== undefined;
  const subject = findOwnerLinkSubject(event, texts);
  const member =
    isMessage || subject ? await findLinkMember(tx, { accountId, userId }, isEnterpriseEnforced) : null;
  if (member && isMessage && ANSWERING_ROLES.includes(member.role)) {
    const token = createConversationToken(fieldCipher, conversationId, { ownerEpoch: getLinkEpoch(member) });
    return { name: 'answer', link: `${publicBaseUrl}/s/${qrCodeId}/c/${token}` };
  }
  if (member && subject) {
    const { accessEpoch } = member;
    const token = ownerLinkToken.create(fieldCipher, { notificationId: id, userId, accessEpoch });
    const name = subject.name === 'scan' && hasKnownPosition(event, texts) ? 'location' : subject.name;
    return { name, link: `${publicBaseUrl}/s/o/${token}` };
  }
  if (applicationUrl !== null) return { name: 'more', link: `${applicationUrl}/notifications/${id}` };
  return qrCodeId ? { name: 'page', link: getOwnerPreviewUrl(services, qrCodeId, language) } : null;
}

/** The mail has the place in words; the exact position is only on the page, where it stays encrypted at rest. */
function hasKnownPosition(event: string, { place, newestEvent }: Readonly<Record<string, string>>): boolean {
  return place !== undefined || [event, newestEvent].includes('scan.located');
}
