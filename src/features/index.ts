import type { FeatureManifest } from '../platform/feature.ts';
import type { TablePrivacyDefinition } from '../platform/personal-data.ts';
import type { SharedServices } from '../shared-services.ts';
import {
  administrationManifest,
  administrationPersonalData,
  createAdministrationFeature,
} from './administration/index.ts';
import { auditManifest, auditPersonalData, createAuditFeature } from './audit/index.ts';
import { billingManifest, createBillingFeature } from './billing/index.ts';
import { codesManifest, createCodesFeature } from './codes/index.ts';
import { conversationsManifest, createConversationsFeature } from './conversations/index.ts';
import { createDocumentsFeature, documentsManifest } from './documents/index.ts';
import { createFilesFeature, filesManifest } from './files/index.ts';
import { createFinderFeature, finderManifest } from './finder/index.ts';
import { createIdentityFeature, identityManifest } from './identity/index.ts';
import { createMailFeature, mailManifest } from './mail/index.ts';
import { createMemoryTagsFeature, memoryTagsManifest } from './memory-tags/index.ts';
import { createModerationFeature, moderationManifest } from './moderation/index.ts';
import { createNotificationsFeature, notificationsManifest } from './notifications/index.ts';
import { createOwnerPagesFeature, ownerPagesManifest, ownerPagesPersonalData } from './owner-pages/index.ts';
import {
  createPersonalDataFeature,
  PERSONAL_TABLES as EARLIER_PERSONAL_TABLES,
  personalDataManifest,
} from './personal-data/index.ts';
import { createRealtimeFeature, realtimeManifest } from './realtime/index.ts';
import { createScansFeature, scansManifest } from './scans/index.ts';
import { createSystemFeature, systemManifest } from './system/index.ts';
import { createTransfersFeature, transfersManifest } from './transfers/index.ts';
import { createWebhooksFeature, webhooksManifest } from './webhooks/index.ts';

/** Every feature, in the order of dependencies: each may use those before it, never those after it. */
export const FEATURE_MANIFESTS: readonly FeatureManifest[] = [
  filesManifest,
  mailManifest,
  billingManifest,
  identityManifest,
  webhooksManifest,
  codesManifest,
  scansManifest,
  moderationManifest,
  documentsManifest,
  conversationsManifest,
  memoryTagsManifest,
  transfersManifest,
  notificationsManifest,
  realtimeManifest,
  finderManifest,
  personalDataManifest,
  auditManifest,
  administrationManifest,
  ownerPagesManifest,
  systemManifest,
];

/**
 * Every table of the database, and what export and erasure do with it. A test compares it with the database.
 * Audit, administration and pages for owners come after personal data, which therefore cannot import theirs.
 */
export const TABLE_PRIVACY_DEFINITIONS: Readonly<Record<string, TablePrivacyDefinition>> = {
  ...EARLIER_PERSONAL_TABLES,
  ...auditPersonalData.tables,
  ...administrationPersonalData.tables,
  ...ownerPagesPersonalData.tables,
};

/** Create the features over the shared services. Each gets the services that it needs of those before it. */
export function createFeatures(shared: SharedServices) {
  const files = createFilesFeature(shared);
  const mail = createMailFeature(shared);
  const billing = createBillingFeature(shared);
  const withBilling = { ...shared, ...files.services, ...mail.services, ...billing.services };
  const identity = createIdentityFeature(withBilling);
  const webhooks = createWebhooksFeature(withBilling);
  const codes = createCodesFeature(withBilling);
  const scans = createScansFeature(withBilling);
  const withScans = { ...withBilling, ...identity.services, ...scans.services };
  const moderation = createModerationFeature(withScans);
  const documents = createDocumentsFeature(withScans);
  const conversations = createConversationsFeature(withScans);
  const withConversations = { ...withScans, ...conversations.services };
  const memoryTags = createMemoryTagsFeature(withConversations);
  const transfers = createTransfersFeature(withConversations);
  const notifications = createNotificationsFeature(withConversations);
  const audit = createAuditFeature(shared);
  const withNotifications = {
    ...withConversations,
    ...webhooks.services,
    ...notifications.services,
    ...audit.services,
  };
  const finder = createFinderFeature(withNotifications);
  const services = { ...withNotifications, ...finder.services };
  const features = {
    files: files.feature,
    mail: mail.feature,
    billing: billing.feature,
    identity: identity.feature,
    webhooks: webhooks.feature,
    codes: codes.feature,
    scans: scans.feature,
    moderation: moderation.feature,
    documents: documents.feature,
    conversations: conversations.feature,
    memoryTags: memoryTags.feature,
    transfers: transfers.feature,
    notifications: notifications.feature,
    realtime: createRealtimeFeature(services).feature,
    finder: finder.feature,
    personalData: createPersonalDataFeature(services).feature,
    audit: audit.feature,
    administration: createAdministrationFeature(services).feature,
    ownerPages: createOwnerPagesFeature(services).feature,
    system: createSystemFeature(services).feature,
  };
  return { features, services };
}
