import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { pickChanges } from '../../../shared/pick-changes.ts';
import { lockAccount } from '../lock-account.repository.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  countCodesByFolder,
  countCodesOfFolder,
  countStoredFolders,
  type FolderKey,
  type FolderRow,
  type FolderValues,
  findDeletedFolder,
  findFolder,
  insertFolder,
  listFolders,
  listRemovableFolders,
  lockFolder,
  releaseCodesOfFolder,
  removeFolder,
  updateFolder,
} from './folder.repository.ts';
import { toFolderView } from './folder.view.ts';
import { type FolderChange, type FolderSchema, MAX_FOLDERS, type NewFolder } from './folders.schemas.ts';

type Services = Pick<QrCodeServices, 'database'>;

type FolderView = Static<typeof FolderSchema>;

/** Deleted ones are kept for a day, so their number has a limit, too. */
const MAX_STORED_FOLDERS = 2 * MAX_FOLDERS;

const CLEAN_UP_BATCH_SIZE = 100;

/** List the folders of an account by name, with their numbers of codes: those that a limited member has. */
export async function readFolders(
  { database }: Services,
  accountId: string,
  limitedTo: readonly string[] | null,
): Promise<FolderView[]> {
  return database.read(async ({ client, pool }) => {
    const [rows, counts] = await Promise.all([
      listFolders(client, accountId),
      countCodesByFolder(pool, accountId),
    ]);
    return rows
      .filter(({ id }) => limitedTo?.includes(id) ?? true)
      .map((row) => toFolderView(row, counts.get(row.id) ?? 0));
  });
}

/** @throws NOT_FOUND */
export async function readFolder({ database }: Services, key: FolderKey): Promise<FolderView> {
  const row = await findFolder(database.client, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return toFolderView(row, await countCodesOfFolder(database.pool, key));
}

/** @throws TOO_MANY_FOLDERS, FOLDER_NAME_TAKEN */
export function createFolder(
  { createIdempotently }: Pick<QrCodeServices, 'createIdempotently'>,
  context: RequestContext,
  accountId: string,
  input: Static<typeof NewFolder>,
): Promise<IdempotentResult<FolderView>> {
  const once = { who: accountId, fingerprint: input };
  return createIdempotently(context, once, async (tx) => {
    const row = await addFolder(tx, context, accountId, {
      name: normalizeFolderName(input.name),
      color: input.color ?? 'GRAY',
    });
    return { body: toFolderView(row, 0), location: `/api/folders/${row.id}` };
  });
}

/** Rename a folder, or change its color. @throws NOT_FOUND, PRECONDITION_FAILED, FOLDER_NAME_TAKEN */
export function changeFolder(
  { database }: Services,
  context: RequestContext,
  key: FolderKey,
  { name, color }: Static<typeof FolderChange>,
  ifMatch: string | undefined,
): Promise<FolderView> {
  return database.transaction(async (tx) => {
    await lockAccount(tx, key.accountId);
    await lockFolder(tx, key);
    const before = await findFolder(tx, key);
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    const changes = pickChanges(before, {
      name: name === undefined ? undefined : normalizeFolderName(name),
      color,
    });
    const codeCount = await countCodesOfFolder(tx, key);
    if (Object.keys(changes).length === 0) return toFolderView(before, codeCount);
    if (changes.name !== undefined)
      assertNameFree(await listFolders(tx, key.accountId), changes.name, key.id);
    const after = await updateFolder(tx, key, changes);
    await recordAuditEntry(tx, context, {
      action: 'FOLDER_UPDATED',
      resourceId: key.accountId,
      changes: Object.keys(changes),
    });
    return toFolderView(after, codeCount);
  });
}

/** Delete a folder. Its codes stay, and are in none; it can be restored with them for a day. @throws NOT_FOUND, PRECONDITION_FAILED */
export function deleteFolder(
  { database }: Services,
  context: RequestContext,
  key: FolderKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockFolder(tx, key);
    const before = await findFolder(tx, key);
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    await updateFolder(tx, key, { deletedAt: new Date() });
    await recordAuditEntry(tx, context, { action: 'FOLDER_DELETED', resourceId: key.accountId });
  });
}

/**
 * Restore a deleted folder with the codes that are in no other one since.
 * @throws NOT_FOUND, PRECONDITION_FAILED, TOO_MANY_FOLDERS, FOLDER_NAME_TAKEN
 */
export function restoreFolder(
  { database }: Services,
  context: RequestContext,
  key: FolderKey,
  ifMatch: string | undefined,
): Promise<FolderView> {
  return database.transaction(async (tx) => {
    await lockAccount(tx, key.accountId);
    await lockFolder(tx, key);
    const before = await findDeletedFolder(tx, key, getRestoreCutoff());
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    const others = await listFolders(tx, key.accountId);
    if (others.length >= MAX_FOLDERS) throw new ServiceError('TOO_MANY_FOLDERS');
    assertNameFree(others, before.name);
    const after = await updateFolder(tx, key, { deletedAt: null });
    await recordAuditEntry(tx, context, { action: 'FOLDER_RESTORED', resourceId: key.accountId });
    return toFolderView(after, await countCodesOfFolder(tx, key));
  });
}

/** Remove folders that can no longer be restored, after their codes were taken out. */
export async function cleanUpFolders({ database: { client } }: Services): Promise<void> {
  const cutoff = getRestoreCutoff();
  for (const key of await listRemovableFolders(client, cutoff, CLEAN_UP_BATCH_SIZE)) {
    while (await releaseCodesOfFolder(client, key));
    await removeFolder(client, key, cutoff);
  }
}

/** Add a folder in a transaction that ends soon. @throws TOO_MANY_FOLDERS, FOLDER_NAME_TAKEN */
export async function addFolder(
  tx: Tx,
  context: RequestContext,
  accountId: string,
  values: FolderValues,
): Promise<FolderRow> {
  await lockAccount(tx, accountId);
  const others = await listFolders(tx, accountId);
  assertNameFree(others, values.name);
  await assertFolderAllowed(tx, accountId, others.length);
  const row = await insertFolder(tx, { accountId, id: generateId(), ...values });
  await recordAuditEntry(tx, context, { action: 'FOLDER_CREATED', resourceId: accountId });
  return row;
}

async function assertFolderAllowed(db: Db, accountId: string, count: number): Promise<void> {
  if (count < MAX_FOLDERS && (await countStoredFolders(db, accountId)) < MAX_STORED_FOLDERS) return;
  throw new ServiceError('TOO_MANY_FOLDERS');
}

/** Use Unicode NFC, so that equal names are found as equal. */
export function normalizeFolderName(name: string): string {
  return name.trim().normalize('NFC');
}

function assertNameFree(folders: readonly FolderRow[], name: string, ownId?: string): void {
  const isTaken = folders.some((folder) => folder.id !== ownId && isSameFolderName(folder.name, name));
  if (isTaken) throw new ServiceError('FOLDER_NAME_TAKEN');
}

export function isSameFolderName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function getRestoreCutoff(): Date {
  return new Date(Date.now() - LIFETIMES_SECONDS.deletedFolder * 1000);
}
