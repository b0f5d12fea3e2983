export interface ContentSample {
  /** Up to 64 KiB. */
  head: Buffer;
  /** Up to 96 KiB; of an archive up to 512 KiB. */
  tail: Buffer;
  size: number;
  /** Valid UTF-8 without control characters. */
  isText: boolean;
}

export type TypeDetectionResult = { type: DocumentType } | { rejectionReason: string };

/** The first extension is added to a name that has none of them. */
export const DOCUMENT_TYPE_EXTENSIONS = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/heic': ['heic', 'heif'],
  'text/plain; charset=utf-8': ['txt', 'text', 'md', 'csv', 'tsv', 'log', 'json'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
} as const;

export type DocumentType = keyof typeof DOCUMENT_TYPE_EXTENSIONS;

const INLINE_TYPES: readonly string[] = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
];

export function isInlineType(contentType: string): boolean {
  return INLINE_TYPES.includes(contentType);
}

export const ACCEPTED_DOCUMENT_TYPES: readonly string[] = Object.keys(DOCUMENT_TYPE_EXTENSIONS);
