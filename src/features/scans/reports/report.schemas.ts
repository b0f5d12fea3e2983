import { type Static, Type } from 'typebox';
import { Id, stringEnum } from '../../../shared/common.schemas.ts';
import { StatisticsQuery } from '../statistics/statistics.schemas.ts';

const { from, to, timeZone } = StatisticsQuery.properties;

export const ScanReportQuery = Type.Object({
  format: stringEnum(['html', 'pdf'], { default: 'html' }),
  qrCodeId: Type.Optional(Id),
  from,
  to,
  timeZone,
});

export type ScanReportOptions = Static<typeof ScanReportQuery>;
