import type { AuditAction } from '../../audit-actions.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';

/** Say what an entry of the audit trail records. An action without a message does not compile. */
export function translateAuditAction(action: AuditAction, locale: Locale): string {
  return t(locale, `auditActions.${action}`);
}
