import type { Static } from 'typebox';
import { getActingAccount } from '../../platform/acting-account.ts';
import { recordAuditEntries, recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { assertHealthDataReadable } from '../../platform/health-data.ts';
import type { SqlListSort } from '../../platform/list-order.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import {
  countActiveSharesAndGrants,
  type DocumentRow,
  findOwnDocument,
  lockOwnDocument,
} from './document.repository.ts';
import { toDocumentView } from './document.view.ts';
import { type DocumentListFilter, type DocumentListRow, listDocuments } from './document-list.repository.ts';
import type { DocumentServices } from './document-services.ts';
import {
  countDocumentVersions,
  findDocumentVersion,
  listDocumentVersions,
} from './document-version.repository.ts';
import type { DocumentSchema } from './documents.schemas.ts';

export interface OwnedDocumentKey {
  accountId: string;
  id: string;
}

/** @throws NOT_FOUND */
export async function requireOwnDocument(db: Db, { accountId, id }: OwnedDocumentKey): Promise<DocumentRow> {
  // An upload calls this before its path is validated.
  const row = isId(id) ? await findOwnDocument(db, accountId, id) : null;
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** @throws NOT_FOUND */
export async function requireAndLockOwnDocument(
  tx: Tx,
  { accountId, id }: OwnedDocumentKey,
): Promise<DocumentRow> {
  const row = await lockOwnDocument(tx, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** @throws DATA_INTEGRITY */
export async function loadDocumentView(
  { fieldCipher, isReadOnly }: Pick<DocumentServices, 'fieldCipher' | 'isReadOnly'>,
  db: Db,
  row: DocumentRow,
): Promise<Static<typeof DocumentSchema>> {
  const current = await findDocumentVersion(db, row, row.currentVersion);
  if (!current) throw new ServiceError('NOT_FOUND');
  return toDocumentView(fieldCipher, row, {
    current,
    versionCount: await countDocumentVersions(db, row),
    shareCount: await countActiveSharesAndGrants(db, row),
    readOnly: await isReadOnly(db, 'documents', row),
  });
}

/** Read a document; of a health document with an audit entry. @throws NOT_FOUND, DATA_INTEGRITY */
export function readOwnDocument(
  services: Pick<DocumentServices, 'database' | 'fieldCipher' | 'isReadOnly'>,
  context: RequestContext,
  key: OwnedDocumentKey,
): Promise<Static<typeof DocumentSchema>> {
  return services.database.transaction(async (tx) => {
    const row = await requireOwnDocument(tx, key);
    await recordHealthDocumentViewed(tx, context, row);
    return loadDocumentView(services, tx, row);
  });
}

/** List the versions of a document; of a health document with an audit entry. @throws NOT_FOUND */
export function listOwnDocumentVersions(
  { database }: Pick<DocumentServices, 'database'>,
  context: RequestContext,
  key: OwnedDocumentKey,
  page: ListRange,
): ReturnType<typeof listDocumentVersions> {
  return database.transaction(async (tx) => {
    const document = await requireOwnDocument(tx, key);
    await recordHealthDocumentViewed(tx, context, document);
    return listDocumentVersions(tx, document, page);
  });
}

/** Kinds other than health leave no entry. @throws FORBIDDEN for a role that reads no health data */
export async function recordHealthDocumentViewed(
  tx: Tx,
  context: RequestContext,
  { id, kind }: Pick<DocumentRow, 'id' | 'kind'>,
): Promise<void> {
  if (kind !== 'HEALTH') return;
  assertHealthDataReadable(context);
  await recordAuditEntry(tx, context, { action: 'HEALTH_DOCUMENT_VIEWED', resourceId: id });
}

/** A stored response to a change shows the document again. */
export function recordReplayedHealthDocument(
  { database }: Pick<DocumentServices, 'database'>,
  context: RequestContext,
  body: unknown,
): Promise<void> {
  const document = body as Static<typeof DocumentSchema>;
  return database.transaction((tx) => recordHealthDocumentViewed(tx, context, document));
}

/** In enterprise mode each listed health document gets an audit entry in the same transaction. */
export async function listDocumentsWithAudit(
  database: Database,
  context: RequestContext,
  user: CurrentUser,
  filter: DocumentListFilter,
  sort: SqlListSort<DocumentListRow>,
  range: ListRange,
): ReturnType<typeof listDocuments> {
  const { id: accountId } = getActingAccount(user);
  if (!user.isEnterprise)
    return database.read(({ client }) => listDocuments(client, accountId, filter, sort, range));
  return database.transaction(async (tx) => {
    const page = await listDocuments(tx, accountId, filter, sort, range);
    const listed = page.rows.slice(0, range.take - 1);
    const health = listed.filter(({ kind }) => kind === 'HEALTH').map(({ id }) => id);
    await recordAuditEntries(tx, context, health, { action: 'HEALTH_DOCUMENT_LISTED' });
    return page;
  });
}
