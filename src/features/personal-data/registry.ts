import type {
  ExportedField,
  PersonalDataDefinition,
  PersonalDataExportContext,
  TablePrivacyDefinition,
} from '../../platform/personal-data.ts';
import { platformPersonalData } from '../../platform/platform-personal-data.ts';
import { billingPersonalData, type PlanService } from '../billing/index.ts';
import { codesPersonalData } from '../codes/index.ts';
import { conversationsPersonalData } from '../conversations/index.ts';
import { documentsPersonalData } from '../documents/index.ts';
import { filesPersonalData } from '../files/index.ts';
import { identityPersonalData } from '../identity/index.ts';
import { mailPersonalData } from '../mail/index.ts';
import { memoryTagsPersonalData } from '../memory-tags/index.ts';
import { moderationPersonalData } from '../moderation/index.ts';
import { notificationsPersonalData } from '../notifications/index.ts';
import { realtimePersonalData } from '../realtime/index.ts';
import { scansPersonalData } from '../scans/index.ts';
import { transfersPersonalData } from '../transfers/index.ts';
import { webhooksPersonalData } from '../webhooks/index.ts';
import type { ExportedDataListName } from './personal-data.schemas.ts';
import { exportAndErasurePersonalData } from './personal-data.ts';

/** Context of an export with the service of billing that `package` needs. */
export type DataExportContext = PersonalDataExportContext & Pick<PlanService, 'getPlan'>;

const TABLES = {
  ...platformPersonalData.tables,
  ...filesPersonalData.tables,
  ...mailPersonalData.tables,
  ...billingPersonalData.tables,
  ...identityPersonalData.tables,
  ...webhooksPersonalData.tables,
  ...codesPersonalData.tables,
  ...scansPersonalData.tables,
  ...moderationPersonalData.tables,
  ...documentsPersonalData.tables,
  ...conversationsPersonalData.tables,
  ...memoryTagsPersonalData.tables,
  ...transfersPersonalData.tables,
  ...notificationsPersonalData.tables,
  ...realtimePersonalData.tables,
  ...exportAndErasurePersonalData.tables,
};

export type PersonalTableName = keyof typeof TABLES;

/** Tables of the platform and of the features up to this one. Those of audit and administration follow in features/index.ts. */
export const PERSONAL_TABLES: Readonly<Record<PersonalTableName, TablePrivacyDefinition>> = TABLES;

/** Fields of `data.json`, in this order. */
export const EXPORTED_DATA_LISTS: Readonly<Record<ExportedDataListName, ExportedField<DataExportContext>>> = {
  profile: identityPersonalData.lists.profile,
  package: billingPersonalData.lists.package,
  subscriptions: billingPersonalData.lists.subscriptions,
  invoices: billingPersonalData.lists.invoices,
  sessions: identityPersonalData.lists.sessions,
  apiKeys: identityPersonalData.lists.apiKeys,
  identities: identityPersonalData.lists.identities,
  invitations: identityPersonalData.lists.invitations,
  devices: notificationsPersonalData.lists.devices,
  qrCodes: codesPersonalData.lists.qrCodes,
  folders: codesPersonalData.lists.folders,
  savedViews: codesPersonalData.lists.savedViews,
  ownPhones: codesPersonalData.lists.ownPhones,
  takedowns: moderationPersonalData.lists.takedowns,
  scansOfYourCodes: scansPersonalData.lists.scansOfYourCodes,
  yourScans: scansPersonalData.lists.yourScans,
  reportSchedule: scansPersonalData.lists.reportSchedule,
  memoryTags: memoryTagsPersonalData.lists.memoryTags,
  memoryTagsCaredFor: memoryTagsPersonalData.lists.memoryTagsCaredFor,
  documents: documentsPersonalData.lists.documents,
  receivedDocuments: documentsPersonalData.lists.receivedDocuments,
  documentAccesses: documentsPersonalData.lists.documentAccesses,
  memoryTagPictures: filesPersonalData.lists.memoryTagPictures,
  qrCodePictures: filesPersonalData.lists.qrCodePictures,
  conversations: conversationsPersonalData.lists.conversations,
  notifications: notificationsPersonalData.lists.notifications,
  notificationSettings: notificationsPersonalData.lists.notificationSettings,
  webhookEndpoints: webhooksPersonalData.lists.webhookEndpoints,
  events: exportAndErasurePersonalData.lists.events,
};

