import { generateId } from '../../../src/shared/ids.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { startInbox } from './inbox-helper.ts';

t.test('the inbox lists conversations by their newest message, the unread ones marked', async (t) => {
  const test = await startInbox(t);
  const { call, owner, path } = test;
  const browser = await test.signIn();
  await browser.open(`${path}/inbox`);
  t.equal(browser.title, 'Inbox');
  t.match(browser.main, 'No messages yet.');
  const rex = await test.code({ title: 'Rex' });
  const { body: first } = await test.write(rex, {
    message: `Line\nbreak ${'x'.repeat(200)}`,
    name: 'Eva',
  });
  const { body: second } = await test.write(await test.code({ title: 'Bag' }), { preset: 'FOUND' });
  await browser.open(`${path}/inbox`);
  t.match(browser.main, /class="unread".*Bag.*Finder.*I found it\..*class="unread".*Rex.*Eva/s);
  t.match(browser.main, /<bdi>Line break x{109}…<\/bdi>/);
  t.match(browser.page.text, /badge" aria-hidden="true">2</);
  await call('POST', `/api/conversations/${first.id}/messages`, {
    token: owner.accessToken,
    body: { message: 'Coming!' },
  });
  await browser.open(`${path}/inbox`);
  t.match(browser.main, /Rex.*You: <bdi>Coming!<\/bdi>.*class="unread".*Bag/s);
  await call('POST', `/api/conversations/${second.id}/end`, { token: owner.accessToken });
  await browser.open(`${path}/inbox?show=done`);
  t.match(browser.main, /Bag.*class="chip">Ended/s);
  t.notMatch(browser.main, 'Rex');
  await browser.open(`${path}/inbox`);
  t.match(browser.main, 'Rex');
  t.notMatch(browser.main, 'Bag');
  await browser.open(`${path}/inbox?show=all`);
  t.match(browser.main, /Rex.*Bag/s);
  await browser.open(`${path}/inbox?show=__proto__`);
  t.match(browser.main, 'Rex');
  t.notMatch(browser.main, 'Bag', 'an unknown tab is the first');
  await browser.open(`${path}/codes/${rex}/messages`);
  t.match(browser.main, 'Rex');
  t.notMatch(browser.main, 'Bag', 'those of one code');
  t.match(browser.main, `href="${path}/inbox?code=${rex}&show=done"`);
  await browser.open(`${path}/inbox?code=${rex}&show=done`);
  t.match(browser.main, 'There are no conversations here.');
});

t.test('a conversation is marked as done, undone, and opened again by a message', async (t) => {
  const test = await startInbox(t);
  const { call, owner, path } = test;
  const { body: opened } = await test.write(await test.code({ title: 'Rex' }), { message: 'Hello' });
  const browser = await test.signIn();
  const open = async () => {
    await browser.open(`${path}/inbox/${opened.id}`);
  };
  await open();
  const trail = await captureAuditEntries(test, () => browser.send('/done'));
  t.match(trail, [{ action: 'CONVERSATION_UPDATED', changes: ['done'] }]);
  t.equal(browser.title, 'Inbox');
  t.match(browser.main, /Marked as done\..*Nothing is open\./s);
  await browser.send('/not-done');
  t.equal(browser.title, 'Rex');
  t.match(browser.main, 'Marked as open.');
  await browser.send('/done');
  await browser.open(`${path}/inbox?show=done`);
  t.match(browser.main, /Rex.*class="chip">Done/s);
  await open();
  t.ok(browser.findForm('/reply'), 'the owner can still write');
  await call('POST', `/api/conversations/public/${opened.id}/messages`, {
    headers: { 'x-conversation-token': opened.conversationToken },
    body: { message: 'Again' },
  });
  await browser.open(path);
  t.match(browser.main, 'Again', 'the first page has it');
  await browser.open(`${path}/inbox`);
  t.match(browser.main, /class="unread".*Rex.*Again/s);
  await call('PATCH', `/api/conversations/${opened.id}`, {
    token: owner.accessToken,
    body: { done: true },
  });
  await browser.open(path);
  t.notMatch(browser.main, 'Again', 'nor is it unread for the first page');
  t.notMatch(browser.page.text, 'class="badge"', 'or the navigation');
});

t.test('members of an organization share an inbox and say who answers', async (t) => {
  const test = await startInbox(t);
  const [responder, viewer] = [await test.createUser(), await test.createUser()];
  const accountId = await insertOrganization(test, {
    members: [
      { userId: test.owner.id, role: 'OWNER' },
      { userId: responder.id, role: 'RESPONDER' },
      { userId: viewer.id, role: 'VIEWER' },
    ],
  });
  const code = await createCodeOfAccount(test, { accountId, userId: test.owner.id });
  const { body: opened } = await test.write(code, { message: 'Hello' });
  const inbox = `/app/${accountId}/inbox`;
  const browser = await test.signIn();
  await browser.open(`${inbox}?show=unassigned`);
  t.match(browser.main, 'Rex');
  await browser.open(`${inbox}/${opened.id}`);
  await browser.fill('/assign', { assignee: responder.id });
  t.match(browser.main, 'Saved.');
  t.match(browser.main, new RegExp(`value="${responder.id}" selected`));
  await browser.open(`${inbox}?show=unassigned`);
  t.match(browser.main, 'There are no conversations here.');
  await browser.open(`${inbox}?show=mine`);
  t.match(browser.main, 'There are no conversations here.');
  const other = await test.signIn(responder);
  await other.open(`${inbox}?show=mine`);
  t.match(other.main, /Rex.*Assigned to <bdi>/s);
  const reader = await test.signIn(viewer);
  await reader.open(`${inbox}/${opened.id}`);
  t.match(reader.main, 'Assigned to <bdi>');
  for (const action of ['/assign', '/done']) t.equal(reader.findForm(action), null);
  await other.open(`${inbox}/${opened.id}`);
  await other.fill('/notes', { 'note-text': 'At <b>five</b>.' });
  t.match(other.main, /class="internal".*Note · <bdi>.*At <b>five<\/b>\./s);
  t.notMatch(other.page.text, '<b>five');
  const { id: note } = await test.database.client.conversationNote.findFirstOrThrow();
  await other.fill(`/notes/${note}`, { [`note-${note}`]: 'At six.' });
  t.match(other.main, /Saved\..*At six\./s);
  await reader.open(`${inbox}/${opened.id}`);
  t.match(reader.main, 'At six.');
  t.equal(reader.findForm('/notes'), null);
  await browser.open(`${inbox}/${opened.id}`);
  t.equal(browser.findForm(`/notes/${note}`), null, 'of somebody else');
  await browser.send(`/notes/${note}/delete`);
  t.match(browser.main, 'The note was deleted.');
  t.notMatch(browser.main, 'At six.');
  await browser.fill('/assign', { assignee: '' });
  await other.open(`${inbox}?show=mine`);
  t.notMatch(other.main, 'Rex');
  await browser.open(`${test.path}/inbox?show=mine`);
  t.notMatch(browser.main, 'show=mine', 'a personal account has nobody to choose');
});

t.test('the inbox has pages, and tells its script when there is something new', async (t) => {
  const test = await startInbox(t);
  const code = await test.code({ title: 'Rex' });
  const { client } = test.database;
  const { body } = await test.write(code, { message: 'Hello' });
  const browser = await test.signIn();
  const address = `${test.path}/inbox`;
  await browser.open(address);
  const [, state] = /data-state="([^"]*)"/.exec(browser.page.text) ?? [];
  t.equal((await browser.open(`${address}/updates`)).text, state);
  await test.call('POST', `/api/conversations/public/${body.id}/messages`, {
    headers: { 'x-conversation-token': body.conversationToken },
    body: { message: 'Again' },
  });
  t.not((await browser.open(`${address}/updates`)).text, state);
  const row = await client.conversation.findUniqueOrThrow({ where: { id: body.id } });
  const copies = Array.from({ length: 20 }, (_, index) => ({
    ...row,
    id: generateId(),
    scanId: generateId(),
    finderName: null,
    finderEmail: null,
    lastMessageAt: new Date(row.lastMessageAt.getTime() - 1000 - index),
  }));
  await client.conversation.createMany({ data: copies });
  await browser.open(address);
  t.equal(browser.main.split('<li').length - 1 - 3, 20, 'beside the three filters');
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(browser.main) ?? [];
  await browser.open(older);
  t.equal(browser.page.status, 200);
  t.equal(browser.main.split('<li').length - 1 - 3, copies.length + 1 - 20);
  await browser.open(`${address}?cursor=x`);
  t.equal(browser.page.status, 400);
});

t.test('the inbox of somebody else is none', async (t) => {
  const test = await startInbox(t);
  await test.write(await test.code(), { message: 'Hello' });
  const stranger = await test.signIn(await test.createUser());
  t.notMatch(stranger.page.text, 'class="badge"');
  for (const path of [`${test.path}/inbox`, `${test.path}/inbox/updates`])
    t.equal((await stranger.open(path)).status, 404);
});
