import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import type { FirstSteps } from './first-steps.ts';

interface FirstStepsSection {
  accountPath: string;
  token: FormToken;
  locale: Locale;
}

/** Render the first steps: those that are done with a check mark, the others as links. */
export function renderFirstSteps(
  { code, isPrinted, isScanned, isPracticed }: FirstSteps,
  { accountPath, token, locale }: FirstStepsSection,
): Html {
  const path = `${accountPath}/codes/${code.id}`;
  const title = html`<bdi>${code.title}</bdi>`;
  const steps = [
    { isDone: true, text: html`${t(locale, 'app.firstSteps.make')}`, href: path },
    {
      isDone: isPrinted,
      text: translateHtml(locale, 'app.home.stepPrint', { title }),
      href: `${path}/print`,
    },
    { isDone: isScanned, text: html`${t(locale, 'app.home.stepScan')}`, href: `${path}/phone` },
    { isDone: isPracticed, text: html`${t(locale, 'app.firstSteps.practice')}`, href: `${path}/practice` },
  ];
  const items = steps.map(({ isDone, text, href }) =>
    isDone
      ? html`<li>✓ ${text} <span class="visually-hidden">(${t(locale, 'app.firstSteps.done')})</span></li>`
      : html`<li><a href="${href}">${text}</a></li>`,
  );
  return html`<section><h2>${t(locale, 'app.home.stepsTitle')}</h2><ol>${items}</ol>
${renderForm({ action: `${accountPath}/first-steps/hide`, token, submit: t(locale, 'app.firstSteps.hide'), kind: 'plain' })}</section>\n`;
}
