import type { MessageKey } from '../../../shared/i18n/translate.ts';
import type { IconName } from '../../finder/index.ts';

interface KindTile {
  kind: string;
  icon: IconName;
  /** What people look for, where it is not the name of the kind. */
  label?: MessageKey & `app.newCode.tile.${string}`;
}

/** What most people make a code for, in their order. */
export const MAIN_KIND_TILES: readonly KindTile[] = [
  { kind: 'PET', icon: 'paw' },
  { kind: 'LUGGAGE', icon: 'bag', label: 'app.newCode.tile.luggage' },
  { kind: 'MEDICAL', icon: 'medical' },
  { kind: 'CAR', icon: 'car' },
  { kind: 'MEMORY_TAG', icon: 'candle' },
  { kind: 'IDENTIFICATION', icon: 'figure', label: 'app.newCode.tile.person' },
  { kind: 'DOCUMENT', icon: 'document' },
];

export const OTHER_KIND_TILES: readonly KindTile[] = [
  { kind: 'VCARD', icon: 'card' },
  { kind: 'URL', icon: 'link' },
  { kind: 'WIFI', icon: 'wifi' },
  { kind: 'TEXT', icon: 'text' },
  { kind: 'EMAIL', icon: 'mail' },
  { kind: 'PHONE', icon: 'call' },
  { kind: 'SMS', icon: 'message' },
  { kind: 'LOCATION', icon: 'pin' },
  { kind: 'EVENT', icon: 'calendar' },
];
