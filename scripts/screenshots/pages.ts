import type { Page } from 'playwright-core';
import { QR_CODE_KINDS } from '../../src/features/qrcodes/kinds/all-kinds.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { Owner } from './owner.ts';

/** The name of a picture, and how its page is come to. */
type Shot = readonly [name: string, open: (page: Page, owner: Owner) => Promise<void>];

/** Nobody writes as fast as a robot: milliseconds. */
const AS_A_PERSON = 2_100;

/** A page of each kind of code, with all that can be shown. */
export async function kindPages(owner: Owner): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const { kind, example, schema } of QR_CODE_KINDS) {
    const fields = Object.keys(schema.properties);
    const visibility = Object.fromEntries(fields.map((field) => [field, 'PUBLIC']));
    const id = await owner.code({ kind, title: kind, data: example, visibility, showsPage: true });
    const open = async (page: Page) => void (await page.goto(`${owner.base}/s/${id}`));
    shots.push([`kind-${kind.toLowerCase().replaceAll('_', '-')}`, open]);
  }
  return shots;
}

/** A page of each state: what becomes of a code, and of what a finder sends. */
export const STATE_PAGES: readonly Shot[] = [
  ['lost', ofCode(lose)],
  ['nothing-public', ofCode(none, { visibility: { name: 'PRIVATE', species: 'PRIVATE', notes: 'PRIVATE' } })],
  ['not-contactable', ofCode(none, { contactable: false })],
  ['paused', ofCode(pause)],
  ['paused-not-contactable', ofCode(pause, { contactable: false })],
  ['expired', ofCode((owner, id) => owner.expire(id))],
  ['deleted', ofCode((owner, id) => owner.call('DELETE', `/api/qrcodes/${id}`))],
  ['unknown', async (page, { base }) => void (await page.goto(`${base}/s/${generateId()}`))],
  ['test-link-ended', async (page, { base }) => void (await page.goto(`${base}/s/test/ended`))],
  ['conversation-gone', async (page, { base }) => void (await page.goto(`${base}/s/${generateId()}/c`))],
  ['pin', ofCode(none, { pin: '0047' })],
  ['pin-wrong', ofCode(none, { pin: '0047' }, (page) => givePin(page, '9999'))],
  [
    'pin-too-many',
    ofCode(none, { pin: '0047' }, async (page) => {
      for (let tries = 0; tries < 6; tries++) await givePin(page, '9999');
    }),
  ],
  ['pin-right', ofCode(none, { pin: '0047' }, (page) => givePin(page, '0047'))],
  ['message-empty', ofCode(none, {}, (page) => press(page, '#write'))],
  ['message-paused-empty', ofCode(pause, {}, (page) => press(page, '#write'))],
  ['message-asks', ofCode(none, {}, (page) => write(page, 'Call me: +49 170 1234567'))],
  ['message-sent', ofCode(none, {}, (page) => write(page, 'He is in the park.'))],
  ['conversation', ofCode(none, {}, talk)],
  [
    'conversation-ended',
    ofCode(none, {}, async (page, owner) => {
      await talk(page, owner);
      await page.locator('details summary').first().click();
      await page.locator('details button').first().click();
    }),
  ],
  ['place-empty', ofCode(none, {}, (page) => press(page, '#share'))],
  [
    'place-shared',
    ofCode(none, {}, async (page) => {
      await page.locator('#place').fill('At the gate of the old mill');
      await press(page, '#share');
    }),
  ],
];

/** The page of a new code in a state, and what is done there; the code is gone afterwards. */
function ofCode(
  become: (owner: Owner, id: string) => Promise<unknown>,
  body: object = {},
  act: (page: Page, owner: Owner) => Promise<unknown> = async () => {},
): Shot[1] {
  return async (page, owner) => {
    const id = await owner.code(body);
    await become(owner, id);
    await page.goto(`${owner.base}/s/${id}`);
    await act(page, owner);
    await owner.call('DELETE', `/api/qrcodes/${id}`).catch(() => {});
  };
}

async function none(): Promise<void> {}

function lose(owner: Owner, id: string) {
  const details = {
    message: 'Ran away on Sunday. He is shy: please do not run after him.',
    reward: '100 EUR',
  };
  return owner.call('POST', `/api/qrcodes/${id}/lost`, details);
}

function pause(owner: Owner, id: string) {
  return owner.call('PUT', `/api/qrcodes/${id}`, { status: 'PAUSED' });
}

async function givePin(page: Page, pin: string): Promise<void> {
  await page.locator('#pin').fill(pin);
  await page.locator('#pin').press('Enter');
  await page.waitForLoadState();
}

async function press(page: Page, form: string): Promise<void> {
  await page.locator(`${form} button`).first().click();
}

async function write(page: Page, message: string): Promise<void> {
  await page.locator('#message').fill(message);
  await page.waitForTimeout(AS_A_PERSON);
  await press(page, '#write');
}

/** A conversation with an answer, as its finder sees it. */
async function talk(page: Page, owner: Owner): Promise<void> {
  await write(page, 'He is in the park.');
  await page.locator('a.act').click();
  const { data } = await owner.call('GET', '/api/conversations?limit=1');
  const [{ id = '' } = {}] = data as { id?: string }[];
  await owner.call('POST', `/api/conversations/${id}/messages`, { message: 'Thank you! I am on my way.' });
  await page.locator('p a').first().click();
}
