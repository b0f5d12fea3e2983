import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import type { LostItemReport } from '../../codes/index.ts';
import { getMessagePresetsForCodeKind } from '../../conversations/index.ts';
import { listLostPresets } from '../codes/lost-presets.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderThread } from '../inbox/render-thread.ts';

const STEPS = ['lost', 'message', 'found'] as const;

type PracticeStep = (typeof STEPS)[number];

export function parsePracticeStep(step: string | undefined): PracticeStep {
  return STEPS.find((one) => one === step) ?? 'lost';
}

interface PracticePage {
  code: { kind: string; title: string };
  /** Of the code. */
  path: string;
  step: PracticeStep;
  token: FormToken;
  timeZone: string;
  locale: Locale;
}

/** Create the report that the sample page shows. */
export function createSampleReport(
  code: { kind: string; contactable: boolean },
  locale: Locale,
): LostItemReport {
  const message = listLostPresets(locale, code)[0]?.text ?? null;
  return { message, reward: null, lastSeen: null, since: new Date().toISOString() };
}

/** Create a step of the practice. Every step says that it is one. */
export function createPracticePage(page: PracticePage): Html {
  const { code, path, step, token, locale } = page;
  const action = `${path}/practice`;
  const next = (to: PracticeStep, label: string) =>
    html`<p><a class="act" href="${action}?step=${to}">${label}</a></p>`;
  const steps = {
    lost: () => html`<p>${t(locale, 'app.practice.lost')}</p>
${next('message', t(locale, 'app.practice.toMessage'))}${renderFrame()}`,
    message: () => html`<p>${t(locale, 'app.practice.message')}</p>
${renderSampleThread(page)}${next('found', t(locale, 'app.code.foundButton'))}`,
    found: () => html`<p>${t(locale, 'app.practice.found')}</p>
${renderForm({ action, token, submit: t(locale, 'app.practice.end') })}${renderFrame()}`,
  };
  const number = STEPS.indexOf(step) + 1;
  return html`<p><a href="${path}"><bdi>${code.title}</bdi></a></p>
${renderNote(t(locale, 'app.practice.note'))}
<section><h2>${t(locale, 'app.practice.step', { number, count: STEPS.length })}</h2>
${steps[step]()}</section>`;

  function renderFrame(): Html {
    return html`<iframe class="preview" src="${action}/page?step=${step}" title="${t(locale, 'app.practice.title')}" sandbox="allow-same-origin"></iframe>`;
  }
}

function renderSampleThread({ code, timeZone, locale }: PracticePage): Html {
  const [preset = 'FOUND'] = getMessagePresetsForCodeKind(code.kind, true);
  const now = new Date();
  const message = {
    id: generateId(),
    from: 'FINDER' as const,
    preset,
    message: t(locale, `conversation.presets.${preset}`),
    sentAt: now.toISOString(),
    readAt: null,
  };
  const scan = { id: generateId(), scannedAt: now.toISOString(), userAgent: '', positions: [] };
  // Without places, which lead to the page of their scan.
  const thread = { messages: [message], scan, startedAt: now, code, scansPath: '', timeZone };
  return renderThread(thread, locale);
}
