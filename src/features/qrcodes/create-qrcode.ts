import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { invalidFields } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { drawQrCode } from './draw-qrcode.ts';
import { removeImage, storeImage } from './image-files.ts';
import type { KindDefinition } from './kinds/kind.ts';
import { insertQrCode } from './qrcode.repository.ts';
import { qrCodeView, scanUrlOf } from './qrcode.view.ts';
import { sealData } from './qrcode-content.ts';
import {
  asDesign,
  expiryProblems,
  kindNamed,
  type Mode,
  type QrCodeInput,
  qrCodeProblems,
  staticContent,
} from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { NewQrCode } from './qrcodes.schemas.ts';
import { slugFor } from './slug.rules.ts';

/**
 * Makes a code: its image is drawn, read back and on the disk before the row exists.
 * Throws VALIDATION_FAILED naming every wrong field, IMAGE_NOT_SCANNABLE, PLAN_LIMIT_REACHED.
 */
export async function createQrCode(
  services: QrCodeServices,
  request: FastifyRequest<{ Body: Static<typeof NewQrCode> }>,
  reply: FastifyReply,
  ownerId: string,
) {
  const { body } = request;
  const { kind, input } = readInput(body);
  const id = newId();
  const drawn = await drawQrCode(contentOf(services, id, kind, input), asDesign(input.design));
  const pinHash = body.pin ? await services.pins.hash(body.pin) : null;
  const slug = slugFor(kind, input.mode, input.title);
  const imageFile = await storeImage(services.qrImagesDir, { kind, slug, ownerId }, drawn.png);
  let used = false;
  try {
    return await services.createOnce(request, reply, { who: ownerId }, async (tx) => {
      await services.reserveQrCode(tx, ownerId);
      const row = await insertQrCode(tx, {
        id,
        ownerId,
        kind: kind.kind,
        mode: input.mode,
        title: input.title,
        slug,
        data: sealData(services.vault, { id, kind: kind.kind }, input.data),
        visibility: body.visibility ? stringsOf(body.visibility) : {},
        design: drawn.design,
        logo: drawn.logo,
        adjusted: drawn.adjusted,
        pinHash,
        imageFile,
        contactable: body.contactable ?? true,
        showsPage: body.showsPage ?? false,
        expiresAt: input.expiresAt,
      });
      await request.audit(tx, { resourceId: id });
      used = true;
      return { body: qrCodeView(services, row), location: `/api/qrcodes/${id}` };
    });
  } catch (error) {
    used = false;
    throw error;
  } finally {
    // Nothing was made, or a repeated request got its first answer again.
    if (!used) await removeImage(services.qrImagesDir, imageFile);
  }
}

/** What the image of a code holds: the address of its page, or for STATIC the content itself. */
export function contentOf(
  services: { publicBaseUrl: string },
  id: string,
  kind: KindDefinition,
  code: Pick<QrCodeInput, 'mode' | 'title' | 'data' | 'visibility'>,
): string {
  if (code.mode === 'DYNAMIC') return scanUrlOf(services.publicBaseUrl, id);
  const content = staticContent(kind, code);
  if (content === null) throw new Error('A static code has nothing to print.');
  return content;
}

/** Reads what was sent for a new code. Throws VALIDATION_FAILED naming every wrong field. */
export function readInput(body: {
  kind: string;
  title?: string;
  mode?: string;
  data: Record<string, unknown>;
  visibility?: Record<string, unknown>;
  design?: Record<string, unknown>;
  pin?: string | null;
  expiresAt?: string | null;
}): { kind: KindDefinition; input: QrCodeInput } {
  const kind = kindNamed(body.kind);
  const input: QrCodeInput = {
    mode: modeNamed(body.mode),
    title: (body.title ?? '').trim().normalize('NFC'),
    data: body.data,
    visibility: body.visibility ?? {},
    design: body.design ?? {},
    hasPin: typeof body.pin === 'string',
    expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
  };
  if ('field' in kind) throw invalidFields(kind);
  const problems = [...qrCodeProblems(kind, input), ...expiryProblems(input.expiresAt)];
  if (problems.length > 0) throw invalidFields(...problems);
  return { kind, input };
}

/** The mode that a request names; DYNAMIC when it names none. */
export function modeNamed(mode: string | undefined): Mode {
  return mode?.toUpperCase() === 'STATIC' ? 'STATIC' : 'DYNAMIC';
}

/** A visibility that the rules found nothing wrong with, as it is stored. */
export function stringsOf(visibility: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(visibility).map(([field, word]) => [field, String(word)]));
}
