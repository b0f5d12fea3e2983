import { type Static, Type } from 'typebox';
import {
  allowByCookie,
  allowLimitedMembers,
  allowUsersWithProfile,
  allowWriters,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { Html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { renderNote, renderUndoBar } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getCodePath, getCodesPath, getDeletedCodesPath } from './code-parts.ts';

/** As the operations of the API. */
export const CODE_ACCESS = allowByCookie(allowUsersWithProfile('qrcodes:own'));
/** Of pages that are one form. */
export const CODE_FORM_ACCESS = allowWriters(CODE_ACCESS);
export const CODE_SCANS_ACCESS = allowLimitedMembers(
  allowByCookie(allowUsersWithProfile('scans:own')),
  'CODE',
);
/** Of one code, the `id` of the path: for members who are limited to its folder, too. */
export const ONE_CODE_ACCESS = allowLimitedMembers(CODE_ACCESS, 'CODE');
export const ONE_CODE_FORM_ACCESS = allowLimitedMembers(CODE_FORM_ACCESS, 'CODE');

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
  'web-push': 'app.webPush.done',
  'document-offered': 'app.documents.done.offered',
} as const satisfies Record<string, MessageKey>;

export type CodeActionName = keyof typeof DONE_MESSAGES;

/** `id` is that of the code, where the page is not its own. */
export const DoneQuery = Type.Object({
  done: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
});

export function translateDone(locale: Locale, done: string | undefined): string | null {
  return isKeyOf(DONE_MESSAGES, done) ? t(locale, DONE_MESSAGES[done]) : null;
}

const UNDO_ACTIONS: Readonly<Record<string, string>> = { found: 'undo-found', deleted: 'restore' };

/** Render what was done to a code, with the button that undoes it, above a list of codes. */
export function renderDone(
  codesPath: string,
  { done = '', id }: Static<typeof DoneQuery>,
  { to, token, locale }: { to: 'home' | undefined; token: FormToken; locale: Locale },
): Html | null {
  const text = translateDone(locale, done);
  if (text === null) return null;
  const undo = Object.hasOwn(UNDO_ACTIONS, done) && isId(id) && UNDO_ACTIONS[done];
  if (!undo) return renderNote(text);
  const action = `${codesPath}/${id}/${undo}`;
  return renderUndoBar(text, { action, token, submit: t(locale, 'app.code.undo'), hidden: { to } });
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
  const [place, memorialId] = to?.split(':') ?? [];
  if (place === 'memorial' && isId(memorialId))
    return `${getAccountPath(services, code.accountId)}/memorials/${memorialId}`;
  if (to === 'home') return `${getAccountPath(services, code.accountId)}?done=${done}&id=${code.id}`;
  if (to === 'deleted') return `${getDeletedCodesPath(services, code)}?done=${done}`;
  if (to === 'codes') return `${getCodesPath(services, code)}?done=${done}&id=${code.id}`;
  return `${getCodePath(services, code)}?done=${done}`;
}
