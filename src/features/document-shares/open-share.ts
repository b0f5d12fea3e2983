import { withinBudget } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { describeAgent } from '../scans/agent.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { checkPasscode } from './check-passcode.ts';
import { openShareOf } from './find-share.ts';
import { countView, findShareReading } from './reading.repository.ts';
import { findShare, type SharedDocument } from './share.repository.ts';
import type { ShareServices } from './share-services.ts';
import { secondsLeft, shareTicket } from './share-ticket.ts';

const HOUR = 3_600;

/** What an opening is answered by. */
export interface Opened {
  /** Path of the content below the base of every address. */
  contentPath: string;
  /** Whole seconds that it can be fetched. */
  expiresIn: number;
  /** Whether it is an opening of before, asked for again. */
  isReplayed: boolean;
}

/**
 * Opens a share for whoever gives its passcode: one view is counted, the reading noted, the owner told. With the same
 * Idempotency-Key it is the same opening. Throws NOT_FOUND, SHARE_EXPIRED, SHARE_USED_UP, FILE_NOT_CHECKED, PASSCODE_REQUIRED,
 * PASSCODE_INCORRECT, RATE_LIMITED; then nothing was counted.
 */
export async function openShare(
  services: ShareServices,
  caller: Caller,
  share: SharedDocument | null,
  passcode: string | null,
): Promise<Opened> {
  const { createOnce, scanQueue } = services;
  if (!share) throw new ServiceError('NOT_FOUND');
  const once = { who: publicKeyHolder(services.vault, caller, share.id), sameAs: null };
  const known = await createOnce.replay<{ readingId: string }>(caller, once);
  if (known) return openedBy(services, known);
  const open = openShareOf(services, share);
  if (open.isBeingChecked) throw new ServiceError('FILE_NOT_CHECKED', { retryAfterSeconds: 30 });
  await checkPasscode(services, caller, open, passcode);
  const made = await scanQueue(() =>
    createOnce(caller, once, async (tx) => ({
      body: { readingId: await countOpening(services, caller, tx, open) },
      contentOf: open.ownerId,
    })),
  );
  return openedBy(services, made);
}

async function openedBy(
  { database, vault }: ShareServices,
  { body, isReplayed }: { body: { readingId: string }; isReplayed: boolean },
): Promise<Opened> {
  const reading = await findShareReading(database.client, body.readingId);
  if (!reading) throw new ServiceError('NOT_FOUND');
  const contentPath = `/api/documents/tickets/${shareTicket(vault, reading)}/content`;
  return { contentPath, expiresIn: secondsLeft(reading, new Date()), isReplayed };
}

/** Counts a view, with all that comes of it. Throws as `openShare` where others were faster. */
async function countOpening(
  services: ShareServices,
  caller: Caller,
  tx: Tx,
  { id, documentId, ownerId, title }: SharedDocument,
): Promise<string> {
  const readingId = newId();
  const isCounted = await countView(tx, id, { id: readingId, agent: describeAgent(caller.userAgent) });
  if (!isCounted) {
    openShareOf(services, await findShare(tx, id));
    throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  }
  await recordAction(tx, caller, {
    action: 'DOCUMENT_SHARE_OPENED',
    resourceType: 'DOCUMENT',
    resourceId: documentId,
  });
  if (await isNews(tx, id)) await services.notifyDocumentOpened(tx, { ownerId, documentId, title });
  return readingId;
}

/** Whether the owner is told of one more opening: five an hour and twenty a day of a share; the list of readings has them all. */
async function isNews(tx: Tx, shareId: string): Promise<boolean> {
  const hourly = { key: `document-opened:${shareId}`, allowed: 5, windowSeconds: HOUR };
  const daily = { key: `document-opened-day:${shareId}`, allowed: 20, windowSeconds: 24 * HOUR };
  return (await withinBudget(tx, hourly)) && withinBudget(tx, daily);
}
