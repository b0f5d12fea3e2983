import { insertAuditEntries, insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db } from '../../platform/database.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import { findUser } from '../accounts/user.repository.ts';
import { readSettings } from '../notifications/settings.repository.ts';
import { hasSecondFactor } from '../second-factor/second-factor.repository.ts';
import { listSubscriptionsOf } from '../subscriptions/subscription.repository.ts';
import { documentsGiven } from './export-given-documents.ts';
import type { ExportedData } from './exported-data.schemas.ts';
import {
  exportedCare,
  exportedConversation,
  exportedDocument,
  exportedEvent,
  exportedInvoice,
  exportedMemoryTag,
  exportedNotification,
  exportedPicture,
  exportedProfile,
  exportedQrCode,
  exportedScan,
  exportedSession,
  exportedSubscription,
  type ViewContext,
} from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import {
  isLiving,
  type ListName,
  type Place,
  placesAfter,
  readCare,
  readConversations,
  readDevices,
  readDocumentReadings,
  readDocuments,
  readIdentities,
  readInvoices,
  readMemoryTags,
  readNotifications,
  readPictures,
  readQrCodes,
  readScans,
  readScansMade,
  readSessions,
  type SizedPlace,
} from './personal-rows.repository.ts';
import { readDoneByOthers, readOwnDoing, referenceOf, type TrailRow } from './personal-trail.repository.ts';
import { batchesOf } from './row-batches.rules.ts';

/** Rows and bytes that are in memory at a time: few enough that others are answered between two batches. */
const AT_ONCE = 250;
const BYTES_AT_ONCE = 1024 * 1024;

export type ExportServices = Pick<
  PersonalDataServices,
  'database' | 'fieldCipher' | 'publicBaseUrl' | 'planOf'
>;

/** Whose data, and by what it is read, as the audit trail names it. */
export interface Subject {
  userId: string;
  operation: string;
  requestId: string;
}

type Name = keyof ExportedData;
type Batches = AsyncGenerator<object[]>;

/** The person of a request as the subject of an export. */
export function subjectOf(caller: RequestContext, userId: string): Subject {
  return { userId, operation: caller.operation, requestId: caller.requestId };
}

