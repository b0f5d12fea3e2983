import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { canReadHealthData } from '../../../platform/health-data.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  deleteOwnPrintSheet,
  drawCalibrationSheet,
  findPrintSheetCodes,
  getLabelFailure,
  getLeftOut,
  getOwnPrintSheet,
  listPrintSheets,
  PRINT_SHEET_QUEUE,
  requestPrintSheet,
  sendPrintSheet,
} from '../../codes/index.ts';
import { CODE_ACCESS, CodeParams } from '../codes/code-actions.ts';
import { getCodePath, renderLocalNote } from '../codes/code-parts.ts';
import { renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { getFormGrid, PrintFormFields, parsePrintForm } from './print-form.ts';
import { getSheetState, renderLabelFailure, renderPrintPage, renderSheet } from './print-sheets-page.ts';

const LISTED_SHEETS = 3;

const AccountParams = createIdParamsSchema('accountId');

/** Labels for many codes: the form, the progress and the PDF. */
export const printSheetPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = ({ accountId }: { accountId: string }) => `${getAccountPath(services, accountId)}/print`;

  app.get(
    '/:accountId/print',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params: AccountParams, querystring: PrintFormFields },
    },
    async (request, reply) => sendPrintPage(request, reply, request.query),
  );

  app.post(
    '/:accountId/print',
    {
      config: { access: CODE_ACCESS, audit: auditAs('PRINT_SHEET_REQUESTED'), rateLimitClass: 'upload' },
      schema: { hide: true, params: AccountParams, body: PrintFormFields },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { body, errors } = parsePrintForm(request.body, user);
      if (errors.length > 0) return sendPrintPage(request, reply.code(400), request.body);
      try {
        const created = await requestPrintSheet(services, getRequestContext(request), user, body);
        services.jobs.wake(PRINT_SHEET_QUEUE);
        return reply.redirect(`${getPath(request.params)}/${created.body.id}`, 303);
      } catch (error) {
        // The page says why nothing can be printed.
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
          return sendPrintPage(request, reply.code(error.statusCode), request.body);
        const locale = chooseOwnerPageLocale(request);
        const { status, text } = translateRefusal(error, reply, locale, {
          TOO_MANY_PRINT_SHEETS: t(locale, 'app.sheets.limit'),
        });
        return sendPrintPage(request, reply, request.body, { status, text });
      }
    },
  );

  app.get(
    '/:accountId/print/calibration',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'upload' },
      schema: { hide: true, params: AccountParams, querystring: PrintFormFields },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const form = parsePrintForm(request.query, user);
      if (form.errors.length > 0) return sendPrintPage(request, reply.code(400), request.query);
      const { offset = { x: 0, y: 0 } } = form.body;
      const pdf = await drawCalibrationSheet({ grid: getFormGrid(form), offset, language: user.language });
      return reply
        .type('application/pdf')
        .header('Content-Disposition', 'attachment; filename="calibration.pdf"')
        .header('Cache-Control', 'no-store')
        .send(pdf);
    },
  );

  app.get(
    '/:accountId/print/:id',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { accountId } = request.params;
      const sheet = await getOwnPrintSheet(database, request.params);
      const failure = getLabelFailure(sheet);
      const page = {
        locale,
        path: getPath(request.params),
        token: getPermittedFormToken(services, request, reply),
        user: requireAuthenticatedUser(request),
      };
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.sheets.title'),
        entry: 'codes',
        body: renderSheet(page, sheet, {
          leftOut: getLeftOut(sheet).length,
          canDownload: canReadHealthData(getRequestContext(request)),
          failure:
            failure &&
            renderLabelFailure(failure, getCodePath(services, { accountId, id: failure.qrCodeId }), locale),
        }),
      });
    },
  );

  app.get(
    '/:accountId/print/:id/updates',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const sheet = await getOwnPrintSheet(database, request.params);
      return reply.type('text/plain').header('Cache-Control', 'no-store').send(getSheetState(sheet));
    },
  );

  app.get(
    '/:accountId/print/:id/content',
    {
      config: { access: CODE_ACCESS, audit: auditAs('PRINT_SHEET_DOWNLOADED'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => sendPrintSheet(services, request, reply, request.params),
  );

  app.post(
    '/:accountId/print/:id/delete',
    {
      config: { access: CODE_ACCESS, audit: auditAs('PRINT_SHEET_DELETED') },
      schema: { hide: true, params: CodeParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      await deleteOwnPrintSheet(services, getRequestContext(request), request.params);
      return reply.redirect(`${getPath(request.params)}?done=deleted`, 303);
    },
  );

  async function sendPrintPage(
    request: FastifyRequest,
    reply: FastifyReply,
    fields: Static<typeof PrintFormFields>,
    refused?: { status: number; text: string },
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    const form = parsePrintForm(fields, user);
    const { id: accountId } = requireAccount(request);
    const { rows } = await listPrintSheets(database.forAccount(accountId).client, accountId, {
      skip: 0,
      take: LISTED_SHEETS,
    });
    const body = renderPrintPage({
      locale,
      path: getPath({ accountId: requireAccount(request).id }),
      token: getPermittedFormToken(services, request, reply),
      user,
      publicBaseUrl: services.publicBaseUrl,
      form,
      codes: await countCodes(request, form),
      sheets: rows,
    });
    const note = fields.done === 'deleted' ? renderNote(t(locale, 'app.sheets.deleted')) : null;
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.sheets.title'),
      status: refused?.status ?? reply.statusCode,
      entry: 'codes',
      body: html`${refused ? renderNote(refused.text, 'wrong') : note}${renderLocalNote(services, locale)}${body}`,
    });
  }

  /** Count the codes that a form means, or say why they cannot be printed. */
  async function countCodes(
    request: FastifyRequest,
    form: ReturnType<typeof parsePrintForm>,
  ): Promise<number | { problem: string }> {
    const locale = chooseOwnerPageLocale(request);
    try {
      const { ids, filter } = form.body;
      return (
        await findPrintSheetCodes(services, requireAuthenticatedUser(request), {
          ...(ids && { ids }),
          ...(filter && { filter }),
        })
      ).length;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') throw error;
      const isTooMany = error.errors?.some(({ code }) => code === 'TOO_MANY');
      return { problem: t(locale, isTooMany ? 'app.sheets.tooMany' : 'app.sheets.none') };
    }
  }
};
