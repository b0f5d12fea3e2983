import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAccount } from '../../platform/authentication.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  sendTableExport,
  setTableExportHeaders,
  type TableExportOptions,
} from '../../platform/table-export.ts';
import { createScanExportStream } from './export-scans.ts';
import type { ScanFilter } from './scan-list.repository.ts';
import { limitScanFilterToRetention } from './scan-retention.ts';
import type { ScanServices } from './scan-services.ts';

/** Send the user's scans that match as a file, with exact positions. */
export async function sendScanExport(
  services: Pick<ScanServices, 'database' | 'fieldCipher' | 'findRetentionStart'>,
  request: FastifyRequest,
  reply: FastifyReply,
  filter: ScanFilter,
  options: TableExportOptions,
): Promise<FastifyReply> {
  const { id: accountId } = requireAccount(request);
  setTableExportHeaders(reply, 'scans', options.format);
  if (request.method === 'HEAD') return sendHeadersOnly(reply);
  const context = getRequestContext(request);
  const retained = await limitScanFilterToRetention(services, accountId, filter);
  const content = createScanExportStream(services, context, accountId, retained, options);
  return sendTableExport(reply, content, () =>
    commitAuditEntry(services.database, context, { resourceId: accountId }),
  );
}
