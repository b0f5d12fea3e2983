import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { sendHeadersOnly } from '../../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  createTableExportStream,
  sendTableExport,
  setTableExportHeaders,
  type TableExportOptions,
} from '../../../platform/table-export.ts';
import { createZipStream, type ZipEntry } from '../../../platform/zip-stream.ts';
import { createValidationError } from '../../../shared/errors.ts';
import { createSlotsPerKey } from '../../../shared/limiter.ts';
import { drawQrCodeInFormat } from '../draw-qrcode.ts';
import { getQrCodeDesign, getQrCodeScanUrl } from '../qrcode.view.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { formatShortNumber } from '../short-number.rules.ts';
import type { BatchKey } from './batch.repository.ts';
import { getTagStatus } from './batch.view.ts';
import { type BatchTagRow, findBatchDesign, listBatchTags, type TagRange } from './batch-tag.repository.ts';
import { MAX_BATCH_TAGS } from './batches.schemas.ts';
import { getOwnBatch } from './change-batch.use-case.ts';
import { CLAIM_CODE, formatClaimCode } from './claim-code.ts';

const CHUNK_TAGS = 500;

/** A larger one takes longer than proxies wait. */
export const MAX_ARCHIVE_IMAGES = 2_000;

const openArchive = createSlotsPerKey(1);

const COLUMNS = ['number', 'title', 'shortNumber', 'claimCode', 'scanUrl', 'status'];

type Services = Pick<QrCodeServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** Send numbers, addresses and claim codes of the tags of a batch as a file. @throws NOT_FOUND, RATE_LIMITED, DATA_INTEGRITY */
export async function sendBatchExport(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  key: BatchKey,
  options: TableExportOptions,
): Promise<FastifyReply> {
  const { database } = services;
  await getOwnBatch(database.client, key);
  setTableExportHeaders(reply, 'tags', options.format);
  if (request.method === 'HEAD') return sendHeadersOnly(reply);
  const records = readRecords(services, key);
  const content = createTableExportStream(key.accountId, records, COLUMNS, options);
  return sendTableExport(reply, content, () =>
    commitAuditEntry(database, getRequestContext(request), { resourceId: key.accountId }),
  );
}

async function* readRecords(services: Services, key: BatchKey): AsyncGenerator<string[]> {
  const { database, fieldCipher, publicBaseUrl } = services;
  for await (const tags of readTags(database.client, key, { from: 1, to: MAX_BATCH_TAGS }))
    yield tags.map((tag) =>
      JSON.stringify({
        number: tag.position,
        title: tag.title,
        shortNumber: formatShortNumber(tag.shortNumber),
        claimCode: decryptClaimCode(fieldCipher, key, tag),
        scanUrl: getQrCodeScanUrl(publicBaseUrl, tag.qrCodeId),
        status: getTagStatus(tag),
      }),
    );
}

/** Null for a tag without one, and for a claimed tag. @throws DATA_INTEGRITY */
function decryptClaimCode(
  fieldCipher: FieldCipher,
  { accountId }: BatchKey,
  { qrCodeId, claimCode }: BatchTagRow,
): string | null {
  const code = CLAIM_CODE.decrypt(fieldCipher, { accountId, qrCodeId, claimCode });
  return code && formatClaimCode(code);
}

async function* readTags(db: Db, key: BatchKey, { from, to }: TagRange): AsyncGenerator<BatchTagRow[]> {
  for (let next = from; ; ) {
    const tags = await listBatchTags(db, key, { from: next, to }, CHUNK_TAGS);
    const last = tags.at(-1);
    if (!last) return;
    yield tags;
    next = last.position + 1;
  }
}

export interface BatchImages extends Partial<TagRange> {
  format: 'png' | 'svg';
}

/** Send the images of unclaimed tags as an archive. @throws NOT_FOUND, VALIDATION_FAILED, RATE_LIMITED */
export async function sendBatchImages(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  key: BatchKey,
  { format, from = 1, to }: BatchImages,
): Promise<FastifyReply> {
  const { database } = services;
  const { size } = await getOwnBatch(database.client, key);
  const range = { from, to: to ?? Math.min(size, from + MAX_ARCHIVE_IMAGES - 1) };
  if (range.to < from || range.to - from >= MAX_ARCHIVE_IMAGES)
    throw createValidationError({
      field: 'to',
      code: 'OUT_OF_RANGE',
      message: `An archive has up to ${MAX_ARCHIVE_IMAGES.toLocaleString('en')} images. Request the others by \`from\` and \`to\`.`,
    });
  reply
    .type('application/zip')
    .header('Content-Disposition', `attachment; filename="tags-${range.from}-${range.to}.zip"`);
  if (request.method === 'HEAD') return sendHeadersOnly(reply);
  const close = openArchive(key.accountId);
  try {
    await commitAuditEntry(database, getRequestContext(request), { resourceId: key.accountId });
  } catch (error) {
    close();
    throw error;
  }
  return reply.send(createZipStream(drawImages(services, key, range, format)).once('close', close));
}

async function* drawImages(
  { database, publicBaseUrl }: Services,
  key: BatchKey,
  range: TagRange,
  format: BatchImages['format'],
): AsyncGenerator<ZipEntry> {
  const stored = await findBatchDesign(database.client, key);
  const design = getQrCodeDesign({ design: stored?.design, logo: null });
  for await (const tags of readTags(database.client, key, range))
    for (const { position, qrCodeId, shortNumber, claimedAt, deleted } of tags) {
      if (claimedAt || deleted) continue;
      const content = getQrCodeScanUrl(publicBaseUrl, qrCodeId);
      const caption = formatShortNumber(shortNumber);
      const image = await drawQrCodeInFormat(key.accountId, format, content, design, { caption });
      yield {
        name: `${String(position).padStart(6, '0')}-${caption}.${format}`,
        compress: format === 'svg',
        open: () => Readable.from([image]),
      };
    }
}
