import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { type JobHandler, SilentRetryError } from '../../../platform/job-worker.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateIdInCell } from '../../../shared/ids.ts';
import { QR_CODE_DATA } from '../encrypted-content.ts';
import { getQrCodeKindByName } from '../qrcode.view.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { generateShortNumber } from '../short-number.rules.ts';
import { createQrCodeImageFileName, createQrCodeSlug } from '../slug.rules.ts';
import {
  advanceBatch,
  type BatchEnd,
  type BatchKey,
  endBatch,
  findOpenBatch,
  lockBatchProgress,
  type OpenBatch,
} from './batch.repository.ts';
import type { BatchDesign } from './batch-design.ts';
import { CREATE_TAGS_QUEUE, createAuditOrigin } from './batch-queues.ts';
import { insertTags, type NewTag } from './batch-tag.repository.ts';
import { CLAIM_CODE, generateClaimCode } from './claim-code.ts';

const MAX_RUN_MS = 10_000;

/** Tags that are stored together. */
const BATCH_SIZE = 1_000;

/** With a hyphen and up to six digits, a slug has at most 40 characters. */
const MAX_SLUG_PREFIX_CHARACTERS = 33;

type Services = Pick<
  QrCodeServices,
  'config' | 'database' | 'fieldCipher' | 'jobs' | 'reserveAvailableQuota'
>;

/**
 * Create the job that creates the tags of a batch. Some tags are stored together with the progress of the batch, so that a
 * job that begins after a killed one repeats none.
 */
export function createTagsJob(services: Services, maxRunMs = MAX_RUN_MS): JobHandler {
  const { database } = services;
  return async ({ accountId, batchId }) => {
    const row = await findOpenBatch(database.client, { accountId: String(accountId), id: String(batchId) });
    if (!row) return;
    try {
      if (row.account.status !== 'ACTIVE') throw new ServiceError('ACCOUNT_SUSPENDED');
      await createTags(services, row, maxRunMs);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.statusCode === 503 || error.statusCode === 429) throw new SilentRetryError();
      const { code, message } = error;
      await database.transaction((tx) =>
        finishBatch(tx, row, { status: 'FAILED', error: { code, message } }),
      );
    }
  };
}

/** Create tags until the last one, or for `maxRunMs`. */
async function createTags(services: Services, row: OpenBatch, maxRunMs: number): Promise<void> {
  const { database, jobs } = services;
  const { accountId, id, size } = row;
  const endsAt = Date.now() + maxRunMs;
  let { created } = row;
  let isRunOver = false;
  while (created < size && !isRunOver) {
    const to = Math.min(created + BATCH_SIZE, size);
    isRunOver = to < size && Date.now() >= endsAt;
    if (!(await storeTags(services, row, created, to, isRunOver))) return;
    created = to;
  }
  if (isRunOver) jobs.wake(CREATE_TAGS_QUEUE);
  else await database.transaction((tx) => finishBatch(tx, { accountId, id }, { status: 'COMPLETED' }));
}

/** Store the tags after `from` up to `to`; false if the batch has ended, or another worker has it. @throws PLAN_LIMIT_REACHED */
async function storeTags(
  services: Services,
  row: OpenBatch,
  from: number,
  to: number,
  isRunOver: boolean,
): Promise<boolean> {
  const { database, jobs } = services;
  const { accountId, id } = row;
  const tags = createNewTags(services, row, from, to);
  const stored = database.transaction(async (tx) => {
    if (!(await lockBatchProgress(tx, row, from))) return false;
    const allowed = await services.reserveAvailableQuota(tx, 'qrCodes', accountId, tags.length);
    if (allowed < tags.length)
      throw new ServiceError('PLAN_LIMIT_REACHED', { detail: 'The package allows no more codes.' });
    const { design, adjusted } = row.design as unknown as BatchDesign;
    await insertTags(tx, { ...row, design, adjusted }, tags);
    // After the codes and the counts of the account: a claim locks the batch last.
    if (!(await advanceBatch(tx, row, from, to))) throw new BatchEndedError();
    if (isRunOver) await jobs.enqueue(tx, CREATE_TAGS_QUEUE, { accountId, batchId: id });
    return true;
  });
  return stored.catch((error: unknown) => {
    if (error instanceof BatchEndedError) return false;
    throw error;
  });
}

/** It was canceled or deleted while its tags were stored. */
class BatchEndedError extends Error {}

function createNewTags(
  { config, fieldCipher }: Pick<Services, 'config' | 'fieldCipher'>,
  row: OpenBatch,
  from: number,
  to: number,
): NewTag[] {
  const { accountId, prefix, size } = row;
  const kind = getQrCodeKindByName(row.kind);
  const titles = row.titles as string[] | null;
  const digits = String(size).length;
  const at = new Date();
  // They are created at one time, so that lists order them by id: as their numbers.
  const ids = Array.from({ length: to - from }, () => generateIdInCell(config.cellId)).sort();
  return ids.map((qrCodeId, index): NewTag => {
    const position = from + index + 1;
    const title = titles?.[position - 1] ?? `${prefix} ${String(position).padStart(digits, '0')}`;
    const slug = createTagSlug(kind, title, position);
    const claimCode =
      row.claim === 'BY_CODE'
        ? CLAIM_CODE.encrypt(fieldCipher, { qrCodeId, accountId }, generateClaimCode())
        : null;
    return {
      position,
      qrCodeId,
      shortNumber: generateShortNumber(),
      title,
      slug,
      imageFile: createQrCodeImageFileName(kind, slug, accountId, at),
      data: QR_CODE_DATA.encrypt(fieldCipher, { id: qrCodeId, accountId, kind: kind.kind }, {}),
      claimCode,
    };
  });
}

/** Its number makes the name of the image unique. */
function createTagSlug(
  kind: ReturnType<typeof getQrCodeKindByName>,
  title: string,
  position: number,
): string {
  const slug = createQrCodeSlug(kind, 'DYNAMIC', title);
  if (kind.sensitive === 'ALWAYS') return slug;
  return `${slug.slice(0, MAX_SLUG_PREFIX_CHARACTERS).replace(/-$/, '')}-${position}`;
}

/** End an open batch and record it. */
export async function finishBatch(tx: Tx, { accountId, id }: BatchKey, end: BatchEnd): Promise<void> {
  const ended = await endBatch(tx, { accountId, id }, end);
  if (!ended) return;
  await insertAuditEntry(tx, {
    ...createAuditOrigin({ accountId, ...ended }),
    action: end.status === 'COMPLETED' ? 'BATCH_COMPLETED' : 'BATCH_FAILED',
    outcome: end.status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE',
  });
}
