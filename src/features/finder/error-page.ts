import type { FastifyReply, FastifyRequest } from 'fastify';
import { logProblem, tellWait, toServiceError } from '../../platform/http/problem.ts';
import type { ServiceError } from '../../shared/errors.ts';
import { ENGLISH } from './language.ts';
import { sendMessage } from './page-frame.ts';

/** Sends whatever was thrown as a page for people, with the status and Retry-After that it has elsewhere. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toServiceError(error);
  logProblem(request, problem);
  tellWait(reply, problem);
  return sendMessage(reply, { status: problem.statusCode, ...wordsFor(problem) });
}

function wordsFor({ code, statusCode }: ServiceError): { title: string; text: string } {
  const { sentences } = ENGLISH;
  if (code === 'NOT_FOUND') return { title: sentences.unknownTitle, text: sentences.unknownText };
  if (code === 'CODE_PAUSED') return { title: sentences.pausedTitle, text: sentences.pausedText };
  if (code === 'CODE_EXPIRED') return { title: sentences.expiredTitle, text: sentences.expiredText };
  if (code === 'RATE_LIMITED') return { title: sentences.limitedTitle, text: sentences.limitedText };
  if (statusCode < 500) return { title: sentences.refusedTitle, text: sentences.refusedText };
  return { title: sentences.failedTitle, text: sentences.failedText };
}
