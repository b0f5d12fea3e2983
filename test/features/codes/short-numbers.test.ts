import { createAssignShortNumbersJob } from '../../../src/features/codes/assign-short-numbers.job.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createPetBody, createQrCodeClient, createTestCode } from './code-helper.ts';

const NUMBER = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;

t.test('a code has its own short number from its creation on, whatever becomes of it', async (t) => {
  const app = await startTestApp(t);
  const owner = await app.createUser();
  const call = createQrCodeClient(app, owner);
  const { id, shortNumber } = await createTestCode(app, owner);
  t.match(shortNumber, NUMBER);
  const items = Array.from({ length: 3 }, (_, index) => createPetBody({ externalId: `tag-${index}` }));
  const bulk = await call('POST', '/bulk', { items });
  t.match(bulk.body, { counts: { created: 3 } });
  const { body: list } = await call('GET', '?limit=10');
  const numbers = new Set(list.data.map((code: { shortNumber: string }) => code.shortNumber));
  t.equal(numbers.size, 4);
  for (const number of numbers) t.match(number, NUMBER);

  t.match((await call('GET', `/${id}`)).body, { shortNumber });
  t.match((await call('PATCH', `/${id}`, { title: 'Max' })).body, { title: 'Max', shortNumber });
  t.match((await call('POST', `/${id}/lost`, {})).body, { status: 'LOST', shortNumber });
  await call('DELETE', `/${id}`);
  t.match((await call('POST', `/${id}/restore`)).body, { id, shortNumber });
  const changed = await call('PATCH', `/${id}`, { shortNumber: '0000-0000-0000' });
  t.match(changed.body, { shortNumber }, 'nobody chooses a number');
});

t.test('a list is searched by the number in any spelling, among the own codes', async (t) => {
  const app = await startTestApp(t);
  const [owner, other] = [await app.createUser(), await app.createUser()];
  const { id, shortNumber } = await createTestCode(app, owner);
  await createTestCode(app, owner);
  const search = async (text: string, user = owner) => {
    const answer = await createQrCodeClient(app, user)('GET', `?search=${encodeURIComponent(text)}`);
    return answer.body.data.map((code: { id: string }) => code.id);
  };
  t.same(await search(shortNumber), [id]);
  t.same(await search(` ${shortNumber.toLowerCase().replaceAll('-', ' ')} `), [id]);
  t.same(await search(shortNumber, other), []);
  t.same(await search(shortNumber.slice(0, 9)), []);
  const { id: namedId } = await createTestCode(app, owner, { title: `Copy of ${shortNumber}` });
  const titledId = (await createTestCode(app, owner, { title: shortNumber })).id;
  t.same(
    (await search(shortNumber)).toSorted(),
    [id, namedId, titledId].toSorted(),
    'titles count as before',
  );
});

t.test('codes of an earlier version can be read, and a job numbers them in batches', async (t) => {
  const app = await startTestApp(t);
  const owner = await app.createUser();
  const call = createQrCodeClient(app, owner);
  const codes = [];
  for (let count = 0; count < 5; count += 1) codes.push(await createTestCode(app, owner));
  const [first, ...others] = codes;
  await call('DELETE', `/${others[0].id}`);
  const clear = () =>
    app.database.client.shortNumber.deleteMany({ where: { qrCodeId: { in: others.map(({ id }) => id) } } });
  await clear();
  const countNumbers = () => app.database.client.shortNumber.count();
  const readNumbers = async () => {
    const { body } = await call('GET', '?sort=createdAt');
    return body.data.map(({ shortNumber }: { shortNumber: string | null }) => shortNumber);
  };
  t.same(await readNumbers(), [first.shortNumber, null, null, null]);
  t.match((await call('GET', `/${others[1].id}`)).body, { shortNumber: null });
  t.match((await call('PATCH', `/${others[1].id}`, { title: 'Max' })).body, { shortNumber: null });
  t.equal((await call('GET', '/export')).status, 200);

  // A run that has no time left ends after each batch.
  const assign = createAssignShortNumbersJob(app, { batchSize: 2, maxRunMs: 0 });
  await assign({});
  t.ok((await countNumbers()) < 5);
  for (let run = 0; run < 2; run += 1) await assign({});
  const numbers = await readNumbers();
  t.equal(numbers[0], first.shortNumber, 'those that had one keep it');
  for (const number of numbers) t.match(number, NUMBER);
  t.equal(await countNumbers(), 5, 'the deleted one too: it can be restored');

  const assignAll = createAssignShortNumbersJob(app);
  await assignAll({});
  await clear();
  await assignAll({});
  t.equal(await countNumbers(), 5, 'codes of the last hour are looked at again');
});
