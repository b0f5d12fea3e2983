import { carQrCodeKind } from './car.ts';
import { documentQrCodeKind } from './document.ts';
import { emailQrCodeKind } from './email.ts';
import { eventQrCodeKind } from './event.ts';
import { identificationQrCodeKind } from './identification.ts';
import type { QrCodeKindDefinition } from './kind-definition.ts';
import { locationQrCodeKind } from './location.ts';
import { luggageQrCodeKind } from './luggage.ts';
import { medicalQrCodeKind } from './medical.ts';
import { memoryTagQrCodeKind } from './memory-tag.ts';
import { petQrCodeKind } from './pet.ts';
import { phoneQrCodeKind } from './phone.ts';
import { smsQrCodeKind } from './sms.ts';
import { textQrCodeKind } from './text.ts';
import { urlQrCodeKind } from './url.ts';
import { vcardQrCodeKind } from './vcard.ts';
import { wifiQrCodeKind } from './wifi.ts';

/** In the order in which user interfaces list them. */
export const QR_CODE_KINDS: readonly QrCodeKindDefinition[] = [
  petQrCodeKind,
  medicalQrCodeKind,
  luggageQrCodeKind,
  carQrCodeKind,
  memoryTagQrCodeKind,
  identificationQrCodeKind,
  documentQrCodeKind,
  urlQrCodeKind,
  wifiQrCodeKind,
  vcardQrCodeKind,
  textQrCodeKind,
  emailQrCodeKind,
  phoneQrCodeKind,
  smsQrCodeKind,
  locationQrCodeKind,
  eventQrCodeKind,
];

const KIND_BY_NAME: ReadonlyMap<string, QrCodeKindDefinition> = new Map(
  QR_CODE_KINDS.map((kind) => [kind.kind, kind]),
);

/** Ignore case, spaces and hyphens (`memory tag`, `Memory-Tag`). */
export function parseQrCodeKind(name: string): QrCodeKindDefinition | null {
  if (name.length > 40) return null;
  const normal = name
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
  return KIND_BY_NAME.get(normal) ?? null;
}
