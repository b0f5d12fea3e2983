import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getCurrentQrCodeStatus, type QrCodeListRow } from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import {
  renderKindAndNumber,
  renderShortNumber,
  renderShortTime,
  renderStatusChip,
  renderThumbnail,
} from './code-parts.ts';
import { renderSelectionBox } from './code-selection.ts';
import { type Folder, renderFolderLabel } from './folder-parts.ts';

export interface ListedCodes {
  /** Of the account. */
  folders?: readonly Folder[];
  /** By the id of their code. */
  pictures: ReadonlyMap<string, PictureRow>;
  /** Whether rows have a box for the form of the buttons. */
  isSelectable?: boolean;
  timeZone: string;
  locale: Locale;
}

/** Render codes as a table, whose rows are cards on a phone. */
export function renderCodeTable(path: string, rows: readonly QrCodeListRow[], page: ListedCodes): Html {
  const { locale } = page;
  return html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'report.code')}</th><th scope="col">${t(locale, 'app.codes.status')}</th><th scope="col">${t(locale, 'app.codes.lastScan')}</th><th scope="col">${t(locale, 'report.scans')}</th></tr></thead><tbody>${rows.map(
    (row) => renderRow(path, row, page),
  )}</tbody></table>`;
}

function renderRow(
  path: string,
  row: QrCodeListRow,
  { folders = [], pictures, isSelectable = true, timeZone, locale }: ListedCodes,
): Html {
  const codePath = `${path}/${row.id}`;
  const folder = folders.find(({ id }) => id === row.folderId);
  const status = getCurrentQrCodeStatus(row);
  const lastScan =
    row.lastScannedAt === null
      ? t(locale, 'app.codes.neverScanned')
      : renderShortTime(row.lastScannedAt, timeZone, locale);
  const scans = t(locale, 'app.scans.count', { count: Number(row.scanCount) });
  return html`<tr><th scope="row"><div class="head">${isSelectable && renderSelectionBox(row, locale)}${renderThumbnail(codePath, row.kind, pictures.get(row.id))}<div><a href="${codePath}"><bdi>${row.title}</bdi></a><div class="small">${renderKindAndNumber(row, locale)}${
    row.shortNumber !== null && html` · ${renderShortNumber(row.shortNumber)}`
  }${folder && html` · ${renderFolderLabel(folder)}`}</div></div></div></th><td>${renderStatusChip(status, locale)}</td><td>${lastScan}</td><td>${scans}</td></tr>\n`;
}
