import type { Tx } from '../../platform/database.ts';
import { publishEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStream } from '../../platform/realtime/streams.ts';
import type { PaymentNotification } from '../billing/index.ts';
import type { MessageNotification } from '../conversations/index.ts';
import type { DocumentAccessNotification, DocumentGrantNotification } from '../documents/index.ts';
import type { CaretakerNamedEvent, GuestBookSignedEvent } from '../memory-tags/index.ts';
import type { ScanEvent, ScanLocatedEvent, ScanNotification } from '../scans/index.ts';
import {
  type BreakGlassEvent,
  createBreakGlassNotification,
  createCaretakerNotification,
  createDocumentGrantedNotification,
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
  createScanNotification,
  createSecondFactorNotification,
} from './create-notifications.ts';
import type { DueNotification } from './due-notification.repository.ts';
import {
  insertNotification,
  insertNotificationForEmail,
  type NewNotification,
} from './insert-notification.repository.ts';
import { findPaymentDetails } from './payment-details.repository.ts';

/**
 * How anything tells people something: in the transaction of what happened, and sent soon after.
 * @param wake has what is due looked for
 */
export function createNotifier(wake: () => void) {
  const notifyUser = async (tx: Tx, notification: NewNotification) => {
    await insertNotification(tx, notification);
    wake();
  };
  const notifyEmail = async (tx: Tx, email: string, notification: Omit<NewNotification, 'userId'>) => {
    await insertNotificationForEmail(tx, email, notification);
    wake();
  };
  return {
    /** What the owner is told by the statement that stores a scan. */
    createScanNotification(news: ScanEvent): ScanNotification {
      wake();
      return createScanNotification(news);
    },
    notifyLogin: (tx: Tx, userId: string) => notifyUser(tx, createLoginNotification(userId)),
    notifySecondFactor: (tx: Tx, userId: string, isOn: boolean) =>
      notifyUser(tx, createSecondFactorNotification(userId, isOn)),
    notifyPasswordChanged: (tx: Tx, userId: string) => notifyUser(tx, createPasswordNotification(userId)),
    notifyLocation: (tx: Tx, news: ScanLocatedEvent) => notifyUser(tx, createLocationNotification(news)),
    notifyMessage: (tx: Tx, news: MessageNotification) => notifyUser(tx, createMessageNotification(news)),
    notifyGuestBookEntry: (tx: Tx, news: GuestBookSignedEvent) =>
      notifyUser(tx, createGuestBookEntryNotification(news)),
    notifyPinAttemptsExhausted: (tx: Tx, code: { ownerId: string; qrCodeId: string; title: string }) =>
      notifyUser(tx, createPinAttemptsNotification(code)),
    notifyDocumentOpened: (tx: Tx, news: DocumentAccessNotification) =>
      notifyUser(tx, createDocumentOpenedNotification(news)),
    notifyPasscodeAttemptsExhausted: (tx: Tx, news: DocumentAccessNotification) =>
      notifyUser(tx, createPasscodeAttemptsNotification(news)),
    notifyDocumentGranted: (tx: Tx, news: DocumentGrantNotification) =>
      notifyEmail(tx, news.email, createDocumentGrantedNotification(news)),
    notifyCaretaker: (tx: Tx, news: CaretakerNamedEvent) =>
      notifyEmail(tx, news.email, createCaretakerNotification(news)),
    notifyRoleChanged: (tx: Tx, userId: string, role: string) =>
      notifyUser(tx, createRoleNotification(userId, role)),
    /** Whoever was erased is told nothing. */
    async notifyPayment(tx: Tx, news: PaymentNotification): Promise<void> {
      const details = await findPaymentDetails(tx, news.userId, news.data);
      if (details) await notifyUser(tx, createPaymentNotification(news, details));
    },
    notifyBreakGlass: (tx: Tx, record: BreakGlassEvent) =>
      notifyUser(tx, createBreakGlassNotification(record)),
  };
}

/** Has open sockets of their people hear of notifications, in the transaction that decides on them. */
export async function publishCreatedNotifications(
  tx: Tx,
  notifications: readonly DueNotification[],
): Promise<void> {
  await publishEvents(
    tx,
    ...notifications.map(({ id, userId }) => ({
      stream: getUserStream(userId),
      event: 'notification.created' as const,
      data: { notificationId: id },
    })),
  );
}
