import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../platform/database.ts';
import { toBuffer } from '../../../platform/worker-process.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { rethrowAsBusy } from '../../../shared/fair-limiter.ts';
import { createSingleFlight } from '../../../shared/memoize.ts';
import type { EncryptedFileStore } from '../encrypted-file-store.ts';
import { enqueuePictureProcessing } from './enqueue-drawing.ts';
import { readPrivateFile, toChunks } from './private-bytes.ts';
import {
  attachRenditionFile,
  claimRendition,
  findRendition,
  type RenditionFile,
  type RenditionKey,
  releaseRenditionClaim,
} from './rendition.repository.ts';
import { chooseRenditionWidth, type RenditionFormat, type RenditionWidth } from './rendition.rules.ts';

export interface StoredPicture {
  id: string;
  accountId: string;
  fileId: string;
  width: number;
}

/** Far above any rendition; the file store requires a limit. */
const MAX_RENDITION_BYTES = 20_000_000;

/** Interval and maximum wait for the drawing of another process. */
const POLL_INTERVAL_MS = 100;
const WAIT_TIMEOUT_MS = 10_000;

export interface RenditionService {
  /** Get a rendition, drawn once on its first request across all processes. @throws BUSY, NOT_FOUND */
  getRendition(
    picture: StoredPicture,
    request: { width: RenditionWidth; format: RenditionFormat; requester: string },
  ): Promise<RenditionFile>;
}

export function createRenditionService({
  database,
  files,
}: {
  database: Database;
  files: EncryptedFileStore;
}): RenditionService {
  const { client } = database;
  const singleFlight = createSingleFlight<RenditionFile>();

  return {
    async getRendition(picture, { width: requestedWidth, format, requester }) {
      const renditionKey = {
        pictureId: picture.id,
        width: chooseRenditionWidth(requestedWidth, picture.width),
        format,
      };
      const drawn = await findRendition(client, picture.accountId, renditionKey);
      if (drawn) return drawn;
      return singleFlight(Object.values(renditionKey).join(' '), () =>
        claimOrAwait(picture, renditionKey, requester).catch(rethrowAsBusy),
      );
    },
  };

  async function claimOrAwait(
    picture: StoredPicture,
    renditionKey: RenditionKey,
    requester: string,
  ): Promise<RenditionFile> {
    const until = Date.now() + WAIT_TIMEOUT_MS;
    while (Date.now() < until) {
      const claim = await claimRendition(client, picture.accountId, renditionKey);
      if (claim) return draw(picture, renditionKey, { claim, requester });
      const drawn = await findRendition(client, picture.accountId, renditionKey);
      if (drawn) return drawn;
      await wait(POLL_INTERVAL_MS);
    }
    throw new ServiceError('BUSY', { retryAfterSeconds: 5 });
  }

  async function draw(
    picture: StoredPicture,
    renditionKey: RenditionKey,
    { claim, requester }: { claim: string; requester: string },
  ): Promise<RenditionFile> {
    try {
      const { width, format } = renditionKey;
      const drawn = await enqueuePictureProcessing('rendition', requester, async () => {
        return {
          purpose: 'RENDITION',
          bytes: await readPrivateFile(client, files, picture),
          width,
          format,
        };
      });
      if ('reason' in drawn) throw new Error('A stored picture was rejected.');
      const bytes = toBuffer(drawn.bytes);
      const file = await files.store(picture.accountId, toChunks(bytes), { maxBytes: MAX_RENDITION_BYTES });
      try {
        await database.transaction(async (tx) => {
          if (!(await attachRenditionFile(tx, claim, renditionKey, file)))
            throw new ServiceError('NOT_FOUND');
          await files.commit(tx, file);
        });
      } catch (error) {
        await files.discardPending(file);
        throw error;
      }
      return { fileId: file.id, size: file.size };
    } catch (error) {
      await releaseRenditionClaim(client, claim, renditionKey).catch(() => {});
      throw error;
    }
  }
}
