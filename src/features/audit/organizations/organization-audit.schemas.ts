import { Type } from 'typebox';
import { AUDIT_RESOURCE_TYPES, AUDIT_SEVERITIES } from '../../../audit-actions.ts';
import {
  Id,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  TABLE_EXPORT_PARAMETERS,
  TIME_RANGE_FILTERS,
  Timestamp,
} from '../../../shared/common.schemas.ts';
import { createNamedPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { AUDIT_OUTCOMES, AuditActionSchema } from '../audit-log.schemas.ts';

/** Of one verification, the newest first. */
export const MAX_VERIFIED_ENTRIES = 10_000;

const filterProperties = {
  actorId: Type.Optional({ ...Id, description: 'What this member did.' }),
  resourceType: Type.Optional(repeatable(stringEnum(AUDIT_RESOURCE_TYPES), 'Any of these types of records.')),
  resourceId: Type.Optional(Id),
  action: Type.Optional(repeatable(schemaRef(AuditActionSchema), 'Any of these actions.')),
  outcome: Type.Optional(repeatable(stringEnum(AUDIT_OUTCOMES), 'Any of these outcomes.')),
  ...TIME_RANGE_FILTERS,
};

export const OrganizationAuditQuery = Type.Object({ ...PageQuery.properties, ...filterProperties });

export const OrganizationAuditExportQuery = Type.Object({ ...TABLE_EXPORT_PARAMETERS, ...filterProperties });

export const OrganizationAuditVerificationQuery = Type.Object(TIME_RANGE_FILTERS);

export const OrganizationAuditEntry = Type.Object(
  {
    id: Id,
    createdAt: Timestamp,
    who: stringEnum(['YOU', 'MEMBER', 'FORMER_MEMBER', 'STAFF', 'SOMEBODY', 'SERVICE']),
    actorId: nullable(Type.String({ description: 'Of a member; null for all others.' })),
    actorName: nullable(Type.String()),
    text: Type.String({ description: 'What happened, in words.' }),
    action: schemaRef(AuditActionSchema),
    severity: stringEnum(AUDIT_SEVERITIES),
    outcome: stringEnum(AUDIT_OUTCOMES),
    resourceType: stringEnum(AUDIT_RESOURCE_TYPES),
    resourceId: nullable(Type.String()),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields.' }),
    ip: nullable(Type.String({ description: 'Only of your own actions; truncated.' })),
    userAgent: nullable(Type.String()),
  },
  {
    $id: 'OrganizationAuditEntry',
    description: 'What a member did for an organization, or somebody did with its data.',
  },
);

export const OrganizationAuditResponse = createNamedPageSchema(
  OrganizationAuditEntry,
  'OrganizationAuditLog',
);

export const OrganizationAuditVerification = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether each verified entry is as it was sealed.' }),
    finding: Type.Unsafe<{ kind: string; entryId: string; meaning: string } | null>({
      type: ['object', 'null'],
      description: 'The newest entry that is not; null if there is none.',
      required: ['kind', 'entryId', 'meaning'],
      properties: {
        kind: stringEnum(['CHANGED', 'INSERTED', 'SIGNATURE']),
        entryId: Type.String(),
        meaning: Type.String(),
      },
    }),
    verified: Type.Integer({ description: 'Entries that were verified.' }),
    waiting: Type.Integer({ description: 'Entries that are not sealed yet.' }),
    complete: Type.Boolean({
      description: `False if there are older entries than the newest ${MAX_VERIFIED_ENTRIES}: verify them by \`to\`.`,
    }),
    at: Timestamp,
  },
  { $id: 'OrganizationAuditVerification' },
);
