import type { ReportBrand } from '../../../../src/features/scans/reports/report-brand.ts';
import type { ScanReportData } from '../../../../src/features/scans/reports/report-content.rules.ts';

export function createReportData(
  name: string,
  counts: { total: number; humans: number; unique: number },
  change: Partial<ScanReportData['statistics']> = {},
): ScanReportData {
  const [from, to] = ['2026-03-27T23:00:00.000Z', '2026-03-30T22:00:00.000Z'];
  const values = [{ value: name, ...counts }];
  const days = ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'];
  const scan = { class: name, city: name, country: null, device: name, os: name, browser: name, title: name };
  return {
    title: name,
    madeAt: new Date(to),
    statistics: {
      from,
      to,
      timeZone: 'Europe/Berlin',
      interval: 'day',
      ...counts,
      previous: { from, to, total: 0, humans: 0, unique: 0 },
      firstScanAt: from,
      lastScanAt: from,
      series: days.map((startsAt) => ({ startsAt, ...counts })),
      classes: values,
      countries: values,
      cities: values,
      devices: values,
      operatingSystems: values,
      browsers: values,
      ...change,
    },
    topCodes: Array.from({ length: 10 }, () => ({ title: name, ...counts })),
    weekdayHours: { from: null, counts: [{ weekday: 6, hour: 17, humans: counts.humans }] },
    lastScans: Array.from({ length: 20 }, (_, index) => ({
      ...scan,
      visitor: `visitor ${index}`,
      scannedAt: new Date(Date.parse(from) - index * 60_000),
    })),
  };
}

/** Long enough for the chart by weekday and hour. */
export function createWeek(): Partial<ScanReportData['statistics']> {
  return { from: '2026-03-22T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' };
}

export const TEST_BRAND: ReportBrand = { name: 'Fundbüro Nord', color: '#7c2d92', logo: null };
