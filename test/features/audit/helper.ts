import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sealNextAuditBatch } from '../../../src/features/audit/seal-batch.ts';
import { verifyDatabaseAuditTrail } from '../../../src/features/audit/verify-database-trail.ts';
import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import type { TestApp } from '../../helper.ts';

export async function createAuditor(test: TestApp) {
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const auditor = await test.createUser({ email: 'auditor@example.org', role: 'AUDITOR' });
  return { root, auditor };
}

/** Insert entries of the service itself, one transaction each. */
export async function insertTestEntries(
  { database }: Pick<TestApp, 'database'>,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await insertAuditEntry(database.client, {
      action: 'QRCODE_UPDATED',
      outcome: 'SUCCESS',
      operation: 'test',
      requestId: `r-${index}`,
      changes: ['title', 'Ünïcode', ''],
      ...(index % 2 === 0 ? { origin: { ip: '192.0.2.1', userAgent: 'test' } } : {}),
    });
  }
}

export async function sealAllEntries({ services }: Pick<TestApp, 'services'>): Promise<number> {
  let all = 0;
  for (;;) {
    const { sealed } = await sealNextAuditBatch(services.database, services.audit.signer);
    if (sealed === 0) return all;
    all += sealed;
  }
}

/** Insert entries and seal them in batches of these sizes. */
export async function createSealedTrail(app: TestApp, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    await insertTestEntries(app, size);
    await sealAllEntries(app);
  }
}

export function verifyAppTrail({ services }: Pick<TestApp, 'services'>) {
  return verifyDatabaseAuditTrail(services.audit);
}

export function getOwnerDatabaseUrl({ services }: Pick<TestApp, 'services'>): string {
  const url = new URL(process.env.TEST_OWNER_URL ?? '');
  url.pathname = new URL(services.config.databaseUrl ?? '').pathname;
  return url.href;
}

export async function runAsSchemaOwner<Result>(
  app: Pick<TestApp, 'services'>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: getOwnerDatabaseUrl(app) });
  await client.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

export async function waitUntil(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(20);
}

export function createTestLog() {
  const lines: string[] = [];
  const failures: object[] = [];
  return {
    lines,
    failures,
    info: (_details: object, message: string) => lines.push(message),
    error: (details: object, message: string) => {
      failures.push(details);
      lines.push(message);
    },
  };
}
