import { generateId } from '../../../../src/shared/ids.ts';
import type { TestApp } from '../../../helper.ts';

/** Insert a subscription, by default of the current package version. */
export async function addSubscription(
  { database }: Pick<TestApp, 'database'>,
  userId: string,
  code: string,
  overrides: Partial<{ state: string; version: number; startedAt: Date; endedAt: Date }> = {},
): Promise<string> {
  const { id: packageId, version } = await database.client.subscriptionPackage.findUniqueOrThrow({
    where: { code },
  });
  const { version: packageVersion = version, state = 'ACTIVE', startedAt = new Date(), endedAt } = overrides;
  const id = generateId();
  await database.client.subscription.create({
    data: {
      id,
      accountId: userId,
      provider: 'stripe',
      providerId: `sub_${id}`,
      packageId,
      packageVersion,
      interval: 'month',
      currency: 'EUR',
      state,
      startedAt,
      endedAt: endedAt ?? (state === 'CANCELED' ? new Date() : null),
    },
  });
  return id;
}

/** Cancel a subscription. */
export async function cancelTestSubscription(
  { database }: Pick<TestApp, 'database'>,
  id: string,
): Promise<void> {
  const data = { state: 'CANCELED', endedAt: new Date() };
  await database.client.subscription.update({ where: { id }, data });
}

/** Set limits of a package on offer. */
export async function setPackageLimit(
  { database }: Pick<TestApp, 'database'>,
  code: string,
  limits: Record<string, number | null>,
): Promise<void> {
  await database.pool.query('UPDATE subscription_packages SET limits = limits || $2::jsonb WHERE code = $1', [
    code,
    JSON.stringify(limits),
  ]);
}

/** Insert codes one second apart, oldest first. */
export async function insertCodes(
  { database }: Pick<TestApp, 'database'>,
  accountId: string,
  count: number,
): Promise<void> {
  // Each statement stays far below its time limit, also on a busy machine.
  for (let first = 1; first <= count; first += 1_000)
    await database.pool.query(
      `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, created_at)
       SELECT substr(md5($1 || n), 1, 24), $1, 'PET', 'DYNAMIC', 'Copy', 'copy', '', '{}', '{}', now() - interval '1 hour' + n * interval '1 second'
       FROM generate_series($2::int, $3::int) AS n`,
      [accountId, first, Math.min(count, first + 999)],
    );
}
