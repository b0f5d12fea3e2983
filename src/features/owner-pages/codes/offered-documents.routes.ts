import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId, isId } from '../../../shared/ids.ts';
import { getOwnQrCode } from '../../codes/index.ts';
import {
  createDocumentShareLink,
  DOCUMENT_LIST_SORTS,
  findActiveDocumentSharesByQrCode,
  listDocumentsWithAudit,
} from '../../documents/index.ts';
import { renderEmptyState, renderForm, renderSelect } from '../components.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CodeParams } from './code-actions.ts';
import { getCodePath, getCodeRights, getCodeTabTitle, renderCodeTabs } from './code-parts.ts';

const MAX_CHOICES = 100;

/** Choose a document for the page of a code of kind DOCUMENT. */
export const offeredDocumentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  const path = '/:accountId/codes/:id/documents';
  const access = allowByCookie(allowUsersWithProfile('documents:own'));

  app.get(
    path,
    {
      config: { access: allowWriters(access), audit: skipAudit('DOCUMENT'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, request.params);
      if (code.kind !== 'DOCUMENT') throw new ServiceError('NOT_FOUND');
      const offered = await findActiveDocumentSharesByQrCode(database.client, code.id);
      const own = await listDocumentsWithAudit(
        database,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        {},
        DOCUMENT_LIST_SORTS['-createdAt'],
        // One more, which is not audited and not shown.
        { skip: 0, take: MAX_CHOICES + 1 },
      );
      const options = own.rows
        .slice(0, MAX_CHOICES)
        .filter(({ id }) => offered.every(({ documentId }) => documentId !== id))
        .map(({ id, title }) => ({ value: id, label: title }));
      const codePath = getCodePath(services, code);
      const label = t(locale, 'app.documents.title');
      const newPath = `${getAccountPath(services, code.accountId)}/documents/new`;
      return sendOwnerPage(services, request, reply, {
        title: code.title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        body: html`${renderCodeTabs(codePath, null, { ...getCodeRights(request, code), locale })}<h2>${t(locale, 'app.code.documents')}</h2>
<p>${t(locale, 'app.code.documentsText')}</p>
${
  options.length > 0
    ? html`<div class="narrow">${renderForm({
        action: `${codePath}/documents`,
        token: getPermittedFormToken(services, request, reply),
        submit: t(locale, 'app.code.offerDocument'),
        hidden: { key: generateId() },
        fields: renderSelect({ name: 'documentId', label, value: options[0]?.value, options }),
      })}</div>`
    : renderEmptyState(
        t(locale, 'app.code.noMoreDocuments'),
        html`<a class="act" href="${newPath}">${t(locale, 'app.documents.add')}</a>`,
      )
}`,
      });
    },
  );

  app.post(
    path,
    {
      config: { access, audit: auditAs('DOCUMENT_SHARED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({
          key: Type.Optional(Type.String()),
          documentId: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { key, documentId } = request.body;
      const { accountId, id: qrCodeId } = request.params;
      if (!isId(documentId)) throw new ServiceError('NOT_FOUND');
      try {
        const context = getFormContext(request, key);
        await createDocumentShareLink(services, context, { id: documentId, accountId }, { qrCodeId });
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : null;
        // Which then says so in place of the way to the choice.
        if (code === 'TOO_MANY_OFFERED_DOCUMENTS')
          return reply.redirect(getCodePath(services, request.params), 303);
        if (code !== 'VALIDATION_FAILED') throw error;
        // A health document needs a passcode and an end in enterprise mode: the page of the document asks for both.
        return reply.redirect(`${getAccountPath(services, accountId)}/documents/${documentId}`, 303);
      }
      return reply.redirect(`${getCodePath(services, request.params)}?done=document-offered`, 303);
    },
  );
};
