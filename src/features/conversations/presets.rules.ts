import { createValidationError } from '../../shared/errors.ts';
import type { MessageName } from '../../shared/i18n/translate.ts';
import type { ConversationSide } from './conversation-token.ts';

export type MessagePreset = MessageName<'conversation.presets'>;

/** Most likely first. */
const PRESETS_BY_KIND: Record<string, readonly MessagePreset[]> = {
  PET: ['ANIMAL_FOUND', 'ANIMAL_SEEN', 'ANIMAL_HURT', 'IS_AT'],
  CAR: ['CAR_BLOCKING', 'CAR_LIGHTS', 'CAR_OPEN', 'CAR_DAMAGED', 'CAR_TOWED'],
  MEDICAL: ['PERSON_HELP', 'PERSON_WITH', 'CARD_FOUND', 'AM_AT'],
  IDENTIFICATION: ['CARD_FOUND', 'PERSON_HELP', 'PERSON_WITH', 'HANDED_IN', 'AM_AT'],
  DOCUMENT: ['DOCUMENT_FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'],
  MEMORY_TAG: ['THINKING_OF'],
  // Nobody finds these, unless they are lost.
  ...Object.fromEntries(
    ['URL', 'TEXT', 'WIFI', 'VCARD', 'EVENT', 'PHONE', 'EMAIL', 'SMS', 'LOCATION'].map((kind) => [kind, []]),
  ),
};

/** Presets for a found item whose kind has its own wording. */
const FOUND_PRESET_BY_KIND: Record<string, MessagePreset> = {
  PET: 'ANIMAL_FOUND',
  MEDICAL: 'CARD_FOUND',
  IDENTIFICATION: 'CARD_FOUND',
  DOCUMENT: 'DOCUMENT_FOUND',
};

const NEUTRAL_PRESETS: readonly MessagePreset[] = ['FOUND', 'HANDED_IN', 'KEEPING', 'IS_AT'];

/** Presets that do not reveal the kind of a code. AM_AT is for a finder who is with a person. */
export const CLOSED_CODE_MESSAGE_PRESETS: readonly MessagePreset[] = [...NEUTRAL_PRESETS, 'AM_AT'];

/** Answers to a finder. */
export const OWNER_MESSAGE_PRESETS: readonly MessagePreset[] = [
  'ON_MY_WAY',
  'WHERE_TO_MEET',
  'PLEASE_STAY',
  'PLEASE_KEEP',
  'THANK_YOU',
];

/** Nobody keeps these until the owner comes. */
const KINDS_TO_STAY_WITH = ['PET', 'CAR', 'MEDICAL', 'IDENTIFICATION'];

export const MESSAGE_PRESETS: readonly MessagePreset[] = [
  ...new Set([
    ...Object.values(PRESETS_BY_KIND).flat(),
    ...CLOSED_CODE_MESSAGE_PRESETS,
    ...OWNER_MESSAGE_PRESETS,
  ]),
];

/** The text of these ends where a place is expected. */
const PRESETS_REQUIRING_TEXT: readonly (MessagePreset | null)[] = ['IS_AT', 'AM_AT', 'HANDED_IN'];

export function requiresMessageText(preset: MessagePreset | null): boolean {
  return PRESETS_REQUIRING_TEXT.includes(preset);
}

/**
 * Assert that a preset matches a code and who writes. If the writer does not know the kind, the result does not reveal it.
 * @throws VALIDATION_FAILED
 */
export function assertMessagePresetAllowed(
  preset: MessagePreset | null,
  kind: string,
  { sender, isKindKnown }: { sender: ConversationSide; isKindKnown: boolean },
): void {
  const allowed = [
    ...CLOSED_CODE_MESSAGE_PRESETS,
    ...(isKindKnown ? getMessagePresetsForCodeKind(kind, true) : []),
    ...(sender === 'OWNER' ? OWNER_MESSAGE_PRESETS : []),
  ];
  if (preset === null || allowed.includes(preset)) return;
  throw createValidationError({
    field: 'preset',
    code: 'NOT_ALLOWED',
    message: 'Is not available for this code.',
  });
}

/** List the presets for a kind of code. For a lost item, that it was found comes first. */
export function getMessagePresetsForCodeKind(kind: string, isLost = false): readonly MessagePreset[] {
  const ofKind = PRESETS_BY_KIND[kind] ?? NEUTRAL_PRESETS;
  if (!isLost) return ofKind;
  const usual = ofKind.length > 0 ? ofKind : NEUTRAL_PRESETS;
  const place = usual.includes('AM_AT') ? 'AM_AT' : 'IS_AT';
  return [...new Set<MessagePreset>([FOUND_PRESET_BY_KIND[kind] ?? 'FOUND', ...usual, place])];
}

/** List the answers that make sense about a kind of code. */
export function getOwnerMessagePresetsForCodeKind(kind: string): readonly MessagePreset[] {
  if (kind === 'MEMORY_TAG') return ['THANK_YOU'];
  const unsuitable = KINDS_TO_STAY_WITH.includes(kind) ? 'PLEASE_KEEP' : 'PLEASE_STAY';
  return OWNER_MESSAGE_PRESETS.filter((preset) => preset !== unsuitable);
}
