import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { addVary } from './add-vary.ts';
import { matchesIfNoneMatch } from './conditional-request.rules.ts';

/** A content in each encoding that it is sent in. */
export interface PrecompressedContent {
  br: Buffer;
  gzip: Buffer;
  identity: Buffer;
  /** Differs with the content. */
  hash: string;
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** @param quality of Brotli, from 0 to 11 */
export async function precompress(content: Buffer, quality: number): Promise<PrecompressedContent> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content),
  ]);
  return { br, gzip: gzipped, identity: content, hash: computeHash(content) };
}

/** The content of files that were compressed before. */
export async function readPrecompressed(br: Buffer, gzipped: Buffer): Promise<PrecompressedContent> {
  const identity = await promisify(gunzip)(gzipped);
  return { br, gzip: gzipped, identity, hash: computeHash(identity) };
}

/** Send the encoding that the client prefers, with its strong ETag, or 304. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  content: PrecompressedContent,
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const etag = `"${content.hash}-${encoding}"`;
  addVary(reply, 'Accept-Encoding').header('ETag', etag);
  if (matchesIfNoneMatch(request.headers['if-none-match'], etag))
    return reply.code(304).removeHeader('content-type').send();
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return reply.send(content[encoding]);
}

/** A client that names no encoding may know none. */
function chooseEncoding(header: string | undefined): (typeof ENCODINGS)[number] {
  if (header === undefined) return 'identity';
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...ENCODINGS]);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

function computeHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}
