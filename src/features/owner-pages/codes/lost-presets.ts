import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';

const PRESETS = {
  write: 'app.lost.presets.write',
  handIn: 'app.lost.presets.handIn',
  dear: 'app.lost.presets.dear',
  animalWrite: 'app.lost.presets.animalWrite',
  animalShy: 'app.lost.presets.animalShy',
  animalCare: 'app.lost.presets.animalCare',
} as const satisfies Record<string, MessageKey>;

type PresetName = keyof typeof PRESETS;

const THING_PRESETS: readonly PresetName[] = ['write', 'handIn', 'dear'];
const ANIMAL_PRESETS: readonly PresetName[] = ['animalWrite', 'animalShy', 'animalCare'];

/** List what an owner can choose to tell finders, by name. Nobody can be asked for a message that is not accepted. */
export function listLostPresets(
  locale: Locale,
  { kind, contactable }: { kind: string; contactable: boolean },
): { name: string; text: string }[] {
  const names = kind === 'PET' ? ANIMAL_PRESETS : THING_PRESETS;
  return names
    .filter((name) => contactable || (name !== 'write' && name !== 'animalWrite'))
    .map((name) => ({ name, text: t(locale, PRESETS[name]) }));
}
