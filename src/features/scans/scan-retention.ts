import type { ScanFilter } from './scan-list.repository.ts';
import type { ScanServices } from './scan-services.ts';

type Services = Pick<ScanServices, 'database' | 'findRetentionStart'>;

/**
 * Reads an owner's scans as far back as their package keeps them. Older ones stay in every count, and are back with a
 * package that keeps them.
 */
export async function readRetainedScans<Result>(
  services: Services,
  ownerId: string,
  filter: ScanFilter,
  read: (filter: ScanFilter) => Promise<Result>,
): Promise<Result> {
  // Nearly always nothing is older: so both are asked for at once.
  const [retainedFilter, found] = await Promise.all([
    limitToRetention(services, ownerId, filter),
    read(filter),
  ]);
  return retainedFilter === filter ? found : read(retainedFilter);
}

/** The same filter where it finds only what is kept, else one that does. */
export async function limitToRetention(
  { database, findRetentionStart }: Services,
  ownerId: string,
  filter: ScanFilter,
): Promise<ScanFilter> {
  const since = await findRetentionStart(database.client, ownerId);
  return since === null || (filter.from && filter.from >= since) ? filter : { ...filter, from: since };
}
