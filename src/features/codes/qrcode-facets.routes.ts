import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { allowLimitedMembers, allowUsers, skipAudit } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { parseQrCodeListFilter, QrCodeListFilters } from './list-filters.ts';
import {
  countQrCodesByFolder,
  countQrCodesByKindAndStatus,
  countQrCodesByMetadata,
  MAX_FACET_CODES,
  MAX_FACET_KEYS,
  MAX_FACET_VALUES,
} from './qrcode-facets.repository.ts';
import { findQrCodeKindFilterErrors } from './qrcode-input.rules.ts';

const FacetValues = Type.Array(
  Type.Object({ value: Type.String(), count: Type.Integer({ description: 'Codes that have it.' }) }),
);

export const QrCodeFacets = Type.Object(
  {
    kinds: FacetValues,
    statuses: FacetValues,
    folders: Type.Array(
      Type.Object({
        value: Type.String({ description: 'Id of a folder, or `none`.' }),
        count: Type.Integer({ description: 'Codes in it.' }),
      }),
    ),
    metadata: Type.Array(
      Type.Object({
        key: Type.String(),
        count: Type.Integer({ description: 'Codes that have the key.' }),
        valueCount: Type.Integer({ description: 'Different values; `values` may have fewer.' }),
        values: FacetValues,
      }),
      {
        description: `The ${MAX_FACET_KEYS} most frequent keys with the ${MAX_FACET_VALUES} most frequent values of each, in the ${MAX_FACET_CODES.toLocaleString('en')} newest codes that match.`,
      },
    ),
  },
  { $id: 'QrCodeFacets', description: 'What can be filtered by, and how many codes each choice finds.' },
);

/** What the filters of the list can be set to. */
export const qrCodeFacetRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/facets',
    {
      config: {
        access: allowLimitedMembers(allowUsers('qrcodes:own'), 'FILTERED'),
        audit: skipAudit('QRCODE'),
        cache: 'revalidate',
        findQueryErrors: findQrCodeKindFilterErrors,
      },
      schema: {
        operationId: 'qrcodes.getFacets',
        tags: ['QR codes'],
        summary: 'Get the numbers of your codes by kind, status, folder and metadata',
        description:
          'Takes the filters of GET /api/qrcodes. The counts of a field ignore the filter of this field, so that they say what each other choice would find. Deleted codes are not counted.',
        querystring: QrCodeListFilters,
        response: { 200: schemaRef(QrCodeFacets) },
      },
    },
    async (request) => {
      const { id: accountId, folderIds: limitedTo } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const filter = { ...parseQrCodeListFilter(request.query, timeZone), limitedTo };
      return database.read(async ({ pool }) => ({
        ...(await countQrCodesByKindAndStatus(pool, accountId, filter)),
        folders: await countQrCodesByFolder(pool, accountId, filter),
        metadata: await countQrCodesByMetadata(pool, accountId, filter),
      }));
    },
  );
};
