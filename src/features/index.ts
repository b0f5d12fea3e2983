import type { FeatureManifest } from '../platform/feature.ts';
import type { PersonalTable } from '../platform/personal-data.ts';
import type { SharedServices } from '../shared-services.ts';
import {
  administrationManifest,
  administrationPersonalData,
  createAdministration,
} from './administration/index.ts';
import { auditManifest, auditPersonalData, createAudit } from './audit/index.ts';
import { billingManifest, createBilling } from './billing/index.ts';
import { codesManifest, createCodes } from './codes/index.ts';
import { conversationsManifest, createConversations } from './conversations/index.ts';
import { createDocuments, documentsManifest } from './documents/index.ts';
import { createFiles, filesManifest } from './files/index.ts';
import { createFinder, finderManifest } from './finder/index.ts';
import { createIdentity, identityManifest } from './identity/index.ts';
import { createMail, mailManifest } from './mail/index.ts';
import { createMemoryTags, memoryTagsManifest } from './memory-tags/index.ts';
import { createNotifications, notificationsManifest } from './notifications/index.ts';
import {
  createPersonalData,
  PERSONAL_TABLES as EARLIER_PERSONAL_TABLES,
  personalDataManifest,
} from './personal-data/index.ts';
import { createRealtime, realtimeManifest } from './realtime/index.ts';
import { createScans, scansManifest } from './scans/index.ts';
import { createSystem, systemManifest } from './system/index.ts';

/** Every feature, in the order of dependencies: each may use those before it, never those after it. */
export const FEATURE_MANIFESTS: readonly FeatureManifest[] = [
  filesManifest,
  mailManifest,
  billingManifest,
  identityManifest,
  codesManifest,
  scansManifest,
  documentsManifest,
  conversationsManifest,
  memoryTagsManifest,
  notificationsManifest,
  realtimeManifest,
  finderManifest,
  personalDataManifest,
  auditManifest,
  administrationManifest,
  systemManifest,
];

/**
 * Every table of the database, and what export and erasure do with it. A test compares it with the database.
 * Audit and administration come after personal data, which therefore cannot import theirs.
 */
export const PERSONAL_TABLES: Readonly<Record<string, PersonalTable>> = {
  ...EARLIER_PERSONAL_TABLES,
  ...auditPersonalData.tables,
  ...administrationPersonalData.tables,
};

/** Create the features over the shared services. Each gets the services that it needs of those before it. */
export function createFeatures(shared: SharedServices) {
  const files = createFiles(shared);
  const mail = createMail(shared);
  const billing = createBilling(shared);
  const withBilling = { ...shared, ...files.services, ...mail.services, ...billing.services };
  const identity = createIdentity(withBilling);
  const codes = createCodes(withBilling);
  const scans = createScans(withBilling);
  const withScans = { ...withBilling, ...identity.services, ...scans.services };
  const documents = createDocuments(withScans);
  const conversations = createConversations(withScans);
  const withConversations = { ...withScans, ...conversations.services };
  const memoryTags = createMemoryTags(withConversations);
  const notifications = createNotifications(withConversations);
  const audit = createAudit(shared);
  const services = { ...withConversations, ...notifications.services, ...audit.services };
  const features = {
    files: files.feature,
    mail: mail.feature,
    billing: billing.feature,
    identity: identity.feature,
    codes: codes.feature,
    scans: scans.feature,
    documents: documents.feature,
    conversations: conversations.feature,
    memoryTags: memoryTags.feature,
    notifications: notifications.feature,
    realtime: createRealtime(services).feature,
    finder: createFinder(services).feature,
    personalData: createPersonalData(services).feature,
    audit: audit.feature,
    administration: createAdministration(services).feature,
    system: createSystem(services).feature,
  };
  return { features, services };
}
