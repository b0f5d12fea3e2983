import { randomUUID } from 'node:crypto';
import { generateId, generateRandomName } from '../../src/shared/ids.ts';
import { createTestPdf, encodeMultipartForm } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { TEST_PASSWORD } from '../helper.ts';
import { anyAccount, anyone, except, own, ownWithProfile, type Rule, staff, withProfile } from './rules.ts';
import type { Cell, CellRequest } from './world.ts';

/** What an operation answers to whom, and a request that would succeed. */
interface Row {
  rule: Rule;
  request?: (cell: Cell) => Promise<CellRequest> | CellRequest;
}

const ofCode = async (cell: Cell) => ({ ids: [await cell.things.code(cell)] });
const ofScan = async (cell: Cell) => ({ ids: [await cell.things.scan(cell)] });
const scansOfCode = async (cell: Cell) => ({ query: `qrCodeId=${(await ofCode(cell)).ids[0]}` });
const ofMemoryTag = async (cell: Cell) => ({ ids: [await cell.things.memoryTag(cell)] });
const ofShare = async (cell: Cell) => ({ ids: (await cell.things.share(cell)).split(' ').slice(0, 2) });
const ofToken = async (cell: Cell) => ({ ids: (await cell.things.share(cell)).split(' ').slice(2) });
const ofSharePage = async (cell: Cell) => ({ ids: (await cell.things.share(cell)).split(' ').slice(1, 2) });
const form = (fields: Record<string, string>) => ({
  body: String(new URLSearchParams(fields)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const ofGrant = async (cell: Cell) => ({ ids: (await cell.things.grant(cell)).split(' ') });
const ofGiven = async (cell: Cell) => ({ ids: [await cell.things.given(cell)] });
const ofDocument = async (cell: Cell) => ({ ids: [await cell.things.document(cell)] });
const aFile = () => ({
  body: encodeMultipartForm([{ name: 'file', fileName: 'a.pdf', value: createTestPdf() }]),
  headers: { 'content-type': 'multipart/form-data; boundary=XX' },
});
const ofPicture = async (cell: Cell) => ({ ids: (await cell.things.picture(cell)).split('/pictures/') });
const ofCaretaker = async (cell: Cell) => {
  const id = await cell.things.caretaker(cell);
  const { client } = cell.test.database;
  const row = await client.memoryTagCaretaker.findUniqueOrThrow({ where: { id } });
  return { ids: [row.memoryTagId, id] };
};
const ofEntry = async (cell: Cell) => {
  const id = await cell.things.entry(cell);
  const row = await cell.test.database.client.guestBookEntry.findUniqueOrThrow({ where: { id } });
  return { ids: [row.memoryTagId, id] };
};
/** Without the signature that only the link of whoever wrote the entry has. */
const ofEntryToken = async (cell: Cell) => ({
  ids: [`${await cell.things.entry(cell)}.${generateRandomName(43)}`],
});
const ofEntryPage = async (cell: Cell) => ({ ids: [generateId(), ...(await ofEntryToken(cell)).ids] });
const ofConversation = async (cell: Cell) => ({ ids: [await cell.things.conversation(cell)] });
const ofConversationPage = async (cell: Cell) => ({
  ids: [await cell.things.code(cell), await cell.things.conversation(cell)],
});
const ofNotification = async (cell: Cell) => ({ ids: [await cell.things.notification(cell)] });
const ofDevice = async (cell: Cell) => ({ ids: [await cell.things.device(cell)] });
const ofExport = async (cell: Cell) => ({ ids: [await cell.things.dataExport(cell)] });
const ofCheckout = async (cell: Cell) => ({ ids: [await cell.things.checkout(cell)] });
const ofSubscription = async (cell: Cell) => ({ ids: [await cell.things.subscription(cell)] });
const ofInvoice = async (cell: Cell) => ({ ids: [await cell.things.invoice(cell)] });
const toBuy = () => ({ packageId: '673f0000a1b2c3d4e5f60002', interval: 'month' });
const ofPerson = ({ accounts }: Cell) => ({ ids: [accounts.owner.id] });
const ofReport = async (cell: Cell) => ({ ids: [await cell.things.report(cell)] });
const ofPackage = () => ({ ids: ['673f0000a1b2c3d4e5f60005'] });
const OTHERWISE = {
  names: { en: 'Enterprise' },
  prices: [{ interval: 'month', currency: 'EUR', amount: 19_900 }],
  limits: { qrCodes: null, memoryTags: null, documents: null, storageBytes: null, scansKeptDays: null },
  features: [],
  onOffer: true,
};
const noJob = () => ({ ids: [randomUUID()] });
const scanBody = async (cell: Cell) => ({ body: { qrCodeId: await cell.things.code(cell) } });
const nobody = () => ({ body: { email: `${generateRandomName(12)}@example.org` } });
const change = (body: object) => async (cell: Cell) => ({ ...(await ofCode(cell)), body });

/** Every operation of the service: who may do it, written down a second time and by hand. */
export const MATRIX: Record<string, Row> = {
  'GET /': { rule: anyone(200) },
  'GET /api/health/live': { rule: anyone(200) },
  'GET /api/health/ready': { rule: anyone(200) },
  'GET /api/docs/': { rule: anyone(200) },
  'GET /api/docs/json': { rule: anyone(200) },
  'GET /api/docs/yaml': { rule: anyone(200) },
  'GET /api/docs/static/*': { rule: anyone(404), request: () => ({ ids: ['absent.js'] }) },
  'GET /api/docs/static/index.html': { rule: anyone(302) },
  'GET /api/docs/static/swagger-initializer.js': { rule: anyone(200) },
  'GET /api/docs/errors/:code': { rule: anyone(200), request: () => ({ ids: ['NOT_FOUND'] }) },
  'GET /api/sandbox/mailbox': { rule: anyone(200) },
  'GET /api/sandbox/mailbox/:file': { rule: anyone(404), request: () => ({ ids: ['absent.eml'] }) },
  'GET /uploads/profile-pictures/:name': { rule: anyone(404), request: () => ({ ids: ['profile-1.png'] }) },
  'GET /uploads/qrcodes/:name': { rule: anyone(404), request: () => ({ ids: ['pet-x.png'] }) },

  'POST /api/auth/register': {
    rule: anyone(201),
    request: () => ({ body: { email: `${generateRandomName(12)}@example.org`, password: TEST_PASSWORD } }),
  },
  'POST /api/auth/verify-otp': {
    rule: anyone(400),
    request: () => ({ body: { ...nobody().body, otp: '000000' } }),
  },
  'POST /api/auth/resend-otp': { rule: anyone(200), request: nobody },
  'POST /api/auth/forgot-password': { rule: anyone(200), request: nobody },
  'POST /api/auth/reset-password': {
    rule: anyone(400),
    request: () => ({ body: { token: generateRandomName(43), password: TEST_PASSWORD } }),
  },
  'GET /api/auth/reset-password': { rule: anyone(200) },
  'POST /api/auth/login': {
    rule: anyone(200),
    request: ({ accounts }) => ({ body: { email: accounts.owner.email, password: TEST_PASSWORD } }),
  },
  'POST /api/auth/refresh-token': {
    rule: anyone(401),
    request: () => ({ body: { refreshToken: generateRandomName(43) } }),
  },
  // Ending a session that has ended is 200, too.
  'POST /api/auth/logout': { rule: except(anyone(200), { anonymous: 401 }) },
  'GET /api/auth/sessions': { rule: anyAccount(200) },
  'DELETE /api/auth/sessions/:id': {
    rule: own(200),
    request: async (cell) => ({ ids: [await cell.things.session(cell)] }),
  },
  'POST /api/auth/change-password': {
    rule: anyAccount(200),
    request: () => ({ body: { currentPassword: TEST_PASSWORD, newPassword: TEST_PASSWORD } }),
  },
  'GET /api/auth/me': { rule: anyAccount(200) },
  'GET /api/auth/profile/:id': { rule: except(own(200), { admin: 200 }), request: ofPerson },
  'PUT /api/auth/profile/:id': {
    rule: own(200),
    request: (cell) => ({ ...ofPerson(cell), body: { firstName: 'Grace' } }),
  },
  'PATCH /api/auth/profile/:id': {
    rule: own(200),
    request: (cell) => ({ ...ofPerson(cell), body: { firstName: 'Grace' } }),
  },
  // There is one already; somebody without one would get it, which the last row does.
  'POST /api/auth/create-profile': {
    rule: except(anyAccount(409), { incomplete: 400 }),
    request: ({ caller: context }) => ({
      body: context === 'incomplete' ? { firstName: '' } : { firstName: 'Ada', lastName: 'Lovelace' },
    }),
  },

  'GET /api/auth/mfa': { rule: anyAccount(200) },
  'POST /api/auth/mfa/confirm': { rule: anyAccount(409), request: () => ({ body: { code: '000000' } }) },
  'POST /api/auth/mfa/recovery-codes': {
    rule: anyAccount(409),
    request: () => ({ body: { code: '000000' } }),
  },
  'DELETE /api/auth/mfa': {
    rule: anyAccount(409),
    request: () => ({ body: { password: TEST_PASSWORD, code: '000000' } }),
  },
  'POST /api/auth/mfa/enroll': {
    rule: anyAccount(200),
    request: () => ({ body: { password: TEST_PASSWORD } }),
  },
  'POST /api/auth/mfa/verify': {
    rule: anyone(401),
    request: () => ({ body: { mfaToken: generateRandomName(43), code: '000000' } }),
  },
  'GET /api/auth/google': { rule: anyone(200) },
  'GET /api/auth/google/callback': { rule: anyone(302) },
  'POST /api/auth/google/exchange': {
    rule: anyone(401),
    request: () => ({ body: { code: generateRandomName(43) } }),
  },
  // No provider is configured.
  'POST /api/auth/google/token': { rule: anyone(503), request: () => ({ body: { idToken: 'a.b.c' } }) },
  'GET /api/auth/sign-in': { rule: anyone(200) },
  'GET /api/auth/identities': { rule: anyAccount(200) },
  'DELETE /api/auth/identities/:id': {
    rule: own(200),
    request: async (cell) => ({ ids: [await cell.things.identity(cell)] }),
  },
  'GET /api/auth/export': { rule: anyAccount(200) },
  'GET /api/auth/exports': { rule: anyAccount(200) },
  'POST /api/auth/exports': { rule: anyAccount(201), request: () => ({ body: { password: TEST_PASSWORD } }) },
  'GET /api/auth/exports/:id': { rule: own(200), request: ofExport },
  // It was not made.
  'GET /api/auth/exports/:id/content': { rule: own(409), request: ofExport },
  // Without the password nobody erases anything.
  'DELETE /api/auth/account': { rule: anyAccount(400), request: () => ({ body: {} }) },

  'GET /api/qrcodes': { rule: anyAccount(200) },
  'GET /api/qrcodes/kinds': { rule: anyAccount(200) },
  'POST /api/qrcodes': {
    rule: withProfile(201),
    request: () => ({ body: { kind: 'TEXT', title: 'mine', data: { text: 'a' } } }),
  },
  'POST /api/qrcodes/render': {
    rule: anyAccount(200),
    request: () => ({ body: { kind: 'TEXT', data: { text: 'a' } } }),
  },
  'GET /api/qrcodes/:id': { rule: own(200), request: ofCode },
  'PUT /api/qrcodes/:id': { rule: ownWithProfile(200), request: change({ title: 'Rex II' }) },
  'PATCH /api/qrcodes/:id': { rule: ownWithProfile(200), request: change({ title: 'Rex II' }) },
  'DELETE /api/qrcodes/:id': { rule: own(200), request: ofCode },
  'POST /api/qrcodes/:id/restore': {
    rule: ownWithProfile(200),
    request: async (cell) => ({ ids: [await cell.things.deletedCode(cell)] }),
  },
  'POST /api/qrcodes/:id/lost': { rule: ownWithProfile(200), request: change({}) },
  'POST /api/qrcodes/:id/found': { rule: ownWithProfile(200), request: ofCode },
  'POST /api/qrcodes/:id/test': { rule: ownWithProfile(201), request: ofCode },
  'GET /api/qrcodes/:id/preview': { rule: own(200), request: ofCode },
  'GET /api/qrcodes/:id/image': { rule: own(200), request: ofCode },
  'GET /api/qrcodes/:id/stats': { rule: own(200), request: ofCode },

  'POST /api/scans/public': { rule: anyone(201), request: scanBody },
  'POST /api/scans/geocoded': {
    rule: anyone(201),
    request: async (cell) => ({ body: { ...(await scanBody(cell)).body, latitude: 1, longitude: 1 } }),
  },
  'POST /api/scans': { rule: withProfile(201), request: scanBody },
  'POST /api/scans/public/:id/unlock': {
    // Without the scan's token: a guest lost it, somebody signed in reaches for what is not theirs.
    rule: except(anyone(404), { anonymous: 403, ended: 403, unverified: 403 }),
    request: async (cell) => ({ ...(await ofScan(cell)), body: { pin: '1234' } }),
  },
  'POST /api/scans/public/:id/location': {
    rule: except(anyone(404), { anonymous: 403, ended: 403, unverified: 403 }),
    request: async (cell) => ({ ...(await ofScan(cell)), body: { latitude: 1, longitude: 1 } }),
  },
  'GET /api/scans': { rule: anyAccount(200) },
  'GET /api/scans/stats': { rule: anyAccount(200) },
  'GET /api/scans/export': { rule: own(200), request: scansOfCode },
  'GET /api/scans/report': { rule: own(200), request: scansOfCode },
  'GET /api/scans/:id': { rule: anyone(200), request: ofScan },
  'GET /api/scans/public/:id': { rule: anyone(200), request: ofScan },
  'GET /s/:id': { rule: anyone(200), request: ofCode },
  'POST /s/:id/pin': { rule: anyone(403), request: ofCode },
  'POST /s/:id/message': { rule: anyone(403), request: ofCode },
  'POST /s/:id/location': { rule: anyone(403), request: ofCode },
  'POST /s/:id/guest-book': { rule: anyone(403), request: ofCode },
  'GET /s/:id/story': { rule: anyone(404), request: () => ({ ids: [generateId()] }) },
  'POST /s/:id/story': { rule: anyone(404), request: () => ({ ids: [generateId()] }) },
  'GET /s/:id/entries': { rule: anyone(404), request: () => ({ ids: [generateId()] }) },
  'POST /s/:id/entries': { rule: anyone(404), request: () => ({ ids: [generateId()] }) },
  'GET /s/:id/entries/:entry': { rule: anyone(404), request: ofEntryPage },
  'POST /s/:id/entries/:entry/withdraw': { rule: anyone(404), request: ofEntryPage },
  'GET /s/position.js': { rule: anyone(200) },
  'GET /s/:id/pictures': { rule: anyone(404), request: ofCode },
  'GET /s/:id/pictures/:pictureId': {
    rule: anyone(404),
    request: async (cell) => ({ ids: [await cell.things.code(cell), generateId()] }),
  },
  'GET /s/:id/contact.vcf': { rule: anyone(404), request: ofCode },
  'POST /s/:id/contact.vcf': { rule: anyone(404), request: ofCode },
  'GET /s/:id/event.ics': { rule: anyone(404), request: ofCode },
  'POST /s/:id/event.ics': { rule: anyone(404), request: ofCode },
  'GET /s/:id/c/:conversation': { rule: anyone(404), request: ofConversationPage },
  'POST /s/:id/c/:conversation': { rule: anyone(404), request: ofConversationPage },
  'POST /s/:id/c/:conversation/end': { rule: anyone(404), request: ofConversationPage },
  'POST /s/:id/c/:conversation/forget-email': { rule: anyone(404), request: ofConversationPage },
  'POST /s/:id/c/:conversation/block': { rule: anyone(404), request: ofConversationPage },
  'POST /s/:id/c/:conversation/report': { rule: anyone(404), request: ofConversationPage },
  'GET /s/d': { rule: anyone(200) },
  'POST /s/d': { rule: anyone(404), request: () => form({ link: generateRandomName(43) }) },
  'GET /s/d/token.js': { rule: anyone(200) },
  // Without the cookie that its link gives.
  'GET /s/d/:share': { rule: anyone(404), request: ofSharePage },
  'POST /s/d/:share/open': {
    rule: anyone(404),
    request: async (cell) => ({ ...(await ofSharePage(cell)), ...form({}) }),
  },
  // A form of no visit begins anew.
  'POST /s/:id/documents/:share': {
    rule: anyone(303),
    request: async (cell) => ({
      ids: [await cell.things.code(cell), ...(await ofSharePage(cell)).ids],
      ...form({}),
    }),
  },
  'GET /s/test/:token': { rule: anyone(404), request: () => ({ ids: [generateRandomName(43)] }) },

  'POST /api/conversations/public': {
    rule: anyone(403),
    request: async (cell) => ({ body: { scanId: await cell.things.scan(cell), message: 'Found.' } }),
  },
  'POST /api/conversations/public/check': { rule: anyone(200), request: () => ({ body: { message: 'x' } }) },
  'GET /api/conversations/public/:id/messages': { rule: anyone(403), request: ofConversation },
  'POST /api/conversations/public/:id/messages': {
    rule: anyone(403),
    request: async (cell) => ({ ...(await ofConversation(cell)), body: { message: 'Found.' } }),
  },
  'DELETE /api/conversations/public/:id/email': { rule: anyone(403), request: ofConversation },
  'POST /api/conversations/public/:id/end': { rule: anyone(403), request: ofConversation },
  // Without an upgrade there is no socket, and who is behind one is asked on it.
  'GET /api/realtime': { rule: anyone(400) },
  'POST /api/conversations/public/:id/report': {
    rule: anyone(403),
    request: async (cell) => ({ ...(await ofConversation(cell)), body: { reason: 'SPAM' } }),
  },
  'POST /api/conversations/:id/report': {
    rule: own(201),
    request: async (cell) => ({ ...(await ofConversation(cell)), body: { reason: 'SPAM' } }),
  },
  'GET /api/conversations': { rule: anyAccount(200) },
  'GET /api/conversations/:id': { rule: own(200), request: ofConversation },
  'GET /api/conversations/:id/messages': { rule: own(200), request: ofConversation },
  'POST /api/conversations/:id/messages': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofConversation(cell)), body: { message: 'Thank you.' } }),
  },
  'POST /api/conversations/:id/end': { rule: own(200), request: ofConversation },
  'POST /api/conversations/:id/block': { rule: own(200), request: ofConversation },
  'POST /api/conversations/:id/unblock': { rule: own(200), request: ofConversation },
  'GET /api/notifications': { rule: anyAccount(200) },
  'GET /api/notifications/unread-count': { rule: anyAccount(200) },
  'PATCH /api/notifications/:id/read': { rule: own(200), request: ofNotification },
  'POST /api/notifications/read-all': { rule: anyAccount(200) },
  'DELETE /api/notifications/:id': { rule: own(200), request: ofNotification },
  'GET /api/notifications/preferences': { rule: anyAccount(200) },
  'PUT /api/notifications/preferences': {
    rule: anyAccount(200),
    request: () => ({ body: { digest: 'NEVER' } }),
  },
  'PATCH /api/notifications/preferences': {
    rule: anyAccount(200),
    request: () => ({ body: { digest: 'NEVER' } }),
  },
  'GET /api/notifications/unsubscribe/:token': { rule: anyone(404), request: () => ({ ids: ['none'] }) },
  'POST /api/notifications/unsubscribe/:token': {
    rule: anyone(404),
    request: () => ({ ids: ['none'], body: { 'List-Unsubscribe': 'One-Click' } }),
  },
  'GET /api/notifications/devices': { rule: anyAccount(200) },
  'POST /api/notifications/devices': {
    rule: anyAccount(201),
    request: () => ({ body: { token: generateRandomName(32), platform: 'ANDROID' } }),
  },
  'DELETE /api/notifications/devices/:id': { rule: own(200), request: ofDevice },
  'GET /api/dashboard/cards': { rule: anyAccount(200) },

  'GET /api/memory-tags': { rule: anyAccount(200) },
  'POST /api/memory-tags': { rule: withProfile(201), request: () => ({ body: { name: 'Laika' } }) },
  'GET /api/memory-tags/:id': { rule: own(200), request: ofMemoryTag },
  'PUT /api/memory-tags/:id': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofMemoryTag(cell)), body: { name: 'Laika' } }),
  },
  'PATCH /api/memory-tags/:id': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofMemoryTag(cell)), body: { name: 'Laika' } }),
  },
  'DELETE /api/memory-tags/:id': { rule: own(200), request: ofMemoryTag },
  'GET /api/memory-tags/:id/pictures': { rule: own(200), request: ofMemoryTag },
  'POST /api/memory-tags/:id/pictures': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofMemoryTag(cell)), ...createPictureForm(ONE_PIXEL_PNG) }),
  },
  'GET /api/memory-tags/:id/pictures/:pictureId': { rule: own(200), request: ofPicture },
  'PUT /api/memory-tags/:id/pictures/:pictureId': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofPicture(cell)), body: { caption: 'Laika' } }),
  },
  'PATCH /api/memory-tags/:id/pictures/:pictureId': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofPicture(cell)), body: { position: 1 } }),
  },
  'DELETE /api/memory-tags/:id/pictures/:pictureId': { rule: own(200), request: ofPicture },

  'GET /api/documents': { rule: anyAccount(200) },
  'POST /api/documents': { rule: withProfile(201), request: aFile },
  'GET /api/documents/:id': { rule: own(200), request: ofDocument },
  'PUT /api/documents/:id': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofDocument(cell)), body: { title: 'Lease' } }),
  },
  'PATCH /api/documents/:id': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofDocument(cell)), body: { title: 'Lease' } }),
  },
  'DELETE /api/documents/:id': { rule: own(200), request: ofDocument },
  'GET /api/documents/:id/content': { rule: own(200), request: ofDocument },
  'GET /api/documents/:id/versions': { rule: own(200), request: ofDocument },
  'POST /api/documents/:id/versions': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofDocument(cell)), ...aFile() }),
  },
  'DELETE /api/documents/:id/versions/:number': {
    rule: own(200),
    request: async (cell) => ({ ids: [await cell.things.document(cell), '1'] }),
  },
  'GET /api/memory-tags/:id/export': { rule: own(200), request: ofMemoryTag },
  'GET /api/memory-tags/caring': { rule: anyAccount(200) },
  // Whoever keeps it does not help with it.
  'DELETE /api/memory-tags/caring/:id': { rule: anyAccount(404), request: ofMemoryTag },
  'GET /api/memory-tags/:id/caretakers': { rule: own(200), request: ofMemoryTag },
  'POST /api/memory-tags/:id/caretakers': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofMemoryTag(cell)), ...nobody() }),
  },
  'DELETE /api/memory-tags/:id/caretakers/:caretaker': { rule: own(200), request: ofCaretaker },
  'GET /api/memory-tags/:id/guest-book': { rule: own(200), request: ofMemoryTag },
  'PATCH /api/memory-tags/:id/guest-book/:entry': {
    rule: own(200),
    request: async (cell) => ({ ...(await ofEntry(cell)), body: { state: 'APPROVED' } }),
  },
  'DELETE /api/memory-tags/:id/guest-book/:entry': { rule: own(200), request: ofEntry },
  'DELETE /api/memory-tags/guest-book/:token': { rule: anyone(404), request: ofEntryToken },

  'GET /api/documents/:id/shares': { rule: own(200), request: ofDocument },
  'POST /api/documents/:id/shares': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofDocument(cell)), body: {} }),
  },
  'DELETE /api/documents/:id/shares/:share_id': { rule: own(200), request: ofShare },
  'GET /api/documents/:id/readings': { rule: own(200), request: ofDocument },
  'GET /api/documents/shared/:token': { rule: anyone(200), request: ofToken },
  'POST /api/documents/shared/:token/open': { rule: anyone(200), request: ofToken },
  'GET /api/documents/tickets/:ticket/content': {
    rule: anyone(404),
    request: () => ({ ids: [`${generateId()}.${generateRandomName(43)}`] }),
  },
  'GET /api/documents/:id/grants': { rule: own(200), request: ofDocument },
  'POST /api/documents/:id/grants': {
    rule: ownWithProfile(201),
    request: async (cell) => ({ ...(await ofDocument(cell)), ...nobody() }),
  },
  'DELETE /api/documents/:id/grants/:document_grant_id': { rule: own(200), request: ofGrant },
  'GET /api/documents/given': { rule: anyAccount(200) },
  'GET /api/documents/given/:document_grant_id/content': { rule: own(200), request: ofGiven },
  'DELETE /api/documents/given/:document_grant_id': { rule: own(200), request: ofGiven },

  // Nothing is sold here: no name is a provider's.
  'POST /api/webhooks/:provider': { rule: anyone(404), request: () => ({ ids: ['stripe'] }) },
  'GET /api/subscription/all': { rule: anyAccount(200) },
  'GET /api/subscription/status': { rule: anyAccount(200) },
  'POST /api/subscription/checkout-session': {
    rule: withProfile(201),
    request: () => ({ body: toBuy() }),
  },
  'GET /api/subscription/checkout-session/:id': { rule: own(200), request: ofCheckout },
  'GET /api/subscription/checkout/done': { rule: anyone(200) },
  'GET /api/subscription/checkout/back': { rule: anyone(200) },
  'GET /api/subscription/portal/back': { rule: anyone(200) },
  'DELETE /api/subscription/cancel/:subscriptionId': { rule: own(200), request: ofSubscription },
  // It has ended.
  'POST /api/subscription/:subscriptionId/keep': { rule: own(409), request: ofSubscription },
  // Each has a customer by now: whoever may has opened a page to pay on.
  'POST /api/subscription/portal-session': { rule: withProfile(201) },
  // Nobody has a subscription that runs.
  'POST /api/subscription/change/preview': {
    rule: withProfile(409),
    request: () => ({ body: toBuy() }),
  },
  'POST /api/subscription/change': {
    rule: withProfile(409),
    request: () => ({ body: { ...toBuy(), previewedAt: new Date().toISOString() } }),
  },
  'GET /api/subscription/invoices': { rule: anyAccount(200) },
  'GET /api/subscription/invoices/:id/page': { rule: own(200), request: ofInvoice },

  'GET /api/admin/users': { rule: staff(['ADMIN'], 200) },
  'GET /api/admin/qrcodes': { rule: staff(['ADMIN'], 200) },
  'GET /api/admin/analytics': { rule: staff(['ADMIN'], 200) },
  'PATCH /api/admin/users/:id': {
    rule: staff(['ADMIN'], 200),
    request: (cell) => ({ ...ofPerson(cell), body: { role: 'USER' } }),
  },
  'DELETE /api/admin/users/:id/sessions': { rule: staff(['ADMIN'], 200), request: ofPerson },
  'DELETE /api/admin/users/:id/second-factor': { rule: staff(['ADMIN'], 409), request: ofPerson },
  'POST /api/admin/users/:id/resend-activation': { rule: staff(['ADMIN'], 409), request: ofPerson },
  'GET /api/admin/conversation-reports': { rule: staff(['ADMIN'], 200) },
  'GET /api/admin/conversation-reports/:id': { rule: staff(['ADMIN'], 200), request: ofReport },
  'POST /api/admin/conversation-reports/:id/decision': {
    rule: staff(['ADMIN'], 200),
    request: async (cell) => ({ ...(await ofReport(cell)), body: { decision: 'DISMISSED' } }),
  },
  'GET /api/admin/jobs': { rule: staff(['ADMIN'], 200) },
  'GET /api/admin/jobs/failed': { rule: staff(['ADMIN'], 200) },
  'POST /api/admin/jobs/failed/:id/retry': { rule: staff(['ADMIN'], 404), request: noJob },
  'DELETE /api/admin/jobs/failed/:id': { rule: staff(['ADMIN'], 404), request: noJob },
  'GET /api/admin/packages': { rule: staff(['ADMIN'], 200) },
  'GET /api/admin/packages/:id/versions': { rule: staff(['ADMIN'], 200), request: ofPackage },
  'PUT /api/admin/packages/:id': {
    rule: staff(['ADMIN'], 200),
    request: () => ({ ...ofPackage(), body: OTHERWISE }),
  },
  'POST /api/admin/break-glass': {
    rule: staff(['ADMIN'], 404),
    request: () => ({ body: { resourceType: 'QRCODE', resourceId: generateId(), reason: 'an emergency' } }),
  },
  'GET /api/admin/break-glass': { rule: staff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs': { rule: staff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/export': { rule: staff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/verify': { rule: staff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/sealed': { rule: staff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/audit/mine': { rule: anyAccount(200) },
  'GET /api/support/users': { rule: staff(['SUPPORT'], 200), request: () => ({ query: 'search=ada' }) },
  'GET /api/support/qrcodes': { rule: staff(['SUPPORT'], 200), request: () => ({ query: 'search=rex' }) },
};
