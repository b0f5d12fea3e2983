import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import {
  BILLING_EVENT_NAMES,
  type BillingChangedEvent,
  type BillingEventName,
  type DomainEventName,
  type DomainEventPayloads,
} from '../../shared/domain-events.ts';
import {
  createAnniversaryNotification,
  createAssignmentNotification,
  createBreakGlassNotification,
  createCaretakerAddedNotification,
  createDocumentExpiryNotification,
  createDocumentGrantedNotification,
  createDocumentInfectedNotification,
  createDocumentOpenedNotification,
  createGuestBookEntryNotification,
  createLoginNotification,
  createMessageNotification,
  createModerationNotification,
  createPasscodeRejectedNotification,
  createPasswordChangedNotification,
  createPaymentNotification,
  createPinRejectedNotification,
  createQrCodeExpiryNotification,
  createRoleChangedNotification,
  createScanLocatedNotification,
  createSecondFactorNotification,
  createWebhookEndpointDisabledNotification,
} from './create-notifications.ts';
import { recordMailDeliveryOutcome, recordUnattemptedMailOutcome } from './delivery.repository.ts';
import {
  insertNotificationForEmail,
  insertNotifications,
  type NewNotification,
  type NotificationContent,
} from './insert-notification.repository.ts';
import { deleteNotificationsOfMember } from './notification.repository.ts';
import { findPaymentNotificationDetails } from './payment-details.repository.ts';

/**
 * Notify users of domain events in the transaction of each event. Scans are inserted together with their notification instead.
 * @param wake dispatches due notifications soon
 */
export function subscribeNotificationsToEvents(events: DomainEventBus, wake: () => void): void {
  const notifyUsers = <Name extends DomainEventName>(
    name: Name,
    toNotification: (event: DomainEventPayloads[Name], name: Name) => NewNotification,
  ) =>
    events.subscribe(name, async (tx, published) => {
      await insertNotifications(
        tx,
        published.map((event) => toNotification(event, name)),
      );
      wake();
    });
  const notifyEmails = <Name extends 'document.granted' | 'caretaker.added'>(
    name: Name,
    toNotification: (event: DomainEventPayloads[Name]) => NotificationContent,
  ) =>
    events.subscribe(name, async (tx, published) => {
      for (const event of published) await insertNotificationForEmail(tx, event.email, toNotification(event));
      wake();
    });

  notifyUsers('login.created', createLoginNotification);
  notifyUsers('password.changed', createPasswordChangedNotification);
  notifyUsers('second_factor.enabled', createSecondFactorNotification);
  notifyUsers('second_factor.disabled', createSecondFactorNotification);
  notifyUsers('role.changed', createRoleChangedNotification);
  notifyUsers('webhook_endpoint.disabled', createWebhookEndpointDisabledNotification);
  notifyUsers('break_glass.opened', createBreakGlassNotification);
  notifyUsers('code.taken_down', createModerationNotification);
  notifyUsers('code.reinstated', createModerationNotification);
  notifyUsers('code.appeal_rejected', createModerationNotification);
  notifyUsers('code.expiring', createQrCodeExpiryNotification);
  notifyUsers('code.expired', createQrCodeExpiryNotification);
  notifyUsers('scan.located', createScanLocatedNotification);
  notifyUsers('code.pin_rejected', createPinRejectedNotification);
  notifyUsers('document.opened', createDocumentOpenedNotification);
  notifyUsers('document.passcode_rejected', createPasscodeRejectedNotification);
  notifyUsers('document.infected', createDocumentInfectedNotification);
  notifyUsers('document.expiring', createDocumentExpiryNotification);
  notifyUsers('document.expired', createDocumentExpiryNotification);
  notifyEmails('document.granted', createDocumentGrantedNotification);
  notifyUsers('message.created', createMessageNotification);
  notifyUsers('conversation.assigned', createAssignmentNotification);
  notifyUsers('guest_book.signed', createGuestBookEntryNotification);
  notifyEmails('caretaker.added', createCaretakerAddedNotification);
  notifyUsers('memory_tag.birth_anniversary', createAnniversaryNotification);
  notifyUsers('memory_tag.death_anniversary', createAnniversaryNotification);
  for (const name of BILLING_EVENT_NAMES)
    events.subscribe(name, async (tx, published) => {
      for (const event of published) await notifyOfBilling(tx, event, name);
      wake();
    });
  events.subscribe('membership.changed', async (tx, changes) => {
    for (const { role, ...member } of changes)
      if (role === null) await deleteNotificationsOfMember(tx, member);
  });
  events.subscribe('mail.settled', async (tx, published) => {
    for (const { mailIds, isAttempted, ...outcome } of published) {
      if (isAttempted) await recordMailDeliveryOutcome(tx, mailIds, outcome);
      else await recordUnattemptedMailOutcome(tx, mailIds, outcome);
    }
  });
}

async function notifyOfBilling(tx: Tx, event: BillingChangedEvent, name: BillingEventName): Promise<void> {
  const details = await findPaymentNotificationDetails(tx, event.accountId, event.data);
  if (details) await insertNotifications(tx, [createPaymentNotification(event, name, details)]);
}
