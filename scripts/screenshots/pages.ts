import type { Page } from 'playwright-core';
import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import { generateId } from '../../src/shared/ids.ts';
import { unfoldForm } from '../../test/browser.ts';
import type { ScreenshotOwner } from './owner.ts';

type Screenshot = readonly [name: string, open: (page: Page, owner: ScreenshotOwner) => Promise<void>];

/** Forms sent faster than this are treated as sent by a bot. */
const HUMAN_TYPING_DELAY_MS = 2_100;

export async function createKindScreenshots(owner: ScreenshotOwner): Promise<Screenshot[]> {
  const shots: Screenshot[] = [];
  for (const { kind, example, schema } of QR_CODE_KINDS) {
    const fields = Object.keys(schema.properties);
    const visibility = Object.fromEntries(fields.map((field) => [field, 'PUBLIC']));
    const id = await owner.code({ kind, title: kind, data: example, visibility, showsPage: true });
    if (kind === 'PET') await owner.addPicture(id);
    const open = async (page: Page) => void (await page.goto(`${owner.base}/s/${id}`));
    shots.push([`kind-${kind.toLowerCase().replaceAll('_', '-')}`, open]);
  }
  return shots;
}

export const STATE_SCREENSHOTS: readonly Screenshot[] = [
  ['lost', createCodeScreenshot(markLost)],
  [
    'lost-with-photo',
    createCodeScreenshot((owner, id) => owner.addPicture(id).then(() => markLost(owner, id))),
  ],
  [
    'nothing-public',
    createCodeScreenshot(doNothing, {
      visibility: { name: 'PRIVATE', species: 'PRIVATE', notes: 'PRIVATE' },
    }),
  ],
  ['not-contactable', createCodeScreenshot(doNothing, { contactable: false })],
  ['paused', createCodeScreenshot(pauseCode)],
  ['paused-not-contactable', createCodeScreenshot(pauseCode, { contactable: false })],
  ['expired', createCodeScreenshot((owner, id) => owner.expire(id))],
  ['deleted', createCodeScreenshot((owner, id) => owner.call('DELETE', `/api/qrcodes/${id}`))],
  ['unknown', async (page, { base }) => void (await page.goto(`${base}/s/${generateId()}`))],
  ['test-link-ended', async (page, { base }) => void (await page.goto(`${base}/s/test/ended`))],
  ['conversation-gone', async (page, { base }) => void (await page.goto(`${base}/s/${generateId()}/c`))],
  ['pin', createCodeScreenshot(doNothing, { pin: '0047' })],
  ['pin-wrong', createCodeScreenshot(doNothing, { pin: '0047' }, (page) => submitPin(page, '9999'))],
  [
    'pin-too-many',
    createCodeScreenshot(doNothing, { pin: '0047' }, async (page) => {
      for (let tries = 0; tries < 6; tries++) await submitPin(page, '9999');
    }),
  ],
  ['pin-right', createCodeScreenshot(doNothing, { pin: '0047' }, (page) => submitPin(page, '0047'))],
  ['message-empty', createCodeScreenshot(doNothing, {}, (page) => submitForm(page, '#write'))],
  ['message-paused-empty', createCodeScreenshot(pauseCode, {}, (page) => submitForm(page, '#write'))],
  [
    'message-asks',
    createCodeScreenshot(doNothing, {}, (page) => writeMessage(page, 'Call me: +49 170 1234567')),
  ],
  ['message-sent', createCodeScreenshot(doNothing, {}, (page) => writeMessage(page, 'He is in the park.'))],
  ['conversation', createCodeScreenshot(doNothing, {}, openConversation)],
  [
    'conversation-ended',
    createCodeScreenshot(doNothing, {}, async (page, owner) => {
      await openConversation(page, owner);
      await page.locator('details summary').first().click();
      await page.locator('details button').first().click();
    }),
  ],
  ['place-empty', createCodeScreenshot(doNothing, {}, (page) => submitForm(page, '#share'))],
  [
    'place-shared',
    createCodeScreenshot(doNothing, {}, async (page) => {
      await unfoldForm(page, '#share');
      await page.locator('#place').fill('At the gate of the old mill');
      await submitForm(page, '#share');
    }),
  ],
];

/** Create a code in a state, open its page, and delete the code afterwards. */
function createCodeScreenshot(
  become: (owner: ScreenshotOwner, id: string) => Promise<unknown>,
  body: object = {},
  act: (page: Page, owner: ScreenshotOwner) => Promise<unknown> = async () => {},
): Screenshot[1] {
  return async (page, owner) => {
    const id = await owner.code(body);
    await become(owner, id);
    await page.goto(`${owner.base}/s/${id}`);
    await act(page, owner);
    await owner.call('DELETE', `/api/qrcodes/${id}`).catch(() => {});
  };
}

async function doNothing(): Promise<void> {}

function markLost(owner: ScreenshotOwner, id: string) {
  const details = {
    message: 'Ran away on Sunday. He is shy: please do not run after him.',
    reward: '100 EUR',
  };
  return owner.call('POST', `/api/qrcodes/${id}/lost`, details);
}

function pauseCode(owner: ScreenshotOwner, id: string) {
  return owner.call('PUT', `/api/qrcodes/${id}`, { status: 'PAUSED' });
}

async function submitPin(page: Page, pin: string): Promise<void> {
  await page.locator('#pin').fill(pin);
  await page.locator('#pin').press('Enter');
  await page.waitForLoadState();
}

async function submitForm(page: Page, form: string): Promise<void> {
  await unfoldForm(page, form);
  await page.locator(`${form} button`).first().click();
}

async function writeMessage(page: Page, message: string): Promise<void> {
  await unfoldForm(page, '#write');
  await page.locator('#message').fill(message);
  await page.waitForTimeout(HUMAN_TYPING_DELAY_MS);
  await submitForm(page, '#write');
}

async function openConversation(page: Page, owner: ScreenshotOwner): Promise<void> {
  await writeMessage(page, 'He is in the park.');
  await page.locator('a.act').first().click();
  const { data } = await owner.call('GET', '/api/conversations?limit=1');
  const [{ id = '' } = {}] = data as { id?: string }[];
  await owner.call('POST', `/api/conversations/${id}/messages`, { message: 'Thank you! I am on my way.' });
  await page.locator('p a').first().click();
}
