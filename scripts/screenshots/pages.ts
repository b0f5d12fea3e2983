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
  ['designed', createCodeScreenshot(designPage)],
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
  ['owner-scan', (page, owner) => openScanLink(page, owner, BERLIN)],
  ['owner-scan-trail', (page, owner) => openScanLink(page, owner, BERLIN, POTSDAM)],
  ['owner-scan-no-position', (page, owner) => openScanLink(page, owner, {})],
  [
    'owner-found',
    async (page, owner) => {
      await openScanLink(page, owner, BERLIN);
      await page.locator('section button').click();
    },
  ],
  ['owner-entry', openEntryLink],
  [
    'owner-entry-approved',
    async (page, owner) => {
      await openEntryLink(page, owner);
      await page.locator('section button').first().click();
    },
  ],
  ['owner-link-ended', async (page, { base }) => void (await page.goto(`${base}/s/o/ended`))],
];

const BERLIN = { latitude: 52.5163, longitude: 13.3777, accuracy: 12 };
const POTSDAM = { latitude: 52.39, longitude: 13.06, accuracy: 3_000 };

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

async function designPage(owner: ScreenshotOwner, id: string): Promise<void> {
  for (let pictures = 0; pictures < 3; pictures += 1) await owner.addPicture(id);
  const { data } = await owner.call('GET', `/api/qrcodes/${id}/pictures`);
  const [cover, logo] = data as { id: string }[];
  const pageDesign = { accentColor: '#7a1f5c', coverPictureId: cover?.id, logoPictureId: logo?.id };
  await owner.call('PUT', `/api/qrcodes/${id}`, { pageDesign });
}

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
  await page.locator(`${form} button:not([type])`).click();
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

/** Scan a lost code at a position, and at others afterwards; open the link of the mail. */
async function openScanLink(
  page: Page,
  owner: ScreenshotOwner,
  position: object,
  ...later: object[]
): Promise<void> {
  const title = `Rex ${generateId().slice(-4)}`;
  const id = await owner.code({ title });
  await markLost(owner, id);
  // As a finder, without the token of the owner.
  const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/140.0 Mobile Safari/537.36';
  const send = async (path: string, body: object, token = '') => {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgent, 'X-Scan-Token': token };
    const response = await fetch(owner.base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json() as Promise<{ scan: { id: string }; scanToken: string }>;
  };
  const { scan, scanToken } = await send('/api/scans/public', { qrCodeId: id, ...position });
  for (const each of later) await send(`/api/scans/public/${scan.id}/location`, each, scanToken);
  await openOwnerLink(page, owner, title);
}

/** Sign a guest book and open the link of the mail. */
async function openEntryLink(page: Page, owner: ScreenshotOwner): Promise<void> {
  const name = `Erna Meyer ${generateId().slice(-4)}`;
  const qrCodeId = await owner.code({ kind: 'MEMORY_TAG', title: name, data: { name } });
  await owner.call('POST', '/api/memory-tags', { name, qrCodeId });
  await page.goto(`${owner.base}/s/${qrCodeId}`);
  const form = page.locator('form[action*="guest-book"]');
  await form.locator('textarea').fill('She taught me to read, and to ask.\nThank you, Erna.');
  await form.locator('input[name="name"]').fill('Eva and Jan');
  await page.waitForTimeout(HUMAN_TYPING_DELAY_MS);
  await form.locator('button').click();
  await openOwnerLink(page, owner, name);
}

/** Open the link of a mail in the language of the browser instead of the owner's. */
async function openOwnerLink(page: Page, owner: ScreenshotOwner, title: string): Promise<void> {
  await page.goto(await owner.findOwnerLink(title));
  const language = await page.evaluate<string>('navigator.language');
  await page.goto(page.url().replace(/lang=\w+/, `lang=${language}`));
}
