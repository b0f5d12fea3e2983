import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { FolderFilter, QR_CODE_KIND_NAMES, sendQrCodeExport } from '../../codes/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS } from './code-actions.ts';

/** The codes of an account, or those of one kind or folder, as a file that an import reads. */
export const codeExportPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/codes/export',
    {
      config: { access: CODE_ACCESS, audit: auditAs('QRCODES_EXPORTED'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({
          kind: Type.Optional(Type.String()),
          folder: Type.Optional(FolderFilter),
        }),
      },
    },
    async (request, reply) => {
      const kinds = QR_CODE_KIND_NAMES.filter((name) => name === request.query.kind);
      // Excel reads other languages only with a byte order mark.
      const file = { format: 'csv', bom: true } as const;
      return sendQrCodeExport(services, request, reply, {
        ...file,
        kinds: kinds.length > 0 ? kinds : undefined,
        folder: request.query.folder,
      });
    },
  );
};
