import { BRAND_LOGO_PATH, type Brand, computeDarkBrandColor } from '../../shared/brand.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';

export type MailLine =
  | string
  /** What the mail is for, such as a code to type: in HTML the heading instead of the subject. */
  | { highlight: string; code: string }
  /** A button in HTML, the bare address in plain text. */
  | { url: string; label: string };

export interface MailContent {
  subject: string;
  lines: readonly MailLine[];
  footerLinks: readonly { url: string; label: string }[];
  /** Who gets the mail and why. */
  reason: string | null;
}

export interface MailStyle {
  brand: Brand;
  publicBaseUrl: string;
}

const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

export function renderMailText({ lines, footerLinks, reason }: MailContent): string {
  const body = lines.map((line) => {
    if (typeof line === 'string') return line;
    return 'highlight' in line ? line.highlight : line.url;
  });
  const ending = footerLinks.map(({ url, label }) => `${label}\n${url}`);
  return `${[...body, ...(reason === null ? [] : [reason]), ...ending].join('\n\n')}\n`;
}

/**
 * Render a mail for programs with old engines: tables and inline styles. Programs that know no style sheets, dark
 * colors or pictures show the same text.
 */
export function renderMailHtml(
  content: MailContent,
  { brand, publicBaseUrl }: MailStyle,
  locale: Locale,
): string {
  const { subject, lines, footerLinks, reason } = content;
  const [preheader] = lines.filter((line) => typeof line === 'string');
  const hasHeading = lines.some((line) => typeof line === 'object' && 'highlight' in line);
  // Hardly any program shows SVG.
  const hasLogo = brand.logo !== null && brand.logo.contentType !== 'image/svg+xml';
  const logo =
    hasLogo &&
    html`<img src="${publicBaseUrl}${BRAND_LOGO_PATH}" height="28" alt="" style="vertical-align:middle;border:0"> `;
  const align = locale.direction === 'rtl' ? 'right' : 'left';
  const dark = computeDarkBrandColor(brand.color);
  return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${subject}</title>
<style>@media(prefers-color-scheme:dark){.page{background:#161616!important}.card{background:#242424!important}.text{color:#f0f0f0!important}.soft,.soft a{color:#c4c4c4!important}.code{background:#161616!important}.button{background:${{ markup: dark }}!important;color:#111!important}}</style></head>
<body class="page" style="margin:0;padding:0;background:#f2f2f4">
<div style="display:none;max-height:0;overflow:hidden">${preheader}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f2f4"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${locale.direction}" style="max-width:560px;text-align:${align};${FONT};font-size:16px;line-height:24px">
<tr><td class="soft" style="padding:0 8px 12px;color:#4a4a4a;font-weight:600">${logo}${brand.name}</td></tr>
<tr><td class="card text" style="background:#ffffff;color:#1a1a1a;border-top:4px solid ${brand.color};border-radius:8px;padding:24px 24px 8px">
${!hasHeading && renderHeading(subject)}${lines.map((line) => renderLine(line, brand))}
</td></tr>
<tr><td class="soft" style="padding:16px 8px;color:#5a5a5a;font-size:13px;line-height:20px">${reason !== null && html`${reason}<br>`}${renderFooter(footerLinks, brand, locale)}</td></tr>
</table></td></tr></table></body></html>
`.markup;
}

function renderHeading(text: string): Html {
  return html`<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:28px;color:#1a1a1a" dir="auto">${text}</h1>\n`;
}

/** Large, apart from its text, and selected as a whole by one press. */
function renderCode({ highlight, code }: { highlight: string; code: string }): Html {
  const label = highlight
    .replace(code, '')
    .trimEnd()
    .replace(/[:：]$/, '')
    .trimEnd();
  return html`${renderHeading(label)}<p class="code text" dir="ltr" style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:#f2f2f4;font:700 32px/40px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center;-webkit-user-select:all;user-select:all">${code}</p>\n`;
}

function renderLine(line: MailLine, { color }: Brand): Html {
  if (typeof line === 'string') return html`<p dir="auto" style="margin:0 0 16px">${line}</p>\n`;
  if ('highlight' in line) return renderCode(line);
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr><td class="button" bgcolor="${color}" style="background:${color};border-radius:8px"><a class="button" href="${line.url}" style="display:inline-block;padding:12px 20px;color:#ffffff;font-weight:600;text-decoration:none;border-radius:8px">${line.label}</a></td></tr></table>\n`;
}

function renderFooter(links: MailContent['footerLinks'], brand: Brand, locale: Locale): Html {
  const operatorLinks = [
    { url: brand.imprintUrl, label: t(locale, 'frame.imprint') },
    { url: brand.privacyUrl, label: t(locale, 'frame.privacy') },
    { url: brand.abuseUrl, label: t(locale, 'frame.abuse') },
  ];
  const items = [...links, ...operatorLinks].flatMap(({ url, label }) =>
    url ? [html`<br><a href="${url}" style="color:#5a5a5a">${label.replace(/\s?[:：]$/, '')}</a>`] : [],
  );
  return html`${t(locale, 'frame.about', { brand: brand.name })}${items}`;
}
