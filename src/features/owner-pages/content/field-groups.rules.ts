export type FieldGroupName = 'main' | 'contact' | 'health' | 'more';

export interface FieldGroup {
  name: FieldGroupName;
  fields: readonly string[];
}

/** What the form of a new code asks, in its order: what helps a finder most. */
const MAIN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PET: ['name', 'species', 'notes', 'owner', 'reward'],
  MEDICAL: ['name', 'bloodType', 'allergies', 'medications', 'emergencyContacts'],
  LUGGAGE: ['name', 'message', 'owner', 'reward'],
  CAR: ['name', 'message', 'licensePlate', 'owner'],
  MEMORY_TAG: ['name', 'bornOn', 'diedOn', 'epitaph'],
  IDENTIFICATION: ['name', 'organization', 'phone', 'emergencyContacts'],
  DOCUMENT: ['name', 'documentType', 'validUntil', 'verifier'],
  URL: ['url'],
  WIFI: ['ssid', 'password'],
  VCARD: ['name', 'organization', 'mobile', 'email'],
  TEXT: ['text'],
  EMAIL: ['email', 'subject', 'body'],
  PHONE: ['phone', 'name'],
  SMS: ['phone', 'message'],
  LOCATION: ['name', 'latitude', 'longitude'],
  EVENT: ['name', 'startsAt', 'endsAt', 'place'],
};

const GROUPS_BY_FIELD: Readonly<Record<string, FieldGroupName>> = {
  ...toGroup('contact', ['owner', 'emergencyContacts', 'vet', 'doctor', 'verifier', 'familyContact']),
  ...toGroup('contact', ['roadsideAssistance', 'phone', 'mobile', 'email', 'website', 'url']),
  ...toGroup('contact', ['address', 'homeAddress', 'destination']),
  ...toGroup('health', ['bloodType', 'allergies', 'medications', 'conditions', 'implants', 'vaccinations']),
  ...toGroup('health', ['pregnant', 'organDonor', 'advanceDirective', 'heightCm', 'medicalNotes', 'diet']),
};

const ORDER: readonly FieldGroupName[] = ['main', 'contact', 'health', 'more'];

/** Divide the fields of a kind; each is in one group. */
export function groupFields(kind: string, fields: readonly string[]): FieldGroup[] {
  const main = (MAIN_FIELDS[kind] ?? []).filter((field) => fields.includes(field));
  const getGroup = (field: string) => (main.includes(field) ? 'main' : (GROUPS_BY_FIELD[field] ?? 'more'));
  return ORDER.map((name) => ({
    name,
    fields: name === 'main' ? main : fields.filter((field) => getGroup(field) === name),
  })).filter((group) => group.fields.length > 0);
}

function toGroup(name: FieldGroupName, fields: readonly string[]): Record<string, FieldGroupName> {
  return Object.fromEntries(fields.map((field) => [field, name]));
}
