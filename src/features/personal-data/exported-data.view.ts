import type { FieldCipher } from '../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import { AUDIT_ACTIONS, hideMalwareChanges } from '../../shared/audit-actions.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import type { UserRow } from '../accounts/user.repository.ts';
import { getPhoneLocation } from '../accounts/user.view.ts';
import { toMessageView } from '../conversations/conversation.view.ts';
import { decryptFinderName, decryptReportNote } from '../conversations/encrypted-conversation-fields.ts';
import { decryptGrantEmail } from '../document-grants/grant-email.ts';
import { decryptFileName, decryptNote } from '../documents/encrypted-document-fields.ts';
import { openCaretakerEmail } from '../memory-tags/caretaker-address.ts';
import type { PictureRow } from '../memory-tags/gallery.repository.ts';
import { openEntry } from '../memory-tags/guest-book-content.ts';
import { placesOf } from '../memory-tags/memory-tag.view.ts';
import { textsOf } from '../notifications/notification.view.ts';
import { translateNotification } from '../notifications/notification-text.ts';
import { openData, openLost } from '../qrcodes/encrypted-content.ts';
import { currentStatus, designOf, scanUrlOf } from '../qrcodes/qrcode.view.ts';
import { openHeld, openLocation } from '../scans/scan-position.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import type { Exported } from './exported-data.schemas.ts';
import type {
  readCare,
  readConversations,
  readDocuments,
  readInvoices,
  readMemoryTags,
  readNotifications,
  readPictures,
  readQrCodes,
  readScans,
  readSessions,
} from './personal-rows.repository.ts';
import type { TrailRow } from './personal-trail.repository.ts';

type RowOf<Read extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Read>>[number];

/** What the views need besides rows. */
export interface ViewContext {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  /** Hears of a row that was altered outside the service: one such row does not keep the rest from its owner. */
  onDamage(damaged: IntegrityFailure): void;
}

