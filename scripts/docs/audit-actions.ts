import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES, AUDIT_SEVERITIES } from '../../src/audit-actions.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
An entry of the audit trail names one of these actions. The severity and the resource type of an action never change. [The audit trail](../security/audit-trail.md) explains the format and how an entry is proved.

Severities, from low to high: ${AUDIT_SEVERITIES.map(code).join(', ')}.
`;

/** Format docs/reference/audit-actions.md: every audit action by resource type. */
export function formatAuditActions(): string {
  const actions = Object.entries(AUDIT_ACTIONS);
  const sections = AUDIT_RESOURCE_TYPES.map((type) => {
    const rows = actions
      .filter(([, { resourceType }]) => resourceType === type)
      .map(([name, { severity, meaning }]) => [code(name), severity, meaning]);
    return rows.length === 0 ? '' : `## ${type}\n\n${formatTable(['action', 'severity', 'meaning'], rows)}`;
  });
  return formatDocument('Audit actions', INTRODUCTION, ...sections);
}