/** Files of an archive beside `data.json`, in this order. */
export const DATA_EXPORT_FILE_SOURCES: readonly NonNullable<PersonalDataDefinition['files']>[] = [
  identityPersonalData.files,
  codesPersonalData.files,
  documentsPersonalData.files,
  filesPersonalData.files,
];

/** Tables whose `eraseWithAccount` runs in the transaction that erases the account, in this order. */
export const TABLES_ERASED_WITH_ACCOUNT: readonly PersonalTableName[] = [
  'users',
  'memberships',
  'login_delays',
  'document_grants',
  'outgoing_mails',
  'memory_tag_caretakers',
  'invitations',
];

export interface ErasureStep {
  table: PersonalTableName;
  kind: 'erase' | 'clearReferences';
  /** Whether the steps after it wait until it is finished. */
  isBarrier?: boolean;
}

/** Steps of an erasure, in this order. Each runs once per batch. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  { table: 'webhook_endpoints', kind: 'erase' },
  { table: 'push_devices', kind: 'erase' },
  { table: 'sessions', kind: 'erase' },
  { table: 'invitations', kind: 'erase' },
  { table: 'api_keys', kind: 'erase' },
  { table: 'pending_registrations', kind: 'erase' },
  { table: 'password_resets', kind: 'erase' },
  { table: 'user_identities', kind: 'erase' },
  { table: 'second_factors', kind: 'erase' },
  { table: 'guest_book_entries', kind: 'erase' },
  { table: 'memory_tag_caretakers', kind: 'erase' },
  { table: 'pictures', kind: 'erase' },
  { table: 'deleted_pictures', kind: 'erase' },
  { table: 'memory_tags', kind: 'erase' },
  { table: 'documents', kind: 'erase' },
  { table: 'document_accesses', kind: 'clearReferences' },
  { table: 'deletions', kind: 'erase' },
  { table: 'data_exports', kind: 'erase' },
  { table: 'imports', kind: 'erase' },
  { table: 'print_sheets', kind: 'erase' },
  { table: 'batches', kind: 'erase' },
  { table: 'code_moves', kind: 'erase' },
  { table: 'saved_views', kind: 'erase' },
  { table: 'owner_phones', kind: 'erase' },
  // After all rows that reference files.
  { table: 'stored_files', kind: 'erase' },
  { table: 'conversation_notes', kind: 'clearReferences' },
  { table: 'conversations', kind: 'clearReferences' },
  { table: 'conversations', kind: 'erase' },
  { table: 'qr_code_takedowns', kind: 'erase' },
  { table: 'qr_code_reports', kind: 'erase' },
  { table: 'blocked_finders', kind: 'erase' },
  { table: 'notifications', kind: 'erase' },
  { table: 'realtime_events', kind: 'erase' },
  { table: 'notification_settings', kind: 'erase' },
  { table: 'report_schedules', kind: 'erase' },
  { table: 'idempotency_keys', kind: 'erase' },
  { table: 'scans', kind: 'clearReferences' },
  // Scans only after all codes, so that no further scan is stored.
  { table: 'qr_codes', kind: 'erase', isBarrier: true },
  // After the codes, which reference them.
  { table: 'folders', kind: 'erase' },
  { table: 'account_events', kind: 'erase' },
  { table: 'webhook_deliveries', kind: 'erase' },
  { table: 'scan_locations', kind: 'erase' },
  { table: 'scans', kind: 'erase', isBarrier: true },
];
