import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, translateHtml } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { renderNote } from '../components.ts';

const MESSAGES = {
  unreadable: 'app.print.unreadable',
  'unreadable-poster': 'app.poster.unreadable',
} as const satisfies Record<string, MessageKey>;

export type UnreadablePrint = keyof typeof MESSAGES;

/** Wait for a file to print; null if its code could not be decoded. */
export async function drawIfReadable<File>(file: Promise<File>): Promise<File | null> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'IMAGE_NOT_SCANNABLE') return null;
    throw error;
  }
}

/** Say which code could not be decoded from a file, and what to change. */
export function renderUnreadablePrint(done: string | undefined, title: string, locale: Locale): Html | null {
  if (!isKeyOf(MESSAGES, done)) return null;
  return renderNote(translateHtml(locale, MESSAGES[done], { title: html`<bdi>${title}</bdi>` }), 'wrong');
}
