import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const NOTE = 'lead to this computer only';

for (const { address, isLocal } of [
  { address: 'https://localhost:3000', isLocal: true },
  { address: 'https://192.0.2.7:3000', isLocal: false },
])
  t.test(`whoever prints codes of ${address} reads whether phones can open them`, async (t) => {
    const app = await startTestApp(t, { PUBLIC_BASE_URL: address });
    const user = await app.createUser();
    const { id } = await createTestCode(app, user);
    const fixed = { kind: 'TEXT', mode: 'STATIC', title: 'Note', data: { text: 'Hello' } };
    const { id: staticId } = await createTestCode(app, user, fixed);
    const browser = await signInBrowser(app, user);
    for (const path of ['/print', `/codes/${id}/print`, `/codes/${id}/phone`]) {
      await browser.open(`/app/${user.id}${path}`);
      t.equal(browser.main.includes(NOTE), isLocal, path);
    }
    await browser.open(`/app/${user.id}/codes/${staticId}/print`);
    t.notOk(browser.main.includes(NOTE), 'a static code leads nowhere');
  });
