import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { DocumentServices } from './document-services.ts';
import { findDocumentVersion } from './document-version.repository.ts';
import { DOCUMENT_FILE_NAME } from './encrypted-document-fields.ts';
import { requireOwnDocument } from './read-document.ts';
import { sendDocumentContent } from './send-document-content.ts';

interface OwnDocumentContent {
  id: string;
  /** Default: the current one. */
  version: number | undefined;
  inline: boolean;
}

/** Send a document to its owner; the access is audited. @throws NOT_FOUND, FILE_CHECK_PENDING, DATA_INTEGRITY */
export async function sendOwnDocument(
  services: Pick<DocumentServices, 'database' | 'fieldCipher' | 'files'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { id: documentId, version: number, inline }: OwnDocumentContent,
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const { id: accountId, sessionId } = requireAuthenticatedUser(request);
  const { id, currentVersion } = await requireOwnDocument(database.client, { accountId, id: documentId });
  const version = await findDocumentVersion(database.client, id, number ?? currentVersion);
  if (!version) throw new ServiceError('NOT_FOUND');
  const context = getRequestContext(request);
  const record = () => commitAuditEntry(database, context, { resourceId: id });
  return sendDocumentContent(services, request, reply, {
    version,
    fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
    inline,
    access: { reader: sessionId, record },
  });
}
