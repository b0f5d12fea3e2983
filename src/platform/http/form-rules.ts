import type { FastifyRequest } from 'fastify';

export interface FormRules {
  files: Record<string, { maxBytes: number }>;
  streamed?: StreamedFile;
}

export interface StreamedFile {
  name: string;
  maxBytes: number;
  /** Read the content to its end; an error becomes the response. `onError` discards it for an invalid form. */
  consume(
    request: FastifyRequest,
    file: { fileName: string; content: AsyncIterable<Uint8Array> },
  ): Promise<void>;
}

export interface ParsedForm {
  fields: Record<string, string>;
  files: Record<string, Buffer>;
}
