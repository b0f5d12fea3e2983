import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { generateRequestId } from '../../../platform/http/request-id.ts';
import type { MailOutbox } from '../../mail/index.ts';
import type { AccountServices } from './account-services.ts';
import { lockUserEnterpriseModeByEmail, setUserEnterpriseMode } from './enterprise.repository.ts';

/** `change.operation` is the name in the audit trail. */
export async function changeEnterpriseModeByEmail(
  services: Pick<AccountServices, 'database' | 'mailOutbox' | 'isEnterpriseEnforced'>,
  change: { email: string; isOn: boolean; operation: string },
): Promise<'CHANGED' | 'UNCHANGED' | 'NO_ACCOUNT' | 'ENFORCED_GLOBALLY'> {
  const { database, mailOutbox, isEnterpriseEnforced } = services;
  const { email, isOn, operation } = change;
  if (isEnterpriseEnforced && !isOn) return 'ENFORCED_GLOBALLY';
  return database.transaction(async (tx) => {
    const account = await lockUserEnterpriseModeByEmail(tx, email);
    if (!account) return 'NO_ACCOUNT';
    if (account.enterpriseMode === isOn) return 'UNCHANGED';
    await insertAuditEntry(tx, {
      action: await setEnterpriseModeAndNotify(mailOutbox, tx, { id: account.id, email }, isOn),
      outcome: 'SUCCESS',
      resourceId: account.id,
      operation,
      requestId: generateRequestId(),
      changes: ['enterpriseMode'],
    });
    return 'CHANGED';
  });
}

export async function setEnterpriseModeAndNotify(
  mailOutbox: MailOutbox,
  tx: Tx,
  account: { id: string; email: string },
  isOn: boolean,
): Promise<'ENTERPRISE_MODE_ENABLED' | 'ENTERPRISE_MODE_DISABLED'> {
  await setUserEnterpriseMode(tx, account.id, isOn);
  const template = isOn ? 'ENTERPRISE_MODE_ON' : 'ENTERPRISE_MODE_OFF';
  await mailOutbox.enqueue(tx, { template, to: account.email, values: {} });
  return isOn ? 'ENTERPRISE_MODE_ENABLED' : 'ENTERPRISE_MODE_DISABLED';
}
