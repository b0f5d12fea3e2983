import type { FastifyRequest } from 'fastify';
import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { toDataExportView } from '../../personal-data/index.ts';
import { type FormErrors, renderField, renderForm } from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import { formatSize } from '../format-size.ts';
import { renderCurrentPassword } from './settings-page.ts';

type DataExport = ReturnType<typeof toDataExportView>;

interface DataPage {
  request: FastifyRequest;
  locale: Locale;
  /** Of the tab. */
  path: string;
  token: string;
  user: CurrentUser;
  errors: FormErrors;
  withPassword: boolean;
  /** Archives are encrypted to a key of the user. */
  mustEncrypt: boolean;
  exports: readonly DataExport[];
  /** Set where a download needs a new sign-in first. */
  signInAgainPath: string | null;
}

export function renderData(page: DataPage): Html {
  const { locale, path } = page;
  return html`${renderExports(page)}<section><h2>${t(locale, 'app.settings.accesses')}</h2>
<p>${t(locale, 'app.settings.accesses.text')}</p><p><a class="act plain" href="${path}/accesses">${t(locale, 'app.settings.accesses.show')}</a></p></section>
<section><h2>${t(locale, 'app.settings.erase')}</h2><p>${t(locale, 'app.settings.erase.short')}</p>
<p><a class="act danger" href="${path}/erase">${t(locale, 'app.settings.erase.open')}</a></p></section>`;
}

function renderExports(page: DataPage): Html {
  const { request, locale, path, token, errors, withPassword, mustEncrypt, exports } = page;
  const key = renderField(
    {
      name: 'ageRecipient',
      label: t(locale, 'app.settings.export.key'),
      hint: t(locale, 'app.settings.export.keyHint'),
      autocomplete: 'off',
      isRequired: mustEncrypt,
    },
    errors,
    locale,
  );
  const isWaiting = exports.some(({ status }) => status === 'WAITING');
  const form = renderForm({
    action: `${path}/exports`,
    token,
    submit: t(locale, 'app.settings.export.button'),
    fields: html`${withPassword && renderCurrentPassword(request, errors, locale)}${mustEncrypt && key}`,
  });
  return html`<section><h2>${t(locale, 'app.settings.export')}</h2><div class="narrow"><p>${t(locale, 'app.settings.export.text')}</p>
${!isWaiting && form}</div>${
    exports.length > 0 && html`<ul class="cards">${exports.map((one) => renderExport(page, one))}</ul>`
  }</section>`;
}

function renderExport(page: DataPage, { id, status, size, createdAt, expiresAt }: DataExport): Html {
  const { locale, path, user, signInAgainPath } = page;
  const at = renderMoment(new Date(createdAt), user, locale);
  const heading = html`<h3>${translateHtml(locale, 'app.settings.export.of', { date: at })}</h3>`;
  if (status === 'WAITING')
    return html`<li><div>${heading}<p>${t(locale, 'app.settings.export.waiting')}</p></div></li>`;
  if (status === 'FAILED')
    return html`<li><div>${heading}<p>${t(locale, 'app.settings.export.failed')}</p></div></li>`;
  const until =
    expiresAt &&
    translateHtml(locale, 'app.settings.export.until', {
      date: renderMoment(new Date(expiresAt), user, locale),
    });
  const link = signInAgainPath
    ? html`<a class="act plain" href="${signInAgainPath}">${t(locale, 'app.settings.export.signInAgain')}</a>`
    : html`<a class="act" href="${path}/exports/${id}" download>${t(locale, 'app.settings.export.download', { size: formatSize(size ?? 0, locale) })}</a>`;
  return html`<li><div>${heading}<p class="small">${until}</p><p>${link}</p></div></li>`;
}
