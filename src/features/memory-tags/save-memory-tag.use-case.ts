import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import { findOwnQrCode, isQrCodeTakenDown, lockQrCodeAccount } from '../codes/index.ts';
import { deletePictures } from '../files/index.ts';
import {
  assertMemoryTagExternalIdFree,
  deleteMemoryTag,
  insertMemoryTag,
  updateMemoryTag,
} from './memory-tag.repository.ts';
import {
  canCaretakerChangeFields,
  changesContent,
  findMemoryTagDateErrors,
  findMemoryTagPlaceErrors,
  listChangedMemoryTagFields,
  type MemoryTagFields,
  omitOwnerOnlyFields,
  toMemoryTagFields,
} from './memory-tag.rules.ts';
import { hideReferences, toMemoryTagView } from './memory-tag.view.ts';
import {
  createMemoryTagOwnerOnlyError,
  lockEditableMemoryTag,
  lockOwnMemoryTag,
} from './memory-tag-access.ts';
import type { MemoryTagServices } from './memory-tag-services.ts';
import type { MemoryTag, MemoryTagChange, NewMemoryTag } from './memory-tags.schemas.ts';

type MemoryTagView = Static<typeof MemoryTag>;

/** @throws NOT_FOUND for the code of somebody else, EXTERNAL_ID_TAKEN, PLAN_LIMIT_REACHED */
export async function createMemoryTag(
  { createIdempotently, reserveQuota }: MemoryTagServices,
  context: RequestContext,
  accountId: string,
  input: Static<typeof NewMemoryTag>,
): Promise<IdempotentResult<MemoryTagView>> {
  const fields = { ...toMemoryTagFields(input, {}), name: input.name.normalize('NFC') };
  const result = await createIdempotently(context, { who: accountId, fingerprint: input }, async (tx) => {
    await assertMemoryTagCode(tx, accountId, fields.qrCodeId);
    await assertMemoryTagExternalIdFree(tx, { accountId, externalId: fields.externalId });
    await reserveQuota(tx, 'memoryTags', accountId);
    const row = await insertMemoryTag(tx, accountId, fields);
    await recordAuditEntry(tx, context, { resourceId: row.id });
    return { body: toMemoryTagView(row, 'OWNER', false), location: `/api/memory-tags/${row.id}` };
  });
  // Responses stored before packages existed lack `readOnly`.
  return { ...result, body: { ...result.body, readOnly: result.body.readOnly ?? false } };
}

/**
 * Merge changes of the owner or a caretaker into a memory tag.
 * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED, EXTERNAL_ID_TAKEN, CODE_TAKEN_DOWN, PLAN_LIMIT_REACHED if it
 * is read-only, FORBIDDEN for what only the owner can change
 */
export function changeMemoryTag(
  { database, isReadOnly, rejectReadOnlyChange }: MemoryTagServices,
  context: RequestContext,
  { id, userId }: { id: string; userId: string },
  input: Static<typeof MemoryTagChange>,
  ifMatch: string | undefined,
): Promise<MemoryTagView> {
  return database.transaction(async (tx) => {
    const { row, role } = await lockEditableMemoryTag(tx, userId, id);
    assertIfMatch(ifMatch, row.version);
    const visibleRow = hideReferences(row, role);
    const fields = toMemoryTagFields(input, visibleRow.metadata as Metadata);
    const errors = findMemoryTagErrors({ ...row, metadata: {}, ...fields, places: fields.places ?? [] });
    if (errors.length > 0) throw createValidationError(...errors);
    const changes = listChangedMemoryTagFields(visibleRow, fields);
    if (role !== 'OWNER' && !canCaretakerChangeFields(changes)) throw createMemoryTagOwnerOnlyError();
    // A code that was deleted since may stay, because clients send back fields that they have not changed.
    if (changes.includes('qrCodeId')) {
      if (row.qrCodeId && (await isQrCodeTakenDown(tx, row.accountId, row.qrCodeId)))
        throw new ServiceError('CODE_TAKEN_DOWN');
      await assertMemoryTagCode(tx, row.accountId, fields.qrCodeId);
    }
    if (changes.includes('externalId'))
      await assertMemoryTagExternalIdFree(tx, { ...row, externalId: fields.externalId });
    const readOnly = await isReadOnly(tx, 'memoryTags', row);
    if (readOnly && changesContent(changes)) await rejectReadOnlyChange(tx, 'memoryTags', row.accountId);
    if (changes.length === 0) return toMemoryTagView(row, role, readOnly);
    const stored = role === 'OWNER' ? fields : omitOwnerOnlyFields(fields);
    const after = await updateMemoryTag(tx, row, stored);
    await recordAuditEntry(tx, context, { resourceId: id, changes: Object.keys(fields) });
    return toMemoryTagView(after, role, readOnly);
  });
}

/** Delete a memory tag with its pictures, guest book and caretakers. @throws NOT_FOUND, PRECONDITION_FAILED, FORBIDDEN for a caretaker */
export function removeMemoryTag(
  { database, files }: MemoryTagServices,
  context: RequestContext,
  { id, userId }: { id: string; userId: string },
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await lockOwnMemoryTag(tx, userId, id);
    assertIfMatch(ifMatch, row.version);
    await files.remove(tx, await deletePictures(tx, row.accountId, { memoryTagId: id }));
    await deleteMemoryTag(tx, row);
    await recordAuditEntry(tx, context, { resourceId: id });
  });
}

export function findMemoryTagErrors(fields: MemoryTagFields): FieldError[] {
  return [...findMemoryTagDateErrors(fields), ...findMemoryTagPlaceErrors(fields.places)];
}

// 404 for a missing code as for another user's; 400 for a code whose page does not show memory tags.
async function assertMemoryTagCode(tx: Tx, accountId: string, qrCodeId: string | null | undefined) {
  if (!qrCodeId) return;
  const code = await findOwnQrCode(tx, accountId, qrCodeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  if (code.kind === 'MEMORY_TAG') {
    // It may be going to another account.
    if (!(await lockQrCodeAccount(tx, accountId, qrCodeId))) throw new ServiceError('NOT_FOUND');
    return;
  }
  throw createValidationError({
    field: 'qrCodeId',
    code: 'NOT_ALLOWED',
    message: 'Must be a code of kind MEMORY_TAG.',
  });
}
