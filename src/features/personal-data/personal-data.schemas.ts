import { type Static, Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { billingPersonalData } from '../billing/index.ts';
import { codesPersonalData } from '../codes/index.ts';
import { conversationsPersonalData } from '../conversations/index.ts';
import { documentsPersonalData } from '../documents/index.ts';
import { filesPersonalData } from '../files/index.ts';
import { identityPersonalData, PasswordInput } from '../identity/index.ts';
import { memoryTagsPersonalData } from '../memory-tags/index.ts';
import { moderationPersonalData } from '../moderation/index.ts';
import { notificationsPersonalData } from '../notifications/index.ts';
import { scansPersonalData } from '../scans/index.ts';
import { webhooksPersonalData } from '../webhooks/index.ts';
import { exportAndErasurePersonalData } from './personal-data.ts';

export const DATA_EXPORT_STATUSES = ['WAITING', 'READY', 'FAILED'] as const;

const AgeRecipient = Type.String({
  pattern: '^age1[0-9a-z]{58,2100}$',
  description:
    'Public key of your age identity (age-encryption.org). The archive is then an age file that only you can decrypt.',
  examples: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
});

export const DataExportQuery = Type.Object({ ageRecipient: Type.Optional(AgeRecipient) });

export const DataExportRequest = Type.Object({
  password: Type.Optional(PasswordInput),
  ageRecipient: Type.Optional(AgeRecipient),
});

export const AccountErasureRequest = Type.Object({ password: Type.Optional(PasswordInput) });

export const DataExport = Type.Object(
  {
    id: Id,
    status: stringEnum(DATA_EXPORT_STATUSES),
    encryptedToYourKey: Type.Boolean({ description: 'Whether only your own key can decrypt it.' }),
    size: nullable(Type.Integer({ description: 'Size of the download in bytes; null until it is ready.' })),
    contentUrl: nullable(Type.String({ description: 'URL of the download; null unless it is ready.' })),
    createdAt: Timestamp,
    readyAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
  },
  { $id: 'DataExport', description: "An archive of a user's data that is created by a job." },
);

export type DataExport = Static<typeof DataExport>;

/** The content of `data.json`. Raise the version for a change that clients cannot ignore. */
export const ExportedData = Type.Object(
  {
    format: Type.Literal('personal-data'),
    version: Type.Literal(1),
    madeAt: Timestamp,
    profile: identityPersonalData.lists.profile.schema,
    package: billingPersonalData.lists.package.schema,
    subscriptions: billingPersonalData.lists.subscriptions.schema,
    invoices: billingPersonalData.lists.invoices.schema,
    sessions: identityPersonalData.lists.sessions.schema,
    apiKeys: identityPersonalData.lists.apiKeys.schema,
    identities: identityPersonalData.lists.identities.schema,
    invitations: identityPersonalData.lists.invitations.schema,
    devices: notificationsPersonalData.lists.devices.schema,
    qrCodes: codesPersonalData.lists.qrCodes.schema,
    folders: codesPersonalData.lists.folders.schema,
    savedViews: codesPersonalData.lists.savedViews.schema,
    ownPhones: codesPersonalData.lists.ownPhones.schema,
    takedowns: moderationPersonalData.lists.takedowns.schema,
    scansOfYourCodes: scansPersonalData.lists.scansOfYourCodes.schema,
    yourScans: scansPersonalData.lists.yourScans.schema,
    reportSchedule: scansPersonalData.lists.reportSchedule.schema,
    memoryTags: memoryTagsPersonalData.lists.memoryTags.schema,
    documents: documentsPersonalData.lists.documents.schema,
    receivedDocuments: documentsPersonalData.lists.receivedDocuments.schema,
    documentAccesses: documentsPersonalData.lists.documentAccesses.schema,
    memoryTagPictures: filesPersonalData.lists.memoryTagPictures.schema,
    qrCodePictures: filesPersonalData.lists.qrCodePictures.schema,
    memoryTagsCaredFor: memoryTagsPersonalData.lists.memoryTagsCaredFor.schema,
    conversations: conversationsPersonalData.lists.conversations.schema,
    notifications: notificationsPersonalData.lists.notifications.schema,
    notificationSettings: notificationsPersonalData.lists.notificationSettings.schema,
    webhookEndpoints: webhooksPersonalData.lists.webhookEndpoints.schema,
    events: exportAndErasurePersonalData.lists.events.schema,
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'The file data.json in the archive of GET /api/auth/export.',
  },
);

/** Fields with data of features, without those that describe the file itself. */
export type ExportedDataListName = Exclude<
  keyof Static<typeof ExportedData>,
  'format' | 'version' | 'madeAt'
>;
