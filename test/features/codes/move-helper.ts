import { type HistoryChoice, moveQrCode } from '../../../src/features/codes/index.ts';
import type { RequestContext } from '../../../src/platform/request-context.ts';
import type { TestApp } from '../../helper.ts';

export const TEST_CONTEXT: RequestContext = {
  user: null,
  address: '192.0.2.1',
  userAgent: '',
  method: 'POST',
  purpose: '',
  isNavigation: false,
  acceptLanguage: undefined,
  requestId: 'test',
  operation: 'test',
  audit: undefined,
  idempotencyKey: undefined,
  target: '',
};

export function moveTestCode(
  { services, database }: Pick<TestApp, 'services' | 'database'>,
  qrCodeId: string,
  [fromAccountId, toAccountId]: readonly [string, string],
  history: HistoryChoice,
): Promise<void> {
  const context = { ...TEST_CONTEXT, linkUserId: fromAccountId };
  return database.transaction((tx) =>
    moveQrCode(services, context, tx, { qrCodeId, fromAccountId, toAccountId, history }),
  );
}
