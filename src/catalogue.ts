import { administrationCatalogue } from './features/administration/catalogue.ts';
import { auditCatalogue } from './features/audit/catalogue.ts';
import { billingCatalogue } from './features/billing/catalogue.ts';
import { codesCatalogue } from './features/codes/catalogue.ts';
import { conversationsCatalogue } from './features/conversations/catalogue.ts';
import { documentsCatalogue } from './features/documents/catalogue.ts';
import { filesCatalogue } from './features/files/catalogue.ts';
import { finderCatalogue } from './features/finder/catalogue.ts';
import { identityCatalogue } from './features/identity/catalogue.ts';
import { mailCatalogue } from './features/mail/catalogue.ts';
import { memoryTagsCatalogue } from './features/memory-tags/catalogue.ts';
import { moderationCatalogue } from './features/moderation/catalogue.ts';
import { notificationsCatalogue } from './features/notifications/catalogue.ts';
import { ownerPagesCatalogue } from './features/owner-pages/catalogue.ts';
import { personalDataCatalogue } from './features/personal-data/catalogue.ts';
import { scansCatalogue } from './features/scans/catalogue.ts';
import { systemCatalogue } from './features/system/catalogue.ts';
import { transfersCatalogue } from './features/transfers/catalogue.ts';
import { webhooksCatalogue } from './features/webhooks/catalogue.ts';
import { platformCatalogue } from './platform/catalogue.ts';
import type { EncryptedColumnDefinition } from './shared/catalogue.ts';
import { registerErrors } from './shared/errors.ts';

/** Merges the declarations of the platform and the features (docs/adr/0032-catalogues.md). */

export const ERRORS = {
  ...platformCatalogue.errors,
  ...filesCatalogue.errors,
  ...billingCatalogue.errors,
  ...identityCatalogue.errors,
  ...webhooksCatalogue.errors,
  ...codesCatalogue.errors,
  ...finderCatalogue.errors,
  ...scansCatalogue.errors,
  ...moderationCatalogue.errors,
  ...documentsCatalogue.errors,
  ...conversationsCatalogue.errors,
  ...memoryTagsCatalogue.errors,
  ...transfersCatalogue.errors,
  ...personalDataCatalogue.errors,
  ...administrationCatalogue.errors,
};

declare module './shared/errors.ts' {
  interface ErrorCatalogue extends DeclaredErrors {}
}

type DeclaredErrors = typeof ERRORS;

registerErrors(ERRORS);

export const AUDIT_ACTIONS = {
  ...platformCatalogue.auditActions,
  ...mailCatalogue.auditActions,
  ...billingCatalogue.auditActions,
  ...identityCatalogue.auditActions,
  ...webhooksCatalogue.auditActions,
  ...codesCatalogue.auditActions,
  ...scansCatalogue.auditActions,
  ...moderationCatalogue.auditActions,
  ...documentsCatalogue.auditActions,
  ...conversationsCatalogue.auditActions,
  ...memoryTagsCatalogue.auditActions,
  ...transfersCatalogue.auditActions,
  ...notificationsCatalogue.auditActions,
  ...finderCatalogue.auditActions,
  ...personalDataCatalogue.auditActions,
  ...auditCatalogue.auditActions,
  ...administrationCatalogue.auditActions,
  ...systemCatalogue.auditActions,
};

export const PERMISSIONS = {
  ...billingCatalogue.permissions,
  ...identityCatalogue.permissions,
  ...webhooksCatalogue.permissions,
  ...codesCatalogue.permissions,
  ...scansCatalogue.permissions,
  ...documentsCatalogue.permissions,
  ...conversationsCatalogue.permissions,
  ...memoryTagsCatalogue.permissions,
  ...notificationsCatalogue.permissions,
  ...auditCatalogue.permissions,
  ...administrationCatalogue.permissions,
};

export const ENCRYPTED_COLUMNS: readonly EncryptedColumnDefinition[] = [
  ...platformCatalogue.encryptedColumns,
  ...filesCatalogue.encryptedColumns,
  ...mailCatalogue.encryptedColumns,
  ...identityCatalogue.encryptedColumns,
  ...webhooksCatalogue.encryptedColumns,
  ...codesCatalogue.encryptedColumns,
  ...scansCatalogue.encryptedColumns,
  ...moderationCatalogue.encryptedColumns,
  ...documentsCatalogue.encryptedColumns,
  ...conversationsCatalogue.encryptedColumns,
  ...memoryTagsCatalogue.encryptedColumns,
  ...notificationsCatalogue.encryptedColumns,
  ...ownerPagesCatalogue.encryptedColumns,
  ...administrationCatalogue.encryptedColumns,
];
