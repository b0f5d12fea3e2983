import { Type } from 'typebox';
import { AUDIT_ACTION_NAMES, AUDIT_RESOURCE_TYPES, AUDIT_SEVERITIES } from '../../audit-actions.ts';
import {
  Id,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  TABLE_EXPORT_PARAMETERS,
  TIME_RANGE_FILTERS,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { createNamedPageSchema, PageQuery } from '../../shared/pagination.ts';
import { TRAIL_FINDING_KINDS, type TrailFinding } from './trail-finding.ts';

export const AUDIT_OUTCOMES = ['SUCCESS', 'DENIED', 'FAILURE'] as const;

export const AuditActionSchema = Type.Unsafe<(typeof AUDIT_ACTION_NAMES)[number]>({
  $id: 'AuditAction',
  type: 'string',
  enum: [...AUDIT_ACTION_NAMES],
  description: 'Audit action. docs/reference/audit-actions.md has the severity and the meaning of each.',
});

const auditFilterProperties = {
  actorId: Type.Optional(Id),
  subjectId: Type.Optional(Id),
  accountId: Type.Optional({
    ...Id,
    description: 'What was done for this account, and what was done to its data.',
  }),
  resourceType: Type.Optional(
    repeatable(
      stringEnum(AUDIT_RESOURCE_TYPES),
      'Any of these types of the record that the action concerns.',
    ),
  ),
  resourceId: Type.Optional(Id),
  action: Type.Optional(repeatable(schemaRef(AuditActionSchema), 'Any of these actions.')),
  severity: Type.Optional(repeatable(stringEnum(AUDIT_SEVERITIES), 'Any of these severities.')),
  outcome: Type.Optional(
    repeatable(stringEnum(AUDIT_OUTCOMES), 'Any of these outcomes. DENIED: access was refused.'),
  ),
  ...TIME_RANGE_FILTERS,
};

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
  ...auditFilterProperties,
});

export const AuditExportQuery = Type.Object({
  ...TABLE_EXPORT_PARAMETERS,
  ...auditFilterProperties,
});

export const AuditEntry = Type.Object(
  {
    id: Id,
    sequence: nullable(
      Type.Integer({
        description: 'Sequence number in the sealed chain; null until it is sealed, within a second.',
      }),
    ),
    action: schemaRef(AuditActionSchema),
    severity: stringEnum(AUDIT_SEVERITIES),
    resourceType: stringEnum(AUDIT_RESOURCE_TYPES),
    resourceId: nullable(Type.String({ description: 'Id of the record; null for an erased user.' })),
    actorId: nullable(
      Type.String({
        description: 'Id of the actor; null for the public, the service and erased users.',
      }),
    ),
    subjectId: nullable(
      Type.String({
        description: 'Id of the user or organization whose data it concerns; null for none and erased ones.',
      }),
    ),
    accountId: nullable(
      Type.String({
        description: 'Id of the organization that the actor acted for; null for their own account.',
      }),
    ),
    outcome: stringEnum(AUDIT_OUTCOMES),
    operation: Type.String({ description: 'The operation, command or job.' }),
    ip: nullable(Type.String({ description: 'Truncated, except for logins.' })),
    userAgent: nullable(Type.String()),
    requestId: Type.String(),
    changes: Type.Array(Type.String(), {
      description: 'Names of changed fields, never values; `api-key:<id>` names the API key.',
    }),
    createdAt: Timestamp,
  },
  { $id: 'AuditEntry', description: 'One audited operation.' },
);

export const AuditLogResponse = createNamedPageSchema(AuditEntry, 'AuditLog');

export const AuditVerificationResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the trail is intact.' }),
    finding: Type.Unsafe<TrailFinding | null>({
      type: ['object', 'null'],
      description: 'The first invalid entry; null if there is none.',
      required: ['kind', 'sequence', 'through', 'entryId', 'meaning'],
      properties: {
        kind: stringEnum(TRAIL_FINDING_KINDS),
        sequence: nullable(
          Type.Integer({ description: 'Sequence number; null for an entry that was never sealed.' }),
        ),
        through: nullable(
          Type.Integer({
            description: 'The last sequence number that cannot be verified for the same reason.',
          }),
        ),
        entryId: nullable(Type.String()),
        meaning: Type.String(),
      },
    }),
    sequence: Type.Integer({ description: 'The last verified sequence number.' }),
    droppedThrough: Type.Integer({
      description: 'The last sequence number dropped by retention; 0 for none.',
    }),
    batches: Type.Integer({ description: 'Signed batches that were verified.' }),
    waiting: Type.Integer({ description: 'Entries that are not sealed yet.' }),
    checkpoints: Type.Integer({ description: 'External checkpoints that were compared.' }),
    unreadableLines: Type.Integer({ description: 'Unreadable lines of the checkpoint file.' }),
    at: Timestamp,
  },
  { $id: 'AuditVerification' },
);

export const OwnAuditLogQuery = Type.Object({
  ...PageQuery.properties,
  by: Type.Optional(
    stringEnum(['OTHERS', 'ME'], {
      description: 'Only actions of others, or only your own; all by default.',
    }),
  ),
  accountId: Type.Optional({
    ...Id,
    description: 'Only what concerns this account: your own, or an organization that you acted for.',
  }),
});

export const OwnAuditEntry = Type.Object(
  {
    id: Id,
    createdAt: Timestamp,
    who: stringEnum(['YOU', 'STAFF', 'SOMEBODY', 'SERVICE'], {
      description: 'You, staff, another user or visitor, or the service itself.',
    }),
    text: Type.String({ description: 'What happened, in words.' }),
    action: schemaRef(AuditActionSchema),
    severity: stringEnum(AUDIT_SEVERITIES),
    outcome: stringEnum(AUDIT_OUTCOMES),
    resourceType: stringEnum(AUDIT_RESOURCE_TYPES),
    resourceId: nullable(Type.String({ description: 'Id of your record; null for the account itself.' })),
    accountId: nullable(
      Type.String({
        description: 'Id of the organization that it was done for; null for a personal account.',
      }),
    ),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields.' }),
    ip: nullable(Type.String({ description: 'Only of your own actions; truncated, except for logins.' })),
    userAgent: nullable(Type.String()),
  },
  { $id: 'OwnAuditEntry', description: 'An action on your data, or an action of yours.' },
);

export const OwnAuditLogResponse = createNamedPageSchema(OwnAuditEntry, 'OwnAuditLog');
