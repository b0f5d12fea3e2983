import type { Tx } from '../../platform/database.ts';
import type { ModerationEventName } from '../../shared/domain-events.ts';
import { findUser } from '../identity/index.ts';
import type { ModerationServices } from './moderation-services.ts';

interface ModerationNotice {
  event: ModerationEventName;
  /** Unique for each decision. */
  key: string;
  code: { id: string; ownerId: string; title: string };
  category: string;
  /** Text of the administrator for the owner; sent by mail only. */
  text: string | null;
}

/** Notify the owner of a decision about their code, and mail them the administrator's text. */
export async function notifyOwnerOfModeration(
  { events, mailOutbox }: Pick<ModerationServices, 'events' | 'mailOutbox'>,
  tx: Tx,
  { event, key, code, category, text }: ModerationNotice,
): Promise<void> {
  const { id: qrCodeId, ownerId, title } = code;
  await events.publish(tx, 'code.moderated', { event, key, ownerId, qrCodeId, title, category });
  const owner = await findUser(tx, ownerId);
  if (!owner) return;
  await mailOutbox.enqueue(tx, {
    template: 'CODE_MODERATED',
    to: owner.email,
    values: { event, data: { code: title, category }, text, canAppeal: event !== 'CODE_REINSTATED' },
  });
}
