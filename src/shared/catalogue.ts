import type { AccountRolesDefinition } from './account-permissions.ts';

export type { AccountRole } from './account-roles.ts';

export const AUDIT_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

export type AuditSeverity = (typeof AUDIT_SEVERITIES)[number];

export const AUDIT_RESOURCE_TYPES = [
  'USER',
  'ORGANIZATION',
  'SESSION',
  'QRCODE',
  'SCAN',
  'CONVERSATION',
  'CONVERSATION_REPORT',
  'NOTIFICATION',
  'MEMORY_TAG',
  'DOCUMENT',
  'SUBSCRIPTION',
  'SYSTEM',
] as const;

export type AuditResourceType = (typeof AUDIT_RESOURCE_TYPES)[number];

export interface AuditActionDefinition {
  severity: AuditSeverity;
  resourceType: AuditResourceType;
  meaning: string;
}

export interface ErrorDefinition {
  status: number;
  /** The same for every occurrence. */
  title: string;
  retry: boolean;
  /** Meaning and remedy; shown at /api/docs/errors/<CODE>. */
  meaning: string;
}

export type UserRole = 'USER' | 'SUPPORT' | 'AUDITOR' | 'ADMIN';

export const USER_ROLES: readonly UserRole[] = ['USER', 'SUPPORT', 'AUDITOR', 'ADMIN'];

export const EVERY_ROLE = USER_ROLES;

export interface PermissionDefinition {
  roles: readonly UserRole[];
  meaning: string;
  /** Scopes of API keys for GET and for other methods; without one no key may call them. */
  scopes?: { read?: string; write?: string };
  /** Of records of an account: which of its members have it. Without them it covers what belongs to the user. */
  accountRoles?: AccountRolesDefinition;
}

export interface EncryptedColumnDefinition {
  table: string;
  column: string;
  /** Column of the row id: unique, text, indexed in its order. */
  rowId: string;
  /** Column of the owner's id; null where rows have no owner. */
  owner: string | null;
  /** GCM, or CBC_HMAC for the rows whose `column` has `value`. */
  algorithm: 'GCM' | { cbcHmacWhere: { column: string; value: string } };
  /** Audit resource type of a record whose id is the row id; SYSTEM where there is none. */
  resourceType: AuditResourceType;
}

export interface Catalogue {
  errors?: Record<string, ErrorDefinition>;
  auditActions?: Record<string, AuditActionDefinition>;
  permissions?: Record<string, PermissionDefinition>;
  encryptedColumns?: readonly EncryptedColumnDefinition[];
}

export function defineCatalogue<const Declared extends Catalogue>(catalogue: Declared): Declared {
  return catalogue;
}

export function defineError(status: number, title: string, meaning: string, retry = false): ErrorDefinition {
  return { status, title, meaning, retry };
}

export function defineAuditAction(
  severity: AuditSeverity,
  resourceType: AuditResourceType,
  meaning: string,
): AuditActionDefinition {
  return { severity, resourceType, meaning };
}
