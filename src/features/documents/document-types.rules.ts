/** What is known of a content once all of it went by. */
export interface ContentSample {
  /** Its first bytes: all of them, or 64 KiB. */
  head: Buffer;
  /** Its last bytes: all of them, or 96 KiB; of an archive 512 KiB. */
  tail: Buffer;
  size: number;
  /** Whether all of it is text: valid UTF-8 without control characters. */
  isText: boolean;
}

/** A media type that is taken, or why a content is not. */
export type TypeDetectionResult = { type: DocumentType } | { rejectionReason: string };

/** Every type that is taken, with the endings that a name of it may have; the first is given to one that has none of them. */
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

/** What a browser may show by itself. */
const INLINE_TYPES: readonly string[] = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
];

/** Whether a type may be shown in a browser: pictures and PDF. */
export function isInlineType(contentType: string): boolean {
  return INLINE_TYPES.includes(contentType);
}

/** The types as they are listed to people. */
export const ACCEPTED_DOCUMENT_TYPES: readonly string[] = Object.keys(DOCUMENT_TYPE_EXTENSIONS);
