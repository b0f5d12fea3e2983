import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { renderMoment } from '../../finder/index.ts';
import { MAX_MODERATION_TEXT_CHARACTERS, type QrCodeTakedown } from '../../moderation/index.ts';
import { type FormErrors, renderField, renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { translateCategory } from '../staff/reported-code.ts';

type Takedown = Static<typeof QrCodeTakedown>;

interface TakedownPage {
  takedown: Takedown;
  action: string;
  token: FormToken;
  /** What was refused. */
  message: string | undefined;
  errors: FormErrors;
  timeZone: string;
  locale: Locale;
}

/** Render why a code was taken down, what its owner answered, and the form for an appeal while there is none. */
export function renderTakedown({ takedown, ...page }: TakedownPage): Html {
  const { timeZone, locale } = page;
  const { category, reason, endedAt, appeals } = takedown;
  const isOpen = appeals.some(({ decision }) => decision === null);
  return html`${
    endedAt === null
      ? renderNote(t(locale, 'app.code.takenDown'), 'wrong')
      : renderNote(t(locale, 'app.staff.appeals.reinstated'))
  }
<section><p>${renderMoment(new Date(takedown.takenDownAt), timeZone, locale)} <span class="chip">${translateCategory(category, locale)}</span></p>
${renderAnswer(reason, locale)}</section>
${endedAt === null && !isOpen && page.token !== null && renderAppealForm(page)}${appeals.map((appeal) => renderAppeal(appeal, page))}`;
}

function renderAppealForm({ action, token, message, errors, locale }: Omit<TakedownPage, 'takedown'>): Html {
  const field = {
    name: 'message',
    label: t(locale, 'app.takedown.message'),
    value: message,
    isMultiline: true,
    isRequired: true,
    maxLength: MAX_MODERATION_TEXT_CHARACTERS,
  };
  return html`<section><h2>${t(locale, 'app.takedown.appeal')}</h2>
<p>${t(locale, 'mails.CODE_MODERATED.appeal')}</p>
${renderForm({ action, token, submit: t(locale, 'app.takedown.send'), fields: renderField(field, errors, locale) })}</section>
`;
}

function renderAppeal(
  { message, decision, answer, createdAt }: Takedown['appeals'][number],
  { timeZone, locale }: Pick<TakedownPage, 'timeZone' | 'locale'>,
): Html {
  const time = renderMoment(new Date(createdAt), timeZone, locale);
  return html`<section><h2>${translateHtml(locale, 'app.takedown.yours', { time })}</h2>
<blockquote class="text" dir="auto">${message}</blockquote>
${decision === null && renderNote(t(locale, 'app.takedown.open'))}${decision === 'REJECTED' && html`<p>${t(locale, 'app.history.appealRejected')}</p>`}${answer && renderAnswer(answer, locale)}</section>
`;
}

function renderAnswer(text: string, locale: Locale): Html {
  return html`<p>${t(locale, 'mails.CODE_MODERATED.text')}</p><blockquote class="text" dir="auto">${text}</blockquote>`;
}
