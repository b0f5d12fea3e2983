import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  changeSavedView,
  createSavedView,
  deleteSavedView,
  moveSavedView,
  NewSavedView,
  restoreSavedView,
} from '../../codes/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { CODE_ACCESS, CodeParams } from './code-actions.ts';
import { CODE_LIST_PARAMS, parseCodeListFilters } from './code-list-filters.ts';
import { sendCodeListPage } from './code-list-page.ts';
import { getCodesPath } from './code-parts.ts';
import type { SavedViewDone } from './saved-view-parts.ts';
import { toSavedViewQuery } from './saved-views.ts';

const ViewForm = Type.Object({
  ...CODE_LIST_PARAMS,
  name: Type.Optional(Type.String()),
  base: Type.Optional(Type.String()),
});

const NameForm = Type.Object({ name: Type.Optional(Type.String()) });

type AccountRequest = FastifyRequest<{ Params: { accountId: string } }>;

const findViewErrors = createBodyValidator(NewSavedView);

/** Views of the table of codes: saved by a name, changed and deleted. */
export const savedViewPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.post(
    '/:accountId/codes/views',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_CREATED') },
      schema: { hide: true, params: createIdParamsSchema('accountId'), body: ViewForm },
    },
    async (request, reply) => {
      const { body, params } = request;
      const input = { name: body.name?.trim() ?? '', query: toSavedViewQuery(parseCodeListFilters(body)) };
      const errors = findFormErrors(input);
      if (errors.length > 0)
        return sendCodeListPage(services, request, reply, body, { status: 400, name: body.name, errors });
      return refuseOrLead(request, reply, body, async () => {
        const context = getRequestContext(request);
        const { body: view } = await createSavedView(services, context, params.accountId, input);
        return getViewPath(request, view.id, 'view-saved');
      });
    },
  );

  app.post(
    '/:accountId/codes/views/:id/rename',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_UPDATED') },
      schema: { hide: true, params: CodeParams, body: NameForm },
    },
    async (request, reply) => {
      const { body, params } = request;
      const input = { name: body.name?.trim() ?? '' };
      const errors = findFormErrors({ ...input, query: {} });
      if (errors.length > 0) {
        const refused = { status: 400, name: body.name, errors };
        return sendCodeListPage(services, request, reply, { view: params.id }, refused);
      }
      await changeSavedView(services, getRequestContext(request), params, input, undefined);
      return reply.redirect(getViewPath(request, params.id, 'view-changed'), 303);
    },
  );

  app.post(
    '/:accountId/codes/views/:id/filters',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_UPDATED') },
      schema: { hide: true, params: CodeParams, body: Type.Object(CODE_LIST_PARAMS) },
    },
    async (request, reply) => {
      const { body, params } = request;
      const query = toSavedViewQuery(parseCodeListFilters(body));
      const errors = findFormErrors({ name: 'x', query });
      if (errors.length > 0)
        return sendCodeListPage(
          services,
          request,
          reply,
          { ...body, base: params.id },
          { status: 400, errors },
        );
      await changeSavedView(services, getRequestContext(request), params, { query }, undefined);
      return reply.redirect(getViewPath(request, params.id, 'view-changed'), 303);
    },
  );

  app.post(
    '/:accountId/codes/views/:id/move',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_UPDATED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({ direction: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const step = body.direction === 'up' ? -1 : 1;
      await moveSavedView(services, getRequestContext(request), params, step);
      return reply.redirect(getViewPath(request, params.id, 'view-changed'), 303);
    },
  );

  app.post(
    '/:accountId/codes/views/:id/delete',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_DELETED') },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const { params } = request;
      await deleteSavedView(services, getRequestContext(request), params, undefined);
      const done: SavedViewDone = 'view-deleted';
      return reply.redirect(`${getCodesPath(services, params)}?done=${done}&id=${params.id}`, 303);
    },
  );

  app.post(
    '/:accountId/codes/views/:id/restore',
    {
      config: { access: CODE_ACCESS, audit: auditAs('SAVED_VIEW_RESTORED') },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) =>
      refuseOrLead(request, reply, {}, async () => {
        const { params } = request;
        await restoreSavedView(services, getRequestContext(request), params, undefined);
        return getViewPath(request, params.id, 'view-restored');
      }),
  );

  function getViewPath({ params }: AccountRequest, id: string, done: SavedViewDone): string {
    return `${getCodesPath(services, params)}?view=${id}&done=${done}`;
  }

  /** Lead to the page that `act` returns, or show the table with the reason why it was refused. */
  async function refuseOrLead(
    request: AccountRequest,
    reply: FastifyReply,
    query: Static<typeof ViewForm>,
    act: () => Promise<string>,
  ): Promise<FastifyReply> {
    let path: string;
    try {
      path = await act();
    } catch (error) {
      const locale = chooseOwnerPageLocale(request);
      const { status, text } = translateRefusal(error, reply, locale, {
        TOO_MANY_SAVED_VIEWS: t(locale, 'app.views.tooMany'),
      });
      return sendCodeListPage(services, request, reply, query, { status, name: query.name, refusal: text });
    }
    return reply.redirect(path, 303);
  }
};

/** Find errors of a view; those of its filters stand at the search. */
function findFormErrors(input: { name: string; query: object }): FieldError[] {
  if (input.name === '') return [{ field: 'name', code: 'REQUIRED', message: '' }];
  return findViewErrors({ ...input }).map((error) =>
    error.field === 'name' ? error : { ...error, field: 'search' },
  );
}
