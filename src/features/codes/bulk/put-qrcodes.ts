import { createHash } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Static } from 'typebox';
import { getFolderLimit } from '../../../platform/acting-account.ts';
import { recordAuditEntries } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { mapDatabaseError } from '../../../platform/http/database-errors.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateIdInCell } from '../../../shared/ids.ts';
import { mergeMetadata } from '../../../shared/metadata.schemas.ts';
import { assertQrCodeCreationAllowed, prepareQrCodeRow } from '../create-qrcode.use-case.ts';
import { DRAW_QR_CODE_IMAGES_QUEUE, enqueueQrCodeImages } from '../draw-images.job.ts';
import { assertFolderExists } from '../folders/folder-of-code.ts';
import { createQrCodeImageName } from '../image-files.ts';
import { PAGE_DESIGN_FEATURE } from '../page-design.rules.ts';
import { findQrCodesByExternalIds, insertQrCodes, type NewQrCodeRow } from '../qrcode.repository.ts';
import type { QrCodeContent } from '../qrcode.view.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { NewQrCode, QrCodeChange } from '../qrcodes.schemas.ts';
import { type ParsedQrCode, parseNewQrCode } from '../read-qrcode-body.ts';
import { parseFieldVisibilities, resolveFieldVisibilities } from '../visibility.rules.ts';
import { type BulkBudget, createBulkBudget } from './bulk-budget.ts';
import {
  type BulkItemResult,
  type BulkResult,
  catchItemError,
  createResult,
  findExternalId,
  toBulkResult,
  toFailedResult,
  toSuccessfulResult,
} from './bulk-results.ts';
import { limitBulkRequests } from './limit-bulk-requests.ts';
import { type BulkUpdate, updateItems } from './update-items.ts';

/** The status and the name of the folder are only of imports. */
export type BulkItemBody = Static<typeof NewQrCode> &
  Pick<Static<typeof QrCodeChange>, 'status'> & { folder?: string | null };

/** Set `folderId` of items by the name of their folder; returns the errors of those whose folder cannot be had. */
export type ResolveFolders = (
  items: ReadonlyMap<number, BulkItemBody>,
) => Promise<ReadonlyMap<number, ServiceError>>;

/** @throws VALIDATION_FAILED */
export type ParseBulkItem = (item: unknown) => BulkItemBody;

/** Items prepared before the event loop continues. */
const CHUNK_ITEMS = 25;

/** The second attempt finds what another request created at the same time. */
const MAX_ATTEMPTS = 2;

/**
 * Create codes, or update those that have the external id of an item. An item that fails does not affect others.
 * @throws RATE_LIMITED, BUSY, CONFLICT if the external ids are given to other codes at the same time
 */
export async function putQrCodes(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  { items, parse, disconnect }: Omit<PutItemsInput, 'accountId' | 'createBudget'>,
): Promise<IdempotentResult<BulkResult>> {
  // Parsing drops unknown fields of the items.
  const fingerprint = createHash('sha256').update(JSON.stringify(items)).digest('base64');
  const idempotencyInput = { who: accountId, fingerprint };
  const replay = await services.createIdempotently.replay<BulkResult>(context, idempotencyInput);
  if (replay) return replay;
  return limitBulkRequests(accountId, items, () =>
    putItems(
      services,
      context,
      { accountId, items, parse, disconnect, createBudget: createBulkBudget },
      (insert) =>
        services.createIdempotently(context, idempotencyInput, async (tx) => ({ body: await insert(tx) })),
    ),
  );
}

export interface PutItemsInput {
  accountId: string;
  items: readonly unknown[];
  parse: ParseBulkItem;
  createBudget(): BulkBudget;
  /** Of imports: find the folders that items name, or create them. */
  resolveFolders?: ResolveFolders;
  /** Ends the updates; those that are done stay. */
  disconnect?: AbortSignal;
}

/** Insert the new codes in a transaction, and return its result. */
type WriteItems<Result> = (insert: (tx: Tx) => Promise<BulkResult>) => Promise<Result>;

/** Put items as `putQrCodes`; updates have their own transactions before `write`. @throws CONFLICT */
export async function putItems<Result>(
  services: QrCodeServices,
  context: RequestContext,
  input: PutItemsInput,
  write: WriteItems<Result>,
): Promise<Result> {
  const batchServices = { ...services, pins: services.batchPins };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryPutItems(batchServices, context, input, write);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || mapDatabaseError(error)?.code !== 'CONFLICT') throw error;
    }
  }
}

