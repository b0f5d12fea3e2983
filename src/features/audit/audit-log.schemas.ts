import { Type } from 'typebox';
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS, RESOURCE_TYPES, SEVERITIES } from '../../shared/audit-actions.ts';
import {
  DateOrDateTime,
  Id,
  nullable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { CursorParam, createCursorPageSchema, PageQuery } from '../../shared/pagination.ts';
import { TRAIL_FINDING_KINDS, type TrailFinding } from './trail-finding.ts';

export const AUDIT_OUTCOMES = ['SUCCESS', 'DENIED', 'FAILURE'] as const;

const ACTION_TABLE_ROWS = AUDIT_ACTION_NAMES.map((name) => {
  const { severity, resourceType, meaning } = AUDIT_ACTIONS[name];
  return `| ${name} | ${severity} | ${resourceType} | ${meaning} |`;
});

export const AuditActionSchema = Type.Unsafe<(typeof AUDIT_ACTION_NAMES)[number]>({
  $id: 'AuditAction',
  type: 'string',
  enum: [...AUDIT_ACTION_NAMES],
  description: `What was done.\n\n| action | severity | about | meaning |\n| --- | --- | --- | --- |\n${ACTION_TABLE_ROWS.join('\n')}`,
});

const auditFilterProperties = {
  actorId: Type.Optional(Id),
  subjectId: Type.Optional(Id),
  resourceType: Type.Optional(stringEnum(RESOURCE_TYPES)),
  resourceId: Type.Optional(Id),
  action: Type.Optional(stringEnum(AUDIT_ACTION_NAMES)),
  severity: Type.Optional(stringEnum(SEVERITIES)),
  outcome: Type.Optional(stringEnum(AUDIT_OUTCOMES)),
  from: Type.Optional(DateOrDateTime('From this moment on. A bare date is a day in your time zone.')),
  to: Type.Optional(DateOrDateTime('Before this moment, or before this day begins.')),
};

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
  cursor: CursorParam,
  ...auditFilterProperties,
});

export const AuditExportQuery = Type.Object({
  format: stringEnum(['jsonl', 'csv'], { default: 'jsonl' }),
  ...auditFilterProperties,
});

export const AuditEntry = Type.Object(
  {
    id: Id,
    sequence: nullable(
      Type.Integer({ description: 'Place in the sealed chain; null until it is sealed, within a second.' }),
    ),
    action: schemaRef(AuditActionSchema),
    severity: stringEnum(SEVERITIES),
    resourceType: stringEnum(RESOURCE_TYPES),
    resourceId: nullable(
      Type.String({ description: 'What it was done to. Null where that is a person who was erased.' }),
    ),
    actorId: nullable(
      Type.String({
        description: 'Who did it. Null for the public, the service, and people who were erased.',
      }),
    ),
    subjectId: nullable(
      Type.String({
        description: 'Whose data it is about. Null for nobody, and for people who were erased.',
      }),
    ),
    outcome: stringEnum(AUDIT_OUTCOMES),
    operation: Type.String({ description: 'The operation, command or job by which it was done.' }),
    ip: nullable(Type.String({ description: 'Truncated, but for log-ins.' })),
    userAgent: nullable(Type.String()),
    requestId: Type.String(),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields, never values.' }),
    createdAt: Timestamp,
  },
  { $id: 'AuditEntry', description: 'One audited operation.' },
);

export const AuditLogResponse = createCursorPageSchema(AuditEntry, 'AuditLog');

export const AuditVerificationResponse = Type.Object(
  {
    whole: Type.Boolean({ description: 'Whether nothing is wrong.' }),
    finding: Type.Unsafe<TrailFinding | null>({
      type: ['object', 'null'],
      description: 'The first entry that is wrong, and how; null when none is.',
      required: ['kind', 'sequence', 'through', 'entryId', 'meaning'],
      properties: {
        kind: stringEnum(TRAIL_FINDING_KINDS),
        sequence: nullable(Type.Integer({ description: 'Its place; null for what was never sealed.' })),
        through: nullable(
          Type.Integer({ description: 'The last place that the same reason leaves unproved.' }),
        ),
        entryId: nullable(Type.String()),
        meaning: Type.String(),
      },
    }),
    sequence: Type.Integer({ description: 'The last place up to which everything is proved.' }),
    droppedThrough: Type.Integer({ description: 'The last place dropped because of its age; 0 for none.' }),
    batches: Type.Integer({ description: 'Signed batches that were checked.' }),
    waiting: Type.Integer({ description: 'Entries that are not sealed yet.' }),
    checkpoints: Type.Integer({ description: 'Checkpoints from outside the database that were compared.' }),
    unreadableLines: Type.Integer({ description: 'Lines of the checkpoint file that cannot be read.' }),
    at: Timestamp,
  },
  { $id: 'AuditVerification' },
);

export const OwnAuditQuery = Type.Object({
  ...PageQuery.properties,
  cursor: CursorParam,
  by: Type.Optional(
    stringEnum(['OTHERS', 'ME'], {
      description: 'Only what others did, or only what I did; without it all.',
    }),
  ),
});

export const OwnAuditEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    who: stringEnum(['YOU', 'STAFF', 'SOMEBODY', 'SERVICE'], {
      description:
        'You, staff of the service, somebody else (with or without an account), or the service by itself.',
    }),
    text: Type.String({ description: 'What happened, as a sentence.' }),
    action: schemaRef(AuditActionSchema),
    severity: stringEnum(SEVERITIES),
    outcome: stringEnum(AUDIT_OUTCOMES),
    resourceType: stringEnum(RESOURCE_TYPES),
    resourceId: nullable(Type.String({ description: 'Which of your records; null for the account itself.' })),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields.' }),
    ip: nullable(Type.String({ description: 'Of what you did yourself: truncated, but for log-ins.' })),
    userAgent: nullable(Type.String()),
  },
  { $id: 'OwnAuditEntry', description: 'Something that happened to your data or that you did.' },
);

export const OwnAuditLogResponse = createCursorPageSchema(OwnAuditEntry, 'OwnAuditLog');
