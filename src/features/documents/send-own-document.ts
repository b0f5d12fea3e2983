import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { assertHealthDataReadable } from '../../platform/health-data.ts';
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
  const { id: accountId } = requireAccount(request);
  const { sessionId } = requireAuthenticatedUser(request);
  const { id, kind, currentVersion } = await requireOwnDocument(database.client, {
    accountId,
    id: documentId,
  });
  const context = getRequestContext(request);
  if (kind === 'HEALTH') assertHealthDataReadable(context);
  const version = await findDocumentVersion(database.client, { id, accountId }, number ?? currentVersion);
  if (!version) throw new ServiceError('NOT_FOUND');
  const record = () => commitAuditEntry(database, context, { resourceId: id });
  return sendDocumentContent(services, request, reply, {
    version,
    fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
    inline,
    access: { reader: sessionId, record },
  });
}
