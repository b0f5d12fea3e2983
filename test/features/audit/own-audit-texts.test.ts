import { AUDIT_ACTION_NAMES } from '../../../src/audit-actions.ts';
import { formatAuditText } from '../../../src/features/audit/audit-text.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

t.test('what happened is told in the language of Accept-Language, in English without one', async (t) => {
  const test = await startTestApp(t);
  const { accessToken: token } = await test.createUser();
  await test.call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  const getText = async (language?: string) => {
    const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
    const answer = await test.call('GET', '/api/audit/mine?by=ME', { token, headers });
    t.equal(answer.status, 200, answer.text);
    t.match(answer.headers.vary, /accept-language/i);
    const entries: { action: string; text: string }[] = answer.body.data;
    return entries.find(({ action }) => action === 'QRCODE_CREATED')?.text;
  };
  t.equal(await getText(), 'You: A QR code was created.');
  t.equal(await getText('xx'), 'You: A QR code was created.');
  t.equal(await getText('de-AT,de;q=0.9,en;q=0.8'), 'Sie: Code angelegt.');
  t.match(await getText('ja'), /^あなた：.*。$/);
});

t.test('no text of another language has an English sentence, and each has all parts', (t) => {
  const locales = [...LOCALES.values()];
  t.equal(locales.length, 15);
  for (const locale of locales.filter((one) => one !== DEFAULT_LOCALE))
    for (const action of AUDIT_ACTION_NAMES) {
      const changes = ['title', 'api-key:6b03fb59766d797f28ba7835', 'repeats:110'];
      const text = formatAuditText('STAFF', { action, outcome: 'DENIED', changes }, locale);
      const name = `${locale.tag} ${action}`;
      t.match(text, /6b03fb59766d797f28ba7835.*110/, name);
      t.notMatch(text, /Staff of|It was refused|Times:|from one network|[{}]/, name);
      t.not(text, formatAuditText('STAFF', { action, outcome: 'DENIED', changes }, DEFAULT_LOCALE), name);
    }
  t.end();
});
