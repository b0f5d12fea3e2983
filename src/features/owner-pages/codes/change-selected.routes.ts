import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { listSelectedDesigns, readFolders } from '../../codes/index.ts';
import { renderDesignOffer } from '../design/design-offer.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { changeCodes } from './change-codes.ts';
import { CODE_ACCESS, CODE_FORM_ACCESS } from './code-actions.ts';
import { getCodesPath } from './code-parts.ts';
import { parseSelectedIds } from './code-selection.ts';
import { parseSelectedChange, SelectedChangeForm } from './selected-change.rules.ts';
import { renderSelectedChange } from './selected-change-page.ts';
import { formatSelectionResult } from './selection-result.ts';

interface Refused {
  fields: Static<typeof SelectedChangeForm>;
  status: number;
  /** At a field. */
  errors?: ReturnType<typeof parseSelectedChange>['errors'];
  /** Above the forms. */
  refusal?: string;
}

/** Expiry, notifications, metadata and the look of the page of selected codes. */
export const changeSelectedPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const params = createIdParamsSchema('accountId');

  app.get(
    '/:accountId/codes/selected',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('QRCODE') },
      schema: { hide: true, params, querystring: Type.Object({ ids: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const ids = parseSelectedIds(request.query.ids);
      if (ids.length > 0) return sendChangePage(request, reply, ids);
      return reply.redirect(`${getCodesPath(services, request.params)}?selected=change`, 303);
    },
  );

  app.post(
    '/:accountId/codes/selected/change',
    {
      config: { access: CODE_ACCESS, audit: auditAs('QRCODE_UPDATED') },
      schema: { hide: true, params, body: SelectedChangeForm },
    },
    async (request, reply) => {
      const { body: fields } = request;
      const { timeZone } = requireAuthenticatedUser(request);
      const ids = parseSelectedIds(fields.ids);
      const designed = await listSelectedDesigns(services.database, request.params.accountId, ids);
      const { change, errors } = parseSelectedChange(fields, {
        timeZone,
        now: new Date(),
        brandColor: services.brand.color,
        designs: new Map(designed.map(({ id, pageDesign }) => [id, pageDesign])),
      });
      if (change === null) return sendChangePage(request, reply, ids, { fields, errors, status: 400 });
      const path = getCodesPath(services, request.params);
      try {
        const result = await changeCodes(services, request, reply, { ids, change });
        return reply.redirect(formatSelectionResult(path, 'change', result), 303);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendChangePage(request, reply, ids, { fields, status, refusal: text });
      }
    },
  );

  async function sendChangePage(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    reply: FastifyReply,
    ids: readonly string[],
    { fields = {}, status = 200, errors = [], refusal }: Partial<Refused> = {},
  ): Promise<FastifyReply> {
    const { accountId } = request.params;
    const designed = await listSelectedDesigns(services.database, accountId, ids);
    const locale = chooseOwnerPageLocale(request);
    const path = getCodesPath(services, request.params);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.codes.change.title', { count: ids.length }),
      entry: 'codes',
      isNarrow: true,
      status,
      body: renderSelectedChange({
        path,
        action: `${path}/selected/change`,
        target: { ids: ids.join(',') },
        fields,
        errors,
        refusal,
        brandColor: services.brand.color,
        folders: await readFolders(services, accountId, requireAccount(request).folderIds),
        // One cannot be like itself.
        designed: ids.length > 1 ? designed : [],
        offer: await renderDesignOffer(services, request, locale),
        token: getPermittedFormToken(services, request, reply),
        locale,
      }),
    });
  }
};
