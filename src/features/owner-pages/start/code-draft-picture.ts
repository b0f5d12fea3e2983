import type { FastifyRequest } from 'fastify';
import { refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import { consumeNetworkAttempts } from '../../../platform/network-attempts.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  ACCOUNTLESS_PICTURE_BYTES_RULE,
  MAX_DRAFT_PICTURE_BYTES,
  processDraftPicture,
} from '../../files/index.ts';
import { ownerPagesCatalogue } from '../catalogue.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { findCodeDraftPicture, updateCodeDraftPicture } from './code-draft.repository.ts';

/** A JPEG. */
export interface DraftPicture {
  width: number;
  height: number;
  bytes: Buffer;
}

type Services = Pick<OwnerPageServices, 'database' | 'fieldCipher'>;

const PICTURE = defineColumnCipher(ownerPagesCatalogue, 'code_drafts.picture').of<{
  width: number;
  height: number;
  base64: string;
}>();

/** Read the photo of a draft; null without one. @throws DATA_INTEGRITY */
export async function readDraftPicture(
  { database, fieldCipher }: Services,
  { id }: { id: string },
): Promise<DraftPicture | null> {
  const encrypted = await findCodeDraftPicture(database.client, id);
  if (!encrypted) return null;
  const { width, height, base64 } = PICTURE.decryptValue(fieldCipher, { id }, encrypted);
  return { width, height, bytes: Buffer.from(base64, 'base64') };
}

/**
 * Redraw a photo and keep it with its draft.
 * @returns false when clients without an account have added too many, of the network or in all
 * @throws as `processDraftPicture`
 */
export async function saveDraftPicture(
  { database, fieldCipher }: Services,
  { clientAddress, disconnect }: Pick<FastifyRequest, 'clientAddress' | 'disconnect'>,
  { id }: { id: string },
  upload: Buffer,
): Promise<boolean> {
  const keys = await reserveBytes();
  if (!keys) return false;
  const refund = (bytes: number) => refundAttempts(database.client, keys, bytes);
  try {
    const network = truncateIpAddress(clientAddress);
    const { bytes, width, height } = await processDraftPicture('picture', upload, {
      accountId: `network:${network}`,
      disconnect,
    });
    await refund(MAX_DRAFT_PICTURE_BYTES - bytes.length);
    const picture = PICTURE.encrypt(fieldCipher, { id }, { width, height, base64: bytes.toString('base64') });
    await updateCodeDraftPicture(database.client, { id, picture });
    return true;
  } catch (error) {
    // Nothing was decoded. What is no picture counts: it costs as much.
    if (error instanceof ServiceError && ['BUSY', 'RATE_LIMITED'].includes(error.code))
      await refund(MAX_DRAFT_PICTURE_BYTES);
    throw error;
  }

  /** Before the photo is decoded, as large as it can be. Null for too many. */
  async function reserveBytes(): Promise<string[] | null> {
    const attempt = { subject: '', address: clientAddress, count: MAX_DRAFT_PICTURE_BYTES };
    try {
      return await database.transaction((tx) =>
        consumeNetworkAttempts(tx, fieldCipher, ACCOUNTLESS_PICTURE_BYTES_RULE, attempt),
      );
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return null;
      throw error;
    }
  }
}

export async function deleteDraftPicture({ database }: Services, { id }: { id: string }): Promise<void> {
  await updateCodeDraftPicture(database.client, { id, picture: null });
}
