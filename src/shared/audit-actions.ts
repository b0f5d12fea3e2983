import { AUDIT_ACTIONS } from '../catalogue.ts';

export { RESOURCE_TYPES, type ResourceType, SEVERITIES, type Severity } from './catalogue.ts';
export { AUDIT_ACTIONS };

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Their names, as the OpenAPI document lists them. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS).filter(
  (name): name is AuditAction => name in AUDIT_ACTIONS,
);

/** Actions that say what malware was found: whoever tries what is found must not learn it. */
const MALWARE_ACTIONS: readonly string[] = ['INFECTED_UPLOAD_REJECTED', 'INFECTED_DOCUMENT_REMOVED'];

/** What of an entry's changes the person hears who it is about. */
export function hideMalwareChanges(action: string, changes: string[]): string[] {
  return MALWARE_ACTIONS.includes(action) ? [] : changes;
}
