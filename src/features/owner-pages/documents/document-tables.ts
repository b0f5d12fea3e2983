import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  isInlineContentType,
  type toDocumentAccessView,
  type toDocumentVersionView,
} from '../../documents/index.ts';
import { createScanReportFormatter } from '../../scans/index.ts';
import { renderConfirmation, renderEmptyState, renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { formatSize } from '../format-size.ts';

interface Reader {
  timeZone: string;
  locale: Locale;
}

/** Render the ways to the content of a document, or of one version; while it is checked, that it is. */
export function renderContentLinks(
  path: string,
  file: { contentType: string; malwareCheck: string; number?: number },
  locale: Locale,
): Html {
  if (file.malwareCheck === 'WAITING') return html`<p>${t(locale, 'sharePage.fileCheckPending')}</p>`;
  const version = file.number === undefined ? '' : `version=${file.number}`;
  const open = `${path}/content?inline=true${version && `&${version}`}`;
  const download = `${path}/content${version && `?${version}`}`;
  return html`<p class="actions">${
    isInlineContentType(file.contentType) &&
    html`<a class="act plain" href="${open}" target="_blank" rel="noopener">${t(locale, 'app.documents.open')}</a>`
  }<a class="act plain" href="${download}" download>${t(locale, 'app.documents.download')}</a></p>`;
}

/** Render the versions of a document, newest first. */
export function renderVersions(
  versions: readonly ReturnType<typeof toDocumentVersionView>[],
  {
    path,
    currentVersion,
    token,
    timeZone,
    locale,
  }: Reader & {
    path: string;
    currentVersion: number;
    token: FormToken;
  },
): Html {
  const items = versions.map((version) => {
    const { number, fileName, size, createdAt } = version;
    const isCurrent = number === currentVersion;
    return html`<li><div><h2>${t(locale, 'app.documents.version', { number })}${isCurrent && html` <span class="chip">${t(locale, 'app.documents.current')}</span>`}</h2>
<p class="small"><bdi>${fileName}</bdi> · ${formatSize(size, locale)} · ${renderMoment(new Date(createdAt), { timeZone }, locale)}</p></div>
${renderContentLinks(path, version, locale)}${!isCurrent && html`${renderRestore(number)}${renderDeleteVersion(number)}`}</li>
`;
  });
  return html`<ul class="cards rows">${items}</ul>`;

  function renderRestore(number: number): Html {
    const action = `${path}/versions/${number}/restore`;
    return renderForm({ action, token, submit: t(locale, 'app.documents.restoreVersion'), kind: 'plain' });
  }

  function renderDeleteVersion(number: number): Html {
    const text = t(locale, 'app.documents.deleteVersionText');
    return renderConfirmation(t(locale, 'app.documents.deleteVersion'), text, {
      action: `${path}/versions/${number}/delete`,
      token,
      submit: t(locale, 'app.documents.deleteButton'),
      kind: 'danger',
    });
  }
}

/** Render who opened a document, newest first. */
export function renderAccesses(
  accesses: readonly ReturnType<typeof toDocumentAccessView>[],
  { timeZone, locale }: Reader,
): Html {
  if (accesses.length === 0) return renderEmptyState(t(locale, 'app.documents.noAccesses'));
  const { agent } = createScanReportFormatter(locale);
  const rows = accesses.map(({ readAt, reader, shareId, version, device, os, browser }) => {
    const byLink = shareId !== null && t(locale, 'app.documents.byLink');
    const who = reader ? reader.name : byLink || t(locale, 'app.settings.accesses.somebody');
    const unknown = 'unknown';
    const row = { device: device ?? unknown, os: os ?? unknown, browser: browser ?? unknown };
    return html`<tr><td>${renderMoment(new Date(readAt), { timeZone }, locale)}</td><td><bdi>${who}</bdi></td><td>${t(locale, 'app.documents.version', { number: version })}</td><td><bdi>${agent({ ...row, city: null, country: null })}</bdi></td></tr>
`;
  });
  return html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.settings.accesses.when')}</th><th scope="col">${t(locale, 'app.settings.accesses.who')}</th><th scope="col">${t(locale, 'app.documents.what')}</th><th scope="col">${t(locale, 'report.device')}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
