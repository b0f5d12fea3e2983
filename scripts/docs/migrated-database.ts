import pg from 'pg';
import { startTestDatabase } from '../testing/test-database.ts';

/** Call back with a connection to a temporary migrated database. */
export async function withMigratedDatabase<Result>(
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { environment, stop } = await startTestDatabase();
  try {
    const url = new URL(environment.TEST_OWNER_URL ?? '');
    url.pathname = `/${environment.TEST_TEMPLATE}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}
