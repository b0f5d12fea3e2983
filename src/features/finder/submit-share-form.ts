import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { getBasePath } from '../../shared/base-path.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { accessDocumentShare, requireActiveDocumentShare, type SharedDocument } from '../documents/index.ts';
import { getDocumentSharePath, serializeShareLinkCookie } from './cookies.ts';
import type { FinderServices } from './finder-services.ts';
import { verifyShareFormToken } from './form-token.ts';
import { getOfferedDocumentShare } from './offered-documents.ts';
import { findShareErrorMessage, sendDocumentDownloadPage, sendDocumentSharePage } from './share-page.ts';

/** A repeat within five minutes counts one access. @throws NOT_FOUND, SHARE_EXPIRED, SHARE_USED_UP */
export async function submitShareForm(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  share: SharedDocument,
  form: { visit?: string; passcode?: string },
  locale: Locale,
): Promise<FastifyReply> {
  const staleFormError = { status: 403, errorMessage: t(locale, 'sharePage.pageExpired') };
  const formId = verifyShareFormToken(services.fieldCipher, share.id, form.visit);
  if (!formId)
    return sendDocumentSharePage(
      services,
      reply,
      requireActiveDocumentShare(services, share),
      locale,
      staleFormError,
    );
  try {
    const idempotentContext = { ...context, idempotencyKey: formId };
    const access = await accessDocumentShare(services, idempotentContext, share, form.passcode ?? null);
    if (access.expiresIn > 0) return sendContent(services, reply, share, access.contentPath, locale);
    return sendDocumentSharePage(
      services,
      reply,
      requireActiveDocumentShare(services, share),
      locale,
      staleFormError,
    );
  } catch (error) {
    const errorMessage = error instanceof ServiceError ? findShareErrorMessage(error, locale) : null;
    if (errorMessage === null || !(error instanceof ServiceError)) throw error;
    if (error.retryAfterSeconds) reply.header('Retry-After', error.retryAfterSeconds);
    return sendDocumentSharePage(services, reply, share, locale, {
      status: error.statusCode,
      errorMessage,
    });
  }
}

/**
 * Redirect to the share page if a passcode is needed or the document was opened earlier.
 * @throws NOT_FOUND, SHARE_EXPIRED, SHARE_USED_UP, CODE_PAUSED, CODE_EXPIRED
 */
export async function openOfferedDocument(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  offer: { codeId: string; scanId: string; shareId: string },
  locale: Locale,
): Promise<FastifyReply> {
  const { code, share } = await getOfferedDocumentShare(services, offer);
  if (share.passcodeHash === null) {
    const idempotentContext = { ...context, idempotencyKey: `${offer.scanId}${share.id}` };
    const access = await accessDocumentShare(services, idempotentContext, share, null);
    if (access.expiresIn > 0) return sendContent(services, reply, share, access.contentPath, locale);
  }
  const origin = { by: 'code', codeId: code.id, version: code.version } as const;
  return reply
    .header(
      'Set-Cookie',
      serializeShareLinkCookie(services, requireActiveDocumentShare(services, share).id, origin),
    )
    .header('Cache-Control', 'no-store')
    .redirect(`${getDocumentSharePath(services, share.id)}?lang=${locale.tag}`, 303);
}

/** The browser shows pictures; other files are downloads and need a page. */
function sendContent(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  reply: FastifyReply,
  { contentType }: Pick<SharedDocument, 'contentType'>,
  contentPath: string,
  locale: Locale,
): FastifyReply {
  const address = `${getBasePath(services.publicBaseUrl)}${contentPath}`;
  if (!contentType.startsWith('image/')) return sendDocumentDownloadPage(reply, address, locale);
  return reply.header('Cache-Control', 'no-store').redirect(`${address}?inline=true`, 303);
}
