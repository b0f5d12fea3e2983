import {
  getNextReportTime,
  getReportPeriod,
  getReportPeriodBefore,
  type ReportFrequency,
} from '../../../../../src/features/scans/reports/schedule/report-schedule.rules.ts';
import { t } from '../../../../tap.ts';

const next = (frequency: ReportFrequency, hour: number, timeZone: string, after: string) =>
  getNextReportTime({ frequency, hour }, timeZone, new Date(after)).toISOString();
const period = (frequency: ReportFrequency, timeZone: string, now: string) =>
  Object.values(getReportPeriod(frequency, timeZone, new Date(now))).join(' to ');

t.test('a weekly report is sent on Mondays at the hour of the user', async (t) => {
  // 16 November 2026 is a Monday.
  t.equal(next('WEEKLY', 8, 'Europe/Berlin', '2026-11-15T12:00:00Z'), '2026-11-16T07:00:00.000Z');
  t.equal(next('WEEKLY', 8, 'Europe/Berlin', '2026-11-16T06:59:59Z'), '2026-11-16T07:00:00.000Z');
  t.equal(next('WEEKLY', 8, 'Europe/Berlin', '2026-11-16T07:00:00Z'), '2026-11-23T07:00:00.000Z');
  t.equal(next('WEEKLY', 0, 'Pacific/Auckland', '2026-11-14T12:00:00Z'), '2026-11-15T11:00:00.000Z');
  t.equal(next('WEEKLY', 23, 'America/Los_Angeles', '2026-11-16T12:00:00Z'), '2026-11-17T07:00:00.000Z');
});

t.test('a monthly report is sent on the first, whatever the length of the month', async (t) => {
  t.equal(next('MONTHLY', 8, 'UTC', '2026-01-31T23:00:00Z'), '2026-02-01T08:00:00.000Z');
  t.equal(next('MONTHLY', 8, 'UTC', '2028-02-29T23:00:00Z'), '2028-03-01T08:00:00.000Z');
  t.equal(next('MONTHLY', 8, 'UTC', '2026-12-31T23:00:00Z'), '2027-01-01T08:00:00.000Z');
  t.equal(next('MONTHLY', 0, 'Asia/Tokyo', '2026-03-31T14:00:00Z'), '2026-03-31T15:00:00.000Z');
});

t.test('a clock change neither skips nor repeats a report', async (t) => {
  t.equal(next('WEEKLY', 8, 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-30T06:00:00.000Z');
  t.equal(next('WEEKLY', 8, 'Europe/Berlin', '2026-10-24T12:00:00Z'), '2026-10-26T07:00:00.000Z');
  // In New York, 1 November 2026 has the hour from one to two twice.
  t.equal(next('MONTHLY', 1, 'America/New_York', '2026-10-31T12:00:00Z'), '2026-11-01T05:00:00.000Z');
  t.equal(next('MONTHLY', 1, 'America/New_York', '2026-11-01T05:00:00Z'), '2026-12-01T06:00:00.000Z');
  // In Amman, the first hour of 1 July 1999 did not exist.
  t.equal(next('MONTHLY', 0, 'Asia/Amman', '1999-06-30T12:00:00Z'), '1999-06-30T22:00:00.000Z');
});

t.test('reports on the last week or month that is over', async (t) => {
  t.equal(period('WEEKLY', 'Europe/Berlin', '2026-11-16T07:00:00Z'), '2026-11-09 to 2026-11-16');
  t.equal(period('WEEKLY', 'Europe/Berlin', '2026-11-22T22:59:59Z'), '2026-11-09 to 2026-11-16');
  t.equal(period('WEEKLY', 'Europe/Berlin', '2026-11-22T23:00:00Z'), '2026-11-16 to 2026-11-23');
  t.equal(period('MONTHLY', 'UTC', '2026-03-01T08:00:00Z'), '2026-02-01 to 2026-03-01');
  t.equal(period('MONTHLY', 'UTC', '2027-01-31T08:00:00Z'), '2026-12-01 to 2027-01-01');
  t.same(getReportPeriodBefore('MONTHLY', '2026-03-01'), { from: '2026-02-01', to: '2026-03-01' });
  t.same(getReportPeriodBefore('WEEKLY', '2026-03-02'), { from: '2026-02-23', to: '2026-03-02' });
});
