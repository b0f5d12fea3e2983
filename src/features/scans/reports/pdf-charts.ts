import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createCountryMap, formatLegendRange, MAP_SHADE_COLORS } from '../../../shared/maps/country-map.ts';
import type { ReportChart } from './report-chart.rules.ts';
import type { ReportCountryMap } from './report-content.rules.ts';
import { createScanReportFormatter } from './report-formatter.ts';
import {
  PDF_CARD_COLOR,
  PDF_CHART_GRID_COLOR,
  PDF_MUTED_TEXT_COLOR,
  PDF_TEXT_COLOR,
  type PdfSheet,
} from './report-sheet.ts';
import type { WeekdayHourChart } from './weekday-hour-chart.rules.ts';

const ALL_SCANS_COLOR = '#7b8694';
const HUMANS_COLOR = '#0b4fb3';
const UNIQUE_COLOR = '#9a3412';
const MAP_WATER_COLOR = '#e6eef5';
const MAP_LAND_COLOR = '#ffffff';
const MAP_BORDER_COLOR = '#b3ab9b';
/** Paths of maps are on whole pixels: draw them larger for smooth borders. */
const MAP_SCALE = 3;
const NUMBER_WIDTH = 46;
/** A bar is nearer to its own name than to the next. */
const BAR_ROW_POINTS = 21;
const BAR_TABLE_HEADING_POINTS = 21;
const WEEKDAY_WIDTH = 34;
const CELL_HEIGHT = 13;
const LEGEND_LINE_POINTS = 18;

/** Points. */
interface ChartBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function drawPdfLineChart(
  sheet: PdfSheet,
  { tag }: Locale,
  { heading, summary, rows }: ReportChart,
  box: ChartBox,
): void {
  const { document } = sheet;
  const [left, bottom] = [box.x + 34, box.y + box.height - 14];
  const [width, height] = [box.width - 34, box.height - 20];
  const axisMax = roundUpAxisMax(Math.max(1, ...rows.map(({ total }) => total)));
  const x = (index: number) => left + (rows.length > 1 ? (index / (rows.length - 1)) * width : width / 2);
  const y = (value: number) => bottom - (value / axisMax) * height;
  sheet.figure(
    `${heading}. ${summary}`,
    () => {
      for (const value of [0, axisMax / 2, axisMax]) {
        document
          .moveTo(left, y(value))
          .lineTo(left + width, y(value))
          .lineWidth(0.5)
          .stroke(PDF_CHART_GRID_COLOR);
        const place = {
          x: box.x,
          y: y(value) - 4,
          width: 28,
          size: 8,
          color: PDF_MUTED_TEXT_COLOR,
          align: 'end',
        } as const;
        if (Number.isInteger(value)) sheet.write(value.toLocaleString(tag), place);
      }
      const labelIndexes =
        rows.length > 2 ? [0, Math.floor((rows.length - 1) / 2), rows.length - 1] : [...rows.keys()];
      for (const [place, index] of labelIndexes.entries()) {
        const align = place === 0 ? 'start' : place === labelIndexes.length - 1 ? 'end' : 'center';
        const from = { start: left, center: x(index) - 60, end: left + width - 120 }[align];
        sheet.write(rows[index]?.tick ?? '', {
          x: from,
          y: bottom + 4,
          width: 120,
          size: 8,
          color: PDF_MUTED_TEXT_COLOR,
          align,
        });
      }
      const line = (key: 'total' | 'humans' | 'unique', color: string, lineWidth: number, dash = false) => {
        for (const [index, row] of rows.entries())
          if (index === 0) document.moveTo(x(index), y(row[key]));
          else document.lineTo(x(index), y(row[key]));
        if (dash) document.dash(3, { space: 3 });
        document.lineWidth(lineWidth).lineJoin('round').stroke(color).undash();
        if (rows.length === 1) document.circle(x(0), y(rows[0]?.[key] ?? 0), 3).fill(color);
      };
      if (rows.length > 0) {
        line('total', ALL_SCANS_COLOR, 1.25);
        line('humans', HUMANS_COLOR, 1.75);
        line('unique', UNIQUE_COLOR, 1.25, true);
      }
    },
    'ltr',
  );
}