async function tryPutItems<Result>(
  services: QrCodeServices,
  context: RequestContext,
  { accountId, items, parse, createBudget, resolveFolders, disconnect }: PutItemsInput,
  write: WriteItems<Result>,
): Promise<Result> {
  const { client } = services.database;
  const results: BulkItemResult[] = [];
  const bodies = new Map<number, BulkItemBody>();
  const externalIds = new Set<string>();
  const budget = createBudget();
  for (const [index, item] of items.entries()) {
    results.push(createResult(index, findExternalId(item)));
    await catchItemError(results, index, () => {
      const body = parse(item);
      assertFirstOfExternalId(externalIds, body.externalId);
      if (body.pin) budget.consumePin();
      bodies.set(index, body);
    });
    if (index % CHUNK_ITEMS === 0) await immediate();
  }
  for (const [index, error] of (await resolveFolders?.(bodies)) ?? []) {
    bodies.delete(index);
    results[index] = toFailedResult(createResult(index, results[index]?.externalId ?? null), error);
  }
  const existing = await findQrCodesByExternalIds(client, accountId, [...externalIds]);
  const codes = new Map<number, PreparedQrCode>();
  const prepare = createItemPreparation(services, accountId, budget, getFolderLimit(context));
  // They are created at one time, so that lists order them by id: as the items are.
  const ids = items.map(() => generateIdInCell(services.config.cellId)).sort();
  const updates: BulkUpdate[] = [];
  for (const [index, body] of bodies) {
    const before = body.externalId ? existing.get(body.externalId) : undefined;
    const { visibilityPreset: _onlyForNewCodes, folder: _asId, ...change } = body;
    if (before) updates.push({ index, find: () => ({ before, change }) });
    else
      await catchItemError(
        results,
        index,
        async () => void codes.set(index, await prepare(body, ids[index])),
      );
    if (index % CHUNK_ITEMS === 0) await immediate();
  }
  await updateItems(services, context, { updates, results, budget, signal: disconnect });
  if (codes.size > 0) await assertQrCodeCreationAllowed(client, accountId);
  const written = await write(async (tx) => {
    await insertItems(services, tx, context, accountId, codes, results);
    return toBulkResult(results, items);
  });
  if (codes.size > 0) services.jobs.wake(DRAW_QR_CODE_IMAGES_QUEUE);
  return written;
}

/** A new code with its content, so that its warnings do not decrypt it. */
interface PreparedQrCode {
  row: NewQrCodeRow;
  content: QrCodeContent;
}

/** Insert the codes for which there is quota; the others fail. */
async function insertItems(
  services: QrCodeServices,
  tx: Tx,
  context: RequestContext,
  accountId: string,
  codes: ReadonlyMap<number, PreparedQrCode>,
  results: BulkItemResult[],
): Promise<void> {
  if (codes.size === 0) return;
  const allowed = await services.reserveAvailableQuota(tx, 'qrCodes', accountId, codes.size);
  const inserted: NewQrCodeRow[] = [];
  for (const [index, { row, content }] of codes) {
    const result = createResult(index, row.externalId);
    if (inserted.length === allowed) {
      const error = new ServiceError('PLAN_LIMIT_REACHED', { detail: 'The package allows no more codes.' });
      results[index] = toFailedResult(result, error);
      continue;
    }
    inserted.push(row);
    results[index] = toSuccessfulResult(services, result, 'CREATED', row, content);
  }
  const ids = inserted.map(({ id }) => id);
  await insertQrCodes(tx, inserted);
  await recordAuditEntries(tx, context, ids, { action: 'QRCODE_CREATED' });
  await services.events.publish(
    tx,
    'code.created',
    ...ids.map((qrCodeId) => ({ accountId, qrCodeId, version: 1 })),
  );
  await enqueueQrCodeImages(services.jobs, tx, accountId, ids);
}

/** Create the function that parses new codes of an account. It throws VALIDATION_FAILED and PLAN_LIMIT_REACHED. */
export function createNewItemCheck(services: QrCodeServices, accountId: string) {
  let pageDesignAllowed: Promise<void> | undefined;

  return async (body: BulkItemBody): Promise<ParsedQrCode> => {
    const parsed = parseNewQrCode(services, body);
    if (body.status && body.status !== 'ACTIVE' && body.status !== 'PAUSED')
      throw createValidationError(WRONG_NEW_STATUS);
    if (Object.keys(parsed.input.pageDesign).length > 0) {
      pageDesignAllowed ??= services.assertFeature(services.database.client, PAGE_DESIGN_FEATURE, accountId);
      await pageDesignAllowed;
    }
    return parsed;
  };
}

/** Create the function that prepares rows of new codes. */
function createItemPreparation(
  services: QrCodeServices,
  accountId: string,
  budget: BulkBudget,
  limitedTo: readonly string[] | null,
) {
  const checkNewItem = createNewItemCheck(services, accountId);

  return async (body: BulkItemBody, id?: string): Promise<PreparedQrCode> => {
    const { kind, input } = await checkNewItem(body);
    if (body.folder === undefined)
      await assertFolderExists(services.database.client, accountId, body.folderId, limitedTo);
    const metadata = mergeMetadata({}, body.metadata ?? {});
    const parsedItem = { kind, input, metadata, ...(id && { id }) };
    const row = await prepareQrCodeRow(services, accountId, body, parsedItem, budget.consumeDesignCheck);
    const visibility = parseFieldVisibilities(input.visibility);
    return {
      row: {
        ...row,
        imageFile: createQrCodeImageName({ ...row, kind }),
        ...(body.status && { status: body.status }),
      },
      content: {
        data: input.data,
        visibility: resolveFieldVisibilities(kind, visibility, row.pinHash !== null),
      },
    };
  };
}

const WRONG_NEW_STATUS = { field: 'status', code: 'NOT_ALLOWED', message: 'Must be ACTIVE or PAUSED.' };

/** @throws VALIDATION_FAILED for the external id of an earlier item */
export function assertFirstOfExternalId(
  externalIds: Set<string>,
  externalId: string | null | undefined,
): void {
  if (!externalId) return;
  if (externalIds.has(externalId))
    throw createValidationError({
      field: 'externalId',
      code: 'NOT_UNIQUE',
      message: 'Must not be that of an earlier item.',
    });
  externalIds.add(externalId);
}
