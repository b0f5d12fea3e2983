import { type Static, type TSchema, Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { SCAN_COUNT_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { ReceivedDocument } from '../documents/index.ts';
import { MemoryTagPlace } from '../memory-tags/index.ts';

const Text = Type.String();
const Anything = Type.Record(Type.String(), Type.Unknown());

const ExportedProfile = Type.Object({
  id: Id,
  email: Text,
  status: Text,
  role: Text,
  firstName: nullable(Text),
  lastName: nullable(Text),
  accountType: nullable(Text),
  organizationName: nullable(Text),
  phone: nullable(Text),
  language: Text,
  timeZone: Text,
  hasSecondFactor: Type.Boolean(),
  enterpriseMode: Type.Boolean(),
  picture: nullable(Type.String({ description: 'The file in the archive.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedSession = Type.Object({
  id: Id,
  ip: Text,
  userAgent: Text,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: nullable(Timestamp),
  endReason: nullable(Text),
});

const ExportedIdentity = Type.Object({
  id: Id,
  issuer: Text,
  subject: Text,
  email: Text,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
});

const ExportedDevice = Type.Object({
  id: Id,
  platform: Text,
  name: nullable(Text),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
});

const ExportedQrCode = Type.Object({
  id: Id,
  kind: Text,
  mode: Text,
  title: Text,
  status: Text,
  data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'The content by its kind; null where it was damaged and cannot be read.',
  }),
  visibility: Anything,
  design: Anything,
  lost: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  hasPin: Type.Boolean(),
  contactable: Type.Boolean(),
  showsPage: Type.Boolean(),
  notifyOn: Text,
  scanUrl: Text,
  image: nullable(Type.String({ description: 'The file in the archive.' })),
  counts: Type.Object(SCAN_COUNT_PROPERTIES),
  lastScannedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  deletedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedLocation = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'latitude, longitude, accuracy, address, city, region, country; null where nobody said.',
});

const ExportedScan = Type.Object({
  id: Id,
  qrCodeId: Id,
  scannedAt: Timestamp,
  type: Text,
  class: Text,
  classRule: Text,
  unlocked: Type.Boolean(),
  userAgent: Text,
  location: ExportedLocation,
  trail: Type.Array(Type.Object({ at: Timestamp, location: ExportedLocation }), {
    description: 'Positions that were given after the scan, oldest first.',
  }),
});

const ExportedConversation = Type.Object({
  id: Id,
  qrCodeId: Id,
  scanId: nullable(Id),
  finderName: nullable(Text),
  status: Text,
  createdAt: Timestamp,
  report: nullable(
    Type.Object(
      { reason: Text, note: nullable(Text), isDecided: Type.Boolean(), createdAt: Timestamp },
      { description: 'Of the report that you made to the administration; null without one.' },
    ),
  ),
  messages: Type.Array(
    Type.Object({ from: Text, message: nullable(Text), sentAt: Timestamp, readAt: nullable(Timestamp) }),
    { description: 'Oldest first; null where one was altered outside the service.' },
  ),
});

const ExportedNotification = Type.Object({
  id: Id,
  type: Text,
  event: Text,
  title: Text,
  body: Text,
  data: Anything,
  deliveries: Type.Array(
    Type.Object({ channel: Text, status: Text, reason: nullable(Text), at: Timestamp }),
    { description: 'How it was sent beside the application.' },
  ),
  readAt: nullable(Timestamp),
  createdAt: Timestamp,
});

const ExportedNotificationSettings = Type.Object({
  preferences: Anything,
  quietHours: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  digest: Text,
});

const ExportedMemoryTag = Type.Object({
  id: Id,
  qrCodeId: nullable(Id),
  name: Text,
  subject: Text,
  bornOn: nullable(Type.String({ description: 'YYYY, YYYY-MM or YYYY-MM-DD' })),
  diedOn: nullable(Type.String({ description: 'YYYY, YYYY-MM or YYYY-MM-DD' })),
  epitaph: nullable(Text),
  story: nullable(Text),
  places: Type.Array(MemoryTagPlace),
  guestBookOpen: Type.Boolean(),
  anniversaryReminders: Type.Boolean(),
  guestBook: Type.Array(
    Type.Object({ name: nullable(Text), message: nullable(Text), state: Text, createdAt: Timestamp }),
    { description: 'What visitors wrote, newest first.' },
  ),
  caretakers: Type.Array(Type.Object({ email: nullable(Text), createdAt: Timestamp }), {
    description: 'Whom you asked for help, by the addresses that you gave.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedDocument = Type.Object({
  id: Id,
  title: Text,
  kind: Text,
  note: nullable(Text),
  expiresOn: nullable(Text),
  versions: Type.Array(
    Type.Object({
      number: Type.Integer(),
      fileName: nullable(Text),
      contentType: Text,
      size: Type.Integer(),
      file: Type.String({ description: 'Where it is in the archive.' }),
      createdAt: Timestamp,
    }),
  ),
  shares: Type.Array(
    Type.Object({
      id: Id,
      qrCodeId: nullable(Id),
      maxViews: nullable(Type.Integer()),
      views: Type.Integer(),
      lastOpenedAt: nullable(Timestamp),
      expiresAt: nullable(Timestamp),
      endedAt: nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
  grants: Type.Array(Type.Object({ id: Id, email: nullable(Text), createdAt: Timestamp })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedPicture = Type.Object({
  id: Id,
  memoryTagId: Id,
  caption: nullable(Text),
  position: Type.Integer({ description: 'Its place among those of the memory tag, from 1.' }),
  width: Type.Integer(),
  height: Type.Integer(),
  file: Type.String({ description: 'Where it is in the archive.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedEvent = Type.Object({
  at: Timestamp,
  by: Type.String({ description: 'YOU, SOMEBODY_ELSE (with an account) or NOBODY_KNOWN.' }),
  action: Text,
  meaning: Type.String({ description: 'What happened, as a sentence.' }),
  outcome: Text,
  resourceType: Text,
  resourceId: nullable(Type.String({ description: 'Of what is not a person.' })),
  changes: Type.Array(Text, { description: 'Names of changed fields.' }),
  ip: nullable(Type.String({ description: 'Of what you did yourself.' })),
  userAgent: nullable(Text),
});

const ExportedSubscription = Type.Object({
  id: Id,
  provider: Text,
  package: Text,
  interval: Text,
  currency: Text,
  price: nullable(Type.Integer({ description: 'For each interval, in minor units.' })),
  state: Text,
  startedAt: Timestamp,
  currentPeriodEnd: nullable(Timestamp),
  cancelAtPeriodEnd: Type.Boolean(),
  trialEndsAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
});

const ExportedInvoice = Type.Object({
  id: Id,
  subscriptionId: nullable(Id),
  provider: Text,
  number: nullable(Text),
  state: Text,
  currency: Text,
  total: Type.Integer({ description: 'In minor units, as all amounts.' }),
  amountPaid: Type.Integer(),
  amountRefunded: Type.Integer(),
  isDisputed: Type.Boolean(),
  periodStart: nullable(Timestamp),
  periodEnd: nullable(Timestamp),
  issuedAt: Timestamp,
  paidAt: nullable(Timestamp),
});

/** What `data.json` of an archive holds. A change that readers cannot ignore raises the version. */
export const ExportedData = Type.Object(
  {
    format: Type.Literal('personal-data'),
    version: Type.Literal(1),
    madeAt: Timestamp,
    profile: ExportedProfile,
    package: Type.Object({ code: Text, name: Text, limits: Anything, usage: Anything }),
    subscriptions: createListSchema(ExportedSubscription, 'What you bought, the last first.'),
    invoices: createListSchema(ExportedInvoice, 'Newest first.'),
    sessions: createListSchema(ExportedSession, 'Log-ins, newest first.'),
    identities: createListSchema(ExportedIdentity, 'Providers whose sign-in opens the account.'),
    devices: createListSchema(ExportedDevice, 'That get pushes.'),
    qrCodes: createListSchema(
      ExportedQrCode,
      'Newest first; those that can still be brought back are at the end.',
    ),
    scansOfYourCodes: createListSchema(ExportedScan, 'Newest first.'),
    yourScans: createListSchema(
      Type.Object({ id: Id, qrCodeId: Id, scannedAt: Timestamp, type: Text }),
      'Codes, of whomever, that you scanned while signed in.',
    ),
    memoryTags: createListSchema(ExportedMemoryTag, 'Newest first.'),
    documents: createListSchema(ExportedDocument, 'Newest first.'),
    documentsGivenToYou: createListSchema(
      Type.Object(ReceivedDocument.properties),
      'Documents of others that were given to your address to read, newest first.',
    ),
    documentReadings: createListSchema(
      Type.Object({
        id: Id,
        documentId: Id,
        shareId: nullable(Type.String({ description: 'The link it was opened by; null for a person.' })),
        versionNumber: Type.Integer(),
        device: nullable(Text),
        os: nullable(Text),
        browser: nullable(Text),
        readAt: Timestamp,
      }),
      'Who opened your documents.',
    ),
    memoryTagPictures: createListSchema(ExportedPicture, 'Newest first.'),
    memoryTagsCaredFor: createListSchema(
      Type.Object({ memoryTagId: Id, name: Text, since: Timestamp }),
      'Of others, whom you may help with them, newest first.',
    ),
    conversations: createListSchema(
      ExportedConversation,
      'With whoever scanned your codes, the last one written in first.',
    ),
    notifications: createListSchema(ExportedNotification, 'Newest first.'),
    notificationSettings: ExportedNotificationSettings,
    events: createListSchema(
      ExportedEvent,
      'What you did, then what others did to you and to what is yours.',
    ),
  },
  { $id: 'ExportedData', description: 'The file data.json in the archive of GET /api/auth/export.' },
);

export type ExportedData = Static<typeof ExportedData>;

/** What one item of a list of `data.json` is. */
export type ExportedItem<Name extends keyof ExportedData> = ExportedData[Name] extends (infer Item)[]
  ? Item
  : ExportedData[Name];

function createListSchema<S extends TSchema>(item: S, description: string) {
  return Type.Array(item, { description });
}
