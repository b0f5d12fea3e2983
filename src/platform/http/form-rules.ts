import type { FastifyRequest } from 'fastify';

export interface FormRules {
  files: Record<string, { maxBytes: number }>;
  streamed?: StreamedFile;
}

export interface StreamedFile {
  name: string;
  maxBytes: number;
  /**
   * Read the content to its end, before or after the fields are known; an error becomes the response. When
   * the form turns out to be invalid later, the `onError` hook of the route discards the file.
   */
  consume(
    request: FastifyRequest,
    file: { fileName: string; content: AsyncIterable<Uint8Array> },
  ): Promise<void>;
}

export interface ParsedForm {
  fields: Record<string, string>;
  files: Record<string, Buffer>;
}
