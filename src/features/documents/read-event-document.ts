import type { EventObjectReader } from '../../platform/event-objects.ts';
import type { DocumentServices } from './document-services.ts';
import { loadDocumentView, requireOwnDocument } from './read-document.ts';

/** Create the reader of the document of an event, as GET /api/documents/{id} shows it. Health documents are never sent. */
export function createDocumentEventReader(
  services: Pick<DocumentServices, 'database' | 'fieldCipher' | 'isReadOnly'>,
): EventObjectReader {
  const { client } = services.database;
  return async ({ accountId }, { id }) => {
    const row = await requireOwnDocument(client, { accountId, id });
    return row.kind === 'HEALTH' ? 'MEDICAL' : loadDocumentView(services, client, row);
  };
}
