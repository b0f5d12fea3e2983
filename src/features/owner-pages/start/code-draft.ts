import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import { type NetworkAttemptRule, tryConsumeNetworkAttempts } from '../../../platform/network-attempts.ts';
import { formatHostCookie, getHostCookieName } from '../../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../../shared/cookies.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { ownerPagesCatalogue } from '../catalogue.ts';
import type { FormValues } from '../content/form-fields.rules.ts';
import { isSecure, type OwnerPageServices } from '../owner-page-services.ts';
import { deleteCodeDraft, findCodeDraft, insertCodeDraft, updateCodeDraft } from './code-draft.repository.ts';

/** What somebody without an account filled in. */
export interface CodeDraft {
  id: string;
  kind: string;
  values: FormValues;
}

type Services = Pick<OwnerPageServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

const DRAFT_COOKIE = 'draft';

/** With its photo, a browser has less than 3 MB. */
const MAX_CONTENT_BYTES = 64_000;

const CONTENT = defineColumnCipher(ownerPagesCatalogue, 'code_drafts.content').of<FormValues>();

/** Within the lifetime of a draft: 5,000 of 70 kB in all. */
const NEW_DRAFT_RULE: NetworkAttemptRule = {
  name: 'code-drafts',
  windowSeconds: DAY_SECONDS,
  perNetwork: 30,
  open: 3_000,
  reserve: { perNetwork: 5, perProvider: 200 },
  max: 5_000,
};

/** Read the draft of a browser; null without one. @throws DATA_INTEGRITY */
export async function readCodeDraft(services: Services, request: FastifyRequest): Promise<CodeDraft | null> {
  const secret = readSecret(services, request);
  const row = secret && (await findCodeDraft(services.database.client, hashSecret(services, secret)));
  return row ? { id: row.id, kind: row.kind, values: CONTENT.decrypt(services.fieldCipher, row) } : null;
}

/**
 * Keep what a browser filled in, for a day from its first draft.
 * @throws PAYLOAD_TOO_LARGE, RATE_LIMITED for too many of a network
 */
export async function saveCodeDraft(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, values }: Omit<CodeDraft, 'id'>,
): Promise<void> {
  const { database, fieldCipher } = services;
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_CONTENT_BYTES)
    throw new ServiceError('PAYLOAD_TOO_LARGE');
  const current = await readCodeDraft(services, request);
  const id = current?.id ?? generateId();
  const row = { id, kind, content: CONTENT.encrypt(fieldCipher, { id }, values) };
  // A photo is of one thing.
  const change = current?.kind === kind ? row : { ...row, picture: null };
  if (current && (await updateCodeDraft(database.client, change))) return;
  const secret = randomBytes(32).toString('base64url');
  await database.transaction(async (tx) => {
    const attempt = { subject: 'drafts', address: request.clientAddress };
    if (!(await tryConsumeNetworkAttempts(tx, fieldCipher, [NEW_DRAFT_RULE], attempt)))
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: DAY_SECONDS });
    const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.codeDraft * 1_000);
    await insertCodeDraft(tx, { ...row, secretHash: hashSecret(services, secret), expiresAt });
  });
  reply.header('Set-Cookie', formatDraftCookie(services, secret, LIFETIMES_SECONDS.codeDraft));
}

/** Forget the draft of a browser. */
export async function deleteOwnCodeDraft(services: Services, reply: FastifyReply, id: string): Promise<void> {
  await deleteCodeDraft(services.database.client, id);
  reply.header('Set-Cookie', formatDraftCookie(services, '', 0));
}

/** Whether the browser says that it has a draft. */
export function hasCodeDraftCookie(services: Services, request: FastifyRequest): boolean {
  return readSecret(services, request) !== null;
}

function readSecret(services: Services, { headers }: FastifyRequest): string | null {
  const secret = parseCookieHeader(headers.cookie)[getHostCookieName(DRAFT_COOKIE, isSecure(services))];
  return secret && /^[\w-]{43}$/.test(secret) ? secret : null;
}

function hashSecret({ fieldCipher }: Services, secret: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('code-draft-secret', secret);
}

function formatDraftCookie(services: Services, secret: string, seconds: number): string {
  return formatHostCookie(DRAFT_COOKIE, secret, seconds, isSecure(services));
}
