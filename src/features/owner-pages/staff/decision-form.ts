import type { FastifyReply } from 'fastify';
import type { Html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MODERATION_TEXT_CHARACTERS } from '../../moderation/index.ts';
import { type FormErrors, renderErrorSummary, renderField, renderNote } from '../components.ts';
import { translateRefusal } from '../translate-refusal.ts';

/** Why the form of a decision was refused, with what it has. */
export interface RefusedDecision {
  status: number;
  errors?: FormErrors;
  refusal?: string;
  values?: Readonly<Partial<Record<string, string>>>;
}

/** Describe a decision that another administrator was faster with. @throws what is no refusal */
export function refuseDecision(error: unknown, reply: FastifyReply, locale: Locale): RefusedDecision {
  const decided = t(locale, 'app.staff.decidedMeanwhile');
  const { status, text: refusal } = translateRefusal(error, reply, locale, {
    CODE_ALREADY_TAKEN_DOWN: decided,
    CODE_NOT_TAKEN_DOWN: decided,
    NO_OPEN_REPORTS: decided,
    APPEAL_ALREADY_DECIDED: decided,
    REPORT_ALREADY_DECIDED: decided,
  });
  return { status, refusal };
}

export function renderRefusedDecision(refused: RefusedDecision | undefined, locale: Locale): Html | null {
  if (refused?.refusal !== undefined) return renderNote(refused.refusal, 'wrong');
  return renderErrorSummary(refused?.errors ?? [], locale);
}

/** Render the field of what the administrator tells the owner. */
export function renderAnswerField(value: string | undefined, errors: FormErrors, locale: Locale): Html {
  return renderField(
    {
      name: 'answer',
      label: t(locale, 'app.staff.answer'),
      hint: t(locale, 'app.staff.answer.hint'),
      value,
      isMultiline: true,
      maxLength: MAX_MODERATION_TEXT_CHARACTERS,
    },
    errors,
    locale,
  );
}
