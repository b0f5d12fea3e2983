import { Type } from 'typebox';
import {
  allowByCookie,
  allowUsers,
  allowUsersWithProfile,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { Html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import type { BatchRecord, BatchTagView } from '../../codes/index.ts';
import { renderNote } from '../components.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';

/** As the operations of the API. */
export const BATCH_ACCESS = allowByCookie(allowUsers('qrcodes:own'));
export const NEW_BATCH_ACCESS = allowByCookie(allowUsersWithProfile('qrcodes:own'));

export const BATCH_PAGE_CONFIG = {
  access: BATCH_ACCESS,
  audit: skipAudit('USER'),
  rateLimitClass: 'page',
} as const;

export const BatchParams = createIdParamsSchema('accountId', 'id');

export const EmptyBody = Type.Object({});

export function getBatchesPath(services: OwnerPageServices, { accountId }: { accountId: string }): string {
  return `${getAccountPath(services, accountId)}/batches`;
}

const STATUS_LABELS = {
  WAITING: 'app.imports.status.waiting',
  RUNNING: 'app.imports.status.running',
  COMPLETED: 'app.imports.status.completed',
  FAILED: 'app.imports.status.failed',
  CANCELED: 'app.imports.status.canceled',
} as const satisfies Record<string, MessageKey>;

export function translateBatchStatus({ status }: Pick<BatchRecord, 'status'>, locale: Locale): string {
  return t(locale, isKeyOf(STATUS_LABELS, status) ? STATUS_LABELS[status] : 'app.imports.status.failed');
}

export const TAG_STATUS_LABELS = {
  CREATED: 'app.batches.ready',
  PRINTED: 'app.batches.printed',
  HANDED_OUT: 'app.batches.handedOut',
  CLAIMED: 'app.batches.claimed',
  DELETED: 'app.batches.deletedTag',
} as const satisfies Record<BatchTagView['status'], MessageKey>;

/** Describe what became of the tags of a batch, in one line. */
export function describeCounts({ created, claimed }: BatchRecord, locale: Locale): string {
  const made = t(locale, 'app.batches.created', { count: created });
  if (claimed === 0) return made;
  return `${made} · ${t(locale, 'app.batches.claimed')}: ${new Intl.NumberFormat(locale.tag).format(claimed)}`;
}

/** Render what an earlier form did, by the parameter of the address. */
export function renderBatchDone(done: string | undefined, locale: Locale): Html | null {
  return done === 'deleted' ? renderNote(t(locale, 'app.batches.deleted')) : null;
}
