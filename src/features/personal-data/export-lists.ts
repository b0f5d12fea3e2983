import { insertAuditEntries, insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db } from '../../platform/database.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import { listSubscriptions } from '../billing/index.ts';
import { findUser, hasSecondFactor } from '../identity/index.ts';
import { getNotificationSettings } from '../notifications/index.ts';
import { readGrantedDocuments } from './export-granted-documents.ts';
import type { ExportedData } from './exported-data.schemas.ts';
import {
  type ExportViewContext,
  toExportedCaredForTag,
  toExportedConversation,
  toExportedDocument,
  toExportedEvent,
  toExportedInvoice,
  toExportedMemoryTag,
  toExportedNotification,
  toExportedPicture,
  toExportedProfile,
  toExportedQrCode,
  toExportedScan,
  toExportedSession,
  toExportedSubscription,
} from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import {
  isUserPresent,
  listPersonalRowsAfter,
  type PersonalListName,
  type RowCursor,
  readCaredForTags,
  readConversations,
  readDevices,
  readDocumentAccesses,
  readDocuments,
  readIdentities,
  readInvoices,
  readMemoryTags,
  readNotifications,
  readPictures,
  readQrCodes,
  readScans,
  readScansByScanner,
  readSessions,
  type SizedRowCursor,
} from './personal-rows.repository.ts';
import {
  type AuditTrailRow,
  findAuditReference,
  listAuditEntriesAboutUser,
  listAuditEntriesByUser,
} from './personal-trail.repository.ts';
import { splitIntoBatches } from './row-batches.rules.ts';

/** Rows and bytes that are in memory at a time: few enough that others are answered between two batches. */
const BATCH_SIZE = 250;
const BATCH_BYTES = 1024 * 1024;

export type ExportServices = Pick<
  PersonalDataServices,
  'database' | 'fieldCipher' | 'publicBaseUrl' | 'getPlan'
>;

/** Whose data, and by what it is read, as the audit trail names it. */
export interface ExportSubject {
  userId: string;
  operation: string;
  requestId: string;
}

type ExportListName = keyof ExportedData;
type Batches = AsyncGenerator<object[]>;

/** The person of a request as the subject of an export. */
export function toExportSubject(requestContext: RequestContext, userId: string): ExportSubject {
  return { userId, operation: requestContext.operation, requestId: requestContext.requestId };
}

