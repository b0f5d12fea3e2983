import type { Locale } from '../../shared/i18n/locales.ts';
import { type MessageKey, type MessageName, t } from '../../shared/i18n/translate.ts';
import { isKeyOf } from '../../shared/is-key-of.ts';

export type LostPreset = MessageName<'app.lost.presets'>;

export const LOST_PRESETS = {
  write: 'app.lost.presets.write',
  handIn: 'app.lost.presets.handIn',
  dear: 'app.lost.presets.dear',
  animalWrite: 'app.lost.presets.animalWrite',
  animalShy: 'app.lost.presets.animalShy',
  animalCare: 'app.lost.presets.animalCare',
} as const satisfies Record<LostPreset, MessageKey>;

/** What the owner of something lost tells a reader: their own words as they are, what they chose in the reader's language. */
export function translateLostMessage(
  { message, preset }: { message: string | null; preset?: string | null },
  locale: Locale,
): string | null {
  // A preset of a later version has its text.
  return isKeyOf(LOST_PRESETS, preset) ? t(locale, LOST_PRESETS[preset]) : message;
}
