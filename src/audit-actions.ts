import { AUDIT_ACTIONS } from './catalogue.ts';

export {
  AUDIT_RESOURCE_TYPES,
  AUDIT_SEVERITIES,
  type AuditResourceType,
  type AuditSeverity,
} from './shared/catalogue.ts';
export { AUDIT_ACTIONS };

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS).filter(
  (name): name is AuditAction => name in AUDIT_ACTIONS,
);

/** Prefix of the change that names an API key: the one that was used, or the one that was changed. */
export const API_KEY_CHANGE_PREFIX = 'api-key:';

/** Actions that name malware: a user who tests what is detected must not see the result. */
const MALWARE_ACTIONS: readonly string[] = ['INFECTED_UPLOAD_REJECTED', 'INFECTED_DOCUMENT_REMOVED'];

export function hideMalwareAuditChanges(action: string, changes: string[]): string[] {
  return MALWARE_ACTIONS.includes(action) ? [] : changes;
}
