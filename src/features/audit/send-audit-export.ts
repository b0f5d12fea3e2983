import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  sendTableExport,
  setTableExportHeaders,
  type TableExportOptions,
} from '../../platform/table-export.ts';
import type { AuditFilter } from './audit-log.repository.ts';
import { exportAuditEntries } from './export-audit-entries.ts';

/** Send the entries that match as a file. The export is an entry, too. */
export async function sendAuditExport(
  { database }: { database: Database },
  request: FastifyRequest,
  reply: FastifyReply,
  filter: AuditFilter,
  options: TableExportOptions,
): Promise<FastifyReply> {
  const { format } = options;
  if (request.method === 'HEAD') return sendHeadersOnly(setTableExportHeaders(reply, 'audit-log', format));
  const { id } = requireAuthenticatedUser(request);
  const content = exportAuditEntries(database, id, filter, options);
  return sendTableExport(setTableExportHeaders(reply, 'audit-log', format), content, () =>
    commitAuditEntry(database, getRequestContext(request)),
  );
}
