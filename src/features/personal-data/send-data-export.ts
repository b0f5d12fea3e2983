import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry, recordFailedRequestAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { requireRecentLogin } from '../identity/index.ts';
import { findDataExport } from './data-export.repository.ts';
import { getDataExportArchiveName } from './data-export.view.ts';
import { openDataExportFile } from './open-export-file.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/**
 * Send an archive that is ready, after a recent login.
 * @throws NOT_FOUND, EXPORT_KEY_REQUIRED, EXPORT_NOT_READY, EXPORT_FAILED, REAUTHENTICATION_REQUIRED
 */
export async function sendDataExport(
  services: PersonalDataServices,
  request: FastifyRequest,
  reply: FastifyReply,
  exportId: string,
): Promise<FastifyReply> {
  const { database } = services;
  const user = requireAuthenticatedUser(request);
  const context = getRequestContext(request);
  const row = await findDataExport(database.client, user.id, exportId);
  if (!row) throw new ServiceError('NOT_FOUND');
  if (row.recipient === null && (await services.mustEncryptExport(database.client, user.id)))
    throw new ServiceError('EXPORT_KEY_REQUIRED');
  if (row.status === 'WAITING') throw new ServiceError('EXPORT_NOT_READY');
  if (row.status === 'FAILED' || !row.fileId) throw new ServiceError('EXPORT_FAILED');
  await requireRecentLogin(services.database.client, user);
  const setHeaders = () =>
    setArchiveHeaders(reply, row.createdAt, row.recipient).header('Content-Length', Number(row.size));
  if (request.method === 'HEAD') return sendHeadersOnly(setHeaders());
  const content = await openDataExportFile(services, { ...row, fileId: row.fileId });
  // An integrity failure after the first byte aborts the response, and no hook is called.
  content.once('error', (error) => void recordFailedRequestAuditEntry(database, request, error));
  try {
    await commitAuditEntry(database, context, { resourceId: user.id });
  } catch (error) {
    content.destroy();
    throw error;
  }
  return setHeaders().send(content);
}

export function setArchiveHeaders(
  reply: FastifyReply,
  createdAt: Date,
  recipient: string | null,
): FastifyReply {
  const isEncrypted = recipient !== null;
  return reply
    .type(isEncrypted ? 'application/octet-stream' : 'application/zip')
    .header(
      'Content-Disposition',
      `attachment; filename="${getDataExportArchiveName(createdAt, isEncrypted)}"`,
    );
}
