import { car } from './car.ts';
import { document } from './document.ts';
import { email } from './email.ts';
import { event } from './event.ts';
import { identification } from './identification.ts';
import type { KindDefinition } from './kind-definition.ts';
import { location } from './location.ts';
import { luggage } from './luggage.ts';
import { medical } from './medical.ts';
import { memoryTag } from './memory-tag.ts';
import { pet } from './pet.ts';
import { phone } from './phone.ts';
import { sms } from './sms.ts';
import { text } from './text.ts';
import { url } from './url.ts';
import { vcard } from './vcard.ts';
import { wifi } from './wifi.ts';

/** Every kind of QR code, in the order in which a person is asked to choose. A new kind is a file and a line here. */
export const KINDS: readonly KindDefinition[] = [
  pet,
  medical,
  luggage,
  car,
  memoryTag,
  identification,
  document,
  url,
  wifi,
  vcard,
  text,
  email,
  phone,
  sms,
  location,
  event,
];

const BY_NAME: ReadonlyMap<string, KindDefinition> = new Map(KINDS.map((kind) => [kind.kind, kind]));

/**
 * The kind that a text names, in any case and with spaces or hyphens (`memory tag`, `Memory-Tag`);
 * null where there is none.
 */
export function parseKind(name: string): KindDefinition | null {
  if (name.length > 40) return null;
  const normal = name
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
  return BY_NAME.get(normal) ?? null;
}
