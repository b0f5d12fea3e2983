import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '../../../shared/i18n/translate.ts';
import { drawPdfBarChart, drawPdfChartLegend, drawPdfLineChart } from './pdf-charts.ts';
import type { ScanReportContent } from './report-content.rules.ts';
import { createPdfSheet, PDF_CARD_COLOR, PDF_MUTED_TEXT_COLOR, type PdfSheet } from './report-sheet.ts';

/** A4, in points. */
const [LEFT, WIDTH, BOTTOM] = [40, 515, 800];
const GAP_POINTS = 14;
const ROW_HEIGHT_POINTS = 13;

export async function renderScanReportPdf(report: ScanReportContent): Promise<Buffer> {
  const sheet = await createPdfSheet(
    t(report.locale, 'report.title', { heading: report.heading }),
    report.locale.tag,
  );
  await nextTurn();
  let y = writeHead(sheet, report);
  y = writeNumbers(sheet, report, y + GAP_POINTS);
  y = writeHeading(sheet, report.line.heading, LEFT, y + GAP_POINTS);
  drawPdfChartLegend(sheet, report.locale, { x: LEFT, y });
  drawPdfLineChart(sheet, report.locale, report.line, { x: LEFT, y: y + 14, width: WIDTH, height: 120 });
  y += 134;
  await nextTurn();
  if (report.bars.length > 0) {
    const meaning = `${t(report.locale, 'report.barLegend')}. ${t(report.locale, 'report.barColors')}`;
    y =
      sheet.tag('P', meaning, {
        x: LEFT,
        y: y + GAP_POINTS,
        width: WIDTH,
        size: 8,
        color: PDF_MUTED_TEXT_COLOR,
      }) -
      GAP_POINTS / 2;
  }
  const pairs = [report.bars.slice(0, 2), report.bars.slice(2, 4)].filter(({ length }) => length > 0);
  for (const pair of pairs) {
    const height = 13 * 8;
    for (const [index, chart] of pair.entries()) {
      const x = LEFT + index * (WIDTH / 2 + 8);
      const width = WIDTH / 2 - 8;
      const below = writeHeading(sheet, chart.heading, x, y + GAP_POINTS);
      if (chart.rows.length > 0)
        drawPdfBarChart(sheet, report.locale, chart, { x, y: below + 2, width, height });
      else sheet.tag('P', chart.summary, { x, y: below, width, size: 9, color: PDF_MUTED_TEXT_COLOR });
    }
    y += GAP_POINTS + 18 + Math.max(1, ...pair.map(({ rows }) => rows.length)) * 13;
  }
  await nextTurn();
  writeScans(sheet, report, writeHeading(sheet, t(report.locale, 'report.lastScans'), LEFT, y + GAP_POINTS));
  const notes = [
    report.madeAt,
    t(report.locale, 'report.uniqueNote'),
    ...(sheet.isFullyPrintable ? [] : [t(report.locale, 'report.unsupportedCharacters')]),
  ].join(' ');
  sheet.tag('P', notes, {
    x: LEFT,
    y: BOTTOM + 6,
    width: WIDTH,
    size: 7.5,
    color: PDF_MUTED_TEXT_COLOR,
    lines: 2,
  });
  return sheet.end();
}

function writeHead(sheet: PdfSheet, { heading, period, lastScan, locale }: ScanReportContent): number {
  const subtitleLayout = { x: LEFT, width: WIDTH, size: 9.5, color: PDF_MUTED_TEXT_COLOR };
  let y = sheet.tag('P', t(locale, 'report.kicker'), { ...subtitleLayout, y: 36 });
  y = sheet.tag('H1', heading, { x: LEFT, y: y + 5, width: WIDTH, size: 22, bold: true, lines: 2 });
  y = sheet.tag('P', period, { ...subtitleLayout, y: y + 2 });
  return sheet.tag('P', lastScan, { ...subtitleLayout, y: y + 1 });
}

function writeNumbers(sheet: PdfSheet, { numbers }: ScanReportContent, y: number): number {
  const gap = 10;
  const width = (WIDTH - gap * (numbers.length - 1)) / numbers.length;
  for (const [index, { name, value, change, meaning }] of numbers.entries()) {
    const left = LEFT + index * (width + gap);
    // Decoration, skipped by screen readers.
    sheet.document.markContent('Artifact');
    sheet.document.roundedRect(left, y, width, 72, 6).fill(PDF_CARD_COLOR);
    sheet.document.endMarkedContent();
    const box = { x: left + 9, width: width - 18 };
    const group = sheet.group('Sect');
    sheet.tag('P', name, { ...box, y: y + 8, size: 9.5, bold: true }, group);
    sheet.tag('P', value, { ...box, y: y + 20, size: 22, bold: true }, group);
    sheet.tag('P', change, { ...box, y: y + 46, size: 7.5, color: PDF_MUTED_TEXT_COLOR }, group);
    sheet.tag('P', meaning, { ...box, y: y + 57, size: 7.5, color: PDF_MUTED_TEXT_COLOR }, group);
    group.end();
  }
  return y + 72;
}

function writeHeading(sheet: PdfSheet, text: string, x: number, y: number): number {
  return sheet.tag('H2', text, { x, y, width: WIDTH / 2 - 8, size: 12, bold: true }) + 4;
}

function writeScans(sheet: PdfSheet, { scans, hasTitles, locale }: ScanReportContent, top: number): void {
  if (scans.length === 0) {
    sheet.tag('P', t(locale, 'report.none'), {
      x: LEFT,
      y: top,
      width: WIDTH,
      size: 9,
      color: PDF_MUTED_TEXT_COLOR,
    });
    return;
  }
  const columns = [
    { name: t(locale, 'report.when'), of: (scan: ScanReportContent['scans'][number]) => scan.at, share: 2 },
    ...(hasTitles
      ? [
          {
            name: t(locale, 'report.code'),
            of: (scan: ScanReportContent['scans'][number]) => scan.title,
            share: 2.5,
          },
        ]
      : []),
    {
      name: t(locale, 'report.where'),
      of: (scan: ScanReportContent['scans'][number]) => scan.place,
      share: 2.5,
    },
    { name: t(locale, 'report.who'), of: (scan: ScanReportContent['scans'][number]) => scan.by, share: 1.8 },
    {
      name: t(locale, 'report.usedDevice'),
      of: (scan: ScanReportContent['scans'][number]) => scan.device,
      share: 2.2,
    },
  ];
  const unit = WIDTH / columns.reduce((sum, { share }) => sum + share, 0);
  const maxRows = Math.max(1, Math.floor((BOTTOM - top) / ROW_HEIGHT_POINTS) - 1);
  const table = sheet.group('Table');
  let y = top;
  for (const scan of [null, ...scans.slice(0, maxRows)]) {
    const row = sheet.group('TR', table);
    let x = LEFT;
    for (const { name, of: getText, share } of columns) {
      const place = { x, y, width: share * unit - 6, size: 8.5, bold: scan === null };
      sheet.tag(scan ? 'TD' : 'TH', scan ? getText(scan) : name, place, row);
      x += share * unit;
    }
    row.end();
    y += ROW_HEIGHT_POINTS;
  }
  table.end();
}
