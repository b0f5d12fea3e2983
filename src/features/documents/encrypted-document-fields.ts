import { defineColumnCipher } from '../../platform/column-cipher.ts';
import { documentsCatalogue } from './catalogue.ts';

export const DOCUMENT_NOTE = defineColumnCipher(documentsCatalogue, 'documents.note').of<string>();

export const DOCUMENT_FILE_NAME = defineColumnCipher(
  documentsCatalogue,
  'document_versions.file_name',
).of<string>();
