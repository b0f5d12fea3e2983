import type { TextEncoding } from './text-encoding.rules.ts';

export interface ContentSample {
  /** Up to 64 KiB. */
  head: Buffer;
  /** Up to 96 KiB; of an archive up to 512 KiB. */
  tail: Buffer;
  size: number;
  /** Null for anything but text without control characters. */
  textEncoding: TextEncoding | null;
  /** A RAR, 7-Zip or ARJ archive begins somewhere. */
  hasForeignArchive: boolean;
  /** The header of a PDF is somewhere. */
  hasPdfHeader: boolean;
}

export type ContentTypeDetectionResult = { type: DocumentContentType } | { rejectionReason: string };

const TEXT_EXTENSIONS = ['txt', 'text', 'md', 'csv', 'tsv', 'log', 'json'] as const;

/** The first extension is added to a name that has none of them. */
export const FILE_EXTENSIONS_BY_CONTENT_TYPE = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/heic': ['heic', 'heif'],
  'text/plain; charset=utf-8': TEXT_EXTENSIONS,
  'text/plain; charset=utf-16': TEXT_EXTENSIONS,
  'text/plain; charset=windows-1252': TEXT_EXTENSIONS,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
} as const;

export type DocumentContentType = keyof typeof FILE_EXTENSIONS_BY_CONTENT_TYPE;

const INLINE_TYPES: readonly string[] = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
];

export function isInlineContentType(contentType: string): boolean {
  return INLINE_TYPES.includes(contentType) || getTextEncoding(contentType) !== null;
}

export const TEXT_CONTENT_TYPES: Readonly<Record<TextEncoding, DocumentContentType>> = {
  'utf-8': 'text/plain; charset=utf-8',
  'utf-16': 'text/plain; charset=utf-16',
  'windows-1252': 'text/plain; charset=windows-1252',
};

/** Null for a type that is no text. */
export function getTextEncoding(contentType: string): TextEncoding | null {
  const encodings = Object.keys(TEXT_CONTENT_TYPES) as TextEncoding[];
  return encodings.find((encoding) => TEXT_CONTENT_TYPES[encoding] === contentType) ?? null;
}

export const ACCEPTED_DOCUMENT_CONTENT_TYPES: readonly string[] = Object.keys(
  FILE_EXTENSIONS_BY_CONTENT_TYPE,
);