/** The lists of `data.json` in their order, each read some rows at a time; ends with NOT_FOUND where the account is erased. */
export function createExportLists(
  services: ExportServices,
  subject: ExportSubject,
): [ExportListName, () => Batches][] {
  const { client } = services.database;
  const { userId } = subject;
  const failures: IntegrityFailure[] = [];
  const context: ExportViewContext = {
    fieldCipher: services.fieldCipher,
    publicBaseUrl: services.publicBaseUrl,
    onIntegrityFailure: (failure) => failures.push(failure),
  };

  async function* rowsOf<Row>(
    name: PersonalListName,
    read: (db: Db, ids: string[]) => Promise<Row[]>,
    view: (row: Row) => object,
  ): Batches {
    for await (const ids of readIds(services, userId, name)) {
      const rows = await read(client, ids);
      yield rows.map(view);
      await reportIntegrityFailure();
    }
  }

  async function* qrCodes(): Batches {
    for (const name of ['qrCodes', 'deletedQrCodes'] as const)
      for await (const ids of readIds(services, userId, name)) {
        const rows = await readQrCodes(client, ids);
        const medical = rows.filter(({ kind, data }) => kind === 'MEDICAL' && data !== null);
        await recordMedicalReads(medical.map(({ id }) => id));
        yield rows.map((row) => toExportedQrCode(context, row));
        await reportIntegrityFailure();
      }
  }

  async function* documents(): Batches {
    for await (const ids of readIds(services, userId, 'documents')) {
      const rows = await readDocuments(client, ids);
      // Their content follows in the archive.
      await insertAuditEntries(client, { ...toExportAuditFields(subject), action: 'DOCUMENT_READ' }, ids);
      yield rows.map((row) => toExportedDocument(context, row));
      await reportIntegrityFailure();
    }
  }

  async function* documentReadings(): Batches {
    for (let afterId = ''; ; ) {
      const rows = await readDocumentAccesses(client, userId, afterId, BATCH_SIZE);
      yield rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }));
      const last = rows.at(-1);
      if (!last || rows.length < BATCH_SIZE) return;
      afterId = last.id;
    }
  }

  async function* yourScans(): Batches {
    for (let afterId = ''; ; ) {
      const rows = await readScansByScanner(client, userId, afterId, BATCH_SIZE);
      yield rows.map((row) => ({ ...row, scannedAt: row.scannedAt.toISOString() }));
      const last = rows.at(-1);
      if (!last || rows.length < BATCH_SIZE) return;
      afterId = last.id;
    }
  }

  async function* events(): Batches {
    const reference = await findAuditReference(client, userId);
    if (!reference) return;
    yield* readTrail('YOU', (after) => listAuditEntriesByUser(client, reference, after, BATCH_SIZE));
    yield* readTrail('OTHERS', (after) => listAuditEntriesAboutUser(client, reference, after, BATCH_SIZE));
  }

  async function recordMedicalReads(ids: string[]): Promise<void> {
    await insertAuditEntries(client, { ...toExportAuditFields(subject), action: 'MEDICAL_DATA_READ' }, ids);
  }

  async function reportIntegrityFailure(): Promise<void> {
    for (const failure of failures.splice(0))
      await insertAuditEntry(client, {
        ...toExportAuditFields(subject),
        ...toIntegrityFailureEntry(failure),
      });
  }

  async function* profile(): Batches {
    const row = await findUser(client, userId);
    if (!row) throw new ServiceError('NOT_FOUND');
    yield [toExportedProfile(context, row, await hasSecondFactor(client, userId))];
    await reportIntegrityFailure();
  }

  async function* identities(): Batches {
    const rows = await readIdentities(client, userId);
    yield rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt.toISOString(),
    }));
  }

  async function* notificationSettings(): Batches {
    const { version: _version, ...settings } = await getNotificationSettings(client, userId);
    yield [settings];
  }

  async function* devices(): Batches {
    const rows = await readDevices(client, userId);
    yield rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt.toISOString(),
    }));
  }

  async function* plan(): Batches {
    const { package: of, limits, usage } = await services.getPlan(client, userId, 'en');
    yield [{ code: of.code, name: of.name, limits, usage }];
  }

  async function* subscriptions(): Batches {
    yield (await listSubscriptions(client, userId)).map(toExportedSubscription);
  }

  return [
    ['profile', profile],
    ['package', plan],
    ['subscriptions', subscriptions],
    ['invoices', () => rowsOf('invoices', readInvoices, toExportedInvoice)],
    ['sessions', () => rowsOf('sessions', readSessions, toExportedSession)],
    ['identities', identities],
    ['devices', devices],
    ['qrCodes', qrCodes],
    ['scansOfYourCodes', () => rowsOf('scans', readScans, (row) => toExportedScan(context, row))],
    ['yourScans', yourScans],
    ['memoryTags', () => rowsOf('memoryTags', readMemoryTags, (row) => toExportedMemoryTag(context, row))],
    ['memoryTagsCaredFor', () => rowsOf('care', readCaredForTags, toExportedCaredForTag)],
    ['documents', documents],
    ['documentsGivenToYou', () => readGrantedDocuments(services, userId, BATCH_SIZE)],
    ['documentReadings', documentReadings],
    ['memoryTagPictures', () => rowsOf('pictures', readPictures, toExportedPicture)],
    [
      'conversations',
      () => rowsOf('conversations', readConversations, (row) => toExportedConversation(context, row)),
    ],
    ['notifications', () => rowsOf('notifications', readNotifications, toExportedNotification)],
    ['notificationSettings', notificationSettings],
    ['events', events],
  ];
}

/** The ids of a person's rows of a list, newest first, some at a time: bounded by number and by bytes. Throws NOT_FOUND once the account is erased. */
export async function* readIds(
  { database }: Pick<ExportServices, 'database'>,
  userId: string,
  name: PersonalListName,
): AsyncGenerator<string[]> {
  for (let after: RowCursor | null = null; ; ) {
    if (!(await isUserPresent(database.client, userId))) throw new ServiceError('NOT_FOUND');
    const places: SizedRowCursor[] = await listPersonalRowsAfter(
      database.client,
      name,
      userId,
      after,
      BATCH_SIZE,
    );
    for (const batch of splitIntoBatches(places, BATCH_BYTES)) yield batch.map(({ id }) => id);
    after = places.at(-1) ?? null;
    if (places.length < BATCH_SIZE) return;
  }
}

async function* readTrail(
  by: 'YOU' | 'OTHERS',
  read: (after: RowCursor | null) => Promise<AuditTrailRow[]>,
): Batches {
  for (let after: RowCursor | null = null; ; ) {
    const rows: AuditTrailRow[] = await read(after);
    yield rows.map((row) => toExportedEvent(row, by));
    const last = rows.at(-1);
    after = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < BATCH_SIZE) return;
  }
}

/** What an entry of the trail says of an export. */
export function toExportAuditFields({ userId, operation, requestId }: ExportSubject) {
  return { outcome: 'SUCCESS' as const, actorId: userId, operation, requestId };
}
