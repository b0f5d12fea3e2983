import type { Static } from 'typebox';
import type { listReadings } from './reading.repository.ts';
import type { SharedDocument, ShareRow } from './share.repository.ts';
import { stateOf, viewsLeft } from './share.rules.ts';
import type { DocumentReading, DocumentShare, SharedDocumentLook } from './shares.schemas.ts';

/** A share as its owner sees it. */
export function shareView(row: ShareRow, isStrict: boolean): Static<typeof DocumentShare> {
  return {
    id: row.id,
    documentId: row.documentId,
    qrCodeId: row.qrCodeId,
    state: stateOf({ ...row, isStrict }, new Date()),
    passcodeRequired: row.passcodeHash !== null,
    maxViews: row.maxViews,
    views: row.views,
    viewsLeft: viewsLeft(row),
    lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** What a share that can be opened tells before it is. */
export function lookView(share: SharedDocument): Static<typeof SharedDocumentLook> {
  const passcodeRequired = share.passcodeHash !== null;
  return {
    title: passcodeRequired ? null : share.title,
    contentType: share.contentType,
    size: share.size,
    passcodeRequired,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    viewsLeft: viewsLeft(share),
  };
}

type ReadingRow = Awaited<ReturnType<typeof listReadings>>[number];

/** A reading as the document's owner sees it. */
export function readingView(row: ReadingRow): Static<typeof DocumentReading> {
  const { id, readAt, versionNumber, shareId, reader, device, os, browser } = row;
  return {
    id,
    readAt: readAt.toISOString(),
    version: versionNumber,
    shareId,
    reader: reader ? { name: nameOf(reader) } : null,
    device,
    os,
    browser,
  };
}

/** What a person is called, as those see it who share documents with them. */
export function nameOf(person: {
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
}): string {
  const own = [person.firstName, person.lastName].filter((name) => name !== null).join(' ');
  return [own, person.organizationName].filter((name) => name).join(', ');
}
