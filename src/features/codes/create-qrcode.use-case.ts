import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { generateId } from '../../shared/ids.ts';
import { mergeMetadata } from '../../shared/metadata.schemas.ts';
import { assertQrCodeCreationAllowed } from './assert-creation-allowed.ts';
import { checkQrCodeDesign, getQrCodePayload } from './draw-qrcode.ts';
import { QR_CODE_DATA } from './encrypted-content.ts';
import { writeWithImageNames } from './image-files.ts';
import { PAGE_DESIGN_FEATURE, toPageDesign } from './page-design.rules.ts';
import { publishQrCodeChange } from './publish-change.ts';
import { insertQrCode } from './qrcode.repository.ts';
import { toQrCodeView } from './qrcode.view.ts';
import { toQrCodeDesignInput } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { NewQrCode, QrCode } from './qrcodes.schemas.ts';
import { assertQrCodeExternalIdFree, recordMedicalAccess } from './read-own-qrcode.ts';
import { parseNewQrCode } from './read-qrcode-body.ts';
import { createQrCodeSlug } from './slug.rules.ts';
import { parseFieldVisibilities } from './visibility.rules.ts';

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
  const idempotencyInput = { who: accountId, fingerprint: body };
  // Replays skip validation, too: a date in the future may have passed since.
  const replay = await services.createIdempotently.replay<Static<typeof QrCode>>(context, idempotencyInput);
  if (replay) return replayResponse(services, context, replay);
  const { kind, input } = parseNewQrCode(body);
  const { pin, contactable, showsPage, notifyOn, externalId = null } = body;
  const metadata = mergeMetadata({}, body.metadata ?? {});
  await assertQrCodeCreationAllowed(services.database.client, accountId);
  if (Object.keys(input.pageDesign).length > 0)
    await services.assertFeature(services.database.client, PAGE_DESIGN_FEATURE, accountId);
  const id = generateId();
  await assertQrCodeExternalIdFree(services.database.client, { id, accountId, externalId });
  const checked = await checkQrCodeDesign(
    accountId,
    getQrCodePayload(services, id, kind, input),
    toQrCodeDesignInput(input.design),
  );
  const pinHash = pin ? await services.pins.hash(pin) : null;
  const slug = createQrCodeSlug(kind, input.mode, input.title);
  const created = await writeWithImageNames((createName) =>
    services.createIdempotently(context, idempotencyInput, async (tx) => {
      await services.reserveQuota(tx, 'qrCodes', accountId);
      const row = await insertQrCode(tx, {
        id,
        accountId,
        kind: kind.kind,
        mode: input.mode,
        title: input.title,
        slug,
        externalId,
        metadata,
        data: QR_CODE_DATA.encrypt(services.fieldCipher, { id, accountId, kind: kind.kind }, input.data),
        visibility: parseFieldVisibilities(input.visibility),
        ...checked,
        pageDesign: toPageDesign(input.pageDesign),
        pinHash,
        imageFile: createName({ kind, slug, accountId }),
        contactable: contactable ?? true,
        showsPage: showsPage ?? false,
        notifyOn: notifyOn ?? 'EVERY_SCAN',
        expiresAt: input.expiresAt,
      });
      await recordAuditEntry(tx, context, { action: 'QRCODE_CREATED', resourceId: id });
      await publishQrCodeChange(services.events, tx, row, 'created');
      return { body: toQrCodeView(services, row, false), location: `/api/qrcodes/${id}` };
    }),
  );
  return created.isReplayed ? replayResponse(services, context, created) : created;
}

/** A replay returns the content again, so it is audited where it is medical. */
async function replayResponse(
  { database }: QrCodeServices,
  context: RequestContext,
  created: IdempotentResult<Static<typeof QrCode>>,
): Promise<IdempotentResult<Static<typeof QrCode>>> {
  await database.transaction((tx) => recordMedicalAccess(tx, context, created.body));
  // Responses stored before packages and page designs existed lack them.
  const { readOnly = false, pageDesign = {} } = created.body;
  return { ...created, body: { ...created.body, readOnly, pageDesign } };
}
