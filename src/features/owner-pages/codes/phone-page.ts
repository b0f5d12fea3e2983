import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { renderMoment, renderQrSymbol } from '../../finder/index.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { canPractice, renderCodeTabs } from './code-parts.ts';
import type { PhoneScans } from './phone-scans.ts';

interface PhonePage {
  code: { title: string; kind: string; mode: string; status: string };
  /** Of the code. */
  path: string;
  token: FormToken;
  /** That marks the phone that opens it; null until it is asked for, and once it was used. */
  url: string | null;
  scans: PhoneScans;
  timeZone: string;
  locale: Locale;
}

/** Get what changes when a phone has scanned. */
export function getPhoneState({ own, other }: PhoneScans): string {
  return `${own?.id ?? 'none'}-${other?.id ?? 'none'}`;
}

/** Create the page with the code that marks a phone as its owner’s, and with what was scanned since. */
export function createPhonePage({ code, path, token, url, scans, timeZone, locale }: PhonePage): Html {
  const action = `${path}/phone`;
  return html`${renderCodeTabs(path, 'print', { canEdit: true, canRead: true, locale })}
<p><bdi>${code.title}</bdi></p>
<div class="split"><div>${url === null ? renderShow() : renderCode(url)}</div>
<div id="phone" data-script="live" data-updates="${action}/updates" data-state="${getPhoneState(scans)}" data-seconds="3" data-text="${t(locale, 'app.phone.changed')}">${renderScans()}</div></div>`;

  function renderShow(): Html {
    return html`<p>${t(locale, 'app.phone.text')}</p>
${renderForm({ action, token, submit: t(locale, 'app.phone.show') })}`;
  }

  function renderCode(address: string): Html {
    const link = address.slice(address.lastIndexOf('/') + 1);
    return html`${renderQrSymbol(address, html`class="code" role="img" aria-label="${t(locale, 'app.phone.image')}"`)}
<p>${t(locale, 'app.phone.text')} ${t(locale, 'app.phone.once')}</p>
${renderForm({ action, token, submit: t(locale, 'app.phone.check'), hidden: { link }, kind: 'plain' })}
<p><a href="${address}">${t(locale, 'app.phone.here')}</a></p>`;
  }

  function renderScans(): Html {
    const { own, other } = scans;
    const time = (at: Date) => renderMoment(at, timeZone, locale);
    if (own)
      return html`${renderNote(html`<strong>✓ ${translateHtml(locale, 'app.phone.scanned', { time: time(own.scannedAt) })}</strong>`)}
<p>${t(locale, 'app.phone.then')}</p>${canPractice(code) && html`<p><a class="act" href="${path}/practice">${t(locale, 'app.firstSteps.practice')}</a></p>`}`;
    if (other)
      return renderNote(translateHtml(locale, 'app.phone.otherScanned', { time: time(other.scannedAt) }));
    return html`<p>${t(locale, 'app.phone.waiting')}</p>`;
  }
}
