import { startTestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { createTestPdf, uploadDocument } from '../../documents/upload.ts';
import { queryDatabase } from './helper.ts';

t.test('a user sees the accounts to act for, the personal one first', async (t) => {
  const app = await startTestApp(t);
  const ada = await app.createUser();
  const listAccounts = async () => {
    const response = await app.call('GET', '/api/auth/me', { token: ada.accessToken });
    return response.body.accounts;
  };
  const personal = { id: ada.id, type: 'PERSONAL', name: null, role: 'OWNER' };
  t.same(await listAccounts(), [personal]);

  const school = await insertOrganization(app, {
    name: 'School',
    members: [{ userId: ada.id, role: 'EDITOR' }],
  });
  const club = await insertOrganization(app, { name: 'Club', members: [{ userId: ada.id, role: 'OWNER' }] });
  await insertOrganization(app, { name: 'Of others' });
  const ofSchool = { id: school, type: 'ORGANIZATION', name: 'School', role: 'EDITOR' };
  t.same(await listAccounts(), [
    personal,
    { id: club, type: 'ORGANIZATION', name: 'Club', role: 'OWNER' },
    ofSchool,
  ]);
  await queryDatabase(app, "UPDATE accounts SET status = 'DELETED', name = NULL WHERE id = $1", club);
  t.same(await listAccounts(), [personal, ofSchool]);
});

t.test('others see the name of an organization where they see that of an owner', async (t) => {
  const app = await startTestApp(t);
  const [ada, bob] = [await app.createUser(), await app.createUser()];
  const school = await insertOrganization(app, { name: 'Harbor School' });
  const { accessToken: token } = ada;
  const document = await uploadDocument(app, token, createTestPdf());
  const tag = await app.call('POST', '/api/memory-tags', { token, body: { name: 'Grandfather' } });
  const body = { email: bob.email };
  await app.call('POST', `/api/documents/${document.body.id}/grants`, { token, body });
  await app.call('POST', `/api/memory-tags/${tag.body.id}/caretakers`, { token, body });
  const readNames = async () => {
    const received = await app.call('GET', '/api/documents/received', { token: bob.accessToken });
    const caring = await app.call('GET', '/api/memory-tags/caring', { token: bob.accessToken });
    return [received.body.data[0]?.grantedBy.name, caring.body.data[0]?.ownerName];
  };
  t.same(await readNames(), ['Ada Lovelace', 'Ada Lovelace']);

  await queryDatabase(app, 'UPDATE document_grants SET account_id = $1', school);
  await queryDatabase(app, 'UPDATE memory_tags SET account_id = $1', school);
  t.same(await readNames(), ['Harbor School', 'Harbor School']);
  await queryDatabase(app, "UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1", school);
  t.same(await readNames(), [undefined, undefined]);
});
