import type { Tx } from '../../platform/database.ts';
import { publishEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStream } from '../../platform/realtime/streams.ts';
import type { MessageNotification } from '../conversations/conversation-services.ts';
import type { DocumentGrantNotification } from '../document-grants/grant-services.ts';
import type { DocumentAccessNotification } from '../document-shares/share-services.ts';
import type { CaretakerNews } from '../memory-tags/name-caretaker.ts';
import type { EntryNews } from '../memory-tags/sign-guest-book.ts';
import type { PaymentNews } from '../payments/payment-news.ts';
import type { LocationNews, ScanNews, ScanNotification } from '../scans/scan-news.ts';
import type { DueNotification } from './due.repository.ts';
import {
  insertNotification,
  insertNotificationFor,
  type NewNotification,
} from './insert-notification.repository.ts';
import {
  caretakerNotification,
  entryNotification,
  type GlassNews,
  givenNotification,
  glassNotification,
  locationNotification,
  loginNotification,
  messageNotification,
  openedNotification,
  passcodeNotification,
  passwordNotification,
  paymentNotification,
  pinNotification,
  roleNotification,
  scanNotification,
  secondFactorNotification,
} from './new-notifications.ts';
import { readPaymentFacts } from './payment-facts.repository.ts';

/**
 * How anything tells people something: in the transaction of what happened, and sent soon after.
 * @param wake has what is due looked for
 */
export function createTeller(wake: () => void) {
  const tell = async (tx: Tx, notification: NewNotification) => {
    await insertNotification(tx, notification);
    wake();
  };
  const tellAddress = async (tx: Tx, email: string, notification: Omit<NewNotification, 'userId'>) => {
    await insertNotificationFor(tx, email, notification);
    wake();
  };
  return {
    /** What the owner is told by the statement that stores a scan. */
    createScanNotification(news: ScanNews): ScanNotification {
      wake();
      return scanNotification(news);
    },
    notifyLogin: (tx: Tx, userId: string) => tell(tx, loginNotification(userId)),
    notifySecondFactor: (tx: Tx, userId: string, isOn: boolean) =>
      tell(tx, secondFactorNotification(userId, isOn)),
    notifyPassword: (tx: Tx, userId: string) => tell(tx, passwordNotification(userId)),
    notifyLocation: (tx: Tx, news: LocationNews) => tell(tx, locationNotification(news)),
    notifyMessage: (tx: Tx, news: MessageNotification) => tell(tx, messageNotification(news)),
    notifyEntry: (tx: Tx, news: EntryNews) => tell(tx, entryNotification(news)),
    notifyPinTries: (tx: Tx, code: { ownerId: string; qrCodeId: string; title: string }) =>
      tell(tx, pinNotification(code)),
    notifyDocumentOpened: (tx: Tx, news: DocumentAccessNotification) => tell(tx, openedNotification(news)),
    notifyPasscodeTries: (tx: Tx, news: DocumentAccessNotification) => tell(tx, passcodeNotification(news)),
    notifyDocumentGiven: (tx: Tx, news: DocumentGrantNotification) =>
      tellAddress(tx, news.email, givenNotification(news)),
    notifyCaretaker: (tx: Tx, news: CaretakerNews) =>
      tellAddress(tx, news.email, caretakerNotification(news)),
    notifyRole: (tx: Tx, userId: string, role: string) => tell(tx, roleNotification(userId, role)),
    /** Whoever was erased is told nothing. */
    async notifyPayment(tx: Tx, news: PaymentNews): Promise<void> {
      const facts = await readPaymentFacts(tx, news.userId, news.data);
      if (facts) await tell(tx, paymentNotification(news, facts));
    },
    notifyGlass: (tx: Tx, record: GlassNews) => tell(tx, glassNotification(record)),
  };
}

/** Has open sockets of their people hear of notifications, in the transaction that decides on them. */
export async function announce(tx: Tx, notifications: readonly DueNotification[]): Promise<void> {
  await publishEvents(
    tx,
    ...notifications.map(({ id, userId }) => ({
      stream: getUserStream(userId),
      event: 'notification.created' as const,
      data: { notificationId: id },
    })),
  );
}
