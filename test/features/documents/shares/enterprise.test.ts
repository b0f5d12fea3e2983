import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { enableSecondFactor } from '../../identity/second-factor/helper.ts';
import { createTestPdf, uploadDocument } from '../upload.ts';

t.test('requires a passcode and an expiry for links to health documents in enterprise mode', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  await enableSecondFactor(test, ada);
  const upload = async (kind: string) => {
    const { body } = await uploadDocument(test, token, createTestPdf(kind), { title: 'X-ray', kind });
    return `/api/documents/${body.id}`;
  };
  const [health, lease] = [await upload('HEALTH'), await upload('CONTRACT')];
  const share = (document: string, body: object) => call('POST', `${document}/shares`, { token, body });
  const preview = (link: string) => call('GET', `/api/documents/shared/${link}`);
  const stateOf = async (document: string) =>
    (await call('GET', `${document}/shares`, { token })).body.data.at(-1).status;

  const unprotected = (await share(health, {})).body.token;
  const open = (await share(lease, {})).body.token;
  t.equal((await preview(unprotected)).status, 200, 'out of it there is no such rule');
  const week = 7 * 86_400;
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

  await database.client.user.update({ where: { id: ada.id }, data: { enterpriseMode: true } });
  t.equal((await preview(unprotected)).status, 404, 'those of before open nothing');
  t.equal((await call('POST', `/api/documents/shared/${unprotected}/open`)).status, 404);
  t.equal(await stateOf(health), 'NOT_ALLOWED');
  const wrong: [object, string][] = [
    [{}, 'passcode REQUIRED, expiresInSeconds REQUIRED'],
    [{ passcode: 'sesame' }, 'expiresInSeconds REQUIRED'],
    [{ expiresInSeconds: week }, 'passcode REQUIRED'],
    [{ passcode: 'sesame', expiresInSeconds: week + 1 }, 'expiresInSeconds TOO_LARGE'],
    [{ passcode: 'sesame', expiresAt: inAMonth }, 'expiresAt TOO_LARGE'],
  ];
  for (const [body, expected] of wrong) {
    const refused = (await share(health, body)).body;
    const found = refused.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);
    t.equal(found.join(', '), expected);
  }
  const strict = await share(health, { passcode: 'sesame', expiresInSeconds: week });
  t.equal(strict.status, 201, strict.text);
  const opened = await call('POST', `/api/documents/shared/${strict.body.token}/open`, {
    body: { passcode: 'sesame' },
  });
  t.equal(opened.status, 200, opened.text);

  t.equal((await preview(open)).status, 200, 'of other documents nothing changes');
  await call('PATCH', lease, { token, body: { kind: 'HEALTH' } });
  t.equal((await preview(open)).status, 404, 'until one becomes a health document');
});

t.test('blocks the shares of a suspended owner', async (t) => {
  const { call, createUser, database, ...test } = await startTestApp(t);
  const ada = await createUser();
  const token = ada.accessToken;
  const { body: document } = await uploadDocument({ call, createUser, database, ...test }, token);
  const { token: link } = (await call('POST', `/api/documents/${document.id}/shares`, { token, body: {} }))
    .body;
  const { contentUrl } = (await call('POST', `/api/documents/shared/${link}/open`)).body;
  const content = contentUrl.replace('https://qr.example.org', '');
  const setStatus = (status: string) =>
    database.client.user.update({ where: { id: ada.id }, data: { status } });
  t.equal((await call('GET', content)).status, 200);
  await setStatus('SUSPENDED');
  for (const path of [content, `/api/documents/shared/${link}`, `/s/d/${link}`])
    t.equal((await call('GET', path)).status, 404, path);
  await setStatus('ACTIVE');
  t.equal((await call('GET', content)).status, 200);
  await call('DELETE', `/api/documents/${document.id}`, { token });
  for (const path of [content, `/api/documents/shared/${link}`, `/s/d/${link}`])
    t.equal((await call('GET', path)).status, 404, 'a document that was deleted, by no path');
});
