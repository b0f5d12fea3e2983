import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { sendLocalizedHtmlPage } from '../../../platform/pages/page-frame.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getOwnQrCode, LOST_ITEM_REPORT, readOwnQrCode } from '../../codes/index.ts';
import { listPictures } from '../../files/index.ts';
import { createReviewPage } from '../../finder/index.ts';
import { addFirstStep } from '../../identity/index.ts';
import { CODE_ACCESS, CODE_FORM_ACCESS, CodeParams } from '../codes/code-actions.ts';
import { canPractice, getCodePath, getCodeTabTitle } from '../codes/code-parts.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { createPracticePage, createSampleReport, parsePracticeStep } from './practice-page.ts';

const StepQuery = Type.Object({ step: Type.Optional(Type.String()) });

/**
 * Lost, a message, found: shown with samples to the owner alone. Nothing is stored but that somebody has practiced, so that
 * nothing can be sent, counted or seen by a finder.
 */
export const practicePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/codes/:id/practice',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, querystring: StepQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const code = await getPracticeCode(request);
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.practice.title'),
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        body: createPracticePage({
          code,
          path: getCodePath(services, request.params),
          step: parsePracticeStep(request.query.step),
          token: getPermittedFormToken(services, request, reply),
          timeZone: requireAuthenticatedUser(request).timeZone,
          locale,
        }),
      });
    },
  );

  app.get(
    '/:accountId/codes/:id/practice/page',
    {
      config: { access: CODE_FORM_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, querystring: StepQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      await getPracticeCode(request);
      const code = await readOwnQrCode(
        database,
        getRequestContext(request),
        request.params,
        async (row, tx) => ({
          ...row,
          pictures: await listPictures(tx, row.accountId, { qrCodeId: row.id }),
        }),
      );
      const isLost = parsePracticeStep(request.query.step) === 'lost';
      const report = isLost ? createSampleReport(code, locale) : null;
      const sample = {
        ...code,
        status: isLost ? 'LOST' : 'ACTIVE',
        lostDetails: LOST_ITEM_REPORT.encrypt(fieldCipher, code, report),
      };
      const pictures = `${getCodePath(services, request.params)}/pictures`;
      return sendLocalizedHtmlPage(reply, await createReviewPage(services, sample, pictures, locale));
    },
  );

  app.post(
    '/:accountId/codes/:id/practice',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') },
      schema: { hide: true, params: CodeParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      await getPracticeCode(request);
      await addFirstStep(database.client, requireAuthenticatedUser(request).id, 'PRACTICED');
      return reply.redirect(getAccountPath(services, request.params.accountId), 303);
    },
  );

  /** @throws NOT_FOUND for one that cannot be lost, or is */
  async function getPracticeCode({ params }: FastifyRequest<{ Params: Static<typeof CodeParams> }>) {
    const code = await getOwnQrCode(database.client, params);
    if (!canPractice(code)) throw new ServiceError('NOT_FOUND');
    return code;
  }
};
