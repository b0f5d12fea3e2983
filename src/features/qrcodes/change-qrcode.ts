import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { checkVersion } from '../../platform/http/versions.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { contentOf, modeNamed, stringsOf } from './create-qrcode.ts';
import { type DrawnQrCode, drawQrCode } from './draw-qrcode.ts';
import { removeImage, storeImage } from './image-files.ts';
import { parseKind } from './kinds/index.ts';
import { changeQrCode, type QrCodeRow } from './qrcode.repository.ts';
import { designOf, givenVisibility, kindOf } from './qrcode.view.ts';
import { openData, sealData } from './qrcode-content.ts';
import { asDesign, expiryProblems, type QrCodeInput, qrCodeProblems } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { QrCodeChange } from './qrcodes.schemas.ts';

type Change = Static<typeof QrCodeChange>;

/**
 * Changes a code by merging: what is not given stays, null clears, `data` is replaced as a whole. A new
 * design draws a new image. Throws IMMUTABLE_FIELD, PRECONDITION_FAILED, CONFLICT, VALIDATION_FAILED.
 */
export async function mergeQrCode(
  services: QrCodeServices,
  request: FastifyRequest<{ Body: Change }>,
  row: QrCodeRow,
): Promise<QrCodeRow> {
  const { body } = request;
  checkVersion(request, row.version);
  const kind = kindOf(row.kind);
  const before = openData(services.vault, row);
  refuseImmutable(row, body, before);
  const input = merged(row, body, before);
  const problems = [
    ...qrCodeProblems(kind, input),
    ...(body.expiresAt ? expiryProblems(input.expiresAt) : []),
  ];
  if (problems.length > 0) throw invalidFields(...problems);

  const pinHash = body.pin ? await services.pins.hash(body.pin) : body.pin;
  const drawn = body.design
    ? await drawQrCode(contentOf(services, row.id, kind, input), asDesign(input.design))
    : undefined;
  const imageFile = drawn && (await storeImage(services.qrImagesDir, { ...row, kind }, drawn.png));
  try {
    const after = await services.database.transaction(async (tx) => {
      const changed = await changeQrCode(tx, row, {
        title: body.title === undefined ? undefined : input.title,
        data: body.data && sealData(services.vault, row, input.data),
        visibility: body.visibility && stringsOf(body.visibility),
        pinHash,
        expiresAt: body.expiresAt === undefined ? undefined : input.expiresAt,
        contactable: body.contactable,
        showsPage: body.showsPage,
        status: body.status,
        lostDetails: body.status ? null : undefined,
        ...columnsOf(drawn),
        imageFile,
      });
      if (!changed) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
      await request.audit(tx, { resourceId: row.id, changes: Object.keys(body) });
      return changed;
    });
    if (imageFile) await removeImage(services.qrImagesDir, row.imageFile);
    return after;
  } catch (error) {
    if (imageFile) await removeImage(services.qrImagesDir, imageFile);
    throw error;
  }
}

function columnsOf(drawn: DrawnQrCode | undefined) {
  return drawn ? { design: drawn.design, logo: drawn.logo, adjusted: drawn.adjusted } : {};
}

function refuseImmutable(row: QrCodeRow, body: Change, before: Record<string, unknown>): void {
  const isStatic = row.mode === 'STATIC';
  const changed = [
    body.kind !== undefined && parseKind(body.kind)?.kind !== row.kind ? 'kind' : null,
    body.mode !== undefined && modeNamed(body.mode) !== row.mode ? 'mode' : null,
    isStatic && body.data !== undefined && !isDeepStrictEqual(body.data, before) ? 'data' : null,
    isStatic && body.visibility !== undefined && !isDeepStrictEqual(body.visibility, row.visibility)
      ? 'visibility'
      : null,
  ].filter((field) => field !== null);
  if (changed.length === 0) return;
  throw new ServiceError('IMMUTABLE_FIELD', {
    detail: `Cannot be changed: ${changed.join(', ')}.`,
    errors: changed.map((field) => ({ field, code: 'IMMUTABLE', message: 'Is fixed once the code is made.' })),
  });
}

function merged(row: QrCodeRow, body: Change, before: Record<string, unknown>): QrCodeInput {
  return {
    mode: modeNamed(row.mode),
    title: (body.title ?? row.title).trim().normalize('NFC'),
    data: body.data ?? before,
    visibility: body.visibility ?? givenVisibility(row.visibility),
    design: body.design ? { ...designOf(row), ...body.design } : {},
    hasPin: body.pin === undefined ? row.pinHash !== null : body.pin !== null,
    expiresAt: expiryAfter(row.expiresAt, body.expiresAt),
  };
}

function expiryAfter(before: Date | null, given: string | null | undefined): Date | null {
  if (given === undefined) return before;
  return given === null ? null : new Date(given);
}
