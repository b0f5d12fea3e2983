import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { listOwnerEmails } from '../../platform/membership.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { ModerationEventName } from '../../shared/domain-events.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { type LockedQrCode, lockQrCodeForModeration, updateQrCodeTakenDownAt } from '../codes/index.ts';
import { encryptModerationText } from './encrypted-moderation-fields.ts';
import type { AppealDecision, ModerationCategory } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';
import { decideReports } from './report.repository.ts';
import {
  type AppealRow,
  endTakedown,
  findAppeal,
  findCurrentTakedown,
  findLastTakedown,
  findOpenAppeal,
  insertTakedown,
  saveAppealDecision,
  type TakedownRow,
} from './takedown.repository.ts';

/** Take a code down, which decides its reports, and notify its owner. @throws NOT_FOUND, CODE_ALREADY_TAKEN_DOWN */
export function takeDownQrCode(
  services: ModerationServices,
  context: RequestContext,
  qrCodeId: string,
  { category, reason }: { category: ModerationCategory; reason: string },
): Promise<TakedownRow> {
  return services.database.transaction(async (tx) => {
    const code = await lockQrCode(tx, qrCodeId);
    if (!code.hasContent) throw new ServiceError('NOT_FOUND');
    if (code.takenDownAt !== null) throw new ServiceError('CODE_ALREADY_TAKEN_DOWN');
    const id = generateId();
    const createdAt = new Date();
    const { accountId } = code;
    const text = encryptModerationText(services.fieldCipher, 'takedownReason', { id, accountId }, reason);
    await insertTakedown(tx, { id, qrCodeId, accountId, category, reason: text, createdAt });
    await updateQrCodeTakenDownAt(tx, code, createdAt);
    await decideReports(tx, qrCodeId, 'TAKEN_DOWN');
    await recordAuditEntry(tx, context, {
      action: 'QRCODE_TAKEN_DOWN',
      resourceType: 'QRCODE',
      resourceId: qrCodeId,
      changes: [category],
    });
    const notice = { event: 'code.taken_down', key: `takedown:${id}` } as const;
    await notifyOwnerOfModeration(services, tx, { ...notice, code, category, text: reason });
    return requireLastTakedown(tx, qrCodeId);
  });
}

/** Reinstate a code, which decides an open appeal. @throws NOT_FOUND, CODE_NOT_TAKEN_DOWN */
export function reinstateQrCode(
  services: ModerationServices,
  context: RequestContext,
  qrCodeId: string,
  answer: string | null,
): Promise<TakedownRow> {
  return services.database.transaction((tx) => reinstate(services, context, tx, qrCodeId, answer));
}

async function reinstate(
  services: ModerationServices,
  context: RequestContext,
  tx: Tx,
  qrCodeId: string,
  answer: string | null,
): Promise<TakedownRow> {
  const code = await lockQrCode(tx, qrCodeId);
  const takedown = await findCurrentTakedown(tx, code);
  if (!takedown) throw new ServiceError('CODE_NOT_TAKEN_DOWN');
  const appeal = await findOpenAppeal(tx, takedown);
  if (appeal) await saveDecision(services, tx, appeal, 'REINSTATED', answer);
  await endTakedown(tx, takedown);
  await updateQrCodeTakenDownAt(tx, code, null);
  await recordAuditEntry(tx, context, {
    action: 'QRCODE_REINSTATED',
    resourceType: 'QRCODE',
    resourceId: qrCodeId,
  });
  const notice = { event: 'code.reinstated', key: `reinstated:${takedown.id}` } as const;
  await notifyOwnerOfModeration(services, tx, { ...notice, code, category: takedown.category, text: answer });
  return requireLastTakedown(tx, qrCodeId);
}

/** Decide an appeal once. @throws NOT_FOUND, APPEAL_ALREADY_DECIDED */
export function decideAppeal(
  services: ModerationServices,
  context: RequestContext,
  id: string,
  { decision, answer }: { decision: AppealDecision; answer: string | null },
): Promise<AppealRow> {
  return services.database.transaction(async (tx) => {
    const found = await findAppeal(tx, id);
    if (!found) throw new ServiceError('NOT_FOUND');
    const { qrCodeId, category } = found.takedown;
    // The lock of the code serializes administrators: what one decided is seen by the next.
    const code = await lockQrCode(tx, qrCodeId);
    const appeal = await findAppeal(tx, id);
    if (!appeal || appeal.decision !== null) throw new ServiceError('APPEAL_ALREADY_DECIDED');
    if (decision === 'REINSTATED') await reinstate(services, context, tx, qrCodeId, answer);
    else {
      await saveDecision(services, tx, appeal, 'REJECTED', answer);
      await recordAuditEntry(tx, context, {
        action: 'QRCODE_APPEAL_REJECTED',
        resourceType: 'QRCODE',
        resourceId: qrCodeId,
      });
      const notice = { event: 'code.appeal_rejected', key: `appeal:${id}` } as const;
      await notifyOwnerOfModeration(services, tx, { ...notice, code, category, text: answer });
    }
    return (await findAppeal(tx, id)) ?? appeal;
  });
}

async function lockQrCode(tx: Tx, id: string): Promise<LockedQrCode> {
  const code = await lockQrCodeForModeration(tx, id);
  if (!code) throw new ServiceError('NOT_FOUND');
  return code;
}

async function saveDecision(
  { fieldCipher }: ModerationServices,
  tx: Tx,
  appeal: { id: string; accountId: string },
  decision: AppealDecision,
  answer: string | null,
): Promise<void> {
  const text = answer === null ? null : encryptModerationText(fieldCipher, 'appealAnswer', appeal, answer);
  if (!(await saveAppealDecision(tx, appeal.id, { decision, answer: text })))
    throw new ServiceError('APPEAL_ALREADY_DECIDED');
}

async function requireLastTakedown(tx: Tx, qrCodeId: string): Promise<TakedownRow> {
  const takedown = await findLastTakedown(tx, qrCodeId);
  if (!takedown) throw new ServiceError('NOT_FOUND');
  return takedown;
}

interface ModerationNotice {
  event: ModerationEventName;
  /** Unique for each decision. */
  key: string;
  code: { id: string; accountId: string; title: string };
  category: string;
  /** Text of the administrator for the owner; sent by mail only. */
  text: string | null;
}

/** Notify the account of a decision about its code, and mail its owners the administrator's text. */
async function notifyOwnerOfModeration(
  { events, mailOutbox, ownerPagesUrl }: Pick<ModerationServices, 'events' | 'mailOutbox' | 'ownerPagesUrl'>,
  tx: Tx,
  { event, key, code, category, text }: ModerationNotice,
): Promise<void> {
  const { id: qrCodeId, accountId, title } = code;
  await events.publish(tx, event, { key, accountId, qrCodeId, title, category });
  const canAppeal = event !== 'code.reinstated';
  const appealUrl =
    canAppeal && ownerPagesUrl ? `${ownerPagesUrl}/${accountId}/codes/${qrCodeId}/takedown` : null;
  const values = { event, data: { code: title, category }, text, canAppeal, appealUrl };
  for (const to of await listOwnerEmails(tx, accountId))
    await mailOutbox.enqueue(tx, { template: 'CODE_MODERATED', to, values });
}