export function drawPdfChartLegend(
  sheet: PdfSheet,
  locale: Locale,
  { x, y }: Pick<ChartBox, 'x' | 'y'>,
): void {
  const { document } = sheet;
  const key = [
    [t(locale, 'report.scans'), ALL_SCANS_COLOR],
    [t(locale, 'report.people'), HUMANS_COLOR],
    [t(locale, 'report.unique'), UNIQUE_COLOR],
  ] as const;
  sheet.figure(t(locale, 'report.lineColors'), () => {
    let left = x;
    for (const [name, color] of key) {
      if (color === UNIQUE_COLOR) document.dash(3, { space: 3 });
      const lineLeft = sheet.getLeft(left, LEGEND_LINE_POINTS);
      document
        .moveTo(lineLeft, y + 4)
        .lineTo(lineLeft + LEGEND_LINE_POINTS, y + 4)
        .lineWidth(1.75)
        .stroke(color)
        .undash();
      sheet.write(name, { x: left + 23, y, width: 140, size: 8, color: PDF_MUTED_TEXT_COLOR });
      left += 40 + sheet.measure(name, 8);
    }
  });
}

/** Draw a table whose names have a bar below them: by people, and the others. Return the y below it. */
export function drawPdfBarTable(
  sheet: PdfSheet,
  locale: Locale,
  { columnHeading, rows }: ReportChart,
  { x, y, width }: Omit<ChartBox, 'height'>,
): number {
  const { number } = createScanReportFormatter(locale);
  const max = Math.max(1, ...rows.map(({ total }) => total));
  const nameWidth = width - 3 * NUMBER_WIDTH;
  const table = sheet.group('Table');
  const writeRow = (top: number, type: 'TH' | 'TD', [name, ...numbers]: readonly string[]) => {
    const row = sheet.group('TR', table);
    const style =
      type === 'TH'
        ? ({ size: 7.5, color: PDF_MUTED_TEXT_COLOR, lines: 2 } as const)
        : ({ size: 8.5, color: PDF_TEXT_COLOR } as const);
    sheet.tag('TH', name ?? '', { ...style, x, y: top, width: nameWidth - 4 }, row);
    for (const [index, text] of numbers.entries()) {
      const left = x + nameWidth + index * NUMBER_WIDTH;
      sheet.tag(type, text, { ...style, x: left, y: top, width: NUMBER_WIDTH - 4, align: 'end' }, row);
    }
    row.end();
  };
  const headings = [t(locale, 'report.scans'), t(locale, 'report.people'), t(locale, 'report.unique')];
  writeRow(y, 'TH', [columnHeading, ...headings]);
  let below = y + BAR_TABLE_HEADING_POINTS;
  for (const { name, total, humans, unique } of rows) {
    writeRow(below, 'TD', [name, ...[total, humans, unique].map(number)]);
    const unit = (nameWidth - 8) / max;
    sheet.decorate((document) => {
      for (const [count, color] of [
        [total, ALL_SCANS_COLOR],
        [humans, HUMANS_COLOR],
      ] as const)
        document.rect(sheet.getLeft(x, count * unit), below + 10.5, count * unit, 2.5).fill(color);
    });
    below += BAR_ROW_POINTS;
  }
  table.end();
  return below;
}

export function measurePdfBarTable({ rows }: ReportChart): number {
  return BAR_TABLE_HEADING_POINTS + rows.length * BAR_ROW_POINTS;
}

export function drawPdfBarLegend(sheet: PdfSheet, locale: Locale, { x, y }: Pick<ChartBox, 'x' | 'y'>): void {
  const key = [
    [t(locale, 'report.people'), HUMANS_COLOR],
    [t(locale, 'report.otherScans'), ALL_SCANS_COLOR],
  ] as const;
  drawColorKey(sheet, key, { x, y });
}

/** Draw colored squares with their names. */
function drawColorKey(
  sheet: PdfSheet,
  key: readonly (readonly [name: string, color: string])[],
  { x, y }: Pick<ChartBox, 'x' | 'y'>,
): void {
  let left = x;
  for (const [name, color] of key) {
    sheet.decorate((document) => document.rect(sheet.getLeft(left, 8), y, 8, 8).fill(color));
    sheet.tag('P', name, { x: left + 12, y: y + 0.5, width: 110, size: 8, color: PDF_MUTED_TEXT_COLOR });
    left += 20 + sheet.measure(name, 8);
  }
}

