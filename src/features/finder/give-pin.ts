import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { findOpenCode } from '../scans/scanned-code.ts';
import { unlockScan } from '../scans/unlock-scan.ts';
import type { FinderServices } from './finder-services.ts';
import { ENGLISH, sayCount } from './language.ts';
import { type Answer, sendVisitPage } from './send-visit.ts';
import { showWithoutScan } from './visit.ts';

const PIN = /^[0-9]{4,12}$/;

/**
 * Answers a PIN that came from the form of a visit: the page with what is behind it, or the page as before with what
 * was wrong (400, 403, 429). What everybody may see is there in any case.
 */
export async function givePin(
  services: FinderServices,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: { codeId: string; scanId: string; pin: string },
): Promise<FastifyReply> {
  const { codeId, scanId } = visit;
  const pin = visit.pin.replace(/\s/g, '');
  try {
    if (!PIN.test(pin)) return await complain({ status: 400, complaint: ENGLISH.sentences.pinShape });
    const code = await findOpenCode(services.database.client, codeId);
    const shown = await unlockScan(services, request, scanId, code, pin);
    return sendVisitPage(services, reply, { code, scanId, ...shown }, { status: 200, complaint: null });
  } catch (error) {
    const answer = answerFor(error);
    if (!answer) throw error;
    if (error instanceof ServiceError && error.retryAfterSeconds) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    return complain(answer);
  }

  async function complain(answer: Answer): Promise<FastifyReply> {
    const shown = await showWithoutScan(services, request, codeId);
    return sendVisitPage(services, reply, { ...shown, scanId }, answer);
  }
}

/** What to say of a PIN that was refused; null for any other error. */
function answerFor(error: unknown): Answer | null {
  if (!(error instanceof ServiceError)) return null;
  const { sentences } = ENGLISH;
  if (error.code === 'PIN_INCORRECT') {
    const tries = sayCount(ENGLISH, sentences.pinTries, Number(error.members.attemptsLeft));
    return { status: 403, complaint: `${sentences.pinWrong} ${tries}` };
  }
  if (error.code !== 'RATE_LIMITED') return null;
  const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
  return { status: 429, complaint: sayCount(ENGLISH, sentences.pinWait, minutes) };
}
