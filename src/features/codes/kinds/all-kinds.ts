import { carKind } from './car.ts';
import { documentKind } from './document.ts';
import { emailKind } from './email.ts';
import { eventKind } from './event.ts';
import { identificationKind } from './identification.ts';
import type { KindDefinition } from './kind-definition.ts';
import { locationKind } from './location.ts';
import { luggageKind } from './luggage.ts';
import { medicalKind } from './medical.ts';
import { memoryTagKind } from './memory-tag.ts';
import { petKind } from './pet.ts';
import { phoneKind } from './phone.ts';
import { smsKind } from './sms.ts';
import { textKind } from './text.ts';
import { urlKind } from './url.ts';
import { vcardKind } from './vcard.ts';
import { wifiKind } from './wifi.ts';

/** In the order in which user interfaces list them. */
export const QR_CODE_KINDS: readonly KindDefinition[] = [
  petKind,
  medicalKind,
  luggageKind,
  carKind,
  memoryTagKind,
  identificationKind,
  documentKind,
  urlKind,
  wifiKind,
  vcardKind,
  textKind,
  emailKind,
  phoneKind,
  smsKind,
  locationKind,
  eventKind,
];

const KIND_BY_NAME: ReadonlyMap<string, KindDefinition> = new Map(
  QR_CODE_KINDS.map((kind) => [kind.kind, kind]),
);

/** Ignore case, spaces and hyphens (`memory tag`, `Memory-Tag`). */
export function parseQrCodeKind(name: string): KindDefinition | null {
  if (name.length > 40) return null;
  const normal = name
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
  return KIND_BY_NAME.get(normal) ?? null;
}
