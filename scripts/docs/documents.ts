import type { ClientBase } from 'pg';
import type { DeclaredRoute } from '../../src/platform/route-access.ts';
import { formatAuditActions } from './audit-actions.ts';
import { formatCommands } from './cli.ts';
import { formatConfiguration } from './configuration.ts';
import { formatDatabase } from './database.ts';
import { formatDbtSources } from './dbt-sources.ts';
import { formatEncryptedColumns } from './encrypted-columns.ts';
import { formatEnvExample } from './env-example.ts';
import { formatErrors } from './errors.ts';
import { formatEvents } from './events.ts';
import { formatKinds } from './kinds.ts';
import { formatLimits } from './limits.ts';
import { formatMetrics } from './metrics.ts';
import { formatInterface, INTERFACE_FILE, isReleased } from './openapi.ts';
import { type ApiDocument, formatPermissions } from './permissions.ts';
import { formatPersonalData } from './personal-data.ts';
import { formatReporting } from './reporting.ts';

export interface DocumentInput {
  client: ClientBase;
  routes: readonly DeclaredRoute[];
  api: ApiDocument & Record<string, unknown>;
}

/** Git ignores this folder. */
export const DATABASE_FOLDER = 'docs/reference/database';

/** Generate every generated file of the repository but the lock file and the types of messages, by path. */
export async function generateDocuments({
  client,
  routes,
  api,
}: DocumentInput): Promise<Map<string, string>> {
  const documents = new Map([
    ['.env.example', formatEnvExample()],
    ['deploy/dbt/sources.yml', await formatDbtSources(client)],
    ['docs/reference/audit-actions.md', formatAuditActions()],
    ['docs/reference/cli.md', await formatCommands()],
    ['docs/reference/configuration.md', formatConfiguration()],
    ['docs/reference/encrypted-columns.md', formatEncryptedColumns()],
    ['docs/reference/errors.md', formatErrors()],
    ['docs/reference/events.md', formatEvents()],
    ['docs/reference/kinds.md', formatKinds()],
    ['docs/reference/limits.md', formatLimits()],
    ['docs/reference/metrics.md', formatMetrics()],
    ['docs/reference/permissions.md', formatPermissions(routes, api)],
    ['docs/reference/personal-data.md', formatPersonalData()],
    ['docs/reference/reporting.md', await formatReporting(client)],
  ]);
  if (!(await isReleased())) documents.set(INTERFACE_FILE, formatInterface(api));
  return documents;
}

/** Generate the pages of the documentation site that are not in the repository, by path. */
export async function generateSitePages(client: ClientBase): Promise<Map<string, string>> {
  const pages = await formatDatabase(client);
  return new Map([...pages].map(([name, text]) => [`${DATABASE_FOLDER}/${name}`, text]));
}
