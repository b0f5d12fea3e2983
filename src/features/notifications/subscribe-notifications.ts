import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { DomainEventName, DomainEventPayloads } from '../../shared/domain-events.ts';
import {
  createAnniversaryNotification,
  createBreakGlassUsedNotification,
  createCaretakerAddedNotification,
  createDocumentExpiryNotification,
  createDocumentGrantedNotification,
  createDocumentInfectedNotification,
  createDocumentOpenedNotification,
  createGuestBookEntryNotification,
  createLoginNotification,
  createMessageReceivedNotification,
  createModerationNotification,
  createPasscodeAttemptsExhaustedNotification,
  createPasswordChangedNotification,
  createPaymentNotification,
  createPinAttemptsExhaustedNotification,
  createQrCodeExpiryNotification,
  createRoleChangedNotification,
  createScanLocatedNotification,
  createSecondFactorChangedNotification,
  createWebhookEndpointDisabledNotification,
} from './create-notifications.ts';
import { recordMailDeliveryOutcome, recordUnattemptedMailOutcome } from './delivery.repository.ts';
import {
  insertNotificationForEmail,
  insertNotifications,
  type NewNotification,
} from './insert-notification.repository.ts';
import { findPaymentNotificationDetails } from './payment-details.repository.ts';

/**
 * Notify users of domain events in the transaction of each event. Scans are inserted together with their notification instead.
 * @param wake dispatches due notifications soon
 */
export function subscribeNotificationsToEvents(events: DomainEventBus, wake: () => void): void {
  const notifyUsers = <Name extends DomainEventName>(
    name: Name,
    toNotification: (event: DomainEventPayloads[Name]) => NewNotification,
  ) =>
    events.subscribe(name, async (tx, published) => {
      await insertNotifications(tx, published.map(toNotification));
      wake();
    });
  const notifyEmails = <Name extends 'document.granted' | 'caretaker.named'>(
    name: Name,
    toNotification: (event: DomainEventPayloads[Name]) => Omit<NewNotification, 'userId'>,
  ) =>
    events.subscribe(name, async (tx, published) => {
      for (const event of published) await insertNotificationForEmail(tx, event.email, toNotification(event));
      wake();
    });

  notifyUsers('user.logged-in', createLoginNotification);
  notifyUsers('user.password-changed', createPasswordChangedNotification);
  notifyUsers('user.second-factor-changed', createSecondFactorChangedNotification);
  notifyUsers('user.role-changed', createRoleChangedNotification);
  notifyUsers('webhook-endpoint.disabled', createWebhookEndpointDisabledNotification);
  notifyUsers('break-glass.used', createBreakGlassUsedNotification);
  notifyUsers('code.moderated', createModerationNotification);
  notifyUsers('code.expiring', createQrCodeExpiryNotification);
  notifyUsers('scan.located', createScanLocatedNotification);
  notifyUsers('pin.attempts-exhausted', createPinAttemptsExhaustedNotification);
  notifyUsers('document.opened', createDocumentOpenedNotification);
  notifyUsers('document.passcode-attempts-exhausted', createPasscodeAttemptsExhaustedNotification);
  notifyUsers('document.infected', createDocumentInfectedNotification);
  notifyUsers('document.expiring', createDocumentExpiryNotification);
  notifyEmails('document.granted', createDocumentGrantedNotification);
  notifyUsers('message.received', createMessageReceivedNotification);
  notifyUsers('guest-book.signed', createGuestBookEntryNotification);
  notifyEmails('caretaker.named', createCaretakerAddedNotification);
  notifyUsers('memory-tag.anniversary', createAnniversaryNotification);
  events.subscribe('subscription.changed', async (tx, published) => {
    for (const event of published) await notifyOfBilling(tx, event);
    wake();
  });
  events.subscribe('mail.settled', async (tx, published) => {
    for (const { mailIds, isAttempted, ...outcome } of published) {
      if (isAttempted) await recordMailDeliveryOutcome(tx, mailIds, outcome);
      else await recordUnattemptedMailOutcome(tx, mailIds, outcome);
    }
  });
}

async function notifyOfBilling(tx: Tx, event: DomainEventPayloads['subscription.changed']): Promise<void> {
  const details = await findPaymentNotificationDetails(tx, event.userId, event.data);
  if (details) await insertNotifications(tx, [createPaymentNotification(event, details)]);
}
