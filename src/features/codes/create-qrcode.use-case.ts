import type { Static } from 'typebox';
import { getFolderLimit } from '../../platform/acting-account.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Db } from '../../platform/database.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { QrCodeDesignInput } from '../../platform/qr-image/design.schemas.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateIdInCell } from '../../shared/ids.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { type Metadata, mergeMetadata } from '../../shared/metadata.schemas.ts';
import { findQrCodeCreationFacts } from './deleted-qrcode.repository.ts';
import { checkQrCodeDesign, getQrCodePayload } from './draw-qrcode.ts';
import { QR_CODE_DATA } from './encrypted-content.ts';
import { assertFolderExists } from './folders/folder-of-code.ts';
import { writeWithImageNames } from './image-files.ts';
import { PAGE_DESIGN_FEATURE, toPageDesign } from './page-design.rules.ts';
import { publishQrCodeChange } from './publish-change.ts';
import { insertQrCode, type NewQrCodeRow } from './qrcode.repository.ts';
import { toQrCodeView } from './qrcode.view.ts';
import { toQrCodeDesignInput } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { NewQrCode, QrCode } from './qrcodes.schemas.ts';
import { recordRepeatedMedicalAccess } from './read-own-qrcode.ts';
import { type ParsedQrCode, parseNewQrCode } from './read-qrcode-body.ts';
import { createQrCodeSlug } from './slug.rules.ts';
import { parseFieldVisibilities } from './visibility.rules.ts';

/** Deleted codes are kept for 30 days outside of the quota, so a day may add only so many. */
const MAX_DELETED_QR_CODES_PER_DAY = 200;

const MAX_DELETED_BYTES_PER_DAY = 8_000_000;

/**
 * @throws VALIDATION_FAILED with all invalid fields, IMAGE_NOT_SCANNABLE, PLAN_LIMIT_REACHED, RATE_LIMITED,
 * EXTERNAL_ID_TAKEN, CONFLICT if the external id is given to another code at the same time
 */
export async function createQrCode(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  body: Static<typeof NewQrCode>,
): Promise<IdempotentResult<Static<typeof QrCode>>> {
  const { client } = services.database;
  const idempotencyInput = { who: accountId, fingerprint: body };
  // Replays skip validation, too: a date in the future may have passed since.
  const replay = await services.createIdempotently.replay<Static<typeof QrCode>>(context, idempotencyInput);
  if (replay) return replayResponse(services, context, replay);
  const parsed = parseNewQrCode(services, body);
  const metadata = mergeMetadata({}, body.metadata ?? {});
  await assertQrCodeCreationAllowed(client, accountId, body.externalId);
  await assertFolderExists(client, accountId, body.folderId, getFolderLimit(context));
  if (Object.keys(parsed.input.pageDesign).length > 0)
    await services.assertFeature(client, PAGE_DESIGN_FEATURE, accountId);
  const row = await prepareQrCodeRow(services, accountId, body, { ...parsed, metadata });
  const created = await writeWithImageNames((createName) =>
    services.createIdempotently(context, idempotencyInput, async (tx) => {
      await services.reserveQuota(tx, 'qrCodes', accountId);
      const inserted = await insertQrCode(tx, {
        ...row,
        imageFile: createName({ ...row, kind: parsed.kind }),
      });
      await recordAuditEntry(tx, context, { action: 'QRCODE_CREATED', resourceId: row.id });
      await publishQrCodeChange(services.events, tx, inserted, 'code.created');
      return { body: toQrCodeView(services, inserted, false), location: `/api/qrcodes/${row.id}` };
    }),
  );
  return created.isReplayed ? replayResponse(services, context, created) : created;
}

/**
 * Limit creations by what the owner deleted within a day, and to a free external id.
 * @throws RATE_LIMITED, EXTERNAL_ID_TAKEN
 */
export async function assertQrCodeCreationAllowed(
  db: Db,
  accountId: string,
  externalId: string | null = null,
): Promise<void> {
  const since = new Date(Date.now() - DAY_MS);
  const { deletedCount, deletedBytes, oldestDeletedAt, isExternalIdTaken } = await findQrCodeCreationFacts(
    db,
    { accountId, externalId },
    since,
    MAX_DELETED_QR_CODES_PER_DAY,
  );
  if (deletedCount < MAX_DELETED_QR_CODES_PER_DAY && deletedBytes < MAX_DELETED_BYTES_PER_DAY) {
    if (isExternalIdTaken) throw new ServiceError('EXTERNAL_ID_TAKEN');
    return;
  }
  const endsAt = (oldestDeletedAt?.getTime() ?? Date.now()) + DAY_MS;
  throw new ServiceError('RATE_LIMITED', {
    detail: `Too many codes were deleted within a day. Their content is kept for ${formatLifetime('deletedQrCode')} to restore it.`,
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)),
  });
}

/** Check the design, hash the PIN and encrypt the content of a new code. @throws IMAGE_NOT_SCANNABLE */
export async function prepareQrCodeRow(
  services: QrCodeServices,
  accountId: string,
  body: Static<typeof NewQrCode>,
  {
    kind,
    input,
    metadata,
    id = generateIdInCell(services.config.cellId),
  }: ParsedQrCode & { metadata: Metadata; id?: string },
  beforeDesignCheck: (content: string, design: QrCodeDesignInput) => void = () => {},
): Promise<Omit<NewQrCodeRow, 'imageFile'>> {
  const content = getQrCodePayload(services, id, kind, input);
  const design = toQrCodeDesignInput(input.design);
  beforeDesignCheck(content, design);
  const checked = await checkQrCodeDesign(accountId, content, design);
  return {
    id,
    accountId,
    kind: kind.kind,
    mode: input.mode,
    title: input.title,
    slug: createQrCodeSlug(kind, input.mode, input.title),
    externalId: body.externalId ?? null,
    metadata,
    folderId: body.folderId ?? null,
    data: QR_CODE_DATA.encrypt(services.fieldCipher, { id, accountId, kind: kind.kind }, input.data),
    visibility: parseFieldVisibilities(input.visibility),
    ...checked,
    pageDesign: toPageDesign(input.pageDesign),
    pinHash: body.pin ? await services.pins.hash(body.pin) : null,
    contactable: body.contactable ?? true,
    showsPage: body.showsPage ?? false,
    notifyOn: body.notifyOn ?? 'EVERY_SCAN',
    expiresAt: input.expiresAt,
  };
}

/** A replay returns the content again, so it is audited where it is medical. */
async function replayResponse(
  services: QrCodeServices,
  context: RequestContext,
  created: IdempotentResult<Static<typeof QrCode>>,
): Promise<IdempotentResult<Static<typeof QrCode>>> {
  await recordRepeatedMedicalAccess(services, context, created.body);
  // Responses stored before packages, page designs, short numbers and folders existed lack them.
  const { readOnly = false, pageDesign = {}, shortNumber = null, folderId = null } = created.body;
  return { ...created, body: { ...created.body, readOnly, pageDesign, shortNumber, folderId } };
}
