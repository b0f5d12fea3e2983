import type { FastifyRequest } from 'fastify';

export interface MultipartFormRules {
  files: Record<string, { maxBytes: number; isRequired?: boolean }>;
  /** Names of text fields that hold JSON. */
  json?: readonly string[];
  streamed?: StreamedFileRule;
}

export interface StreamedFileRule {
  name: string;
  maxBytes: number;
  /**
   * Read the content to its end; an error becomes the response. `onError` discards it for an invalid form, or when the
   * client disconnected meanwhile.
   */
  consume(request: FastifyRequest, file: StreamedFile): Promise<void>;
}

interface StreamedFile {
  fileName: string;
  content: AsyncIterable<Uint8Array>;
  /** Aborts when the client disconnects. */
  disconnect: AbortSignal;
}

export interface ParsedMultipartForm {
  fields: Record<string, unknown>;
  files: Record<string, Buffer>;
}
