import { type Static, Type } from 'typebox';
import { Timestamp } from '../../shared/common.schemas.ts';
import { billingPersonalData } from '../billing/index.ts';
import { codesPersonalData } from '../codes/index.ts';
import { conversationsPersonalData } from '../conversations/index.ts';
import { documentsPersonalData } from '../documents/index.ts';
import { identityPersonalData } from '../identity/index.ts';
import { memoryTagsPersonalData } from '../memory-tags/index.ts';
import { notificationsPersonalData } from '../notifications/index.ts';
import { scansPersonalData } from '../scans/index.ts';
import { ownPersonalData } from './personal-data.ts';

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
    identities: identityPersonalData.lists.identities.schema,
    devices: notificationsPersonalData.lists.devices.schema,
    qrCodes: codesPersonalData.lists.qrCodes.schema,
    scansOfYourCodes: scansPersonalData.lists.scansOfYourCodes.schema,
    yourScans: scansPersonalData.lists.yourScans.schema,
    memoryTags: memoryTagsPersonalData.lists.memoryTags.schema,
    documents: documentsPersonalData.lists.documents.schema,
    documentsGivenToYou: documentsPersonalData.lists.documentsGivenToYou.schema,
    documentReadings: documentsPersonalData.lists.documentReadings.schema,
    memoryTagPictures: memoryTagsPersonalData.lists.memoryTagPictures.schema,
    memoryTagsCaredFor: memoryTagsPersonalData.lists.memoryTagsCaredFor.schema,
    conversations: conversationsPersonalData.lists.conversations.schema,
    notifications: notificationsPersonalData.lists.notifications.schema,
    notificationSettings: notificationsPersonalData.lists.notificationSettings.schema,
    events: ownPersonalData.lists.events.schema,
  },
  { $id: 'ExportedData', description: 'The file data.json in the archive of GET /api/auth/export.' },
);

/** Fields that features fill, beside those that describe the file itself. */
export type ExportedListName = Exclude<keyof Static<typeof ExportedData>, 'format' | 'version' | 'madeAt'>;
