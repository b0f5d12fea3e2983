import type { Static } from 'typebox';
import type { listDocumentAccesses } from './document-access.repository.ts';
import type { DocumentShareRow, SharedDocument } from './share.repository.ts';
import { getShareState, getShareViewsLeft } from './share.rules.ts';
import type { DocumentAccess, DocumentShare, SharedDocumentPreview } from './shares.schemas.ts';

export function toDocumentShareView(
  row: DocumentShareRow,
  requiresStrictSharing: boolean,
): Static<typeof DocumentShare> {
  return {
    id: row.id,
    documentId: row.documentId,
    qrCodeId: row.qrCodeId,
    status: getShareState({ ...row, requiresStrictSharing }, new Date()),
    passcodeRequired: row.passcodeHash !== null,
    maxViews: row.maxViews,
    views: row.views,
    viewsLeft: getShareViewsLeft(row),
    lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function toSharedDocumentPreview(share: SharedDocument): Static<typeof SharedDocumentPreview> {
  const passcodeRequired = share.passcodeHash !== null;
  return {
    title: passcodeRequired ? null : share.title,
    contentType: share.contentType,
    size: share.size,
    passcodeRequired,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    viewsLeft: getShareViewsLeft(share),
  };
}

type DocumentAccessRow = Awaited<ReturnType<typeof listDocumentAccesses>>[number];

export function toDocumentAccessView(row: DocumentAccessRow): Static<typeof DocumentAccess> {
  const { id, readAt, versionNumber, shareId, reader, device, os, browser } = row;
  return {
    id,
    readAt: readAt.toISOString(),
    version: versionNumber,
    shareId,
    reader: reader ? { name: formatUserName(reader) } : null,
    device,
    os,
    browser,
  };
}

export function formatUserName(user: {
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
}): string {
  const fullName = [user.firstName, user.lastName].filter((name) => name !== null).join(' ');
  return [fullName, user.organizationName].filter((name) => name).join(', ');
}
