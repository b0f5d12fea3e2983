import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { AcceptLanguageHeader } from '../../shared/common.schemas.ts';
import {
  findNewQrCodeErrors,
  NewQrCode,
  parseFieldVisibilities,
  parseNewQrCode,
  resolveFieldVisibilities,
  toPageDesign,
} from '../codes/index.ts';
import type { FinderServices } from './finder-services.ts';
import { createUnsavedCode, createUnsavedPage } from './unsaved-page.ts';

const { kind, title, data, visibility, visibilityPreset, pin, contactable, pageDesign } =
  NewQrCode.properties;

const DraftPageRequest = Type.Object({
  kind,
  title: Type.Optional(title),
  data,
  visibility,
  visibilityPreset,
  pin,
  contactable,
  pageDesign,
});

const PAGE_RESPONSE = {
  description: 'The page with its style.',
  content: { 'text/html': { schema: { type: 'string' } } },
};

/** The service's own addresses are none that a code may lead to. */
export type DraftPageServices = FinderServices & { frontendUrl: string };

/** The page of a code before it is created, for programs that show it while somebody types. */
export const draftPageRoutes: FastifyPluginAsyncTypebox<DraftPageServices> = async (app, services) => {
  app.post(
    '/preview',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: skipAudit('QRCODE'),
        findUseCaseErrors: (body) => findNewQrCodeErrors(services, body),
      },
      schema: {
        operationId: 'qrcodes.previewDraft',
        tags: ['QR codes'],
        summary: 'Preview the page of a code without storing it',
        description:
          'Checks the body as POST /api/qrcodes does, and returns the page that finders would see as HTML. Show it by `srcdoc` in a frame with `sandbox`, where no script runs and no form is sent. `pin` may be any; with one, the page asks for it. A page design is shown whatever the package includes.',
        headers: AcceptLanguageHeader,
        body: DraftPageRequest,
        response: { 200: PAGE_RESPONSE },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { kind, input } = parseNewQrCode(services, request.body);
      const code = {
        ...createUnsavedCode(kind.kind, accountId, input.visibility),
        title: input.title,
        // Never compared: its presence alone is shown.
        pinHash: input.hasPin ? '' : null,
        contactable: request.body.contactable ?? true,
        pageDesign: { ...toPageDesign(input.pageDesign) },
      };
      const draft = {
        code,
        data: input.data,
        visibility: resolveFieldVisibilities(kind, parseFieldVisibilities(input.visibility), input.hasPin),
      };
      return sendLocalizedHtmlPage(
        reply,
        await createUnsavedPage(services, draft, choosePageLocale(request)),
      );
    },
  );
};
