import { type Static, Type } from 'typebox';
import { Id, stringEnum } from '../../../shared/common.schemas.ts';
import { ScanStatisticsQuery } from '../statistics/statistics.schemas.ts';

const { from, to, timeZone } = ScanStatisticsQuery.properties;

export const ScanReportQuery = Type.Object({
  format: stringEnum(['html', 'pdf'], { default: 'html', description: 'Format of the report.' }),
  qrCodeId: Type.Optional(Id),
  from,
  to,
  timeZone,
});

export type ScanReportQueryParams = Static<typeof ScanReportQuery>;
