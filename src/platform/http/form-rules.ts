import type { FastifyRequest } from 'fastify';

/** Which files a form may bring, each with its limit in bytes. */
export interface FormRules {
  files: Record<string, { maxBytes: number }>;
  /** One that is too large to be held, and is taken while it comes. */
  streamed?: StreamedFile;
}

/** A file that a route takes while it comes. */
export interface StreamedFile {
  name: string;
  maxBytes: number;
  /**
   * Reads the content to its end, before or after fields of the form are known; what it throws is the answer. Where the
   * form or its fields turn out to be wrong later, the route's `onError` hook is what gives up what was taken.
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
