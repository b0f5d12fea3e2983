import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeHtml, type Html } from '../../../shared/html.ts';
import type { ChartOption } from './chart-library.ts';
import type { ReportChart } from './report-chart.rules.ts';

/** CSS variables of the page, for light mode, dark mode and print. */
const ALL_SCANS_COLOR = 'var(--all)';
const HUMANS_COLOR = 'var(--people)';
const UNIQUE_COLOR = 'var(--unique)';
const LABEL_STYLE = { color: 'var(--soft)', fontSize: 12 };
const NON_INTERACTIVE = { silent: true, emphasis: { disabled: true } } as const;

interface ChartSize {
  width: number;
  height: number;
}

/** `width` is in pixels; yields to the event loop first. */
export function renderSvgLineChart(chart: ReportChart, id: string, width: number): Promise<Html> {
  const { rows } = chart;
  const line = (key: 'total' | 'humans' | 'unique', style: object) => ({
    type: 'line',
    data: rows.map((row) => row[key]),
    clip: false,
    ...NON_INTERACTIVE,
    showSymbol: rows.length === 1,
    symbolSize: 8,
    ...style,
  });
  return renderChart(
    chart,
    id,
    { width, height: 240 },
    {
      grid: { left: 44, right: 16, top: 12, bottom: 28 },
      xAxis: {
        type: 'category',
        data: rows.map(({ name, tick }) => tick ?? name),
        boundaryGap: rows.length === 1,
        axisLabel: {
          ...LABEL_STYLE,
          ...selectAxisLabels(rows.length, width),
          alignMinLabel: 'left',
          alignMaxLabel: 'right',
        },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--line)' } },
      },
      yAxis: {
        type: 'value',
        minInterval: 1,
        max: rows.every(({ total }) => total === 0) ? 1 : undefined,
        axisLabel: LABEL_STYLE,
        splitLine: { lineStyle: { color: 'var(--grid)' } },
      },
      series: [
        line('total', { color: ALL_SCANS_COLOR, lineStyle: { width: 2, color: ALL_SCANS_COLOR } }),
        line('humans', { color: HUMANS_COLOR, lineStyle: { width: 3, color: HUMANS_COLOR } }),
        line('unique', { color: UNIQUE_COLOR, lineStyle: { width: 2, color: UNIQUE_COLOR, type: [4, 4] } }),
      ],
    },
  );
}

/** `width` is in pixels. */
function selectAxisLabels(count: number, width: number) {
  const maxLabels = Math.min(count, Math.floor(width / 120));
  const labelIndexes = new Set(
    Array.from({ length: maxLabels }, (_, place) =>
      Math.round((place * (count - 1)) / Math.max(1, maxLabels - 1)),
    ),
  );
  return { interval: (index: number) => labelIndexes.has(index) };
}

async function renderChart(
  chart: ReportChart,
  id: string,
  size: ChartSize,
  option: ChartOption,
): Promise<Html> {
  // Loaded lazily, with the first report.
  const { init } = await import('./chart-library.ts');
  await nextTurn();
  const picture = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    picture.setOption({ animation: false, ...option });
    return wrapSvg(picture.renderToSVGString({ useViewBox: true }), chart, id, size);
  } finally {
    picture.dispose();
  }
}

/** Remove inline styles, which the CSP forbids, and script hooks; text is already escaped. */
function wrapSvg(
  svg: string,
  { heading, summary }: ReportChart,
  id: string,
  { width, height }: ChartSize,
): Html {
  const content = svg
    .replace(/^[\s\S]*?<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .replace(/ (?:style|ecmeta_\w+|class)="[^"]*"/g, '')
    .replace(/<style[\s\S]*?<\/style>/g, '');
  return {
    markup: `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-name ${id}-text"><title id="${id}-name">${escapeHtml(heading)}</title><desc id="${id}-text">${escapeHtml(summary)}</desc>${content}</svg>`,
  };
}
