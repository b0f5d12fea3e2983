import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { HOSTILE, startStaff } from './staff-helper.ts';

const APPEALS = '/app/staff/appeals';

async function startAppeals(t: Parameters<typeof startStaff>[0]) {
  const test = await startStaff(t);
  const { user, browser } = await test.signIn('ADMIN');
  const appeal = async (id: string, message: string): Promise<string> => {
    const { body } = await test.call('POST', `/api/qrcodes/${id}/appeals`, {
      token: test.owner.accessToken,
      body: { message },
    });
    return body.appeals[0].id;
  };
  const decideByApi = (id: string, decision: string) =>
    test.call('POST', `/api/admin/qrcode-appeals/${id}/decision`, {
      token: user.accessToken,
      body: { decision },
    });
  return { ...test, user, browser, appeal, decideByApi };
}

t.test('an administrator decides appeals, one after the other', async (t) => {
  const test = await startAppeals(t);
  const { user, browser } = test;
  await browser.open(APPEALS);
  t.match(browser.main, 'No owner has appealed.');
  const [second, first] = [
    await test.createCode({ title: 'Bella', data: { name: 'Bella' }, visibility: { name: 'PUBLIC' } }),
    await test.createCode({ title: HOSTILE }),
  ];
  await test.takeDown(second, user);
  await test.takeDown(first, user);
  const next = await test.appeal(second, 'I have changed it.');
  const id = await test.appeal(first, `${HOSTILE} It was a mistake.`);
  await browser.open(APPEALS);
  t.match(browser.page.text, '<span class="visually-hidden"> 2 to decide</span>');
  const trail = await captureAuditEntries(test, () => browser.open(`${APPEALS}/${id}`));
  t.match(browser.main, `href="/app/staff/users/${test.owner.id}"`);
  t.match(trail, [{ action: 'QRCODE_APPEAL_READ', severity: 'HIGH' }]);
  t.equal(trail.length, 1);
  t.ok(browser.main.includes(`${HOSTILE} It was a mistake.`));
  t.notMatch(browser.page.text, '<img src=x', 'what others wrote is text');
  t.match(browser.main, 'It asks for bank data.', 'the reason of the takedown');
  t.match(browser.main, 'stays unavailable', 'what the owner is told');

  await browser.fill('/decision', { answer: 'No.' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, '<p class="error" id="decision-error">');
  t.equal(browser.readForm('/decision').fields.answer, 'No.', 'what was entered is kept');
  await browser.fill('/decision', { decision: 'REJECTED', answer: 'It still asks for bank data.' });
  t.equal(browser.path, `${APPEALS}/${next}?done=rejected&of=${id}`);
  t.match(browser.main, 'Appeal rejected.');
  t.match(
    (await test.getMailBySubject(test.owner.email, /was rejected/))?.text,
    'It still asks for bank data.',
  );

  t.match((await browser.open(`/app/staff/codes/${second}/page`)).text, 'Bella', 'although it is taken down');
  await browser.open(`${APPEALS}/${next}`);
  await browser.fill('/decision', { decision: 'REINSTATED', answer: '' });
  t.equal(browser.path, `${APPEALS}?done=reinstated&of=${next}`);
  t.equal((await test.call('GET', `/s/${second}`, { headers: { accept: 'text/html' } })).status, 200);
  await browser.open(`${APPEALS}?status=DECIDED`);
  t.match(browser.main, /Rejected.*Bella.*Available again/s);
  await browser.open(`${APPEALS}/${id}`);
  t.match(browser.main, 'It still asks for bank data.');
  t.notOk(browser.findForm('/decision'), 'an appeal is decided once');
});

t.test('an appeal that somebody else decided is not decided again', async (t) => {
  const test = await startAppeals(t);
  const { user, browser } = test;
  const code = await test.createCode({});
  await test.takeDown(code, user);
  const id = await test.appeal(code, 'It was a mistake.');
  await browser.open(`${APPEALS}/${id}`);
  await test.decideByApi(id, 'REINSTATED');
  await browser.fill('/decision', { decision: 'REJECTED' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Somebody else has decided this in the meantime.');
  t.match(await test.database.client.qrCodeAppeal.findUnique({ where: { id } }), { decision: 'REINSTATED' });
});
