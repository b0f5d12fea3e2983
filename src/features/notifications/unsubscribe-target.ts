import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { formatMessage, isKnownMessageKey } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findConversation, REPLY_MAIL_KIND } from '../conversations/index.ts';
import { findUser } from '../identity/index.ts';
import { verifyMailUnsubscribeToken } from '../mail/index.ts';
import { REPORT_MAIL_KIND } from '../scans/index.ts';
import { isChannelConfigurable, isConfigurableEvent } from './notification-kinds.rules.ts';
import type { UnsubscribeTarget } from './unsubscribe.use-case.ts';

/** Find the mails that a token unsubscribes from; null for an invalid token or fixed mails. */
export function findUnsubscribeTarget(fieldCipher: FieldCipher, token: string): UnsubscribeTarget | null {
  const subject = verifyMailUnsubscribeToken(fieldCipher, token);
  if (!subject) return null;
  const { subjectId, mailKind } = subject;
  if (mailKind === REPLY_MAIL_KIND) return { conversationId: subjectId };
  if (mailKind === REPORT_MAIL_KIND) return { userId: subjectId, event: mailKind };
  return isConfigurableEvent(mailKind) && isChannelConfigurable(mailKind, 'EMAIL')
    ? { userId: subjectId, event: mailKind }
    : null;
}

/** Translate which mails are meant; empty for a kind without a name. */
export function translateMailKind(target: UnsubscribeTarget, locale: Locale): string {
  const name = target.conversationId === undefined ? target.event : REPLY_MAIL_KIND;
  const key = `mails.unsubscribe.kinds.${name}`;
  return isKnownMessageKey(key)
    ? t(locale, 'mails.unsubscribe.kind', { kind: formatMessage(locale, key) })
    : '';
}

/** Find the language of whoever gets the mails. */
export async function findRecipientLocale(db: Db, target: UnsubscribeTarget): Promise<Locale> {
  if (target.conversationId === undefined)
    return toSupportedLocale((await findUser(db, target.userId))?.language ?? 'en');
  return toSupportedLocale((await findConversation(db, target.conversationId))?.finderLanguage ?? 'en');
}
