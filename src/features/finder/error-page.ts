import type { FastifyReply, FastifyRequest } from 'fastify';
import { logProblem, tellWait, toServiceError } from '../../platform/http/problem.ts';
import type { ServiceError } from '../../shared/errors.ts';
import type { Language } from '../../shared/languages/language.ts';
import { isClosed, sendClosed } from './closed-page.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { sendMessage } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';

/** Sends whatever was thrown as a page for people, with the status and Retry-After that it has elsewhere. */
export async function sendErrorPage(
  services: Pick<FinderServices, 'database' | 'vault' | 'publicBaseUrl'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  codeId: string | null,
) {
  const problem = toServiceError(error);
  logProblem(request, problem);
  tellWait(reply, problem);
  const language = pageLanguage(request);
  if (codeId !== null && isClosed(problem)) return sendClosed(services, reply, problem, codeId, language);
  const words = wordsFor(problem, language);
  // The code's own page, which any of its pages can be read at in another language.
  const address = codeId && codePath(services, codeId);
  return sendMessage(reply, { status: problem.statusCode, language, address, ...words });
}

function wordsFor({ code, statusCode }: ServiceError, { finder }: Language): { title: string; text: string } {
  if (code === 'NOT_FOUND') return { title: finder.unknownTitle, text: finder.unknownText };
  if (code === 'CODE_UNCLAIMED') return { title: finder.unclaimedTitle, text: finder.unclaimedText };
  if (code === 'RATE_LIMITED') return { title: finder.limitedTitle, text: finder.limitedText };
  if (statusCode < 500) return { title: finder.refusedTitle, text: finder.refusedText };
  return { title: finder.failedTitle, text: finder.failedText };
}
