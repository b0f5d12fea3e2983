import { getActingAccount } from '../../../platform/acting-account.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { lockAccount } from '../lock-account.repository.ts';
import { PAGE_DESIGN_FEATURE } from '../page-design.rules.ts';
import { normalizeQrCodeTitle } from '../qrcode-input.rules.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { countBatches, insertBatch } from './batch.repository.ts';
import { getBatchPath, toBatchView } from './batch.view.ts';
import { checkBatchDesign, findBatchErrors } from './batch-design.ts';
import { CREATE_TAGS_QUEUE } from './batch-queues.ts';
import type { BatchView, NewBatchBody } from './batches.schemas.ts';

const MAX_OPEN_BATCHES = 2;

const MAX_STORED_BATCHES = 500;

/**
 * Store a batch and enqueue its job. Tags count towards the package as codes do: a batch for which too few are left is
 * refused before a tag is created. Wake the queue afterwards.
 * @throws VALIDATION_FAILED, IMAGE_NOT_SCANNABLE, TOO_MANY_BATCHES, TOO_MANY_STORED_BATCHES, PLAN_LIMIT_REACHED
 */
export async function requestBatch(
  services: QrCodeServices,
  context: RequestContext,
  user: CurrentUser,
  body: NewBatchBody,
): Promise<IdempotentResult<BatchView>> {
  const { id: accountId } = getActingAccount(user);
  const once = { who: accountId, fingerprint: body };
  const replay = await services.createIdempotently.replay<BatchView>(context, once);
  if (replay) return replay;
  const errors = findBatchErrors(body);
  if (errors.length > 0) throw createValidationError(...errors);
  const { kind, prefix, claim = 'OPEN', rows, pageDesign = {} } = body;
  const size = rows?.length ?? body.count ?? 0;
  if (Object.keys(pageDesign).length > 0)
    await services.assertFeature(services.database.client, PAGE_DESIGN_FEATURE, accountId);
  const design = await checkBatchDesign(services, accountId, body.design);
  return services.createIdempotently(context, once, async (tx) => {
    await lockAccount(tx, accountId);
    const { open, stored, waitingTags } = await countBatches(tx, accountId);
    if (stored >= MAX_STORED_BATCHES) throw new ServiceError('TOO_MANY_STORED_BATCHES');
    if (open >= MAX_OPEN_BATCHES) throw new ServiceError('TOO_MANY_BATCHES');
    await services.reserveQuota(tx, 'qrCodes', accountId, size + waitingTags);
    const id = generateId();
    const row = await insertBatch(tx, {
      accountId,
      id,
      kind,
      prefix: normalizeQrCodeTitle(prefix),
      claim,
      size,
      titles: rows ? rows.map(({ title }) => normalizeQrCodeTitle(title)) : null,
      design,
      pageDesign,
      requestId: context.requestId,
      createdBy: user.id,
    });
    await services.jobs.enqueue(tx, CREATE_TAGS_QUEUE, { accountId, batchId: id });
    await recordAuditEntry(tx, context, { action: 'BATCH_REQUESTED', resourceId: accountId });
    return { body: toBatchView(row), location: getBatchPath(id) };
  });
}
