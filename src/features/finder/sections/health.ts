import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { QrCodeKindDefinition } from '../../codes/index.ts';
import { renderProfileFieldsSection } from './content.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Values without information, left out to save space. */
const OMITTED_VALUES: Profile = { bloodType: 'UNKNOWN', pregnant: false };

/** Beside the heading of an emergency card, in the order in which helpers need them. */
export const HEALTH_CARD_FIELDS = ['allergies', 'bloodType'];

export function isInformative(profile: Profile, field: string): boolean {
  return Object.hasOwn(profile, field) && OMITTED_VALUES[field] !== profile[field];
}

export function hasUrgentFacts({ urgent = [] }: QrCodeKindDefinition, profile: Profile): boolean {
  return urgent.some((field) => isInformative(profile, field));
}

/** Nothing public does not mean that there is nothing. */
export function renderHealthFacts(
  kind: QrCodeKindDefinition,
  profile: Profile,
  { isHidden, bytes, locale }: { isHidden: boolean; bytes: number; locale: Locale },
): Html | null {
  if (isHidden) return html`<p><b>${t(locale, 'finder.healthHidden')}</b></p>\n`;
  const fields = HEALTH_CARD_FIELDS.filter((field) => isInformative(profile, field));
  const facts = Object.fromEntries(fields.map((field) => [field, profile[field]]));
  return renderProfileFieldsSection(kind, facts, { bytes, locale, isOptional: true });
}
