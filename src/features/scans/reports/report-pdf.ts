import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  drawPdfBarLegend,
  drawPdfBarTable,
  drawPdfChartLegend,
  drawPdfCountryMap,
  drawPdfLineChart,
  drawPdfWeekdayHours,
  measurePdfBarTable,
  PDF_WEEKDAY_HOURS_POINTS,
} from './pdf-charts.ts';
import type { ReportBrand } from './report-brand.ts';
import type { ReportChart } from './report-chart.rules.ts';
import type { ScanReportContent } from './report-content.rules.ts';
import { createPdfSheet, PDF_CARD_COLOR, PDF_MUTED_TEXT_COLOR, type PdfSheet } from './report-sheet.ts';

/** A4, in points. */
const [LEFT, WIDTH, TOP, BOTTOM] = [40, 515, 40, 800];
const HEADING_POINTS = 18;
const LOGO_HEIGHT_POINTS = 18;
const MAX_LOGO_WIDTH_POINTS = 120;
const GAP_POINTS = 14;
const CARD_POINTS = 80;
const ROW_HEIGHT_POINTS = 13;

const COLUMN_GAP = 20;
const MAP_HEIGHT_POINTS = 168;
const MAP_LEGEND_POINTS = 16;
const LEGEND_POINTS = 15;

export async function renderScanReportPdf(report: ScanReportContent, brand: ReportBrand): Promise<Buffer> {
  const { locale, line, topCodes, weekdayHours, breakdowns } = report;
  const title = t(locale, 'report.title', { heading: report.heading });
  const sheet = await createPdfSheet(title, locale);
  await nextTurn();
  let y = writeHead(sheet, report, brand);
  y = writeNumbers(sheet, report, y + GAP_POINTS);
  y = writeHeading(sheet, line.heading, { x: LEFT, y: y + GAP_POINTS });
  drawPdfChartLegend(sheet, locale, { x: LEFT, y });
  drawPdfLineChart(sheet, locale, line, { x: LEFT, y: y + 14, width: WIDTH, height: 120 });
  y += 134;
  await nextTurn();
  if (topCodes) {
    y = startSection(sheet, y, LEGEND_POINTS + measurePdfBarTable(topCodes));
    y = writeHeading(sheet, topCodes.heading, { x: LEFT, y });
    drawPdfBarLegend(sheet, locale, { x: LEFT, y });
    y = drawPdfBarTable(sheet, locale, topCodes, { x: LEFT, y: y + LEGEND_POINTS, width: WIDTH });
  }
  if (weekdayHours) {
    y = startSection(sheet, y, PDF_WEEKDAY_HOURS_POINTS);
    y = writeHeading(sheet, weekdayHours.heading, { x: LEFT, y });
    y = drawPdfWeekdayHours(sheet, weekdayHours, { x: LEFT, y, width: WIDTH });
  }
  await nextTurn();
  if (breakdowns) y = await writeBreakdowns(sheet, locale, breakdowns, y);
  await nextTurn();
  y = startSection(sheet, y, 2 * ROW_HEIGHT_POINTS);
  writeScans(sheet, report, writeHeading(sheet, t(locale, 'report.lastScans'), { x: LEFT, y }));
  const notes = [
    report.madeAt,
    t(locale, 'report.uniqueNote'),
    t(locale, 'report.peopleNote'),
    ...(sheet.isFullyPrintable ? [] : [t(locale, 'report.unsupportedCharacters')]),
  ].join(' ');
  sheet.tag('P', notes, {
    x: LEFT,
    y: BOTTOM + 4,
    width: WIDTH,
    size: 7,
    color: PDF_MUTED_TEXT_COLOR,
    lines: 3,
  });
  return sheet.end();
}

/** Return where a section with a heading begins: on the next page if it does not fit. */
function startSection(sheet: PdfSheet, y: number, height: number): number {
  if (y + GAP_POINTS + HEADING_POINTS + height <= BOTTOM) return y + GAP_POINTS;
  sheet.document.addPage();
  return TOP;
}

async function writeBreakdowns(
  sheet: PdfSheet,
  locale: Locale,
  { map, countries, cities, devices, classes }: NonNullable<ScanReportContent['breakdowns']>,
  top: number,
): Promise<number> {
  const width = (WIDTH - COLUMN_GAP) / 2;
  const right = LEFT + width + COLUMN_GAP;
  let y = startSection(sheet, top, MAP_HEIGHT_POINTS + MAP_LEGEND_POINTS);
  const mapTop = writeHeading(sheet, map.legend, { x: LEFT, y });
  await drawPdfCountryMap(sheet, locale, map, { x: LEFT, y: mapTop, width, height: MAP_HEIGHT_POINTS });
  const countriesEnd = writeBarTable(sheet, locale, countries, { x: right, y, width });
  const smallTables = [devices, classes].reduce(
    (sum, chart) => sum + LEGEND_POINTS + measurePdfBarTable(chart),
    0,
  );
  const below = Math.max(mapTop + MAP_HEIGHT_POINTS + MAP_LEGEND_POINTS, countriesEnd);
  y = startSection(
    sheet,
    below,
    Math.max(LEGEND_POINTS + measurePdfBarTable(cities), smallTables + GAP_POINTS + HEADING_POINTS),
  );
  const citiesEnd = writeBarTable(sheet, locale, cities, { x: LEFT, y, width });
  const devicesEnd = writeBarTable(sheet, locale, devices, { x: right, y, width });
  const classesEnd = writeBarTable(sheet, locale, classes, { x: right, y: devicesEnd + GAP_POINTS, width });
  return Math.max(citiesEnd, classesEnd);
}

