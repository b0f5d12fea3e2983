import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from '../files/encrypted-file-store.ts';
import { drawInTurn } from './drawing.ts';
import { contentOf, readPrivate } from './private-bytes.ts';
import {
  claimRendition,
  findRendition,
  nameRendition,
  type Rendition,
  type RenditionOf,
  releaseRendition,
} from './rendition.repository.ts';
import { type Format, type Width, widthMade } from './rendition.rules.ts';
import { bufferOf } from './take-picture.ts';

/** A picture that is kept. */
export interface KeptPicture {
  id: string;
  ownerId: string;
  fileId: string;
  width: number;
}

/** Bytes that no drawing comes near; files without an end are not kept. */
const MOST_BYTES = 20_000_000;

/** Milliseconds between two looks at what another process draws, and for how long. */
const LOOK_EVERY = 100;
const LOOK_FOR = 10_000;

/** Makes sizes of pictures. */
export interface Renditions {
  /** A picture in a width and a format: drawn when it is first asked for, once, however many ask at a time and of however many processes. Throws BUSY, NOT_FOUND. */
  of(picture: KeptPicture, asked: { width: Width; format: Format }): Promise<Rendition>;
}

/** Renditions over the keeper of private files. */
export function createRenditions({
  database,
  files,
}: {
  database: Database;
  files: EncryptedFileStore;
}): Renditions {
  const { client } = database;
  const underWay = new Map<string, Promise<Rendition>>();

  return {
    async of(picture, { width: asked, format }) {
      const wanted = { pictureId: picture.id, width: widthMade(asked, picture.width), format };
      const drawn = await findRendition(client, wanted);
      if (drawn) return drawn;
      const key = Object.values(wanted).join(' ');
      const known = underWay.get(key);
      if (known) return known;
      const made = claimOrAwait(picture, wanted).finally(() => underWay.delete(key));
      underWay.set(key, made);
      return made;
    },
  };

  async function claimOrAwait(picture: KeptPicture, wanted: RenditionOf): Promise<Rendition> {
    const until = Date.now() + LOOK_FOR;
    while (Date.now() < until) {
      const claim = await claimRendition(client, wanted);
      if (claim) return draw(picture, wanted, claim);
      const drawn = await findRendition(client, wanted);
      if (drawn) return drawn;
      await wait(LOOK_EVERY);
    }
    throw new ServiceError('BUSY', { retryAfterSeconds: 5 });
  }

  async function draw(picture: KeptPicture, wanted: RenditionOf, claim: string): Promise<Rendition> {
    try {
      const { width, format } = wanted;
      const drawn = await drawInTurn('rendition', async () => {
        return { as: 'RENDITION', bytes: await readPrivate(client, files, picture.fileId), width, format };
      });
      if ('refused' in drawn) throw new Error('A kept picture was refused.');
      const bytes = bufferOf(drawn.bytes);
      const file = await files.keep(picture.ownerId, contentOf(bytes), { maxBytes: MOST_BYTES });
      try {
        await database.transaction(async (tx) => {
          if (!(await nameRendition(tx, claim, wanted, file.id))) throw new ServiceError('NOT_FOUND');
          await files.settle(tx, file);
        });
      } catch (error) {
        await files.drop(file);
        throw error;
      }
      return { fileId: file.id, size: file.size };
    } catch (error) {
      await releaseRendition(client, claim, wanted).catch(() => {});
      throw error;
    }
  }
}
