import type { FastifyReply, FastifyRequest } from 'fastify';
import { getActingAccount } from '../../../platform/acting-account.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { findDocumentVersion } from '../document-version.repository.ts';
import { DOCUMENT_FILE_NAME } from '../encrypted-document-fields.ts';
import { sendDocumentContent } from '../send-document-content.ts';
import { findReceivedDocument } from './grant.repository.ts';
import { hashDocumentGrantEmail } from './grant-email.ts';
import type { DocumentGrantServices } from './grant-services.ts';
import { recordReceivedDocumentAccess } from './record-recipient-access.use-case.ts';

/** Hash the address by which the grants to a user are found. Documents are granted to a user, never to an organization. */
export function hashRecipient(
  { fieldCipher }: Pick<DocumentGrantServices, 'fieldCipher'>,
  user: Pick<CurrentUser, 'email' | 'account'>,
): Buffer<ArrayBuffer> {
  const { type } = getActingAccount(user);
  return hashDocumentGrantEmail(fieldCipher, type === 'PERSONAL' ? user.email : '');
}

/** Send a document to whom it was granted; its owner sees the access. @throws NOT_FOUND, FILE_CHECK_PENDING */
export async function sendReceivedDocument(
  services: DocumentGrantServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { grantId, inline }: { grantId: string; inline: boolean },
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const user = requireAuthenticatedUser(request);
  const received = await findReceivedDocument(database.client, grantId, hashRecipient(services, user));
  const document = received && { id: received.documentId, accountId: received.accountId };
  const version = document && (await findDocumentVersion(database.client, document, received.version));
  if (!received || !version) throw new ServiceError('NOT_FOUND');
  const record = () => recordReceivedDocumentAccess(services, getRequestContext(request), received, user.id);
  return sendDocumentContent(services, request, reply, {
    version,
    fileName: DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
    inline,
    access: { reader: `given:${user.id}`, record },
  });
}
