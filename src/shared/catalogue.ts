export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const RESOURCE_TYPES = [
  'USER',
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

export type ResourceType = (typeof RESOURCE_TYPES)[number];

export interface AuditActionDefinition {
  severity: Severity;
  resourceType: ResourceType;
  /** What happened, as a sentence for people. */
  meaning: string;
}

/** One row of the table of errors: what a client may rely on for a code. */
export interface ErrorDefinition {
  /** HTTP status that always goes with the code. */
  status: number;
  /** The sentence a person reads first; the same for every occurrence. */
  title: string;
  /** Whether the same request may succeed later without a change. */
  retry: boolean;
  /** What it means and what to do about it; shown at /api/docs/errors/<CODE>. */
  meaning: string;
}

export type Role = 'USER' | 'SUPPORT' | 'AUDITOR' | 'ADMIN';

export const ROLES: readonly Role[] = ['USER', 'SUPPORT', 'AUDITOR', 'ADMIN'];

/** Roles of a permission for what belongs to the user. */
export const EVERY_ROLE = ROLES;

export interface PermissionDefinition {
  roles: readonly Role[];
  /** What it allows, as a sentence. */
  meaning: string;
}

/** A column of envelopes (docs/security/encryption.md), and what they are bound to. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** Column of the row id: unique, text, and with an index in its order. */
  rowId: string;
  /** Column of the owner's id, or null where the rows are nobody's. */
  owner: string | null;
  /** GCM, or CBC_HMAC for the rows whose `column` holds `value`. */
  algorithm: 'GCM' | { cbcHmacWhere: { column: string; value: string } };
  /** What the audit trail calls the record whose id is the row id; SYSTEM where it has no name for it. */
  resourceType: ResourceType;
}

/** What a feature declares. */
export interface Catalogue {
  errors?: Record<string, ErrorDefinition>;
  auditActions?: Record<string, AuditActionDefinition>;
  permissions?: Record<string, PermissionDefinition>;
  encryptedColumns?: readonly EncryptedColumn[];
}

/** Check the catalogue of a feature and keep the names in it as types. */
export function defineCatalogue<const Declared extends Catalogue>(catalogue: Declared): Declared {
  return catalogue;
}

export function defineError(status: number, title: string, meaning: string, retry = false): ErrorDefinition {
  return { status, title, meaning, retry };
}

export function defineAction(
  severity: Severity,
  resourceType: ResourceType,
  meaning: string,
): AuditActionDefinition {
  return { severity, resourceType, meaning };
}
