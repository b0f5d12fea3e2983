import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findScan, getOpenQrCode, getVisibleQrCodeContent, isScanUnlocked } from '../scans/index.ts';
import {
  CONTACT_AND_CALENDAR_FILES,
  type ContactOrCalendarFile,
  renderContactOrCalendarFile,
} from './code-file.ts';
import type { FinderServices } from './finder-services.ts';
import { verifyScanFormToken } from './form-token.ts';
import { findIdParam } from './page-scope.ts';

const CodeParams = Type.Object({ id: Type.String() });
const ROUTE_CONFIG = { access: PUBLIC_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' } as const;

export const contactAndCalendarFileRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher } = services;

  for (const file of CONTACT_AND_CALENDAR_FILES) {
    app.get(
      `/:id/${file.name}`,
      { config: ROUTE_CONFIG, schema: { hide: true, params: CodeParams } },
      (request, reply) => sendFile(request, reply, file, undefined),
    );

    // Content behind a PIN is fetched by POST: the visit token must not be in a URL.
    app.post(
      `/:id/${file.name}`,
      {
        config: ROUTE_CONFIG,
        schema: {
          hide: true,
          params: CodeParams,
          body: Type.Object({ visit: Type.Optional(Type.String()) }),
        },
      },
      (request, reply) => sendFile(request, reply, file, request.body.visit),
    );
  }

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    file: ContactOrCalendarFile,
    visit: string | undefined,
  ): Promise<FastifyReply> {
    const id = findIdParam(request.params);
    const code = id && (await getOpenQrCode(database.client, id));
    if (!code || code.kind !== file.kind) throw new ServiceError('NOT_FOUND');
    const scanId = verifyScanFormToken(fieldCipher, code.id, visit);
    const scan = scanId && (await findScan(database.client, scanId));
    const { profile } = getVisibleQrCodeContent(services, code, scan ? isScanUnlocked(scan, code) : false);
    const content = renderContactOrCalendarFile(code.kind, profile, choosePageLocale(request), code);
    if (content === null) throw new ServiceError('NOT_FOUND');
    return (
      reply
        .header('Cache-Control', 'no-store')
        .header('X-Robots-Tag', 'noindex')
        // As an attachment, iOS would store the file instead of offering to add it.
        .header('Content-Disposition', `inline; filename="${file.name}"`)
        .type(`${file.type}; charset=utf-8`)
        .send(content)
    );
  }
};
