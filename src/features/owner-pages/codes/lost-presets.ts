import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { LOST_PRESETS, type LostPreset } from '../../codes/index.ts';

const THING_PRESETS: readonly LostPreset[] = ['write', 'handIn', 'dear'];
const ANIMAL_PRESETS: readonly LostPreset[] = ['animalWrite', 'animalShy', 'animalCare'];

/** List what an owner can choose to tell finders, by name. Nobody can be asked for a message that is not accepted. */
export function listLostPresets(
  locale: Locale,
  { kind, contactable }: { kind: string; contactable: boolean },
): { name: LostPreset; text: string }[] {
  const names = kind === 'PET' ? ANIMAL_PRESETS : THING_PRESETS;
  return names
    .filter((name) => contactable || (name !== 'write' && name !== 'animalWrite'))
    .map((name) => ({ name, text: t(locale, LOST_PRESETS[name]) }));
}
