import { changeEnterpriseModeByEmail } from '../../../../src/features/identity/accounts/change-enterprise-mode.use-case.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { isProblem, listMailsCausedBy, runConcurrently } from './helper.ts';

const change = (app: TestApp, email: string, isOn: boolean) =>
  changeEnterpriseModeByEmail(app.services, { email, isOn, operation: 'admin enterprise' });

t.test(
  'parallel changes of enterprise mode take effect once, with one audit entry and one mail',
  async (t) => {
    const app = await startTestApp(t);
    const { email, id, accessToken: token } = await app.createUser();
    const list = () => app.call('GET', '/api/qrcodes', { token });
    for (const [isOn, action, subject] of [
      [true, 'ENTERPRISE_MODE_ENABLED', 'Enterprise mode is on'],
      [false, 'ENTERPRISE_MODE_DISABLED', 'Enterprise mode is off'],
    ] as const) {
      const mails = await listMailsCausedBy(app, email, async () => {
        const entries = await captureAuditEntries(app, async () => {
          const outcomes = await runConcurrently(5, () => change(app, email, isOn));
          t.same(outcomes.sort(), ['CHANGED', 'UNCHANGED', 'UNCHANGED', 'UNCHANGED', 'UNCHANGED']);
        });
        t.match(entries, [{ action, outcome: 'SUCCESS', changes: ['enterpriseMode'] }]);
        t.equal(entries.length, 1);
      });
      t.same(
        mails.map((mail) => mail.subject),
        [subject],
      );
      const answer = await list();
      t.ok(
        isOn ? isProblem(answer, 403, 'MFA_ENROLLMENT_REQUIRED') : answer.status === 200,
        'applies immediately',
      );
    }
    t.equal(await change(app, 'nobody@example.org', true), 'NO_ACCOUNT');
    t.equal((await app.database.client.user.findUniqueOrThrow({ where: { id } })).enterpriseMode, false);
  },
);

t.test('globally enforced enterprise mode cannot be switched off for one account', async (t) => {
  const app = await startTestApp(t, { ENTERPRISE_MODE: 'hipaa' });
  const { email } = await app.createUser({ profile: false });
  t.equal(await change(app, email, true), 'CHANGED');
  t.same(
    await captureAuditEntries(app, async () => t.equal(await change(app, email, false), 'ENFORCED_GLOBALLY')),
    [],
  );
  t.equal((await app.database.client.user.findUniqueOrThrow({ where: { email } })).enterpriseMode, true);
});
