import { createValidationError } from '../../shared/errors.ts';
import type { MessageName } from '../../shared/i18n/translate.ts';

/** A ready sentence, by its name in the catalogue. */
export type MessagePreset = MessageName<'conversation.presets'>;

/** The ready sentences that fit a kind of code, the likeliest first. */
const PRESETS_BY_KIND: Record<string, readonly MessagePreset[]> = {
  PET: ['ANIMAL_FOUND', 'ANIMAL_SEEN', 'ANIMAL_HURT', 'IS_AT'],
  CAR: ['CAR_BLOCKING', 'CAR_LIGHTS', 'CAR_OPEN', 'CAR_DAMAGED', 'CAR_TOWED'],
  MEDICAL: ['PERSON_HELP', 'PERSON_WITH', 'CARD_FOUND', 'AM_AT'],
  IDENTIFICATION: ['CARD_FOUND', 'PERSON_HELP', 'PERSON_WITH', 'HANDED_IN', 'AM_AT'],
  DOCUMENT: ['DOCUMENT_FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'],
  MEMORY_TAG: ['THINKING_OF'],
};

/** How it is said of a kind that the thing was found, where it is not said as of any other. */
const FOUND_PRESET_BY_KIND: Record<string, MessagePreset> = {
  PET: 'ANIMAL_FOUND',
  MEDICAL: 'CARD_FOUND',
  IDENTIFICATION: 'CARD_FOUND',
  DOCUMENT: 'DOCUMENT_FOUND',
};

/** The ready sentences that fit whatever it is. */
const NEUTRAL_PRESETS: readonly MessagePreset[] = ['FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'];

/** Those for a code that does not say what it is of; whoever typed a place before may be with a person. */
export const CLOSED_CODE_PRESETS: readonly MessagePreset[] = [...NEUTRAL_PRESETS, 'AM_AT'];

/** Every ready sentence. */
export const MESSAGE_PRESETS: readonly MessagePreset[] = [
  ...new Set([...Object.values(PRESETS_BY_KIND).flat(), ...CLOSED_CODE_PRESETS]),
];

/** Ready sentences that end where a place is to follow. */
const PRESETS_REQUIRING_TEXT: readonly (MessagePreset | null)[] = ['IS_AT', 'AM_AT', 'HANDED_IN'];

/** Whether a ready sentence says something only with words after it. */
export function requiresMessageText(preset: MessagePreset | null): boolean {
  return PRESETS_REQUIRING_TEXT.includes(preset);
}

/**
 * Throws VALIDATION_FAILED for a ready sentence that does not fit a code, lost or not, open or closed. Of one whose kind is
 * not known to the writer no more is told by what is refused than by its page.
 */
export function assertPresetAllowed(preset: MessagePreset | null, kind: string, isKindKnown: boolean): void {
  const fitting = [...CLOSED_CODE_PRESETS, ...(isKindKnown ? getPresetsForKind(kind, true) : [])];
  if (preset === null || fitting.includes(preset)) return;
  throw createValidationError({ field: 'preset', code: 'NOT_ALLOWED', message: 'Does not fit this code.' });
}

/** The ready sentences for a code of a kind; where the thing is lost, that it was found comes first. */
export function getPresetsForKind(kind: string, isLost = false): readonly MessagePreset[] {
  const usual = PRESETS_BY_KIND[kind] ?? NEUTRAL_PRESETS;
  if (!isLost) return usual;
  const place = usual.includes('AM_AT') ? 'AM_AT' : 'IS_AT';
  return [...new Set<MessagePreset>([FOUND_PRESET_BY_KIND[kind] ?? 'FOUND', ...usual, place])];
}
