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
    lastScans: Array.from({ length: 20 }, () => ({ ...scan, scannedAt: new Date(from) })),
  };
}
