import { AUDIT_ACTION_NAMES } from '../../../src/audit-actions.ts';
import { translateAuditAction } from '../../../src/features/audit/translate-audit-action.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t } from '../../tap.ts';

t.test('each action of the audit trail has a text in each language', async (t) => {
  const english = AUDIT_ACTION_NAMES.map((action) => translateAuditAction(action, DEFAULT_LOCALE));
  t.equal(new Set(english).size, english.length, 'no two actions read the same');
  for (const locale of LOCALES.values()) {
    const texts = AUDIT_ACTION_NAMES.map((action) => translateAuditAction(action, locale));
    const isMissing = (text: string, index: number) =>
      text.includes('auditActions.') || (locale !== DEFAULT_LOCALE && text === english[index]);
    t.same(texts.filter(isMissing), [], locale.tag);
  }
});