/** The profile as it is exported. */
export function exportedProfile(
  context: ViewContext,
  row: UserRow,
  hasSecondFactor: boolean,
): Exported<'profile'> {
  const { id, email, status, role, firstName, lastName, accountType, organizationName } = row;
  const { phone, language, timeZone, profilePicture } = row;
  const opened =
    phone &&
    readOrReportIntegrityFailure(
      () => context.fieldCipher.open<string>(getPhoneLocation(id), phone),
      context.onDamage,
    );
  return {
    ...{ id, email, status, role, firstName, lastName, accountType, organizationName },
    ...{ phone: opened, language, timeZone, hasSecondFactor, enterpriseMode: row.enterpriseMode },
    picture: profilePicture && `pictures/${profilePicture}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A session as it is exported. */
export function exportedSession(row: RowOf<typeof readSessions>): Exported<'sessions'> {
  const { id, ip, userAgent, endReason } = row;
  return {
    ...{ id, ip, userAgent, endReason },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: isoOf(row.endedAt),
  };
}

/** A code as it is exported, with all of its content. */
export function exportedQrCode(context: ViewContext, row: RowOf<typeof readQrCodes>): Exported<'qrCodes'> {
  const { fieldCipher, publicBaseUrl } = context;
  const { id, kind, mode, title, contactable, showsPage, notifyOn, imageFile } = row;
  return {
    ...{ id, kind, mode, title, status: currentStatus(row) },
    data: readOrReportIntegrityFailure(() => openData(fieldCipher, row), context.onDamage),
    visibility: objectOf(row.visibility),
    design: objectOf(designOf(row)),
    lost: readOrReportIntegrityFailure(() => openLost(fieldCipher, row), context.onDamage),
    hasPin: row.pinHash !== null,
    ...{ contactable, showsPage, notifyOn },
    scanUrl: scanUrlOf(publicBaseUrl, id),
    image: imageFile && `qrcodes/${imageFile}`,
    counts: {
      total: Number(row.counts?.total ?? 0),
      humans: Number(row.counts?.humans ?? 0),
      unique: Number(row.counts?.uniques ?? 0),
    },
    lastScannedAt: isoOf(row.counts?.lastScannedAt ?? null),
    expiresAt: isoOf(row.expiresAt),
    deletedAt: isoOf(row.deletedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A scan of one of the person's codes: exact position included, without the visitor's address. */
export function exportedScan(
  context: ViewContext,
  row: RowOf<typeof readScans>,
): Exported<'scansOfYourCodes'> {
  const { id, qrCodeId, type, classRule, userAgent } = row;
  return {
    ...{ id, qrCodeId, scannedAt: row.scannedAt.toISOString(), type, class: row.class, classRule },
    unlocked: row.unlockedAt !== null,
    userAgent,
    location: readOrReportIntegrityFailure(() => openLocation(context.fieldCipher, row), context.onDamage),
    trail: row.trail.map((part) => ({
      at: part.createdAt.toISOString(),
      location: readOrReportIntegrityFailure(
        () => openHeld(context.fieldCipher, part, 'scan_locations'),
        context.onDamage,
      ),
    })),
  };
}

/** A conversation as it is exported, in words of the person's language. */
export function exportedConversation(
  context: ViewContext,
  row: RowOf<typeof readConversations>,
): Exported<'conversations'> {
  const { fieldCipher, onDamage } = context;
  const { id, qrCodeId, status } = row;
  const locale = toLocale(row.owner.language);
  const [report] = row.reports;
  return {
    ...{ id, qrCodeId, status },
    scanId: row.fromScan ? row.scanId : null,
    finderName: readOrReportIntegrityFailure(() => decryptFinderName(fieldCipher, row), onDamage),
    createdAt: row.createdAt.toISOString(),
    report: report
      ? {
          reason: report.reason,
          note: readOrReportIntegrityFailure(() => decryptReportNote(fieldCipher, report), onDamage),
          isDecided: report.decision !== null,
          createdAt: report.createdAt.toISOString(),
        }
      : null,
    messages: row.messages.map((message) => ({
      from: message.sender,
      message: readOrReportIntegrityFailure(
        () => toMessageView(fieldCipher, message, locale).message,
        onDamage,
      ),
      sentAt: message.createdAt.toISOString(),
      readAt: isoOf(message.readAt),
    })),
  };
}

/** A notification as it is exported, in words of the person's language. */
export function exportedNotification(row: RowOf<typeof readNotifications>): Exported<'notifications'> {
  const { id, type, event } = row;
  const data = textsOf(row.data);
  return {
    ...{ id, type, event, ...translateNotification(toLocale(row.user.language), { event, data }), data },
    deliveries: row.deliveries.map(({ channel, status, reason, at }) => ({
      ...{ channel, status, reason, at: at.toISOString() },
    })),
    readAt: isoOf(row.readAt),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A memory tag as it is exported. */
export function exportedMemoryTag(
  { fieldCipher, onDamage }: ViewContext,
  row: RowOf<typeof readMemoryTags>,
): Exported<'memoryTags'> {
  const { id, qrCodeId, name, subject, bornOn, diedOn, epitaph, story } = row;
  const { guestBookOpen, anniversaryReminders } = row;
  return {
    ...{ id, qrCodeId, name, subject, bornOn, diedOn, epitaph, story, places: placesOf(row) },
    ...{ guestBookOpen, anniversaryReminders },
    guestBook: row.entries.map((entry) => {
      const content = readOrReportIntegrityFailure(() => openEntry(fieldCipher, entry), onDamage);
      return {
        ...{ name: content?.name ?? null, message: content?.message ?? null, state: entry.state },
        createdAt: entry.createdAt.toISOString(),
      };
    }),
    caretakers: row.caretakers.map((caretaker) => ({
      email: readOrReportIntegrityFailure(() => openCaretakerEmail(fieldCipher, caretaker), onDamage),
      createdAt: caretaker.createdAt.toISOString(),
    })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A document as it is exported; its files are beside. */
export function exportedDocument(
  { fieldCipher, onDamage }: ViewContext,
  row: RowOf<typeof readDocuments>,
): Exported<'documents'> {
  const { id, title, kind } = row;
  return {
    ...{ id, title, kind },
    note: readOrReportIntegrityFailure(() => decryptNote(fieldCipher, row), onDamage),
    expiresOn: isoOf(row.expiresOn)?.slice(0, 10) ?? null,
    versions: row.versions.map((version) => {
      const fileName = readOrReportIntegrityFailure(() => decryptFileName(fieldCipher, version), onDamage);
      const { number, contentType } = version;
      const file = documentPath(id, number, fileName);
      const createdAt = version.createdAt.toISOString();
      return { number, fileName, contentType, size: Number(version.size), file, createdAt };
    }),
    shares: row.shares.map((share) => ({
      ...{ id: share.id, qrCodeId: share.qrCodeId, maxViews: share.maxViews, views: share.views },
      lastOpenedAt: isoOf(share.lastOpenedAt),
      expiresAt: isoOf(share.expiresAt),
      endedAt: isoOf(share.endedAt),
      createdAt: share.createdAt.toISOString(),
    })),
    grants: row.grants.map((grant) => {
      const email = readOrReportIntegrityFailure(() => decryptGrantEmail(fieldCipher, grant), onDamage);
      return { id: grant.id, email, createdAt: grant.createdAt.toISOString() };
    }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Where a version of a document is in the archive. */
export function documentPath(documentId: string, number: number, fileName: string | null): string {
  return `documents/${documentId}/${number} ${fileName ?? 'document'}`;
}

/** A picture of a memory tag as it is exported: where its file is in the archive. */
export function exportedPicture(row: RowOf<typeof readPictures>): Exported<'memoryTagPictures'> {
  const { id, memoryTagId, caption, position, width, height } = row;
  return {
    ...{ id, memoryTagId, caption, position, width, height, file: picturePath(row) },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Where a picture of a memory tag is in an archive. */
export function picturePath({ id, memoryTagId, format }: PictureRow): string {
  return `memory-tags/${memoryTagId}/${id}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** A memory tag of somebody else whom the person may help with it. */
export function exportedCare(row: RowOf<typeof readCare>): Exported<'memoryTagsCaredFor'> {
  return { memoryTagId: row.memoryTagId, name: row.memoryTag.name, since: row.createdAt.toISOString() };
}

/** What somebody bought, as it is exported. */
export function exportedSubscription(row: SubscriptionRow): Exported<'subscriptions'> {
  const { id, provider, code, interval, currency, price, state, cancelAtPeriodEnd } = row;
  return {
    ...{ id, provider, package: code, interval, currency, price, state, cancelAtPeriodEnd },
    startedAt: row.startedAt.toISOString(),
    currentPeriodEnd: isoOf(row.currentPeriodEnd),
    trialEndsAt: isoOf(row.trialEndsAt),
    endedAt: isoOf(row.endedAt),
  };
}

/** An invoice as it is exported. */
export function exportedInvoice(row: RowOf<typeof readInvoices>): Exported<'invoices'> {
  const { id, subscriptionId, provider, number, state, currency, isDisputed } = row;
  return {
    ...{ id, subscriptionId, provider, number, state, currency, isDisputed },
    total: Number(row.total),
    amountPaid: Number(row.amountPaid),
    amountRefunded: Number(row.amountRefunded),
    periodStart: isoOf(row.periodStart),
    periodEnd: isoOf(row.periodEnd),
    issuedAt: row.issuedAt.toISOString(),
    paidAt: isoOf(row.paidAt),
  };
}

/** An audit entry in plain words; of people it names nobody. */
export function exportedEvent(row: TrailRow, by: 'YOU' | 'OTHERS'): Exported<'events'> {
  const { action, outcome, resourceType, changes, ip, userAgent } = row;
  const others = row.hasActor ? 'SOMEBODY_ELSE' : 'NOBODY_KNOWN';
  return {
    at: row.createdAt.toISOString(),
    by: by === 'YOU' ? 'YOU' : others,
    action,
    meaning: Object.entries(AUDIT_ACTIONS).find(([name]) => name === action)?.[1].meaning ?? action,
    ...{ outcome, resourceType, resourceId: resourceType === 'USER' ? null : row.resourceId },
    changes: hideMalwareChanges(action, changes),
    ...{ ip, userAgent },
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isoOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
