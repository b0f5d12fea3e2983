import type { Tx } from '../../platform/database.ts';
import { conversationToken } from '../conversations/conversation-token.ts';
import type { DispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due.repository.ts';
import { textsOf } from './notification.view.ts';
import { canBeSwitched, isToldEvent } from './notification-kinds.rules.ts';
import type { Person } from './read-batch.ts';
import { unsubscribeUrl } from './unsubscribe-token.ts';

type Services = Pick<DispatchServices, 'vault' | 'postOffice' | 'publicBaseUrl'>;

/** Posts the mail of a notification, with the way to end mails of its kind where there is one. Answers the mail's id. */
export async function mailNotification(
  services: Services,
  tx: Tx,
  person: Pick<Person, 'id' | 'email'>,
  { event, data }: Pick<DueNotification, 'event' | 'data'>,
): Promise<string> {
  const texts = textsOf(data);
  // A digest is of scans, and ends with them; one of alarms names of which.
  const kind = event === 'SCANS_DIGEST' ? (texts.told ?? 'QR_CODE_SCANNED') : event;
  const canEnd = isToldEvent(kind) && canBeSwitched(kind, 'EMAIL');
  return services.postOffice.post(tx, {
    template: 'NOTIFICATION',
    to: person.email,
    values: { event, data: texts, answerLink: answerLink(services, event, texts) },
    ...(canEnd ? { unsubscribeUrl: unsubscribeUrl(services, person.id, kind) } : {}),
  });
}

/** The page on which to answer a finder without logging in; null for what is no message. */
function answerLink(
  { vault, publicBaseUrl }: Services,
  event: string,
  { qrCodeId, conversationId }: Record<string, string>,
): string | null {
  if (event !== 'MESSAGE_RECEIVED' || !conversationId) return null;
  return `${publicBaseUrl}/s/${qrCodeId}/c/${conversationToken(vault, conversationId, 'OWNER')}`;
}
