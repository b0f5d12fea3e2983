import type { FieldCipher } from '../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import { AUDIT_ACTIONS, hideMalwareChanges } from '../../shared/audit-actions.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { translateNotification } from '../../shared/i18n/notification-text.ts';
import type { SubscriptionRow } from '../billing/index.ts';
import {
  decryptLostReport,
  decryptQrCodeData,
  getCurrentStatus,
  getQrCodeDesign,
  getScanUrl,
} from '../codes/index.ts';
import { decryptFinderName, decryptReportNote, toMessageView } from '../conversations/index.ts';
import { decryptFileName, decryptGrantEmail, decryptNote } from '../documents/index.ts';
import { getPhoneLocation, type UserRow } from '../identity/index.ts';
import {
  decryptCaretakerEmail,
  decryptGuestBookEntry,
  getMemoryTagPlaces,
  type PictureRow,
} from '../memory-tags/index.ts';
import { pickStrings } from '../notifications/index.ts';
import { decryptRowLocation, decryptScanLocation } from '../scans/index.ts';
import type { ExportedItem } from './exported-data.schemas.ts';
import type {
  readCaredForTags,
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
import type { AuditTrailRow } from './personal-trail.repository.ts';

type RowOf<Read extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Read>>[number];

/** What the views need besides rows. */
export interface ExportViewContext {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  /** Hears of a row that was altered outside the service: one such row does not keep the rest from its owner. */
  onIntegrityFailure(damaged: IntegrityFailure): void;
}

/** The profile as it is exported. */
export function toExportedProfile(
  context: ExportViewContext,
  row: UserRow,
  hasSecondFactor: boolean,
): ExportedItem<'profile'> {
  const { id, email, status, role, firstName, lastName, accountType, organizationName } = row;
  const { phone, language, timeZone, profilePicture } = row;
  const opened =
    phone &&
    readOrReportIntegrityFailure(
      () => context.fieldCipher.decrypt<string>(getPhoneLocation(id), phone),
      context.onIntegrityFailure,
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
export function toExportedSession(row: RowOf<typeof readSessions>): ExportedItem<'sessions'> {
  const { id, ip, userAgent, endReason } = row;
  return {
    ...{ id, ip, userAgent, endReason },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: toIsoString(row.endedAt),
  };
}

/** A code as it is exported, with all of its content. */
export function toExportedQrCode(
  context: ExportViewContext,
  row: RowOf<typeof readQrCodes>,
): ExportedItem<'qrCodes'> {
  const { fieldCipher, publicBaseUrl } = context;
  const { id, kind, mode, title, contactable, showsPage, notifyOn, imageFile } = row;
  return {
    ...{ id, kind, mode, title, status: getCurrentStatus(row) },
    data: readOrReportIntegrityFailure(() => decryptQrCodeData(fieldCipher, row), context.onIntegrityFailure),
    visibility: toRecord(row.visibility),
    design: toRecord(getQrCodeDesign(row)),
    lost: readOrReportIntegrityFailure(() => decryptLostReport(fieldCipher, row), context.onIntegrityFailure),
    hasPin: row.pinHash !== null,
    ...{ contactable, showsPage, notifyOn },
    scanUrl: getScanUrl(publicBaseUrl, id),
    image: imageFile && `qrcodes/${imageFile}`,
    counts: {
      total: Number(row.counts?.total ?? 0),
      humans: Number(row.counts?.humans ?? 0),
      unique: Number(row.counts?.uniques ?? 0),
    },
    lastScannedAt: toIsoString(row.counts?.lastScannedAt ?? null),
    expiresAt: toIsoString(row.expiresAt),
    deletedAt: toIsoString(row.deletedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A scan of one of the person's codes: exact position included, without the visitor's address. */
export function toExportedScan(
  context: ExportViewContext,
  row: RowOf<typeof readScans>,
): ExportedItem<'scansOfYourCodes'> {
  const { id, qrCodeId, type, classRule, userAgent } = row;
  return {
    ...{ id, qrCodeId, scannedAt: row.scannedAt.toISOString(), type, class: row.class, classRule },
    unlocked: row.unlockedAt !== null,
    userAgent,
    location: readOrReportIntegrityFailure(
      () => decryptScanLocation(context.fieldCipher, row),
      context.onIntegrityFailure,
    ),
    trail: row.trail.map((part) => ({
      at: part.createdAt.toISOString(),
      location: readOrReportIntegrityFailure(
        () => decryptRowLocation(context.fieldCipher, part, 'scan_locations'),
        context.onIntegrityFailure,
      ),
    })),
  };
}

/** A conversation as it is exported, in words of the person's language. */
export function toExportedConversation(
  context: ExportViewContext,
  row: RowOf<typeof readConversations>,
): ExportedItem<'conversations'> {
  const { fieldCipher, onIntegrityFailure } = context;
  const { id, qrCodeId, status } = row;
  const locale = toLocale(row.owner.language);
  const [report] = row.reports;
  return {
    ...{ id, qrCodeId, status },
    scanId: row.fromScan ? row.scanId : null,
    finderName: readOrReportIntegrityFailure(() => decryptFinderName(fieldCipher, row), onIntegrityFailure),
    createdAt: row.createdAt.toISOString(),
    report: report
      ? {
          reason: report.reason,
          note: readOrReportIntegrityFailure(
            () => decryptReportNote(fieldCipher, report),
            onIntegrityFailure,
          ),
          isDecided: report.decision !== null,
          createdAt: report.createdAt.toISOString(),
        }
      : null,
    messages: row.messages.map((message) => ({
      from: message.sender,
      message: readOrReportIntegrityFailure(
        () => toMessageView(fieldCipher, message, locale).message,
        onIntegrityFailure,
      ),
      sentAt: message.createdAt.toISOString(),
      readAt: toIsoString(message.readAt),
    })),
  };
}

/** A notification as it is exported, in words of the person's language. */
export function toExportedNotification(row: RowOf<typeof readNotifications>): ExportedItem<'notifications'> {
  const { id, type, event } = row;
  const data = pickStrings(row.data);
  return {
    ...{ id, type, event, ...translateNotification(toLocale(row.user.language), { event, data }), data },
    deliveries: row.deliveries.map(({ channel, status, reason, statusChangedAt }) => ({
      ...{ channel, status, reason, at: statusChangedAt.toISOString() },
    })),
    readAt: toIsoString(row.readAt),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A memory tag as it is exported. */
export function toExportedMemoryTag(
  { fieldCipher, onIntegrityFailure }: ExportViewContext,
  row: RowOf<typeof readMemoryTags>,
): ExportedItem<'memoryTags'> {
  const { id, qrCodeId, name, subject, bornOn, diedOn, epitaph, story } = row;
  const { guestBookOpen, anniversaryReminders } = row;
  return {
    ...{ id, qrCodeId, name, subject, bornOn, diedOn, epitaph, story, places: getMemoryTagPlaces(row) },
    ...{ guestBookOpen, anniversaryReminders },
    guestBook: row.entries.map((entry) => {
      const content = readOrReportIntegrityFailure(
        () => decryptGuestBookEntry(fieldCipher, entry),
        onIntegrityFailure,
      );
      return {
        ...{ name: content?.name ?? null, message: content?.message ?? null, state: entry.state },
        createdAt: entry.createdAt.toISOString(),
      };
    }),
    caretakers: row.caretakers.map((caretaker) => ({
      email: readOrReportIntegrityFailure(
        () => decryptCaretakerEmail(fieldCipher, caretaker),
        onIntegrityFailure,
      ),
      createdAt: caretaker.createdAt.toISOString(),
    })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A document as it is exported; its files are beside. */
export function toExportedDocument(
  { fieldCipher, onIntegrityFailure }: ExportViewContext,
  row: RowOf<typeof readDocuments>,
): ExportedItem<'documents'> {
  const { id, title, kind } = row;
  return {
    ...{ id, title, kind },
    note: readOrReportIntegrityFailure(() => decryptNote(fieldCipher, row), onIntegrityFailure),
    expiresOn: toIsoString(row.expiresOn)?.slice(0, 10) ?? null,
    versions: row.versions.map((version) => {
      const fileName = readOrReportIntegrityFailure(
        () => decryptFileName(fieldCipher, version),
        onIntegrityFailure,
      );
      const { number, contentType } = version;
      const file = getDocumentEntryPath(id, number, fileName);
      const createdAt = version.createdAt.toISOString();
      return { number, fileName, contentType, size: Number(version.size), file, createdAt };
    }),
    shares: row.shares.map((share) => ({
      ...{ id: share.id, qrCodeId: share.qrCodeId, maxViews: share.maxViews, views: share.views },
      lastOpenedAt: toIsoString(share.lastOpenedAt),
      expiresAt: toIsoString(share.expiresAt),
      endedAt: toIsoString(share.endedAt),
      createdAt: share.createdAt.toISOString(),
    })),
    grants: row.grants.map((grant) => {
      const email = readOrReportIntegrityFailure(
        () => decryptGrantEmail(fieldCipher, grant),
        onIntegrityFailure,
      );
      return { id: grant.id, email, createdAt: grant.createdAt.toISOString() };
    }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Where a version of a document is in the archive. */
export function getDocumentEntryPath(documentId: string, number: number, fileName: string | null): string {
  return `documents/${documentId}/${number} ${fileName ?? 'document'}`;
}

/** A picture of a memory tag as it is exported: where its file is in the archive. */
export function toExportedPicture(row: RowOf<typeof readPictures>): ExportedItem<'memoryTagPictures'> {
  const { id, memoryTagId, caption, position, width, height } = row;
  return {
    ...{ id, memoryTagId, caption, position, width, height, file: getPictureEntryPath(row) },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Where a picture of a memory tag is in an archive. */
export function getPictureEntryPath({ id, memoryTagId, format }: PictureRow): string {
  return `memory-tags/${memoryTagId}/${id}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** A memory tag of somebody else whom the person may help with it. */
export function toExportedCaredForTag(
  row: RowOf<typeof readCaredForTags>,
): ExportedItem<'memoryTagsCaredFor'> {
  return { memoryTagId: row.memoryTagId, name: row.memoryTag.name, since: row.createdAt.toISOString() };
}

/** What somebody bought, as it is exported. */
export function toExportedSubscription(row: SubscriptionRow): ExportedItem<'subscriptions'> {
  const { id, provider, code, interval, currency, price, state, cancelAtPeriodEnd } = row;
  return {
    ...{ id, provider, package: code, interval, currency, price, state, cancelAtPeriodEnd },
    startedAt: row.startedAt.toISOString(),
    currentPeriodEnd: toIsoString(row.currentPeriodEnd),
    trialEndsAt: toIsoString(row.trialEndsAt),
    endedAt: toIsoString(row.endedAt),
  };
}

/** An invoice as it is exported. */
export function toExportedInvoice(row: RowOf<typeof readInvoices>): ExportedItem<'invoices'> {
  const { id, subscriptionId, provider, number, state, currency, isDisputed } = row;
  return {
    ...{ id, subscriptionId, provider, number, state, currency, isDisputed },
    total: Number(row.total),
    amountPaid: Number(row.amountPaid),
    amountRefunded: Number(row.amountRefunded),
    periodStart: toIsoString(row.periodStart),
    periodEnd: toIsoString(row.periodEnd),
    issuedAt: row.issuedAt.toISOString(),
    paidAt: toIsoString(row.paidAt),
  };
}

/** An audit entry in plain words; of people it names nobody. */
export function toExportedEvent(row: AuditTrailRow, by: 'YOU' | 'OTHERS'): ExportedItem<'events'> {
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

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toIsoString(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
