import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp, withDefault } from '../../../../shared/common.schemas.ts';
import { REPORT_FREQUENCIES } from './report-schedule.rules.ts';

const frequency = stringEnum(REPORT_FREQUENCIES, {
  description: 'WEEKLY: on Mondays, about the week before. MONTHLY: on the first, about the month before.',
});

export const ReportScheduleInput = Type.Object({
  frequency,
  hour: withDefault(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      default: 8,
      description: 'Hour of the day in the time zone of the account.',
    }),
  ),
  qrCodeId: Type.Optional(nullable(Id)),
});

export const ReportSchedule = Type.Object(
  {
    frequency,
    hour: Type.Integer(),
    timeZone: Type.String({ description: 'IANA time zone of the account.' }),
    qrCodeId: nullable(Id),
    nextSendAt: Timestamp,
  },
  { $id: 'ReportSchedule' },
);
