import { Type } from 'typebox';
import { NON_BLANK_LINE_PATTERN } from '../../shared/common.schemas.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  detectContactDetails,
  MAX_MESSAGE_CHARACTERS,
  MESSAGE_PRESETS,
  type MessagePreset,
  normalizeMessageText,
  requiresMessageText,
} from '../conversations/index.ts';
import type { MessageDraft } from './sections/forms.ts';

export const MESSAGE_FORM_FIELDS = {
  visit: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  /** Honeypot: only bots fill it in. Browsers do not autofill this name. */
  nothing: Type.Optional(Type.String()),
  confirmed: Type.Optional(Type.String()),
};

export interface MessageFormFields {
  message?: string;
  preset?: string;
  name?: string;
  email?: string;
  nothing?: string;
  confirmed?: string;
  located?: string;
}

interface FormRejection {
  status: number;
  errorMessage: string;
  needsConfirmation?: boolean;
  showsHoneypot?: boolean;
}

/** Forms submitted faster are from bots. */
export const MIN_FILL_SECONDS = 2;

const NAME_PATTERN = new RegExp(NON_BLANK_LINE_PATTERN, 'u');

export function isNonBlankName(name: string): boolean {
  return NAME_PATTERN.test(name);
}

/** Parse form fields: Unicode NFC, trimmed. */
export function parseMessageFormFields({
  message = '',
  preset = '',
  name = '',
  email = '',
  located,
}: MessageFormFields): MessageDraft {
  const knownPreset = MESSAGE_PRESETS.find((one): one is MessagePreset => one === preset) ?? null;
  return {
    message: normalizeMessageText(message),
    preset: knownPreset,
    name: name.normalize('NFC').trim().slice(0, 80),
    email: email.trim(),
    sharesLocation: located === 'yes',
  };
}

export function findMessageError(
  { message, preset }: Pick<MessageDraft, 'message' | 'preset'>,
  locale: Locale,
): string | null {
  if (message === '' && preset === null) return t(locale, 'conversation.messageMissing');
  if (message === '' && requiresMessageText(preset)) return t(locale, 'conversation.placeMissing');
  return [...message].length > MAX_MESSAGE_CHARACTERS
    ? t(locale, 'conversation.messageTooLong', { count: MAX_MESSAGE_CHARACTERS })
    : null;
}

/** `wrong` is the validation error of the input, `age` the age of the form in seconds. */
export function findMessageFormRejection(
  { nothing, confirmed }: MessageFormFields,
  { draft, error, ageSeconds: age }: { draft: MessageDraft; error: string | null; ageSeconds: number },
  locale: Locale,
): FormRejection | null {
  const isConfirmed = confirmed === 'yes';
  // The browser may have filled the field in, so the user can correct it.
  if (nothing) {
    const errorMessage = t(locale, 'conversation.honeypotFilled', {
      field: t(locale, 'conversation.honeypotLabel'),
    });
    return { status: 400, errorMessage, needsConfirmation: isConfirmed, showsHoneypot: true };
  }
  if (error) return { status: 400, errorMessage: error };
  if (age < MIN_FILL_SECONDS)
    return { status: 403, errorMessage: t(locale, 'conversation.tooFast'), needsConfirmation: isConfirmed };
  const warning = isConfirmed ? null : findContactDataWarning(draft, locale);
  return warning === null ? null : { status: 200, errorMessage: warning, needsConfirmation: true };
}

export function findContactDataWarning(
  { message, name }: Pick<MessageDraft, 'message' | 'name'>,
  locale: Locale,
): string | null {
  const [first, second] = detectContactDetails(message);
  const shows = second
    ? t(locale, 'conversation.contactShown', { contact: 'other' })
    : first === 'EMAIL'
      ? t(locale, 'conversation.contactShown', { contact: 'email' })
      : t(locale, 'conversation.contactShown', { contact: 'phone' });
  const questions = [
    ...(first ? [shows] : []),
    ...(detectContactDetails(name).length > 0 ? [t(locale, 'conversation.contactShownInName')] : []),
  ];
  return questions.length === 0
    ? null
    : [...questions, t(locale, 'conversation.contactShownConfirm')].join(' ');
}
