import type { FastifyReply } from 'fastify';
import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/database.ts';
import { FILLED_LINE } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { type Language, say, sayWait } from '../../shared/languages/language.ts';
import { normaliseEmail } from '../accounts/email.rules.ts';
import { contactsIn } from '../conversations/contacts.rules.ts';
import type { Origin } from '../conversations/conversation-origin.ts';
import { LONGEST_MESSAGE } from '../conversations/conversations.schemas.ts';
import { PRESETS, type Preset } from '../conversations/presets.rules.ts';
import { contentOf } from '../conversations/write-message.ts';
import { findQrCode } from '../qrcodes/qrcode.repository.ts';
import { findScan } from '../scans/scan.repository.ts';
import { beginConversation } from './begin-conversation.ts';
import type { CookieScope } from './cookie.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import { ANSWER, sendPage } from './page-frame.ts';
import { showVisit } from './record-visit.ts';
import { wayTo } from './sections/way-to.ts';
import type { Typed } from './sections/write-form.ts';
import { sendUnsent } from './send-unsent.ts';

/** The fields of the form, as they come. */
export interface MessageFields {
  message?: string;
  preset?: string;
  name?: string;
  email?: string;
  /** Where a robot writes, and no person sees. */
  website?: string;
  confirmed?: string;
}

/** What a form was opened for, and how many seconds ago. */
interface Opened {
  codeId: string;
  visit: FormVisit;
  age: number;
}

/** Nobody reads the page and writes in less, in seconds. */
const FASTEST = 2;

const NAME = new RegExp(FILLED_LINE, 'u');

/**
 * Takes a first message from the form of a visit, once however often it is sent: a page that says so, with the way to the
 * conversation; or the page as before with what was typed and what is wrong or asked (400, 403, 409, 429).
 */
export async function takeMessage(
  services: FinderServices,
  caller: Caller,
  reply: FastifyReply,
  { codeId, visit, age }: Opened,
  fields: MessageFields,
  scope: CookieScope,
  language: Language,
): Promise<FastifyReply> {
  const { database } = services;
  const { conversation } = language;
  const typed = typedOf(fields);
  // A robot is told what a person is.
  if (fields.website) return sent(null);
  const email = typed.email === '' ? null : normaliseEmail(typed.email);
  const wrong = typed.email !== '' && email === null ? conversation.emailShape : faultOf(typed, language);
  if (wrong) return again(400, wrong);
  const isConfirmed = fields.confirmed === 'yes';
  if (age < FASTEST) return again(403, conversation.tooFast, isConfirmed);
  const asked = isConfirmed ? null : questionOf(typed.message, language);
  if (asked) return again(200, asked, true);
  try {
    const content = contentOf(typed);
    const origin = await originOf(database.client, codeId, visit);
    const name = NAME.test(typed.name) ? typed.name : null;
    return sent(await beginConversation(services, caller, reply, origin, { content, name, email }, scope));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'RATE_LIMITED') {
      reply.header('Retry-After', retryAfterSeconds ?? 60);
      return again(429, `${conversation.tooMany} ${sayWait(language, retryAfterSeconds ?? 60)}`);
    }
    if (code === 'CONVERSATION_ENDED') return again(statusCode, conversation.ended);
    if (code === 'NOT_CONTACTABLE') return again(statusCode, conversation.notTaken);
    if (code === 'CONFLICT') return again(statusCode, conversation.notSent);
    throw error;
  }

  function sent(link: string | null): FastifyReply {
    return sendPage(reply, {
      ...{ status: 200, language, address: null, title: conversation.sentTitle },
      body: html`<div${ANSWER}><h1>${conversation.sentTitle}</h1>${link === null ? html`\n<p>${conversation.sentText}</p>` : wayTo(link, email !== null, language)}</div>`,
    });
  }

  async function again(status: number, complaint: string, asksToConfirm = false): Promise<FastifyReply> {
    const same = { codeId, visit, show: () => showVisit(services, caller, codeId, visit) };
    const write = { complaint, typed, asksToConfirm };
    return sendUnsent(services, reply, same, language, { status, write });
  }
}

/** What a conversation is begun from by the form of a visit. Throws NOT_FOUND for a code that is gone. */
async function originOf(db: Db, codeId: string, visit: FormVisit): Promise<Origin> {
  const scan = visit.isScan ? await findScan(db, visit.id) : null;
  const qrCode = visit.isScan ? scan?.qrCode : await findQrCode(db, codeId);
  if (!qrCode || qrCode.id !== codeId || qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  return { ...visit, qrCode };
}

/** What was typed, in Unicode's composed form and without blanks around it. */
export function typedOf({ message = '', preset = '', name = '', email = '' }: MessageFields): Typed {
  const known = PRESETS.find((one): one is Preset => one === preset) ?? null;
  return {
    message: message.normalize('NFC').trim(),
    preset: known,
    name: name.normalize('NFC').trim().slice(0, 80),
    email: email.trim(),
  };
}

/** What is wrong with a message; null where nothing is. */
export function faultOf(
  { message, preset }: Pick<Typed, 'message' | 'preset'>,
  { conversation, tag }: Language,
): string | null {
  if (message === '' && preset === null) return conversation.empty;
  const count = new Intl.NumberFormat(tag).format(LONGEST_MESSAGE);
  return [...message].length > LONGEST_MESSAGE ? say(conversation.tooLong, { count }) : null;
}

/** What a message shows of its sender, as a question; null where it shows nothing. */
export function questionOf(message: string, { conversation }: Language): string | null {
  const [first, second] = contactsIn(message);
  if (!first) return null;
  const shows = second
    ? conversation.showsBoth
    : first === 'EMAIL'
      ? conversation.showsEmail
      : conversation.showsPhone;
  return `${shows} ${conversation.showsAsk}`;
}
