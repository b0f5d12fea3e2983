import type { Config } from '../../config.ts';
import { MAX_JOB_WAIT_SECONDS, MAX_WORKER_SILENCE_SECONDS } from '../../features/system/index.ts';
import { type GaugeReading, PLATFORM_GAUGES } from '../../platform/monitoring/database-gauges.ts';
import { FEATURE_GAUGES } from '../../services.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../shared/durations.ts';
import { type Check, createOk, createProblem, createWarning, type Finding } from './check.ts';
import type { DatabaseConnector, DoctorDatabase } from './doctor-database.ts';

/** As in deploy/monitoring/alerts.yml. */
export const MAX_LAG_SECONDS: Readonly<Record<string, { what: string; seconds: number }>> = {
  qrps_notification_lag_seconds: { what: 'notifications', seconds: 300 },
  qrps_roll_up_lag_seconds: { what: 'statistics', seconds: HOUR_SECONDS },
  qrps_audit_seal_lag_seconds: { what: 'seals of the audit trail', seconds: 300 },
};
export const MIN_PARTITION_DAYS = 60;

const ADVICE = 'Check the database.';

/** Checks of the work that processes do in the background, by the gauges of `/metrics`. */
export function createWorkChecks({ worker }: Config, { inspect }: DatabaseConnector): Check[] {
  const startAdvice = worker === 'separate' ? 'Start npm run worker.' : 'Start the service: npm start.';
  let readings: Promise<GaugeReading[]> | undefined;
  const inspectGauges = (judge: (readings: readonly GaugeReading[]) => Finding) => () =>
    inspect(async ({ pool }) => {
      readings ??= readGauges(pool);
      return judge(await readings);
    });
  return [
    {
      name: 'worker',
      advice: ADVICE,
      run: inspectGauges((readings) => judgeWorker(readings, startAdvice)),
    },
    { name: 'jobs', advice: ADVICE, run: inspectGauges(judgeJobs) },
    { name: 'background work', advice: ADVICE, run: inspectGauges(judgeLags) },
    { name: 'partitions', advice: ADVICE, run: inspectGauges(judgePartitions) },
  ];
}

async function readGauges(pool: DoctorDatabase['pool']): Promise<GaugeReading[]> {
  const groups = [PLATFORM_GAUGES, ...FEATURE_GAUGES];
  return (await Promise.all(groups.map((group) => group.read(pool)))).flat();
}

function judgeWorker(readings: readonly GaugeReading[], startAdvice: string): Finding {
  const silence = findValue(readings, 'qrps_worker_silence_seconds');
  const isStarting = (findValue(readings, 'qrps_instances') ?? 0) > 0;
  if (silence === null)
    return isStarting
      ? createWarning('none was seen yet', `Repeat this in a minute. ${startAdvice}`)
      : createProblem('none was ever seen', startAdvice);
  const found = `seen ${Math.round(silence)} s ago`;
  return silence > MAX_WORKER_SILENCE_SECONDS ? createProblem(found, startAdvice) : createOk(found);
}

function judgeJobs(readings: readonly GaugeReading[]): Finding {
  const [oldest] = readings
    .filter(({ name }) => name === 'qrps_job_wait_seconds')
    .toSorted((a, b) => b.value - a.value);
  const failed = sumValues(readings, 'qrps_jobs_failed');
  const waiting = sumValues(readings, 'qrps_jobs_waiting');
  const wait = oldest
    ? `, the oldest due one (${oldest.labels?.queue}) since ${Math.round(oldest.value)} s`
    : '';
  const found = `${waiting} waiting${wait}, ${failed} failed`;
  if (oldest && oldest.value > MAX_JOB_WAIT_SECONDS)
    return createProblem(found, 'Start more workers, or read their log.');
  if (failed > 0)
    return createWarning(
      found,
      'See GET /api/admin/jobs/failed; repair the cause, then retry or dismiss them.',
    );
  return createOk(found);
}

function judgeLags(readings: readonly GaugeReading[]): Finding {
  const late = Object.entries(MAX_LAG_SECONDS).flatMap(([name, { what, seconds }]) => {
    const lag = findValue(readings, name) ?? 0;
    return lag > seconds ? [`${what} ${Math.round(lag)} s late`] : [];
  });
  return late.length > 0
    ? createProblem(late.join(', '), 'See whether the service and a worker run, and read their log.')
    : createOk('notifications, statistics and seals are on time');
}

function judgePartitions(readings: readonly GaugeReading[]): Finding {
  const until = findValue(readings, 'qrps_scan_partitions_until_timestamp_seconds');
  const days = until === null ? 0 : Math.floor((until - Date.now() / 1_000) / DAY_SECONDS);
  const found = `scans can be stored for ${Math.max(days, 0)} more days`;
  const advice = 'Start a worker: it adds partitions every hour. See the failed jobs of scan-partitions.';
  if (days <= 0) return createProblem(found, advice);
  return days < MIN_PARTITION_DAYS ? createWarning(found, advice) : createOk(found);
}

function findValue(readings: readonly GaugeReading[], name: string): number | null {
  return readings.find((reading) => reading.name === name)?.value ?? null;
}

function sumValues(readings: readonly GaugeReading[], name: string): number {
  return readings.reduce((sum, reading) => (reading.name === name ? sum + reading.value : sum), 0);
}
