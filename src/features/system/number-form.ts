import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { MAX_SHORT_NUMBER_CHARACTERS } from '../codes/index.ts';

export interface RejectedNumber {
  status: number;
  /** As it was typed. */
  number: string;
  errorMessage: string;
}

/** Null for errors that are none of the number. */
export function toRejectedNumber(error: unknown, number: string, locale: Locale): RejectedNumber | null {
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'VALIDATION_FAILED')
    return { status: 400, number, errorMessage: t(locale, 'start.numberWrong') };
  if (error.code === 'NOT_FOUND')
    return { status: 404, number, errorMessage: t(locale, 'start.numberUnknown') };
  if (error.code !== 'RATE_LIMITED') return null;
  const wait = translateWaitingTime(locale, error.retryAfterSeconds ?? 60);
  return { status: 429, number, errorMessage: `${t(locale, 'finder.pinTooManyAttempts')} ${wait}` };
}

/** Render the form for somebody who cannot scan a code. */
export function renderNumberForm(action: string, locale: Locale, rejected: RejectedNumber | undefined): Html {
  const described = rejected && html` aria-invalid="true" aria-describedby="number-error"`;
  return html`<form action="${action}"><input type="hidden" name="lang" value="${locale.tag}">
<label for="number">${t(locale, 'start.numberLabel')}</label>
<input id="number" name="number" dir="ltr" value="${rejected?.number ?? ''}" placeholder="7K3M-9QXR-2F4J" maxlength="${MAX_SHORT_NUMBER_CHARACTERS}" autocomplete="off" autocapitalize="characters" spellcheck="false" required${described}>
${rejected && html`<p class="wrong" id="number-error" role="alert">${rejected.errorMessage}</p>\n`}<button>${t(locale, 'start.numberButton')}</button></form>`;
}
