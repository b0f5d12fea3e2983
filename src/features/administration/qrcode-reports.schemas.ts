import { Type } from 'typebox';
import { ACCOUNT_FIELDS, Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import { QR_CODE_KIND_NAMES } from '../codes/index.ts';
import { ModerationCategorySchema } from '../moderation/index.ts';

const ReportStatus = stringEnum(['OPEN', 'DECIDED'], {
  default: 'OPEN',
  description: 'OPEN until an administrator decides.',
});

export const AdminCodeReportQuery = Type.Object({ ...PageQuery.properties, status: ReportStatus });

export const AdminReportedCode = Type.Object(
  {
    qrCodeId: Id,
    ...ACCOUNT_FIELDS,
    kind: stringEnum(QR_CODE_KIND_NAMES),
    title: Type.String(),
    takenDownAt: nullable(Timestamp),
    reports: Type.Integer({ description: 'Reports, one for each network.' }),
    count: Type.Integer({ description: 'Reports with their repeats.' }),
    byCategory: Type.Record(Type.String(), Type.Integer(), { description: 'Reports by category.' }),
    firstReportedAt: Timestamp,
    lastReportedAt: Timestamp,
  },
  { $id: 'AdminReportedCode', description: 'A code with the number of its reports.' },
);

export const AdminCodeReport = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    category: ModerationCategorySchema,
    note: nullable(Type.String({ description: 'What the reporter wrote. Do not pass it on to the owner.' })),
    count: Type.Integer({ description: 'The report and its repeats from the same network.' }),
    status: stringEnum(['OPEN', 'DECIDED']),
    decision: nullable(stringEnum(['DISMISSED', 'TAKEN_DOWN'])),
    decidedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: 'AdminCodeReport', description: 'A report of a code by a stranger.' },
);

export const ReportDismissal = Type.Object(
  { dismissed: Type.Integer({ description: 'Number of reports.' }) },
  { $id: 'ReportDismissal' },
);
