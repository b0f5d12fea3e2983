import type { FastifyReply, FastifyRequest } from 'fastify';
import { logProblem, tellWait, toServiceError } from '../../platform/http/problem.ts';
import type { ServiceError } from '../../shared/errors.ts';
import type { Language } from '../../shared/languages/language.ts';
import { sendMessage } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';

/** Sends whatever was thrown as a page for people, with the status and Retry-After that it has elsewhere. */
export function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string | null,
) {
  const problem = toServiceError(error);
  logProblem(request, problem);
  tellWait(reply, problem);
  const language = pageLanguage(request);
  const words = wordsFor(problem, language);
  return sendMessage(reply, { status: problem.statusCode, language, address, ...words });
}

function wordsFor({ code, statusCode }: ServiceError, { finder }: Language): { title: string; text: string } {
  if (code === 'NOT_FOUND') return { title: finder.unknownTitle, text: finder.unknownText };
  if (code === 'CODE_PAUSED') return { title: finder.pausedTitle, text: finder.pausedText };
  if (code === 'CODE_EXPIRED') return { title: finder.expiredTitle, text: finder.expiredText };
  if (code === 'RATE_LIMITED') return { title: finder.limitedTitle, text: finder.limitedText };
  if (statusCode < 500) return { title: finder.refusedTitle, text: finder.refusedText };
  return { title: finder.failedTitle, text: finder.failedText };
}