/** The lists of `data.json` in their order, each read some rows at a time; ends with NOT_FOUND where the account is erased. */
export function exportLists(services: ExportServices, subject: Subject): [Name, () => Batches][] {
  const { client } = services.database;
  const { userId } = subject;
  const damage: IntegrityFailure[] = [];
  const context: ViewContext = {
    fieldCipher: services.fieldCipher,
    publicBaseUrl: services.publicBaseUrl,
    onDamage: (damaged) => damage.push(damaged),
  };

  async function* rowsOf<Row>(
    name: ListName,
    read: (db: Db, ids: string[]) => Promise<Row[]>,
    view: (row: Row) => object,
  ): Batches {
    for await (const ids of idsOf(services, userId, name)) {
      const rows = await read(client, ids);
      yield rows.map(view);
      await reportDamage();
    }
  }

  async function* qrCodes(): Batches {
    for (const name of ['qrCodes', 'deletedQrCodes'] as const)
      for await (const ids of idsOf(services, userId, name)) {
        const rows = await readQrCodes(client, ids);
        const medical = rows.filter(({ kind, data }) => kind === 'MEDICAL' && data !== null);
        await recordMedicalReads(medical.map(({ id }) => id));
        yield rows.map((row) => exportedQrCode(context, row));
        await reportDamage();
      }
  }

  async function* documents(): Batches {
    for await (const ids of idsOf(services, userId, 'documents')) {
      const rows = await readDocuments(client, ids);
      // Their content follows in the archive.
      await insertAuditEntries(client, { ...trailFacts(subject), action: 'DOCUMENT_READ' }, ids);
      yield rows.map((row) => exportedDocument(context, row));
      await reportDamage();
    }
  }

  async function* documentReadings(): Batches {
    for (let afterId = ''; ; ) {
      const rows = await readDocumentReadings(client, userId, afterId, AT_ONCE);
      yield rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }));
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) return;
      afterId = last.id;
    }
  }

  async function* yourScans(): Batches {
    for (let afterId = ''; ; ) {
      const rows = await readScansMade(client, userId, afterId, AT_ONCE);
      yield rows.map((row) => ({ ...row, scannedAt: row.scannedAt.toISOString() }));
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) return;
      afterId = last.id;
    }
  }

  async function* events(): Batches {
    const reference = await referenceOf(client, userId);
    if (!reference) return;
    yield* trail('YOU', (after) => readOwnDoing(client, reference, after, AT_ONCE));
    yield* trail('OTHERS', (after) => readDoneByOthers(client, reference, after, AT_ONCE));
  }

  async function recordMedicalReads(ids: string[]): Promise<void> {
    await insertAuditEntries(client, { ...trailFacts(subject), action: 'MEDICAL_DATA_READ' }, ids);
  }

  async function reportDamage(): Promise<void> {
    for (const damaged of damage.splice(0))
      await insertAuditEntry(client, { ...trailFacts(subject), ...toIntegrityFailureEntry(damaged) });
  }

  async function* profile(): Batches {
    const row = await findUser(client, userId);
    if (!row) throw new ServiceError('NOT_FOUND');
    yield [exportedProfile(context, row, await hasSecondFactor(client, userId))];
    await reportDamage();
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
    const { version: _version, ...settings } = await readSettings(client, userId);
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
    const { package: of, limits, usage } = await services.planOf(client, userId, 'en');
    yield [{ code: of.code, name: of.name, limits, usage }];
  }

  async function* subscriptions(): Batches {
    yield (await listSubscriptionsOf(client, userId)).map(exportedSubscription);
  }

  return [
    ['profile', profile],
    ['package', plan],
    ['subscriptions', subscriptions],
    ['invoices', () => rowsOf('invoices', readInvoices, exportedInvoice)],
    ['sessions', () => rowsOf('sessions', readSessions, exportedSession)],
    ['identities', identities],
    ['devices', devices],
    ['qrCodes', qrCodes],
    ['scansOfYourCodes', () => rowsOf('scans', readScans, (row) => exportedScan(context, row))],
    ['yourScans', yourScans],
    ['memoryTags', () => rowsOf('memoryTags', readMemoryTags, (row) => exportedMemoryTag(context, row))],
    ['memoryTagsCaredFor', () => rowsOf('care', readCare, exportedCare)],
    ['documents', documents],
    ['documentsGivenToYou', () => documentsGiven(services, userId, AT_ONCE)],
    ['documentReadings', documentReadings],
    ['memoryTagPictures', () => rowsOf('pictures', readPictures, exportedPicture)],
    [
      'conversations',
      () => rowsOf('conversations', readConversations, (row) => exportedConversation(context, row)),
    ],
    ['notifications', () => rowsOf('notifications', readNotifications, exportedNotification)],
    ['notificationSettings', notificationSettings],
    ['events', events],
  ];
}

/** The ids of a person's rows of a list, newest first, some at a time: bounded by number and by bytes. Throws NOT_FOUND once the account is erased. */
export async function* idsOf(
  { database }: Pick<ExportServices, 'database'>,
  userId: string,
  name: ListName,
): AsyncGenerator<string[]> {
  for (let after: Place | null = null; ; ) {
    if (!(await isLiving(database.client, userId))) throw new ServiceError('NOT_FOUND');
    const places: SizedPlace[] = await placesAfter(database.client, name, userId, after, AT_ONCE);
    for (const batch of batchesOf(places, BYTES_AT_ONCE)) yield batch.map(({ id }) => id);
    after = places.at(-1) ?? null;
    if (places.length < AT_ONCE) return;
  }
}

async function* trail(by: 'YOU' | 'OTHERS', read: (after: Place | null) => Promise<TrailRow[]>): Batches {
  for (let after: Place | null = null; ; ) {
    const rows: TrailRow[] = await read(after);
    yield rows.map((row) => exportedEvent(row, by));
    const last = rows.at(-1);
    after = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < AT_ONCE) return;
  }
}

/** What an entry of the trail says of an export. */
export function trailFacts({ userId, operation, requestId }: Subject) {
  return { outcome: 'SUCCESS' as const, actorId: userId, operation, requestId };
}
