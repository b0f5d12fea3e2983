import { getQuantile } from './measure.ts';

export type RatioGoal = { min: number } | { max: number };

export interface Measurement {
  row: string;
  measure: string;
  unit: string;
  service: number[];
  baseline: number[];
  ratioGoal: RatioGoal | null;
  /** Unexpected responses; with any, the goal counts as missed. */
  failed?: number;
  /** Reason for missing numbers, or their unit. */
  note?: string;
}

export interface ReportedMeasurement {
  row: string;
  measure: string;
  unit: string;
  service: number | null;
  baseline: number | null;
  ratio: { median: number; minRatio: number; maxRatio: number } | null;
  goal: RatioGoal | null;
  /** Null without a goal or without values. */
  isGoalReached: boolean | null;
  failed: number;
  note: string | null;
}

export function summarizeMeasurement({
  service,
  baseline,
  ratioGoal,
  failed = 0,
  note,
  ...named
}: Measurement): ReportedMeasurement {
  const ratios = service.slice(0, baseline.length).map((value, round) => value / (baseline[round] ?? value));
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : null);
  const ratio =
    ratios.length > 0
      ? { median: median(ratios), minRatio: Math.min(...ratios), maxRatio: Math.max(...ratios) }
      : null;
  const isGoalReached = ratioGoal && ratio ? failed === 0 && isReached(ratioGoal, ratio.median) : null;
  return {
    ...named,
    ...{ service: middle(service), baseline: middle(baseline), ratio, goal: ratioGoal },
    ...{ isGoalReached, failed, note: note ?? null },
  };
}

function median(values: readonly number[]): number {
  const [low, high] = [
    getQuantile(
      values.map((value) => -value),
      0.5,
    ),
    getQuantile(values, 0.5),
  ];
  return values.length % 2 === 0 ? (high - low) / 2 : high;
}

function isReached(goal: RatioGoal, ratio: number): boolean {
  return 'min' in goal ? ratio >= goal.min : ratio <= goal.max;
}

const TABLE_HEADER = ['row', 'measure', 'service', 'baseline', 'ratio (min to max)', 'goal', ''];

export function formatTable(lines: readonly ReportedMeasurement[]): string {
  const rows = [TABLE_HEADER, ...lines.map(formatCells)];
  const widths = TABLE_HEADER.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  text.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return text.join('\n');
}

function formatCells({
  row,
  measure,
  unit,
  service,
  baseline,
  ratio,
  goal,
  isGoalReached,
  failed,
  note,
}: ReportedMeasurement) {
  const value = (number: number | null) => (number === null ? '' : `${formatNumber(number)} ${unit}`);
  const ratios = ratio
    ? `${ratio.median.toFixed(2)} × (${ratio.minRatio.toFixed(2)} to ${ratio.maxRatio.toFixed(2)})`
    : '';
  const goalText = goal ? ('min' in goal ? `≥ ${goal.min} ×` : `≤ ${goal.max} ×`) : '';
  const verdict = isGoalReached === null ? '' : isGoalReached ? 'reached' : 'MISSED';
  const end = [verdict, failed > 0 ? `${failed} FAILED` : '', note ?? ''].filter(Boolean).join(', ');
  return [row, measure, value(service), value(baseline), ratios, goalText, end];
}

function formatNumber(number: number): string {
  return number >= 1000 ? Math.round(number).toLocaleString('en') : number.toPrecision(3);
}
