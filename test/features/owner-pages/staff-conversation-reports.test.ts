import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { startInbox } from './inbox-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';
import { HOSTILE } from './staff-helper.ts';

const REPORTS = '/app/staff/conversation-reports';

async function startReports(t: Parameters<typeof startInbox>[0]) {
  const test = await startInbox(t);
  const user = await test.createUser({ email: 'admin@example.org', role: 'ADMIN' });
  const browser = await signInBrowser(test, user);
  /** A conversation that a side reported; returns both ids. */
  const report = async (side: 'OWNER' | 'FINDER', message: string, note: string) => {
    const { body } = await test.write(await test.code({ title: 'Rex' }), { message });
    const path = side === 'OWNER' ? `/api/conversations/${body.id}` : `/api/conversations/public/${body.id}`;
    const sent = await test.call('POST', `${path}/report`, {
      body: { category: 'FRAUD', note },
      ...(side === 'OWNER'
        ? { token: test.owner.accessToken }
        : { headers: { 'x-conversation-token': body.conversationToken } }),
    });
    if (sent.status !== 200 && sent.status !== 201) throw new Error(sent.text);
    const row = await test.database.client.conversationReport.findFirstOrThrow({
      where: { conversationId: body.id },
    });
    return { id: row.id, conversationId: String(body.id) };
  };
  return { ...test, user, browser, report };
}

t.test('an administrator reads a reported conversation and blocks the finder', async (t) => {
  const test = await startReports(t);
  const { browser } = test;
  await browser.open(REPORTS);
  t.match(browser.main, 'Nobody has reported a conversation.');
  const { id, conversationId } = await test.report('OWNER', `${HOSTILE} pay first`, `${HOSTILE} a scam`);
  await browser.open(REPORTS);
  t.match(browser.main, /Fraud or scam.*reported by the owner on/s);
  t.notMatch(browser.page.text, 'pay first', 'without its content');
  const trail = await captureAuditEntries(test, () => browser.open(`${REPORTS}/${id}`));
  t.match(trail, [{ action: 'CONVERSATION_REPORT_READ', severity: 'HIGH' }]);
  t.equal(trail.length, 1);
  t.ok(browser.main.includes(`${HOSTILE} pay first`) && browser.main.includes(`${HOSTILE} a scam`));
  t.notMatch(browser.page.text, '<img src=x', 'what others wrote is text');
  t.notMatch(browser.page.text, test.owner.email);
  t.match(browser.main, `href="/app/staff/users/${test.owner.id}"`);
  await browser.fill('/decision', { note: 'no choice' });
  t.equal(browser.page.status, 400);
  await browser.fill('/decision', { decision: 'FINDER_BLOCKED', note: 'It is a scam.' });
  t.equal(browser.path, `${REPORTS}?done=finder-blocked&of=${id}`);
  t.match(browser.main, 'the finder is blocked');
  const row = await test.database.client.conversation.findUniqueOrThrow({ where: { id: conversationId } });
  t.match(row, { status: 'ENDED', endedBy: 'ADMINISTRATION' });
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, /Finder blocked.*It is a scam\./s);
  t.notOk(browser.findForm('/decision'));
});

t.test('the finder who reported is not blocked, and a report is decided once', async (t) => {
  const test = await startReports(t);
  const { browser } = test;
  const { id } = await test.report('FINDER', 'Hello', 'rude');
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, 'reported by the finder on');
  t.notMatch(browser.page.text, 'FINDER_BLOCKED');
  const { body: decided } = await test.call('POST', `/api/admin/conversation-reports/${id}/decision`, {
    token: test.user.accessToken,
    body: { decision: 'DISMISSED' },
  });
  t.match(decided, { decision: 'DISMISSED' });
  await browser.fill('/decision', { decision: 'CONVERSATION_CLOSED' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Somebody else has decided this in the meantime.');
});

t.test('a long conversation is read page by page, as far as the API has it', async (t) => {
  const test = await startReports(t);
  const { browser } = test;
  const { id, conversationId } = await test.report('OWNER', 'message 0.', 'too long');
  for (let index = 1; index <= 25; index += 1)
    await test.call('POST', `/api/conversations/${conversationId}/messages`, {
      token: test.owner.accessToken,
      body: { message: `message ${index}.` },
    });
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, /message 6\..*message 25\./s);
  t.notMatch(browser.main, 'message 5.');
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(browser.main) ?? [];
  await browser.open(older);
  t.match(browser.main, /message 0\..*message 5\./s);
  t.ok(browser.findForm('/decision'));
});
