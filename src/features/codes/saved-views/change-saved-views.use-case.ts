import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
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
  findDeletedSavedView,
  findSavedView,
  insertSavedView,
  listSavedViews,
  lockSavedView,
  removeDeletedSavedViews,
  type SavedViewKey,
  type SavedViewRow,
  trimDeletedSavedViews,
  updateSavedView,
} from './saved-view.repository.ts';
import { toSavedViewView } from './saved-view.view.ts';
import {
  MAX_SAVED_VIEW_POSITION,
  MAX_SAVED_VIEWS,
  type NewSavedView,
  type SavedViewChange,
  type SavedViewSchema,
} from './saved-views.schemas.ts';

type Services = Pick<QrCodeServices, 'database'>;

/** Save a view of the list of codes, by default behind the others. @throws TOO_MANY_SAVED_VIEWS */
export function createSavedView(
  { createIdempotently }: Pick<QrCodeServices, 'createIdempotently'>,
  context: RequestContext,
  accountId: string,
  input: Static<typeof NewSavedView>,
): Promise<IdempotentResult<Static<typeof SavedViewSchema>>> {
  const once = { who: accountId, fingerprint: input };
  return createIdempotently(context, once, async (tx) => {
    await lockAccount(tx, accountId);
    const others = await listSavedViews(tx, accountId);
    if (others.length >= MAX_SAVED_VIEWS) throw new ServiceError('TOO_MANY_SAVED_VIEWS');
    const last = others.at(-1)?.position ?? 0;
    const row = await insertSavedView(tx, {
      accountId,
      id: generateId(),
      name: input.name.normalize('NFC'),
      query: input.query,
      position: input.position ?? Math.min(last + 1, MAX_SAVED_VIEW_POSITION),
    });
    await recordAuditEntry(tx, context, { action: 'SAVED_VIEW_CREATED', resourceId: accountId });
    return { body: toSavedViewView(row), location: `/api/saved-views/${row.id}` };
  });
}

/** List the saved views of an account, on the replica if there is one. */
export function listOwnSavedViews({ database }: Services, accountId: string): Promise<SavedViewRow[]> {
  return database.forAccount(accountId).read(({ client }) => listSavedViews(client, accountId));
}

/** @throws NOT_FOUND */
export async function getOwnSavedView({ database }: Services, key: SavedViewKey): Promise<SavedViewRow> {
  const row = await findSavedView(database.forAccount(key.accountId).client, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Rename a view, or change what it lists. @throws NOT_FOUND, PRECONDITION_FAILED */
export function changeSavedView(
  { database }: Services,
  context: RequestContext,
  key: SavedViewKey,
  input: Static<typeof SavedViewChange>,
  ifMatch: string | undefined,
): Promise<SavedViewRow> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    await lockSavedView(tx, key);
    const before = await findSavedView(tx, key);
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    const { name, query, position } = input;
    const changes = pickChanges(before, { name: name?.normalize('NFC'), query, position });
    if (Object.keys(changes).length === 0) return before;
    const after = await updateSavedView(tx, key, changes);
    await recordAuditEntry(tx, context, {
      action: 'SAVED_VIEW_UPDATED',
      resourceId: key.accountId,
      changes: Object.keys(changes),
    });
    return after;
  });
}

/** Let a view change places with the one before or behind it; at the end of the list it stays. @throws NOT_FOUND */
export function moveSavedView(
  { database }: Services,
  context: RequestContext,
  key: SavedViewKey,
  step: -1 | 1,
): Promise<void> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    await lockAccount(tx, key.accountId);
    const views = await listSavedViews(tx, key.accountId);
    const from = views.findIndex(({ id }) => id === key.id);
    const moved = views[from];
    if (!moved) throw new ServiceError('NOT_FOUND');
    if (views[from + step] === undefined) return;
    const sorted = views.toSpliced(from, 1).toSpliced(from + step, 0, moved);
    // Equal positions, which a client may have set, become different ones.
    for (const [index, { id, position }] of sorted.entries())
      if (position !== index + 1)
        await updateSavedView(tx, { accountId: key.accountId, id }, { position: index + 1 });
    const action = 'SAVED_VIEW_UPDATED';
    await recordAuditEntry(tx, context, { action, resourceId: key.accountId, changes: ['position'] });
  });
}

/** Delete a view; it can be restored for a day. @throws NOT_FOUND, PRECONDITION_FAILED */
export function deleteSavedView(
  { database }: Services,
  context: RequestContext,
  key: SavedViewKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    await lockSavedView(tx, key);
    const before = await findSavedView(tx, key);
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    await updateSavedView(tx, key, { deletedAt: new Date() });
    await trimDeletedSavedViews(tx, key.accountId);
    await recordAuditEntry(tx, context, { action: 'SAVED_VIEW_DELETED', resourceId: key.accountId });
  });
}

/** Restore a deleted view in its place. @throws NOT_FOUND, PRECONDITION_FAILED, TOO_MANY_SAVED_VIEWS */
export function restoreSavedView(
  { database }: Services,
  context: RequestContext,
  key: SavedViewKey,
  ifMatch: string | undefined,
): Promise<SavedViewRow> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    await lockAccount(tx, key.accountId);
    await lockSavedView(tx, key);
    const before = await findDeletedSavedView(tx, key, getRestoreCutoff());
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    const others = await listSavedViews(tx, key.accountId);
    if (others.length >= MAX_SAVED_VIEWS) throw new ServiceError('TOO_MANY_SAVED_VIEWS');
    const after = await updateSavedView(tx, key, { deletedAt: null });
    await recordAuditEntry(tx, context, { action: 'SAVED_VIEW_RESTORED', resourceId: key.accountId });
    return after;
  });
}

/** Remove views that can no longer be restored. */
export function cleanUpSavedViews({ database }: Services): Promise<void> {
  return removeDeletedSavedViews(database.forEveryAccount('WORKER').client, getRestoreCutoff());
}

function getRestoreCutoff(): Date {
  return new Date(Date.now() - LIFETIMES_SECONDS.deletedSavedView * 1000);
}
