import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { checkBulkChange, listSelectedDesigns, patchQrCodes } from '../../codes/index.ts';
import { renderDesignOffer } from '../design/design-offer.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { CODE_ACCESS } from './code-actions.ts';
import { getCodesPath } from './code-parts.ts';
import { parseSelectedIds } from './code-selection.ts';
import { parseSelectedChange, SelectedChangeForm } from './selected-change.rules.ts';
import { renderSelectedChange } from './selected-change-page.ts';
import { formatSelectionResult, type SelectionResult, toLeftOutReason } from './selection-result.ts';

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
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') },
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
        const result = await changeCodes(request, reply, ids, change);
        return reply.redirect(formatSelectionResult(path, 'change', result), 303);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendChangePage(request, reply, ids, { fields, status, refusal: text });
      }
    },
  );

  async function changeCodes(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    reply: FastifyReply,
    ids: readonly string[],
    change: object,
  ): Promise<SelectionResult> {
    if (ids.length === 0) return { count: 0, leftOut: [] };
    const { data, counts } = await patchQrCodes(
      services,
      getRequestContext(request),
      request.params.accountId,
      {
        items: ids.map((id) => ({ id, ...change })),
        check: checkBulkChange,
        isMergePatch: false,
        disconnect: createDisconnectSignal(reply),
      },
    );
    const leftOut = data.flatMap(({ outcome, error }) => {
      if (outcome === 'UNCHANGED') return 'unchanged' as const;
      if (!error) return [];
      const reason = toLeftOutReason(error);
      return reason === 'plan' && 'pageDesign' in change ? ('included' as const) : reason;
    });
    return { count: counts.updated, leftOut };
  }

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
        ids,
        fields,
        errors,
        refusal,
        brandColor: services.brand.color,
        designed,
        offer: await renderDesignOffer(services, accountId, locale),
        token: getFormToken(services, request, reply),
        locale,
      }),
    });
  }
};
