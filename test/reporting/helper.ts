import pg from 'pg';
import type { Test } from 'tap';
import { prepareReportingDatabaseRole } from '../../src/platform/reporting-role.ts';
import type { TestApp } from '../helper.ts';

const SILENT_LOG = { info() {}, warn() {}, error() {} };

export async function createReportingClients(t: Test, app: Pick<TestApp, 'services'>) {
  const name = new URL(app.services.config.databaseUrl ?? '').pathname;
  const owner = await connect(t, process.env.TEST_OWNER_URL, name);
  // Database-level settings are not cloned from the template.
  await prepareReportingDatabaseRole(owner, SILENT_LOG);
  const reader = await connect(t, process.env.TEST_REPORTING_URL, name);
  return { owner, reader };
}

async function connect(t: Test, server = '', name: string): Promise<pg.Client> {
  const url = new URL(server);
  url.pathname = name;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

export async function queryTextValues(client: pg.Client, text: string): Promise<(string | null)[][]> {
  const types = { getTypeParser: () => (value: string) => value };
  const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array', types });
  return rows;
}
