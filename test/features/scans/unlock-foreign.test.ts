import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

t.test(
  'unlocking another user’s scan as a signed-in user is 404, and the attempt is audited once',
  async (t) => {
    const test = await startTestApp(t);
    const owner = await test.createUser();
    const stranger = await test.createUser();
    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, pin: '4711' };
    const code = await test.call('POST', '/api/qrcodes', { token: owner.accessToken, body });
    const scan = await test.call('POST', '/api/scans/public', { body: { qrCodeId: code.body.id } });
    const url = `/api/scans/public/${scan.body.scan.id}/unlock`;
    const trail = await captureAuditEntries(test, async () => {
      const answer = await test.call('POST', url, { token: stranger.accessToken, body: { pin: '4711' } });
      t.equal(answer.status, 404, answer.text);
    });
    t.match(trail, [{ action: 'ACCESS_DENIED' }]);
    t.equal(trail.length, 1);
  },
);