export function drawPdfWeekdayHours(
  sheet: PdfSheet,
  { heading, legend, summary, hours, rows, ranges }: WeekdayHourChart,
  { x, y, width }: Omit<ChartBox, 'height'>,
): number {
  const cellWidth = (width - WEEKDAY_WIDTH) / hours.length;
  const below = sheet.tag('P', legend, { x, y, width, size: 8, color: PDF_MUTED_TEXT_COLOR }) + 4;
  sheet.figure(`${heading}. ${summary}`, () => {
    const label = { size: 7, color: PDF_MUTED_TEXT_COLOR };
    for (const [index, hour] of hours.entries())
      if (index % 6 === 0)
        sheet.write(hour, { ...label, x: x + WEEKDAY_WIDTH + index * cellWidth, y: below, width: 60 });
    for (const [place, { name, cells }] of rows.entries()) {
      const top = below + 10 + place * CELL_HEIGHT;
      sheet.write(name, { ...label, x, y: top + 3, width: WEEKDAY_WIDTH - 4 });
      for (const [hour, { count, shade }] of cells.entries()) {
        const left = x + WEEKDAY_WIDTH + hour * cellWidth;
        sheet.document
          .rect(sheet.getLeft(left, cellWidth - 1.5), top, cellWidth - 1.5, CELL_HEIGHT - 1.5)
          .fill(MAP_SHADE_COLORS[shade - 1] ?? PDF_CARD_COLOR);
        if (count === 0) continue;
        const color = shade === MAP_SHADE_COLORS.length ? '#ffffff' : '#000000';
        const text = {
          x: left,
          y: top + 3,
          width: cellWidth - 1.5,
          size: 6.5,
          color,
          align: 'center',
        } as const;
        sheet.write(String(count), text);
      }
    }
  });
  const end = below + 10 + rows.length * CELL_HEIGHT + 4;
  drawColorKey(
    sheet,
    ranges.map(({ shade, name }) => [name, MAP_SHADE_COLORS[shade - 1] ?? PDF_CARD_COLOR]),
    { x: x + WEEKDAY_WIDTH, y: end },
  );
  return end + 10;
}

export const PDF_WEEKDAY_HOURS_POINTS = 136;

export async function drawPdfCountryMap(
  sheet: PdfSheet,
  locale: Locale,
  { heading, summary, counts }: ReportCountryMap,
  { x, y, width, height }: ChartBox,
): Promise<void> {
  const map = await createCountryMap(counts, { width: width * MAP_SCALE, height: height * MAP_SCALE });
  const getColor = (shade: number) => MAP_SHADE_COLORS[shade - 1] ?? MAP_LAND_COLOR;
  const left = sheet.getLeft(x, width);
  sheet.figure(`${heading}. ${summary}`, () => {
    const { document } = sheet;
    document.save();
    document.rect(left, y, width, height).clip();
    document.translate(left, y).scale(1 / MAP_SCALE);
    document.rect(0, 0, map.width, map.height).fill(MAP_WATER_COLOR);
    document.lineWidth(1).lineJoin('round');
    if (map.landPath !== '') document.path(map.landPath).fillAndStroke(MAP_LAND_COLOR, MAP_BORDER_COLOR);
    for (const { path, shade } of map.areas)
      document.path(path).fillAndStroke(getColor(shade), MAP_BORDER_COLOR);
    for (const dot of map.dots)
      document.circle(dot.x, dot.y, 8).fillAndStroke(getColor(dot.shade), PDF_TEXT_COLOR);
    document.restore();
  });
  drawColorKey(
    sheet,
    map.legend.map(({ shade, ...range }) => [formatLegendRange(range, locale), getColor(shade)]),
    { x, y: y + height + 6 },
  );
}

/** Round up to an even number, so that its half is an integer. */
function roundUpAxisMax(max: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(max)) - 1);
  return Math.ceil(max / (2 * step)) * 2 * step;
}
