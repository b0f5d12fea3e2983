import { Type } from 'typebox';
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS, RESOURCE_TYPES, SEVERITIES } from '../../shared/audit-actions.ts';
import { Id, Moment, nullable, oneOf, ref, Timestamp } from '../../shared/common.schemas.ts';
import { Cursor, cursorPageOf, PageQuery } from '../../shared/pagination.ts';
import { FINDING_KINDS, type Finding } from './trail-finding.ts';

export const OUTCOMES = ['SUCCESS', 'DENIED', 'FAILURE'] as const;

const MEANINGS = AUDIT_ACTION_NAMES.map((name) => {
  const { severity, resourceType, meaning } = AUDIT_ACTIONS[name];
  return `| ${name} | ${severity} | ${resourceType} | ${meaning} |`;
});

/** Every action of the trail, with its severity, resource type and a sentence. */
export const AuditActionName = Type.Unsafe<(typeof AUDIT_ACTION_NAMES)[number]>({
  $id: 'AuditAction',
  type: 'string',
  enum: [...AUDIT_ACTION_NAMES],
  description: `What was done.\n\n| action | severity | about | meaning |\n| --- | --- | --- | --- |\n${MEANINGS.join('\n')}`,
});

const Filter = {
  actorId: Type.Optional(Id),
  subjectId: Type.Optional(Id),
  resourceType: Type.Optional(oneOf(RESOURCE_TYPES)),
  resourceId: Type.Optional(Id),
  action: Type.Optional(oneOf(AUDIT_ACTION_NAMES)),
  severity: Type.Optional(oneOf(SEVERITIES)),
  outcome: Type.Optional(oneOf(OUTCOMES)),
  from: Type.Optional(Moment('From this moment on. A bare date is a day in your time zone.')),
  to: Type.Optional(Moment('Before this moment, or before this day begins.')),
};

export const AuditLogQuery = Type.Object({ ...PageQuery.properties, cursor: Cursor, ...Filter });

export const AuditExportQuery = Type.Object({
  format: oneOf(['jsonl', 'csv'], { default: 'jsonl' }),
  ...Filter,
});

export const AuditEntry = Type.Object(
  {
    id: Id,
    sequence: nullable(
      Type.Integer({ description: 'Place in the sealed chain; null until it is sealed, within a second.' }),
    ),
    action: ref(AuditActionName),
    severity: oneOf(SEVERITIES),
    resourceType: oneOf(RESOURCE_TYPES),
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
    outcome: oneOf(OUTCOMES),
    operation: Type.String({ description: 'The operation, command or job by which it was done.' }),
    ip: nullable(Type.String({ description: 'Truncated, but for log-ins.' })),
    userAgent: nullable(Type.String()),
    requestId: Type.String(),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields, never values.' }),
    createdAt: Timestamp,
  },
  { $id: 'AuditEntry', description: 'One audited operation.' },
);

export const AuditLog = cursorPageOf(AuditEntry, 'AuditLog');

export const AuditVerification = Type.Object(
  {
    whole: Type.Boolean({ description: 'Whether nothing is wrong.' }),
    finding: Type.Unsafe<Finding | null>({
      type: ['object', 'null'],
      description: 'The first entry that is wrong, and how; null when none is.',
      required: ['kind', 'sequence', 'through', 'entryId', 'meaning'],
      properties: {
        kind: oneOf(FINDING_KINDS),
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
  cursor: Cursor,
  by: Type.Optional(
    oneOf(['OTHERS', 'ME'], { description: 'Only what others did, or only what I did; without it all.' }),
  ),
});

export const OwnAuditEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    who: oneOf(['YOU', 'STAFF', 'SOMEBODY', 'SERVICE'], {
      description:
        'You, staff of the service, somebody else (with or without an account), or the service by itself.',
    }),
    text: Type.String({ description: 'What happened, as a sentence.' }),
    action: ref(AuditActionName),
    severity: oneOf(SEVERITIES),
    outcome: oneOf(OUTCOMES),
    resourceType: oneOf(RESOURCE_TYPES),
    resourceId: nullable(Type.String({ description: 'Which of your records; null for the account itself.' })),
    changes: Type.Array(Type.String(), { description: 'Names of changed fields.' }),
    ip: nullable(Type.String({ description: 'Of what you did yourself: truncated, but for log-ins.' })),
    userAgent: nullable(Type.String()),
  },
  { $id: 'OwnAuditEntry', description: 'Something that happened to your data or that you did.' },
);

export const OwnAuditLog = cursorPageOf(OwnAuditEntry, 'OwnAuditLog');
