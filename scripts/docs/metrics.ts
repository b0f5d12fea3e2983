import { GAUGE_READ_FAILURES, PLATFORM_GAUGES } from '../../src/platform/monitoring/database-gauges.ts';
import { metricsRegistry } from '../../src/platform/monitoring/metrics.ts';
import { FEATURE_GAUGES } from '../../src/services.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
\`/metrics\` on \`METRICS_PORT\` answers these, and those of Node.js (\`process_…\`, \`nodejs_…\`). [Monitoring](../operations/monitoring.md) explains how to use them.
`;

interface MetricDescription {
  help: string;
  labelNames?: readonly string[];
}

export function formatMetrics(): string {
  const ofProcess = metricsRegistry.getMetricsAsArray().flatMap((metric) => {
    const { name, help, type, labelNames } = metric as unknown as MetricDescription & {
      name: string;
      type: string;
    };
    return /^(?:process|nodejs)_/.test(name) ? [] : [formatRow(name, type, { help, labelNames })];
  });
  const ofDatabase = [PLATFORM_GAUGES, ...FEATURE_GAUGES].flatMap(({ gauges }) =>
    Object.entries(gauges).map(([name, description]) => formatRow(name, 'gauge', description)),
  );
  const header = ['metric', 'type', 'labels', 'meaning'];
  return formatDocument(
    'Metrics',
    INTRODUCTION,
    `## Of the process\n\n${formatTable(header, ofProcess)}`,
    `## Of the database\n\nThe same in each process.\n\n${formatTable(header, [...ofDatabase, formatRow(GAUGE_READ_FAILURES.name, 'gauge', GAUGE_READ_FAILURES)])}`,
  );
}

function formatRow(name: string, type: string, { help, labelNames = [] }: MetricDescription): string[] {
  return [code(name), type, labelNames.map(code).join(', '), help];
}
