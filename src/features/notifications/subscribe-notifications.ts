import type { Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { DomainEventName, DomainEvents } from '../../shared/domain-events.ts';
import {
  createAnniversaryNotification,
  createBreakGlassNotification,
  createCaretakerNotification,
  createCodeExpiryNotification,
  createDocumentExpiryNotification,
  createDocumentGrantedNotification,
  createDocumentInfectedNotification,
  createDocumentOpenedNotification,
  createGuestBookEntryNotification,
  createLocationNotification,
  createLoginNotification,
  createMessageNotification,
  createPasscodeAttemptsNotification,
  createPasswordNotification,
  createPaymentNotification,
  createPinAttemptsNotification,
  createRoleNotification,
  createSecondFactorNotification,
} from './create-notifications.ts';
import { failLostMailDeliveries, updateMailDelivery } from './delivery.repository.ts';
import {
  insertNotificationForEmail,
  insertNotifications,
  type NewNotification,
} from './insert-notification.repository.ts';
import { findPaymentDetails } from './payment-details.repository.ts';

/**
 * Notify users of domain events in the transaction of each event. Scans are inserted together with their notification instead.
 * @param wake dispatches due notifications soon
 */
export function subscribeNotifications(events: EventBus, wake: () => void): void {
  const notifyUsers = <Name extends DomainEventName>(
    name: Name,
    toNotification: (event: DomainEvents[Name]) => NewNotification,
  ) =>
    events.subscribe(name, async (tx, published) => {
      await insertNotifications(tx, published.map(toNotification));
      wake();
    });
  const notifyEmails = <Name extends 'document.granted' | 'caretaker.named'>(
    name: Name,
    toNotification: (event: DomainEvents[Name]) => Omit<NewNotification, 'userId'>,
  ) =>
    events.subscribe(name, async (tx, published) => {
      for (const event of published) await insertNotificationForEmail(tx, event.email, toNotification(event));
      wake();
    });

  notifyUsers('user.logged-in', createLoginNotification);
  notifyUsers('user.password-changed', createPasswordNotification);
  notifyUsers('user.second-factor-changed', createSecondFactorNotification);
  notifyUsers('user.role-changed', createRoleNotification);
  notifyUsers('break-glass.used', createBreakGlassNotification);
  notifyUsers('code.expiring', createCodeExpiryNotification);
  notifyUsers('scan.located', createLocationNotification);
  notifyUsers('pin.attempts-exhausted', createPinAttemptsNotification);
  notifyUsers('document.opened', createDocumentOpenedNotification);
  notifyUsers('document.passcode-attempts-exhausted', createPasscodeAttemptsNotification);
  notifyUsers('document.infected', createDocumentInfectedNotification);
  notifyUsers('document.expiring', createDocumentExpiryNotification);
  notifyEmails('document.granted', createDocumentGrantedNotification);
  notifyUsers('message.received', createMessageNotification);
  notifyUsers('guest-book.signed', createGuestBookEntryNotification);
  notifyEmails('caretaker.named', createCaretakerNotification);
  notifyUsers('memory-tag.anniversary', createAnniversaryNotification);
  events.subscribe('subscription.changed', async (tx, published) => {
    for (const event of published) await notifyOfBilling(tx, event);
    wake();
  });
  events.subscribe('mail.settled', async (tx, published) => {
    for (const { mailIds, isAttempted, ...outcome } of published) {
      if (isAttempted) await updateMailDelivery(tx, mailIds, outcome);
      else await failLostMailDeliveries(tx, mailIds, outcome.reason);
    }
  });
}

async function notifyOfBilling(tx: Tx, event: DomainEvents['subscription.changed']): Promise<void> {
  const details = await findPaymentDetails(tx, event.userId, event.data);
  if (details) await insertNotifications(tx, [createPaymentNotification(event, details)]);
}