function writeBarTable(
  sheet: PdfSheet,
  locale: Locale,
  chart: ReportChart,
  { x, y, width }: { x: number; y: number; width: number },
): number {
  const below = writeHeading(sheet, chart.heading, { x, y, width });
  if (chart.rows.length > 0) {
    drawPdfBarLegend(sheet, locale, { x, y: below });
    return drawPdfBarTable(sheet, locale, chart, { x, y: below + LEGEND_POINTS, width });
  }
  return sheet.tag('P', chart.summary, { x, y: below, width, size: 9, color: PDF_MUTED_TEXT_COLOR });
}

function writeHead(
  sheet: PdfSheet,
  { heading, period, lastScan, locale }: ScanReportContent,
  brand: ReportBrand,
): number {
  const nameLeft = LEFT + drawLogo(sheet, brand);
  sheet.tag('P', brand.name, {
    x: nameLeft,
    y: 31,
    width: WIDTH / 2,
    size: 10.5,
    bold: true,
    direction: 'auto',
  });
  sheet.decorate((document) => document.rect(LEFT, 48, WIDTH, 2).fill(brand.color));
  const subtitleLayout = { x: LEFT, width: WIDTH, size: 9.5, color: PDF_MUTED_TEXT_COLOR };
  let y = sheet.tag('P', t(locale, 'report.kicker'), { ...subtitleLayout, y: 60 });
  y = sheet.tag('H1', heading, {
    x: LEFT,
    y: y + 3,
    width: WIDTH,
    size: 20,
    bold: true,
    lines: 2,
    direction: 'auto',
  });
  y = sheet.tag('P', period, { ...subtitleLayout, y: y + 2 });
  return sheet.tag('P', lastScan, { ...subtitleLayout, y: y + 1 });
}

/** Return the width with its margin. PDF shows PNG only; others, and damaged files, leave the name alone. */
function drawLogo(sheet: PdfSheet, { logo }: ReportBrand): number {
  if (logo?.contentType !== 'image/png') return 0;
  try {
    const image = Buffer.from(logo.bytes);
    // IHDR, the first chunk of a PNG.
    const ratio = image.readUInt32BE(16) / image.readUInt32BE(20);
    const logoWidth = Math.min(MAX_LOGO_WIDTH_POINTS, ratio * LOGO_HEIGHT_POINTS);
    sheet.decorate((document) =>
      document.image(image, sheet.getLeft(LEFT, logoWidth), 26, { fit: [logoWidth, LOGO_HEIGHT_POINTS] }),
    );
    return logoWidth + 8;
  } catch {
    return 0;
  }
}

function writeNumbers(sheet: PdfSheet, { numbers }: ScanReportContent, y: number): number {
  const gap = 10;
  const width = (WIDTH - gap * (numbers.length - 1)) / numbers.length;
  for (const [index, { name, value, change, meaning }] of numbers.entries()) {
    const left = LEFT + index * (width + gap);
    sheet.decorate((document) =>
      document.roundedRect(sheet.getLeft(left, width), y, width, CARD_POINTS, 6).fill(PDF_CARD_COLOR),
    );
    const box = { x: left + 9, width: width - 18 };
    const group = sheet.group('Sect');
    sheet.tag('P', name, { ...box, y: y + 8, size: 9.5, bold: true }, group);
    sheet.tag('P', value, { ...box, y: y + 20, size: 22, bold: true }, group);
    sheet.tag('P', change, { ...box, y: y + 46, size: 7.5, lines: 2, color: PDF_MUTED_TEXT_COLOR }, group);
    sheet.tag('P', meaning, { ...box, y: y + 66, size: 7.5, color: PDF_MUTED_TEXT_COLOR }, group);
    group.end();
  }
  return y + CARD_POINTS;
}

function writeHeading(
  sheet: PdfSheet,
  text: string,
  { x, y, width = WIDTH }: { x: number; y: number; width?: number },
): number {
  return sheet.tag('H2', text, { x, y, width, size: 12, bold: true }) + 4;
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
            share: 2.3,
            direction: 'auto' as const,
          },
        ]
      : []),
    {
      name: t(locale, 'report.where'),
      of: (scan: ScanReportContent['scans'][number]) => scan.place,
      share: 2.4,
    },
    { name: t(locale, 'report.who'), of: (scan: ScanReportContent['scans'][number]) => scan.by, share: 2.5 },
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
    for (const { name, of: getText, share, direction } of columns) {
      const place = { x, y, width: share * unit - 6, size: 8.5, bold: scan === null, direction };
      sheet.tag(scan ? 'TD' : 'TH', scan ? getText(scan) : name, place, row);
      x += share * unit;
    }
    row.end();
    y += ROW_HEIGHT_POINTS;
  }
  table.end();
}
