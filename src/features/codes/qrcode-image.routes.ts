import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../platform/openapi-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef, stringEnum } from '../../shared/common.schemas.ts';
import { generateId } from '../../shared/ids.ts';
import { listPictures } from '../files/index.ts';
import {
  drawQrCode,
  drawQrCodeInFormat,
  getQrCodePayload,
  QR_CODE_IMAGE_CONTENT_TYPES,
} from './draw-qrcode.ts';
import { decryptQrCodeData } from './encrypted-content.ts';
import { describeQrCodeKinds } from './kinds/describe-kinds.ts';
import { getOwnedQrCodeId } from './owned-qrcode-id.ts';
import { getCurrentQrCodeStatus, getQrCodeDesign, getQrCodeKindByName } from './qrcode.view.ts';
import { toQrCodeDesignInput } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { QrCodeKindList, QrCodePreview, RenderQrCodeRequest } from './qrcodes.schemas.ts';
import { readOwnQrCode } from './read-own-qrcode.ts';
import { findNewQrCodeErrors, parseNewQrCode } from './read-qrcode-body.ts';
import { readOwnQrCodeImage, sendQrCodeImage } from './read-qrcode-image.use-case.ts';
import { filterVisibleFields, parseFieldVisibilities, resolveFieldVisibilities } from './visibility.rules.ts';
import { listVisiblePictures } from './visible-pictures.ts';

const QrCodePreviewQuery = Type.Object({
  as: stringEnum(['finder', 'pin'], {
    default: 'finder',
    description: 'pin: as a finder who knows the PIN.',
  }),
});

const QrCodeImageQuery = Type.Object({
  format: stringEnum(['png', 'svg', 'pdf'], { default: 'png', description: 'Format of the image.' }),
  shortNumber: Type.Boolean({
    default: false,
    description: 'Whether the short number stands below the symbol. The image is taller then.',
  }),
});

const IMAGE_RESPONSE = {
  description: 'The image.',
  content: Object.fromEntries(
    Object.values(QR_CODE_IMAGE_CONTENT_TYPES).map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  ),
};

export const qrCodeImageRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/kinds',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('QRCODE'), cache: 'revalidate' },
      schema: {
        operationId: 'qrcodes.listKinds',
        tags: ['QR codes'],
        summary: 'List the kinds of codes with schema, default visibility and an example',
        description:
          'Use it to build forms: `schema` is a JSON Schema whose titles are labels, `example` a valid `data`.',
        response: { 200: QrCodeKindList },
      },
    },
    async () => ({ data: describeQrCodeKinds() }),
  );

  app.get(
    '/:id/preview',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.getPreview',
        tags: ['QR codes'],
        summary: 'Preview what a finder sees; no scan is recorded',
        description: '`as=pin` shows what a finder sees after the PIN. Use it before you print the code.',
        params: createIdParamsSchema('id'),
        querystring: QrCodePreviewQuery,
        response: { 200: schemaRef(QrCodePreview) },
      },
    },
    async (request) =>
      readOwnQrCode(database, getRequestContext(request), getOwnedQrCodeId(request), async (row, tx) => {
        const hasPin = row.pinHash !== null;
        const visibility = resolveFieldVisibilities(
          getQrCodeKindByName(row.kind),
          parseFieldVisibilities(row.visibility),
          hasPin,
        );
        // Without a PIN nobody can have entered it.
        const viewer = hasPin && request.query.as === 'pin' ? 'PIN' : 'FINDER';
        const pictures = await listPictures(tx, row.accountId, { qrCodeId: row.id });
        return {
          as: request.query.as,
          status: getCurrentQrCodeStatus(row),
          profile: filterVisibleFields(viewer, decryptQrCodeData(fieldCipher, row), visibility),
          pictures: listVisiblePictures(services, { ...row, pictures }, viewer),
          pinRequired: hasPin && viewer === 'FINDER',
          contactable: row.contactable,
        };
      }),
  );

  app.get(
    '/:id/image',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.getImage',
        tags: ['QR codes'],
        summary: 'Download the image as PNG, SVG or PDF',
        description:
          'Draws the current design for this request. SVG and PDF scale for print; the PNG of `imageUrl` needs no token.',
        params: createIdParamsSchema('id'),
        querystring: QrCodeImageQuery,
        response: {
          200: { ...IMAGE_RESPONSE, headers: CONTENT_DISPOSITION_HEADER },
          ...createProblemResponseSchemas(503),
        },
      },
    },
    async (request, reply) => {
      const image = await readOwnQrCodeImage(
        services,
        getRequestContext(request),
        getOwnedQrCodeId(request),
        request.query.format,
        { hasShortNumber: request.query.shortNumber },
      );
      return sendQrCodeImage(reply, image, 'inline');
    },
  );

  app.post(
    '/render',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: skipAudit('QRCODE'),
        findUseCaseErrors: (body) => findNewQrCodeErrors(services, body),
      },
      schema: {
        operationId: 'qrcodes.render',
        tags: ['QR codes'],
        summary: 'Render a code without storing it',
        description:
          'Checks the body as POST /api/qrcodes does, and returns the image: use it for a live preview. A DYNAMIC code has no URL before it is created; the image contains a placeholder URL.',
        body: RenderQrCodeRequest,
        response: { 200: IMAGE_RESPONSE, ...createProblemResponseSchemas(503) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { kind, input } = parseNewQrCode(services, request.body);
      const { format } = request.body;
      const content = getQrCodePayload(services, generateId(), kind, input);
      const image = await drawQrCode(accountId, content, toQrCodeDesignInput(input.design));
      const bytes =
        format === 'png'
          ? image.png
          : await drawQrCodeInFormat(accountId, format, content, getQrCodeDesign(image));
      return reply.type(QR_CODE_IMAGE_CONTENT_TYPES[format]).send(bytes);
    },
  );
};
