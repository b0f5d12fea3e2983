import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findScan } from '../scans/scan.repository.ts';
import { findOpenCode, isUnlocked, showCode } from '../scans/scanned-code.ts';
import { CODE_FILES, type CodeFile, contentOfFile } from './code-file.ts';
import type { FinderServices } from './finder-services.ts';
import { scanOfForm } from './form-token.ts';
import { choosePageLocale } from './page-locale.ts';
import { idIn } from './page-scope.ts';

const OfOneCode = Type.Object({ id: Type.String() });
const OPEN = { access: PUBLIC_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' } as const;

/** Codes that a phone can keep, as files: what the page shows, and nothing more. */
export const codeFileRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  for (const file of CODE_FILES) {
    app.get(
      `/:id/${file.name}`,
      { config: OPEN, schema: { hide: true, params: OfOneCode } },
      (request, reply) => sendFile(request, reply, file, undefined),
    );

    // What is behind a PIN: the token of the visit that it was given in must not be in an address.
    app.post(
      `/:id/${file.name}`,
      {
        config: OPEN,
        schema: { hide: true, params: OfOneCode, body: Type.Object({ visit: Type.Optional(Type.String()) }) },
      },
      (request, reply) => sendFile(request, reply, file, request.body.visit),
    );
  }

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    file: CodeFile,
    visit: string | undefined,
  ): Promise<FastifyReply> {
    const id = idIn(request.params);
    const code = id && (await findOpenCode(database.client, id));
    if (!code || code.kind !== file.kind) throw new ServiceError('NOT_FOUND');
    const scanId = scanOfForm(fieldCipher, code.id, visit);
    const scan = scanId && (await findScan(database.client, scanId));
    const { profile } = showCode(fieldCipher, code, scan ? isUnlocked(scan, code) : false);
    const content = contentOfFile(code.kind, profile, choosePageLocale(request), code.id);
    if (content === null) throw new ServiceError('NOT_FOUND');
    return (
      reply
        .header('Cache-Control', 'no-store')
        .header('X-Robots-Tag', 'noindex')
        // Not as an attachment: phones of Apple would store the file instead of asking whether to keep it.
        .header('Content-Disposition', `inline; filename="${file.name}"`)
        .type(`${file.type}; charset=utf-8`)
        .send(content)
    );
  }
};
