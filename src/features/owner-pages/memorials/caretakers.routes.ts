import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  addOwnCaretaker,
  CARETAKER_EMAIL,
  leaveMemoryTag,
  listCaretakers,
  removeCaretaker,
} from '../../memory-tags/index.ts';
import { renderField, renderForm } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  DoneQuery,
  describeRefusal,
  getMemorialPath,
  getMemorialsPath,
  MEMORIAL_ACCESS,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  type MemorialRequest,
  type Refused,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

/** Who helps with a memorial; only its owner sees and changes that. */
export const caretakerPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/memorials/:id/caretakers',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: DoneQuery },
    },
    async (request, reply) => sendCaretakersPage(request, reply),
  );

  app.post(
    '/:accountId/memorials/:id/caretakers',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_CARETAKER_ADDED') },
      schema: {
        hide: true,
        params: MemorialParams,
        body: Type.Object({ email: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { email = '' } = request.body;
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const caretaker = { memoryTagId: request.params.id, email };
      try {
        await addOwnCaretaker(services, context, user, caretaker);
      } catch (error) {
        return sendCaretakersPage(request, reply, describeRefusal(error, request, reply), email);
      }
      return reply.redirect(`${getMemorialPath(services, request.params)}/caretakers?done=saved`, 303);
    },
  );

  app.post(
    '/:accountId/memorials/:id/caretakers/:caretakerId/remove',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_CARETAKER_REMOVED') },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'id', 'caretakerId'),
        body: Type.Object({}),
      },
    },
    async (request, reply) => {
      const { accountId, id: memoryTagId, caretakerId } = request.params;
      await removeCaretaker(database, getRequestContext(request), { memoryTagId, caretakerId, accountId });
      return reply.redirect(`${getMemorialPath(services, request.params)}/caretakers?done=saved`, 303);
    },
  );

  app.post(
    '/:accountId/memorials/:id/leave',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_CARETAKER_LEFT') },
      schema: { hide: true, params: MemorialParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId: userId, id: memoryTagId } = request.params;
      await leaveMemoryTag(database, getRequestContext(request), { memoryTagId, userId });
      return reply.redirect(`${getMemorialsPath(services, request.params)}?done=left`, 303);
    },
  );

  async function sendCaretakersPage(
    request: MemorialRequest,
    reply: FastifyReply,
    refused: Refused = {},
    email = '',
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const memorial = await requireMemorial(services, request);
    if (memorial.role !== 'OWNER') throw new ServiceError('FORBIDDEN');
    const path = `${getMemorialPath(services, request.params)}/caretakers`;
    const token = getPermittedFormToken(services, request, reply);
    const rows = await listCaretakers(database.client, memorial.row);
    const items = rows.map(
      (row) =>
        html`<li><div><p><bdi>${CARETAKER_EMAIL.decrypt(fieldCipher, row)}</bdi></p></div>${renderForm({
          action: `${path}/${row.id}/remove`,
          token,
          submit: t(locale, 'app.settings.devices.remove'),
          kind: 'plain',
        })}</li>
`,
    );
    const errors = (refused.errors ?? []).map((error) =>
      error.code === 'BAD_FORMAT' ? { ...error, code: 'BAD_EMAIL' } : error,
    );
    const isOwn = errors.some(({ code }) => code === 'NOT_ALLOWED');
    const field = renderField(
      {
        name: 'email',
        label: t(locale, 'signIn.email'),
        type: 'email',
        autocomplete: 'off',
        isRequired: true,
        value: email,
        error: isOwn ? t(locale, 'app.documents.error.ownAddress') : undefined,
      },
      errors,
      locale,
    );
    return sendMemorialPage(services, request, reply, {
      tab: 'caretakers',
      memorial,
      refused: { ...refused, errors },
      body: html`<p>${t(locale, 'app.memorials.caretakersText')}</p>
${items.length > 0 && html`<ul class="cards rows">${items}</ul>`}<div class="narrow">${renderForm({ action: path, token, submit: t(locale, 'app.memorials.invite'), fields: field })}</div>`,
    });
  }
};
