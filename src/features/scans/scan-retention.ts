import type { ScanFilter } from './scan-list.repository.ts';
import type { ScanServices } from './scan-services.ts';

type Services = Pick<ScanServices, 'database' | 'findRetentionStart'>;

/** Older scans stay counted and reappear with a larger package. */
export async function readRetainedScans<Result>(
  services: Services,
  accountId: string,
  filter: ScanFilter,
  read: (filter: ScanFilter) => Promise<Result>,
): Promise<Result> {
  // Usually nothing is older, so both queries run in parallel.
  const [retainedFilter, result] = await Promise.all([
    limitScanFilterToRetention(services, accountId, filter),
    read(filter),
  ]);
  return retainedFilter === filter ? result : read(retainedFilter);
}

export async function limitScanFilterToRetention(
  { database, findRetentionStart }: Services,
  accountId: string,
  filter: ScanFilter,
): Promise<ScanFilter> {
  const since = await findRetentionStart(database.client, accountId);
  return since === null || (filter.from && filter.from >= since) ? filter : { ...filter, from: since };
}
