import { PHONE_USER_AGENT } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createCsv, importFile, waitForImport } from '../codes/import-helper.ts';
import { BERLIN_POSITION, createTokenHeader } from '../scans/helper.ts';
import { type ReceivedEvent, startRealtime, type TestSocket } from './helper.ts';

const test = await startRealtime(t, { BILLING: 'off' });
const { call, code, owner, scan } = test;

const isAbout =
  (id: string) =>
  ({ data }: ReceivedEvent) =>
    Object.values(data).includes(id);
const listNames = ({ receivedEvents }: TestSocket) => receivedEvents.map(({ event }) => event);

t.test('a scan and its position reach every socket of the owner, and nobody else', async (t) => {
  const opened = await test.converse();
  const stranger = await test.createUser();
  const [mine, window, finder, theirs] = [
    await test.listen(),
    await test.listen(),
    await test.listenAsFinder(opened),
    await test.listen(stranger),
  ];
  const qrCodeId = await code();
  const made = await scan({ qrCodeId });
  const scanId = made.body.scan.id;
  for (const one of [mine, window]) {
    const { event, data, id } = await one.waitForEvent(isAbout(scanId));
    t.same({ event, data, id }, { event: 'scan.created', data: { scanId, qrCodeId }, id: null });
  }
  await call('POST', `/api/scans/public/${scanId}/location`, {
    body: BERLIN_POSITION,
    headers: createTokenHeader(made),
  });
  for (const one of [mine, window])
    t.same((await one.waitForEvent('scan.located')).data, { scanId, qrCodeId }, 'ids only');
  for (const one of [finder, theirs]) {
    one.send('ping');
    await one.waitForEvent('pong');
    t.notOk(listNames(one).some((name) => name.startsWith('scan.')));
  }
  const stored = await test.database.client.realtimeEvent.count({
    where: { event: { startsWith: 'scan.' } },
  });
  t.equal(stored, 0);
});

t.test('a scan that is stored by its key is an event once, whatever notifies', async (t) => {
  const qrCodeId = await code({ notifyOn: 'NEVER' });
  const mine = await test.listen();
  const options = { headers: { 'idempotency-key': 'one-scan', 'user-agent': PHONE_USER_AGENT } };
  const made = await scan({ qrCodeId }, options);
  await mine.waitForEvent(isAbout(made.body.scan.id));
  const replayed = await scan({ qrCodeId }, options);
  t.equal(replayed.body.scan.id, made.body.scan.id);
  const medical = await code({ kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } });
  const apart = await scan({ qrCodeId: medical });
  await mine.waitForEvent(isAbout(apart.body.scan.id));
  t.equal(mine.receivedEvents.filter(isAbout(made.body.scan.id)).length, 1);
});

t.test('bots and repeats are no event', async (t) => {
  const qrCodeId = await code();
  const mine = await test.listen();
  const human = await scan({ qrCodeId }, { remoteAddress: '198.51.100.1' });
  await mine.waitForEvent(isAbout(human.body.scan.id));
  const repeat = await scan({ qrCodeId }, { remoteAddress: '198.51.100.1' });
  const bot = await scan({ qrCodeId }, { headers: { 'user-agent': 'Googlebot/2.1' } });
  const last = await scan({ qrCodeId }, { remoteAddress: '203.0.113.1' });
  await mine.waitForEvent(isAbout(last.body.scan.id));
  for (const { body } of [repeat, bot]) t.notOk(mine.receivedEvents.some(isAbout(body.scan.id)));
});

t.test('an import tells its progress and its end', async (t) => {
  const mine = await test.listen();
  const csv = createCsv('kind,title,data.text', 3, (index) => `TEXT,Note ${index},a`);
  const requested = await importFile(test, owner, csv);
  const { data, id } = await mine.waitForEvent('import.progress');
  t.same({ data, id }, { data: { importId: requested.body.id }, id: null });
  t.match(await waitForImport(test, owner, requested), { status: 'COMPLETED' });
  await test.services.jobs.stop();
  const canceled = await importFile(test, owner, csv);
  await call('POST', `/api/imports/${canceled.body.id}/cancel`, { token: owner.accessToken });
  await mine.waitForEvent(isAbout(canceled.body.id));
});
