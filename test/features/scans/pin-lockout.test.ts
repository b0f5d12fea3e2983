import { t } from '../../tap.ts';
import { runAsDatabaseOwner } from '../codes/code-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startScans } from './helper.ts';

const CARD = { data: { name: 'Rex', owner: { name: 'Ada' } }, pin: '0012' };

/** Enter wrong PINs from four networks until the code refuses them. */
async function useUpSharedAttempts(test: Awaited<ReturnType<typeof startScans>>, qrCodeId: string) {
  for (let network = 1; network <= 4; network++)
    for (let count = 0; count < 5; count++)
      await test.scan({ qrCodeId, pin: '9999' }, { remoteAddress: `198.51.${network}.7` });
}

t.test('wrong PINs of a few networks lock out those networks only', async (t) => {
  const test = await startScans(t);
  const { scan, code, call, owner } = test;
  const id = await code(CARD);
  await useUpSharedAttempts(test, id);
  const enter = (remoteAddress: string, pin = '0012', token?: string) =>
    scan({ qrCodeId: id, pin }, { remoteAddress, token });
  const refused = await enter('198.51.1.99');
  t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'their neighbors');
  t.ok(Number(refused.headers['retry-after']) > 60);
  t.equal((await enter('203.0.113.5')).status, 201, 'a network without an attempt');
  t.equal((await enter('203.0.113.5')).status, 201, 'whose right PIN costs nothing');
  const wrong = await enter('203.0.113.5', '9999');
  t.ok(isProblem(wrong, 403, 'PIN_INCORRECT'));
  t.equal(wrong.body.attemptsLeft, 0);
  t.equal((await enter('203.0.113.5')).status, 429, 'one wrong PIN is enough');
  const asOwner = await call('POST', '/api/scans', {
    token: owner.accessToken,
    remoteAddress: '198.51.1.7',
    body: { qrCodeId: id, pin: '0012' },
  });
  t.equal(asOwner.status, 201, 'the owner, even in such a network');
  t.match(asOwner.body.profile, { owner: { name: 'Ada' } });
  t.match(await enter('198.51.1.7', '9999', owner.accessToken), { status: 403 });
});

t.test('many networks make the next ones wait, and cannot guess on for ever', async (t) => {
  const test = await startScans(t);
  const { scan, code, database } = test;
  const id = await code(CARD);
  await useUpSharedAttempts(test, id);
  for (let network = 1; network <= 20; network++)
    t.equal((await scan({ qrCodeId: id, pin: '9999' }, { remoteAddress: `203.0.${network}.7` })).status, 403);
  const enter = (pin = '0012') => scan({ qrCodeId: id, pin }, { remoteAddress: '192.0.2.7' });
  for (let count = 0; count < 2; count++) {
    const early = await enter();
    t.ok(isProblem(early, 429, 'RATE_LIMITED'));
    const seconds = Number(early.headers['retry-after']);
    t.ok(seconds > 0 && seconds <= 20, `${seconds} s`);
  }
  const endWait = () =>
    runAsDatabaseOwner(
      test,
      "UPDATE attempt_budgets SET window_ends_at = now() - interval '1 second' WHERE key LIKE 'pin-wait:%'",
    );
  await endWait();
  t.equal((await enter()).status, 201, 'after the wait');
  await enter();
  await endWait();
  t.equal((await enter('9999')).status, 403);
  t.ok(Number((await enter()).headers['retry-after']) > 60, 'then as everybody else');

  const reserve = await database.client.attemptBudget.findMany({
    where: { key: { startsWith: 'pin-reserve-day:' } },
  });
  t.match(reserve, [{ used: 21 }]);
  await database.client.attemptBudget.updateMany({
    where: { key: { startsWith: 'pin-reserve-day:' } },
    data: { used: 100 },
  });
  const late = await scan({ qrCodeId: id, pin: '0012' }, { remoteAddress: '192.0.3.7' });
  t.ok(Number(late.headers['retry-after']) > 60, 'a hundred a day');
});
