import { Type } from 'typebox';
import { allowByCookie, allowUsersWithProfile } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getCodePath, getCodesPath } from './code-parts.ts';

/** As the operations of the API. */
export const CODE_ACCESS = allowByCookie(allowUsersWithProfile('qrcodes:own'));
export const CODE_SCANS_ACCESS = allowByCookie(allowUsersWithProfile('scans:own'));

export const CodeParams = createIdParamsSchema('accountId', 'id');

/** What was done before a page is shown, by its name in the address. */
const DONE_MESSAGES = {
  lost: 'app.code.done.lost',
  found: 'ownerLink.markedAsFound',
  'undo-found': 'app.code.done.undoneFound',
  pause: 'app.code.done.paused',
  resume: 'app.code.done.resumed',
  deleted: 'app.code.done.deleted',
  restored: 'app.code.done.restored',
} as const satisfies Record<string, MessageKey>;

export type CodeActionName = keyof typeof DONE_MESSAGES;

export const DoneQuery = Type.Object({ done: Type.Optional(Type.String()) });

export function translateDone(locale: Locale, done: string | undefined): string | null {
  const isKnown = (name: string): name is CodeActionName => Object.hasOwn(DONE_MESSAGES, name);
  return done !== undefined && isKnown(done) ? t(locale, DONE_MESSAGES[done]) : null;
}

/** Body of a button; `to` names the page that is shown afterwards, the page of the code by default. */
export const ActionBody = Type.Object({ to: Type.Optional(Type.String()) });

/** Get the address of the page after an action. */
export function getPathAfter(
  services: OwnerPageServices,
  code: { accountId: string; id: string },
  to: string | undefined,
  done: CodeActionName,
): string {
  const path =
    to === 'home'
      ? getAccountPath(services, code.accountId)
      : to === 'codes'
        ? getCodesPath(services, code)
        : getCodePath(services, code);
  return `${path}?done=${done}`;
}
