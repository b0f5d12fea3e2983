import { invalidFields } from '../../shared/errors.ts';
import type { MessageName } from '../../shared/i18n/translate.ts';

/** A ready sentence, by its name in the catalogue. */
export type Preset = MessageName<'conversation.presets'>;

/** The ready sentences that fit a kind of code, the likeliest first. */
const OF_KIND: Record<string, readonly Preset[]> = {
  PET: ['ANIMAL_FOUND', 'ANIMAL_SEEN', 'ANIMAL_HURT', 'IS_AT'],
  CAR: ['CAR_BLOCKING', 'CAR_LIGHTS', 'CAR_OPEN', 'CAR_DAMAGED', 'CAR_TOWED'],
  MEDICAL: ['PERSON_HELP', 'PERSON_WITH', 'CARD_FOUND', 'AM_AT'],
  IDENTIFICATION: ['CARD_FOUND', 'PERSON_HELP', 'PERSON_WITH', 'HANDED_IN', 'AM_AT'],
  DOCUMENT: ['DOCUMENT_FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'],
  MEMORY_TAG: ['THINKING_OF'],
};

/** How it is said of a kind that the thing was found, where it is not said as of any other. */
const FOUND_OF: Record<string, Preset> = {
  PET: 'ANIMAL_FOUND',
  MEDICAL: 'CARD_FOUND',
  IDENTIFICATION: 'CARD_FOUND',
  DOCUMENT: 'DOCUMENT_FOUND',
};

/** The ready sentences that fit whatever it is. */
const NEUTRAL_PRESETS: readonly Preset[] = ['FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'];

/** Those for a code that does not say what it is of; whoever typed a place before may be with a person. */
export const PRESETS_OF_CLOSED: readonly Preset[] = [...NEUTRAL_PRESETS, 'AM_AT'];

/** Every ready sentence. */
export const PRESETS: readonly Preset[] = [
  ...new Set([...Object.values(OF_KIND).flat(), ...PRESETS_OF_CLOSED]),
];

/** Ready sentences that end where a place is to follow. */
const BEFORE_A_PLACE: readonly (Preset | null)[] = ['IS_AT', 'AM_AT', 'HANDED_IN'];

/** Whether a ready sentence says something only with words after it. */
export function needsWords(preset: Preset | null): boolean {
  return BEFORE_A_PLACE.includes(preset);
}

/**
 * Throws VALIDATION_FAILED for a ready sentence that does not fit a code, lost or not, open or closed. Of one whose kind is
 * not known to the writer no more is told by what is refused than by its page.
 */
export function requirePresetOf(preset: Preset | null, kind: string, isKindKnown: boolean): void {
  const fitting = [...PRESETS_OF_CLOSED, ...(isKindKnown ? presetsFor(kind, true) : [])];
  if (preset === null || fitting.includes(preset)) return;
  throw invalidFields({ field: 'preset', code: 'NOT_ALLOWED', message: 'Does not fit this code.' });
}

/** The ready sentences for a code of a kind; where the thing is lost, that it was found comes first. */
export function presetsFor(kind: string, isLost = false): readonly Preset[] {
  const usual = OF_KIND[kind] ?? NEUTRAL_PRESETS;
  if (!isLost) return usual;
  const place = usual.includes('AM_AT') ? 'AM_AT' : 'IS_AT';
  return [...new Set<Preset>([FOUND_OF[kind] ?? 'FOUND', ...usual, place])];
}
