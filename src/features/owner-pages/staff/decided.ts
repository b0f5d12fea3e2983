import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { renderNote } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';

/** What was decided before a page is shown, by its name in the address. */
const DONE_MESSAGES = {
  'taken-down': 'app.staff.done.takenDown',
  dismissed: 'app.staff.done.dismissed',
  reinstated: 'app.staff.done.reinstated',
  rejected: 'app.staff.done.rejected',
  'conversation-dismissed': 'app.staff.done.conversationDismissed',
  'conversation-closed': 'app.staff.done.conversationClosed',
  'finder-blocked': 'app.staff.done.finderBlocked',
} as const satisfies Record<string, MessageKey>;

export type DecisionName = keyof typeof DONE_MESSAGES;

/** Lead from a decision to the next case that waits, or to the list where there is none. @param path of the list */
export function redirectToNextCase(
  reply: FastifyReply,
  path: string,
  { done, id, nextId }: { done: DecisionName; id: string; nextId: string | undefined },
): FastifyReply {
  const address = nextId === undefined ? path : `${path}/${nextId}`;
  return reply.redirect(formatListPath(address, { done, of: id }), 303);
}

/** Render what was decided before, with the way back to that case. @param path of the list */
export function renderDecided(
  path: string,
  { query }: Pick<FastifyRequest, 'query'>,
  locale: Locale,
): Html | null {
  const { done, of: id }: { done?: unknown; of?: unknown } = Object(query);
  if (!isKeyOf(DONE_MESSAGES, done)) return null;
  const back = isId(id) && html` <a href="${path}/${id}">${t(locale, 'app.staff.done.again')}</a>`;
  return renderNote(html`${t(locale, DONE_MESSAGES[done])}${back}`);
}
