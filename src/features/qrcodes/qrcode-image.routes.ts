import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { account, audited, unaudited } from '../../platform/access.ts';
import { newId } from '../../shared/ids.ts';
import { idParams, oneOf, ref } from '../../shared/schemas.ts';
import { contentOf, readInput } from './create-qrcode.ts';
import { drawAs, drawQrCode, IMAGE_TYPES } from './draw-qrcode.ts';
import { describeKinds } from './kinds/describe-kinds.ts';
import { currentStatus, designOf, givenVisibility, kindOf } from './qrcode.view.ts';
import { openData } from './qrcode-content.ts';
import { asDesign } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { KindList, QrCodePreview, RenderRequest } from './qrcodes.schemas.ts';
import { ownQrCode } from './own-qrcode.ts';
import { resolveVisibility, visibleTo } from './visibility.rules.ts';

const IMAGE_ANSWER = {
  description: 'The image.',
  content: Object.fromEntries(
    Object.values(IMAGE_TYPES).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  ),
};

/** Kinds, previews and images: what a client needs to build its screens. */
export const qrCodeImageRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database, vault } = services;

  app.get(
    '/kinds',
    {
      config: { access: account('qrcodes:own'), audit: unaudited('QRCODE'), cache: 'revalidate' },
      schema: {
        operationId: 'qrcodes.kinds',
        tags: ['QR codes'],
        summary: "Every kind with its fields' schema, labels, default visibility and an example.",
        response: { 200: KindList },
      },
    },
    async () => ({ data: describeKinds() }),
  );

  app.get(
    '/:id/preview',
    {
      config: { access: account('qrcodes:own'), audit: audited('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.preview',
        tags: ['QR codes'],
        summary: 'What a stranger sees; nothing is recorded as a scan.',
        params: idParams('id'),
        querystring: Type.Object({ as: oneOf(['finder', 'pin'], { default: 'finder' }) }),
        response: { 200: ref(QrCodePreview) },
      },
    },
    async (request) => {
      const row = await database.transaction(async (tx) => {
        const found = await ownQrCode(tx, request);
        if (found.kind === 'MEDICAL') await request.audit(tx, { resourceId: found.id });
        return found;
      });
      const hasPin = row.pinHash !== null;
      const visibility = resolveVisibility(kindOf(row.kind), givenVisibility(row.visibility), hasPin);
      return {
        as: request.query.as,
        status: currentStatus(row),
        profile: visibleTo(request.query.as, openData(vault, row), visibility),
        pinRequired: hasPin && request.query.as === 'finder',
        contactable: row.contactable,
      };
    },
  );

  app.get(
    '/:id/image',
    {
      config: { access: account('qrcodes:own'), audit: audited('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.image',
        tags: ['QR codes'],
        summary: 'The image as PNG, SVG or PDF.',
        params: idParams('id'),
        querystring: Type.Object({ format: oneOf(['png', 'svg', 'pdf'], { default: 'png' }) }),
        response: { 200: IMAGE_ANSWER },
      },
    },
    async (request, reply) => {
      const row = await database.transaction(async (tx) => {
        const found = await ownQrCode(tx, request);
        if (found.kind === 'MEDICAL' && found.mode === 'STATIC') await request.audit(tx, { resourceId: found.id });
        return found;
      });
      const { format } = request.query;
      const mode = row.mode === 'STATIC' ? 'STATIC' : 'DYNAMIC';
      const code = {
        mode,
        title: row.title,
        data: mode === 'STATIC' ? openData(vault, row) : {},
        visibility: givenVisibility(row.visibility),
      } as const;
      const image = await drawAs(format, contentOf(services, row.id, kindOf(row.kind), code), designOf(row));
      return reply
        .type(IMAGE_TYPES[format])
        .header('Content-Disposition', `inline; filename="${row.slug}.${format}"`)
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
        .send(image);
    },
  );

  app.post(
    '/render',
    {
      config: { access: account('qrcodes:own'), audit: unaudited('QRCODE') },
      schema: {
        operationId: 'qrcodes.render',
        tags: ['QR codes'],
        summary: 'Draw a code without storing anything.',
        description: 'A DYNAMIC code has no address before it is made: its picture holds one that leads nowhere.',
        body: RenderRequest,
        response: { 200: IMAGE_ANSWER },
      },
    },
    async (request, reply) => {
      const { format = 'png' } = request.body;
      const { kind, input } = readInput(request.body);
      const content = contentOf(services, newId(), kind, input);
      const drawn = await drawQrCode(content, asDesign(input.design));
      const image = format === 'png' ? drawn.png : await drawAs(format, content, designOf(drawn));
      return reply.type(IMAGE_TYPES[format]).send(image);
    },
  );
};
