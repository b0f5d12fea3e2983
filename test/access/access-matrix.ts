import { randomUUID } from 'node:crypto';
import { NOTE_CONTENT } from '../../src/features/conversations/encrypted-conversation-fields.ts';
import { encryptModerationText } from '../../src/features/moderation/encrypted-moderation-fields.ts';
import { PAGE_SCRIPT_PATH } from '../../src/features/owner-pages/page-script.ts';
import { generateId, generateRandomAlphanumeric } from '../../src/shared/ids.ts';
import { createTestPdf, encodeMultipartForm } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { TEST_PASSWORD } from '../helper.ts';
import { createTestBrowser } from '../providers/push/web-push-server.ts';
import {
  type AccessRule,
  allowAnyone,
  allowAnyUser,
  allowExcept,
  allowFormOnOwnPage,
  allowFormOnStaffPage,
  allowOnOwnPage,
  allowOnStaffPage,
  allowOwner,
  allowOwnerWithProfile,
  allowStaff,
  allowUsersWithProfile,
} from './access-rules.ts';
import { UNAUTHENTICATED_CALLERS } from './callers.ts';
import type { AccessCell, CellRequest } from './test-resources.ts';

/** A page before the sign-in leads those who are signed in on. */
const allowSignedOut =
  (status: number): AccessRule =>
  (context) =>
    UNAUTHENTICATED_CALLERS.includes(context) ? status : 303;

/** As `allowOnOwnPage`, once there is a profile. */
const allowOnCodePage = (status: number) => allowExcept(allowOnOwnPage(status), { incomplete: 303 });
const allowFormOnCodePage = (status: number) => allowExcept(allowFormOnOwnPage(status), { incomplete: 303 });

const SIGN_IN = { email: 'nobody@example.org', password: 'wrong' };

/** Expected results of an operation, and a request that succeeds. */
interface AccessRow {
  rule: AccessRule;
  request?: (cell: AccessCell) => Promise<CellRequest> | CellRequest;
}

const createCodeRequest = async (cell: AccessCell) => ({ ids: [await cell.things.code(cell)] });
const createCodePageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.code(cell)],
});
const createDocumentCodePageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.documentCode(cell)],
});
const createCodeFormRequest =
  (fields: Record<string, string> = {}) =>
  async (cell: AccessCell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest(fields) });
const createScanPageRequest = async (cell: AccessCell) => {
  const id = await cell.things.scan(cell);
  const { qrCodeId } = await cell.test.database.client.scan.findFirstOrThrow({ where: { id } });
  return { ids: [cell.accounts.owner.id, qrCodeId, id] };
};
const createScanRequest = async (cell: AccessCell) => ({ ids: [await cell.things.scan(cell)] });
const createCodeScansRequest = async (cell: AccessCell) => ({
  query: `qrCodeId=${(await createCodeRequest(cell)).ids[0]}`,
});
/** Of the caller, if there is an account. */
const createReportScheduleRequest = async ({ test, accounts, caller }: AccessCell) => {
  const { id: accountId } = accounts[caller];
  const key = { accountId, userId: accountId };
  const schedule = { ...key, frequency: 'WEEKLY', hour: 8, nextSendAt: new Date('2100-01-04T08:00:00Z') };
  if (caller !== 'anonymous')
    await test.database.client.reportSchedule.upsert({
      where: { accountId_userId: key },
      create: schedule,
      update: {},
    });
  return {};
};
const createMemoryTagRequest = async (cell: AccessCell) => ({ ids: [await cell.things.memoryTag(cell)] });
const createShareRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.share(cell)).split(' ').slice(0, 2),
});
const createShareTokenRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.share(cell)).split(' ').slice(2),
});
const createSharePageRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.share(cell)).split(' ').slice(1, 2),
});
const createFormRequest = (fields: Record<string, string>) => ({
  body: String(new URLSearchParams(fields)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const createOwnerLinkRequest = () => ({ ids: [generateId()], ...createFormRequest({}) });
const createGrantRequest = async (cell: AccessCell) => ({ ids: (await cell.things.grant(cell)).split(' ') });
const createReceivedDocumentRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.receivedDocument(cell)],
});
const createDocumentRequest = async (cell: AccessCell) => ({ ids: [await cell.things.document(cell)] });
/** The id of the account of whoever may, and those of `create`. */
const createOwnPageRequest =
  (create: (cell: AccessCell) => Promise<{ ids: string[] }>, fields?: Record<string, string>) =>
  async (cell: AccessCell) => ({
    ids: [cell.accounts.owner.id, ...(await create(cell)).ids],
    ...(fields && createFormRequest(fields)),
  });
const createPrintSheetPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.printSheet(cell)],
});
const createPrintSheetRequest = async (cell: AccessCell) => ({ ids: [await cell.things.printSheet(cell)] });
const createBatchRequest = async (cell: AccessCell) => ({ ids: [await cell.things.batch(cell)] });
/** An account creates two at a time. */
const endBatches = ({ test }: AccessCell) =>
  test.database.client.batch.updateMany({
    where: { finishedAt: null },
    data: { status: 'CANCELED', finishedAt: new Date() },
  });
const createBatchPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.batch(cell)],
});
const createOrganizationRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.organization(cell)],
});
const createMemberRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.organizationMember(cell)).split('/members/'),
});
const createMemberPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, ...(await createMemberRequest(cell)).ids],
});
const createMemberFormRequest = async (cell: AccessCell, fields: Record<string, string>) => ({
  ...(await createMemberPageRequest(cell)),
  ...createFormRequest({ version: '1', ...fields }),
});
const createInvitationRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.invitation(cell)).split('/invitations/'),
});
const createInvitationAnswer = async (cell: AccessCell) => ({
  body: { invitationId: (await createInvitationRequest(cell)).ids[1] },
});
const createInvitationPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, ...(await createInvitationRequest(cell)).ids],
  ...createFormRequest({}),
});
const createReceivedInvitationRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, ...(await createInvitationRequest(cell)).ids.slice(1)],
  ...createFormRequest({}),
});
/** Its id is the token of its link, too. */
const createInvitationLinkRequest = async (cell: AccessCell) => ({
  ids: (await createInvitationRequest(cell)).ids.slice(1),
});
const createOrganizationPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.organization(cell)],
});
const createOrganizationFormRequest = async (cell: AccessCell) => ({
  ...(await createOrganizationPageRequest(cell)),
  ...createFormRequest({}),
});
const createSavedViewRequest = async (cell: AccessCell) => ({ ids: [await cell.things.savedView(cell)] });
const createFolderRequest = async (cell: AccessCell) => ({ ids: [await cell.things.folder(cell)] });
const createImportRequest = async (cell: AccessCell) => ({ ids: [await cell.things.import(cell)] });
const createImportPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.import(cell)],
});
const createImportFormRequest = async (cell: AccessCell) => ({
  ...(await createImportPageRequest(cell)),
  ...createFormRequest({}),
});
const createFileForm = () => ({
  body: encodeMultipartForm([{ name: 'file', fileName: 'a.pdf', value: createTestPdf() }]),
  headers: { 'content-type': 'multipart/form-data; boundary=XX' },
});
const createPictureRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.picture(cell)).split('/pictures/'),
});
const createCodePictureRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.codePicture(cell)).split('/pictures/'),
});
const createCodePicturePageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, ...(await cell.things.codePicture(cell)).split('/pictures/')],
});
/** As if the picture was deleted a moment ago. */
const deletePicture = async (cell: AccessCell, id: string | undefined) => {
  const { client } = cell.test.database;
  const row = await client.picture.findFirst({ where: { id } });
  // Cells of one operation share a picture.
  if (!row) return;
  const { updatedAt: _updatedAt, ...picture } = row;
  await client.picture.delete({ where: { id: row.id } });
  await client.deletedPicture.create({ data: picture });
};
const createDeletedPictureRequest = async (cell: AccessCell) => {
  const request = await createPictureRequest(cell);
  await deletePicture(cell, request.ids[1]);
  return request;
};
const createDeletedCodePictureRequest = async (cell: AccessCell) => {
  const request = await createCodePictureRequest(cell);
  await deletePicture(cell, request.ids[1]);
  return request;
};
const createCaretakerRequest = async (cell: AccessCell) => {
  const id = await cell.things.caretaker(cell);
  const { client } = cell.test.database;
  const row = await client.memoryTagCaretaker.findUniqueOrThrow({ where: { id } });
  return { ids: [row.memoryTagId, id] };
};
const createGuestBookEntryRequest = async (cell: AccessCell) => {
  const id = await cell.things.entry(cell);
  const row = await cell.test.database.client.guestBookEntry.findUniqueOrThrow({ where: { id } });
  return { ids: [row.memoryTagId, id] };
};
const createDeletedEntryRequest = async (cell: AccessCell) => {
  const request = await createGuestBookEntryRequest(cell);
  const [, id] = request.ids;
  await cell.test.database.client.guestBookEntry.update({ where: { id }, data: { deletedAt: new Date() } });
  return request;
};
/** Without the signature in the link of the author. */
const createEntryTokenRequest = async (cell: AccessCell) => ({
  ids: [`${await cell.things.entry(cell)}.${generateRandomAlphanumeric(43)}`],
});
const createEntryPageRequest = async (cell: AccessCell) => ({
  ids: [generateId(), ...(await createEntryTokenRequest(cell)).ids],
});
const createConversationRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.conversation(cell)],
});
/** Written by the owner of the matrix. */
const createNoteRequest = async (cell: AccessCell) => {
  const conversationId = await cell.things.conversation(cell);
  const { id: accountId } = cell.accounts.owner;
  const note = { id: generateId(), accountId };
  const content = NOTE_CONTENT.encrypt(cell.test.services.fieldCipher, note, 'At the gate.');
  const data = { ...note, conversationId, authorId: accountId, content };
  await cell.test.database.client.conversationNote.create({ data });
  return { ids: [conversationId, note.id] };
};
const createNoteFormRequest = async (cell: AccessCell, hasText: boolean) => {
  const { ids } = await createNoteRequest(cell);
  const fields = hasText ? { [`note-${ids[1]}`]: 'At the gate.' } : {};
  return { ids: [cell.accounts.owner.id, ...ids], ...createFormRequest(fields) };
};
const createInboxRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.conversation(cell)],
});
const createInboxFormRequest = async (cell: AccessCell, fields: Record<string, string> = {}) => ({
  ...(await createInboxRequest(cell)),
  ...createFormRequest(fields),
});
const createConversationPageRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.code(cell), await cell.things.conversation(cell)],
});
const createApiKeyRequest = async (cell: AccessCell) => ({ ids: [await cell.things.apiKey(cell)] });
const createApiKeyPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.apiKey(cell)],
});
const createApiKeyFormRequest = async (cell: AccessCell) => ({
  ...(await createApiKeyPageRequest(cell)),
  ...createFormRequest({}),
});
const createNotificationRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.notification(cell)],
});
const createNotificationPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.notification(cell)],
});
const createOwnerPhoneRequest = async (cell: AccessCell) => ({ ids: [await cell.things.ownerPhone(cell)] });
const createDeviceRequest = async (cell: AccessCell) => ({ ids: [await cell.things.device(cell)] });
const WEBHOOK_ENDPOINT = { url: 'http://localhost:9/hook', eventTypes: ['scan.*'] };
const createWebhookEndpointRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.webhookEndpoint(cell)],
});
const createWebhookDeliveryRequest = async (cell: AccessCell) => ({
  ids: (await cell.things.webhookDelivery(cell)).split('/deliveries/'),
});
/** Pages share them: an account can have few. */
const createWebhookPageRequest = (fields?: Record<string, string>) => async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.webhookEndpoint({ ...cell, caller: 'stranger' })],
  ...(fields && createFormRequest(fields)),
});
const createDeliveryPageRequest = (fields?: Record<string, string>) => async (cell: AccessCell) => {
  const path = await cell.things.webhookDelivery({ ...cell, caller: 'stranger' });
  return {
    ids: [cell.accounts.owner.id, ...path.split('/deliveries/')],
    ...(fields && createFormRequest(fields)),
  };
};
const createExportRequest = async (cell: AccessCell) => ({ ids: [await cell.things.dataExport(cell)] });
const createCheckoutStateRequest = async (cell: AccessCell) => ({ ids: [await cell.things.checkout(cell)] });
const createSubscriptionRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.subscription(cell)],
});
const createInvoiceRequest = async (cell: AccessCell) => ({ ids: [await cell.things.invoice(cell)] });
const createCheckoutBody = () => ({ packageId: '673f0000a1b2c3d4e5f60002', interval: 'month' });
const createUserRequest = ({ accounts }: AccessCell) => ({ ids: [accounts.owner.id] });
const createTakenDownCodeRequest = async (cell: AccessCell) => ({
  ids: [await cell.things.takenDownCode(cell)],
});
const createTakedownPageRequest = async (cell: AccessCell) => ({
  ids: [cell.accounts.owner.id, await cell.things.takenDownCode(cell)],
});
const createAppealRequest = async (cell: AccessCell) => {
  const qrCodeId = await cell.things.takenDownCode(cell);
  const { database, services } = cell.test;
  const takedown = await database.client.qrCodeTakedown.findFirstOrThrow({ where: { qrCodeId } });
  const { id: takedownId, accountId } = takedown;
  const open = await database.client.qrCodeAppeal.findFirst({ where: { takedownId, decision: null } });
  if (open) return { ids: [open.id] };
  const row = { id: generateId(), accountId };
  const message = encryptModerationText(services.fieldCipher, 'appealMessage', row, 'It was a mistake.');
  await database.client.qrCodeAppeal.create({ data: { ...row, takedownId, message } });
  return { ids: [row.id] };
};
const createReportRequest = async (cell: AccessCell) => ({ ids: [await cell.things.report(cell)] });
const createPackageRequest = () => ({ ids: ['673f0000a1b2c3d4e5f60005'] });
const SAMPLE_PACKAGE_UPDATE = {
  names: { en: 'Enterprise' },
  prices: [{ interval: 'month', currency: 'EUR', amount: 19_900 }],
  limits: { qrCodes: null, memoryTags: null, documents: null, storageBytes: null, scansKeptDays: null },
  features: [],
  onOffer: true,
};
const createAbsentJobRequest = () => ({ ids: [randomUUID()] });
const scanBody = async (cell: AccessCell) => ({ body: { qrCodeId: await cell.things.code(cell) } });
const createAbsentUserBody = () => ({ body: { email: `${generateRandomAlphanumeric(12)}@example.org` } });
const createChangeRequest = (body: object) => async (cell: AccessCell) => ({
  ...(await createCodeRequest(cell)),
  body,
});

/** Every operation with its access, written by hand and independently of the routes. */
export const ACCESS_MATRIX: Record<string, AccessRow> = {
  'GET /': { rule: allowAnyone(200) },
  'GET /api/health/live': { rule: allowAnyone(200) },
  'GET /api/health/ready': { rule: allowAnyone(200) },
  'GET /api/docs': { rule: allowAnyone(200) },
  'GET /api/docs/asyncapi': { rule: allowAnyone(200) },
  'GET /api/docs/json': { rule: allowAnyone(200) },
  'GET /api/docs/reference.js': { rule: allowAnyone(200) },
  'GET /brand/logo': { rule: allowAnyone(404) },
  'GET /api/docs/errors/:code': { rule: allowAnyone(200), request: () => ({ ids: ['NOT_FOUND'] }) },
  'GET /api/sandbox/mailbox': { rule: allowAnyone(200) },
  'GET /api/sandbox/mailbox/:file': { rule: allowAnyone(404), request: () => ({ ids: ['absent.eml'] }) },
  'GET /api/sandbox/mailbox/:file/html': { rule: allowAnyone(404), request: () => ({ ids: ['absent.eml'] }) },
  'GET /uploads/profile-pictures/:name': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['profile-1.png'] }),
  },
  'GET /uploads/qrcodes/:name': { rule: allowAnyone(404), request: () => ({ ids: ['pet-x.png'] }) },

  'POST /api/auth/register': {
    rule: allowAnyone(201),
    request: () => ({
      body: { email: `${generateRandomAlphanumeric(12)}@example.org`, password: TEST_PASSWORD },
    }),
  },
  'POST /api/auth/verify-otp': {
    rule: allowAnyone(400),
    request: () => ({ body: { ...createAbsentUserBody().body, otp: '000000' } }),
  },
  'POST /api/auth/resend-otp': { rule: allowAnyone(200), request: createAbsentUserBody },
  'POST /api/auth/forgot-password': { rule: allowAnyone(200), request: createAbsentUserBody },
  'POST /api/auth/reset-password': {
    rule: allowAnyone(400),
    request: () => ({ body: { token: generateRandomAlphanumeric(43), password: TEST_PASSWORD } }),
  },
  'GET /api/auth/reset-password': { rule: allowAnyone(200) },
  'POST /api/auth/login': {
    rule: allowAnyone(200),
    request: ({ accounts }) => ({ body: { email: accounts.owner.email, password: TEST_PASSWORD } }),
  },
  'POST /api/auth/refresh-token': {
    rule: allowAnyone(401),
    request: () => ({ body: { refreshToken: generateRandomAlphanumeric(43) } }),
  },
  'POST /api/auth/logout': { rule: allowExcept(allowAnyone(200), { anonymous: 401 }) },
  'GET /api/auth/sessions': { rule: allowAnyUser(200) },
  'DELETE /api/auth/sessions/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.session(cell)] }),
  },
  'POST /api/auth/change-password': {
    rule: allowAnyUser(200),
    request: () => ({ body: { currentPassword: TEST_PASSWORD, newPassword: TEST_PASSWORD } }),
  },
  'GET /api/auth/me': { rule: allowAnyUser(200) },
  'GET /api/auth/profile/:id': {
    rule: allowExcept(allowOwner(200), { admin: 200 }),
    request: createUserRequest,
  },
  'PUT /api/auth/profile/:id': {
    rule: allowOwner(200),
    request: (cell) => ({ ...createUserRequest(cell), body: { firstName: 'Grace' } }),
  },
  'PATCH /api/auth/profile/:id': {
    rule: allowOwner(200),
    request: (cell) => ({ ...createUserRequest(cell), body: { firstName: 'Grace' } }),
  },
  // It already exists for these users. The last row covers a user without one.
  'POST /api/auth/create-profile': {
    rule: allowExcept(allowAnyUser(409), { incomplete: 400 }),
    request: ({ caller: context }) => ({
      body: context === 'incomplete' ? { firstName: '' } : { firstName: 'Ada', lastName: 'Lovelace' },
    }),
  },

  'GET /api/auth/mfa': { rule: allowAnyUser(200) },
  'POST /api/auth/mfa/confirm': { rule: allowAnyUser(409), request: () => ({ body: { code: '000000' } }) },
  'POST /api/auth/mfa/recovery-codes': {
    rule: allowAnyUser(409),
    request: () => ({ body: { code: '000000' } }),
  },
  'DELETE /api/auth/mfa': {
    rule: allowAnyUser(409),
    request: () => ({ body: { password: TEST_PASSWORD, code: '000000' } }),
  },
  'POST /api/auth/mfa/enroll': {
    rule: allowAnyUser(200),
    request: () => ({ body: { password: TEST_PASSWORD } }),
  },
  'POST /api/auth/mfa/verify': {
    rule: allowAnyone(401),
    request: () => ({ body: { mfaToken: generateRandomAlphanumeric(43), code: '000000' } }),
  },
  'GET /api/auth/google': { rule: allowAnyone(200) },
  'GET /api/auth/google/callback': { rule: allowAnyone(302) },
  'POST /api/auth/google/exchange': {
    rule: allowAnyone(401),
    request: () => ({ body: { code: generateRandomAlphanumeric(43) } }),
  },
  'POST /api/auth/google/token': { rule: allowAnyone(503), request: () => ({ body: { idToken: 'a.b.c' } }) },
  'GET /api/auth/sign-in': { rule: allowAnyone(200) },
  'GET /api/auth/identities': { rule: allowAnyUser(200) },
  'POST /api/auth/identities': { rule: allowAnyUser(503), request: () => ({ body: { idToken: 'a.b.c' } }) },
  'DELETE /api/auth/identities/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.identity(cell)] }),
  },
  'GET /api/api-keys': { rule: allowAnyUser(200) },
  'POST /api/api-keys': {
    rule: allowAnyUser(201),
    request: () => ({ body: { name: 'ERP', scopes: ['qr-codes:read', 'qr-codes:write'] } }),
  },
  'GET /api/api-keys/:id': { rule: allowOwner(200), request: createApiKeyRequest },
  'POST /api/api-keys/:id/rotate': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createApiKeyRequest(cell)), body: { overlapSeconds: 3_600 } }),
  },
  'POST /api/api-keys/:id/take-over': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createApiKeyRequest(cell)), body: { overlapSeconds: 3_600 } }),
  },
  'DELETE /api/api-keys/:id': { rule: allowOwner(200), request: createApiKeyRequest },
  'GET /api/auth/export': { rule: allowAnyUser(200) },
  'GET /api/auth/exports': { rule: allowAnyUser(200) },
  'POST /api/auth/exports': {
    rule: allowAnyUser(201),
    request: () => ({ body: { password: TEST_PASSWORD } }),
  },
  'GET /api/auth/exports/:id': { rule: allowOwner(200), request: createExportRequest },
  // Its file was not stored.
  'GET /api/auth/exports/:id/content': { rule: allowOwner(410), request: createExportRequest },
  // The password is missing.
  'DELETE /api/auth/account': { rule: allowAnyUser(400), request: () => ({ body: {} }) },

  'GET /api/qrcodes': { rule: allowAnyUser(200) },
  'GET /api/qrcodes/kinds': { rule: allowAnyUser(200) },
  'GET /api/qrcodes/facets': { rule: allowAnyUser(200) },
  'POST /api/qrcodes': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: { kind: 'TEXT', title: 'mine', data: { text: 'a' } } }),
  },
  'POST /api/qrcodes/render': {
    rule: allowAnyUser(200),
    request: () => ({ body: { kind: 'TEXT', data: { text: 'a' } } }),
  },
  'POST /api/qrcodes/preview': {
    rule: allowAnyUser(200),
    request: () => ({ body: { kind: 'TEXT', data: { text: 'a' } } }),
  },
  'GET /api/qrcodes/:id': { rule: allowOwner(200), request: createCodeRequest },
  'PUT /api/qrcodes/:id': {
    rule: allowOwnerWithProfile(200),
    request: createChangeRequest({ title: 'Rex II' }),
  },
  'PATCH /api/qrcodes/:id': {
    rule: allowOwnerWithProfile(200),
    request: createChangeRequest({ title: 'Rex II' }),
  },
  'DELETE /api/qrcodes/:id': { rule: allowOwner(200), request: createCodeRequest },
  'GET /api/qrcodes/by-external-id/:externalId': {
    rule: allowOwner(200),
    request: async (cell) => {
      const id = await cell.things.code(cell);
      await cell.test.database.client.qrCode.update({ where: { id }, data: { externalId: id } });
      return { ids: [id] };
    },
  },
  'PUT /api/qrcodes/by-external-id/:externalId': {
    rule: allowUsersWithProfile(201),
    request: () => ({
      ids: [generateRandomAlphanumeric(20)],
      body: { kind: 'TEXT', title: 'mine', data: { text: 'a' } },
    }),
  },
  'POST /api/qrcodes/bulk': {
    rule: allowUsersWithProfile(200),
    request: () => ({ body: { items: [{ kind: 'TEXT', title: 'mine', data: { text: 'a' } }] } }),
  },
  'PATCH /api/qrcodes/bulk': {
    rule: allowUsersWithProfile(200),
    request: () => ({ body: { items: [{ externalId: 'none', title: 'mine' }] } }),
  },
  'POST /api/qrcodes/bulk/delete': {
    rule: allowAnyUser(200),
    request: () => ({ body: { items: [{ externalId: 'none' }] } }),
  },
  'GET /api/qrcodes/export': { rule: allowAnyUser(200) },
  'GET /api/imports': { rule: allowAnyUser(200) },
  'POST /api/imports': {
    rule: allowUsersWithProfile(202),
    request: () => ({
      body: encodeMultipartForm([
        { name: 'format', value: 'csv' },
        { name: 'file', fileName: 'codes.csv', value: 'kind,title,data.text\nTEXT,mine,a\n' },
      ]),
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    }),
  },
  'GET /api/imports/:id': { rule: allowOwner(200), request: createImportRequest },
  // It has ended.
  'POST /api/imports/:id/cancel': { rule: allowOwner(409), request: createImportRequest },
  'GET /api/imports/:id/errors': { rule: allowOwner(200), request: createImportRequest },
  // It rejected none.
  'GET /api/imports/:id/rejected-rows': { rule: allowOwner(404), request: createImportRequest },
  'GET /api/print-sheets': { rule: allowAnyUser(200) },
  'GET /api/print-sheets/templates': { rule: allowAnyUser(200) },
  'POST /api/print-sheets': {
    rule: allowUsersWithProfile(202),
    request: () => ({ body: { ids: [generateId()], template: 'avery-l7160' } }),
  },
  'GET /api/print-sheets/:id': { rule: allowOwner(200), request: createPrintSheetRequest },
  // It has failed.
  'GET /api/print-sheets/:id/content': { rule: allowOwner(409), request: createPrintSheetRequest },
  'DELETE /api/print-sheets/:id': { rule: allowOwner(200), request: createPrintSheetRequest },
  'GET /api/batches': { rule: allowAnyUser(200) },
  'POST /api/batches': {
    rule: allowUsersWithProfile(202),
    request: async (cell) => {
      await endBatches(cell);
      return { body: { kind: 'LUGGAGE', prefix: 'Suitcase', count: 1 } };
    },
  },
  'GET /api/batches/:id': { rule: allowOwner(200), request: createBatchRequest },
  // It has ended.
  'POST /api/batches/:id/cancel': { rule: allowOwner(409), request: createBatchRequest },
  'DELETE /api/batches/:id': { rule: allowOwner(200), request: createBatchRequest },
  'GET /api/batches/:id/tags': { rule: allowOwner(200), request: createBatchRequest },
  'GET /api/batches/:id/export': { rule: allowOwner(200), request: createBatchRequest },
  'GET /api/batches/:id/images': { rule: allowOwner(200), request: createBatchRequest },
  'PATCH /api/batches/:id/tags': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createBatchRequest(cell)), body: { handedOut: true } }),
  },
  'GET /api/code-moves': { rule: allowAnyUser(200) },
  'POST /api/code-moves': {
    rule: allowOwnerWithProfile(202),
    request: async (cell) => ({
      body: { toAccountId: await cell.things.organization(cell), ids: [generateId()] },
    }),
  },
  'GET /api/code-moves/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.codeMove(cell)] }),
  },
  'POST /api/claims': {
    rule: allowUsersWithProfile(201),
    request: async (cell) => ({
      body: { qrCodeId: await cell.things.unclaimedTag(cell), name: 'Backpack' },
    }),
  },
  // It is claimed by nobody.
  'DELETE /api/claims/:id': {
    rule: allowUsersWithProfile(404),
    request: async (cell) => ({ ids: [await cell.things.unclaimedTag(cell)] }),
  },
  'GET /api/organizations': { rule: allowAnyUser(200) },
  'POST /api/organizations': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: { name: 'Animal shelter' } }),
  },
  'GET /api/organizations/:id': { rule: allowOwner(200), request: createOrganizationRequest },
  'PATCH /api/organizations/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createOrganizationRequest(cell)), body: { name: 'Shelter' } }),
  },
  'DELETE /api/organizations/:id': { rule: allowOwner(200), request: createOrganizationRequest },
  'POST /api/organizations/:id/restore': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.deletedOrganization(cell)] }),
  },
  'GET /api/organizations/:id/audit-logs': { rule: allowOwner(200), request: createOrganizationRequest },
  'GET /api/organizations/:id/audit-logs/export': {
    rule: allowOwner(200),
    request: createOrganizationRequest,
  },
  'GET /api/organizations/:id/audit-logs/verify': {
    rule: allowOwner(200),
    request: createOrganizationRequest,
  },
  'GET /api/organizations/:id/policies': { rule: allowOwner(200), request: createOrganizationRequest },
  'PATCH /api/organizations/:id/policies': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createOrganizationRequest(cell)), body: { maxSessionHours: 24 } }),
  },
  'GET /api/organizations/:id/members': { rule: allowOwner(200), request: createOrganizationRequest },
  'GET /api/organizations/:id/members/:userId': { rule: allowOwner(200), request: createMemberRequest },
  'PATCH /api/organizations/:id/members/:userId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createMemberRequest(cell)), body: { role: 'VIEWER' } }),
  },
  'PUT /api/organizations/:id/members/:userId/folders': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createMemberRequest(cell)), body: { folderIds: [] } }),
  },
  'GET /api/organizations/:id/members/:userId/access': {
    rule: allowOwner(200),
    request: createMemberRequest,
  },
  'DELETE /api/organizations/:id/members/:userId': { rule: allowOwner(200), request: createMemberRequest },
  // Its only owner.
  'POST /api/organizations/:id/leave': { rule: allowOwner(409), request: createOrganizationRequest },
  'POST /api/organizations/:id/transfer-ownership': {
    rule: allowOwner(200),
    async request(cell) {
      const [id = '', userId] = (await createMemberRequest(cell)).ids;
      return { ids: [id], body: { userId } };
    },
  },
  'GET /api/organizations/:id/invitations': { rule: allowOwner(200), request: createOrganizationRequest },
  'POST /api/organizations/:id/invitations': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({
      ...(await createOrganizationRequest(cell)),
      body: { email: 'editor@example.org', role: 'EDITOR' },
    }),
  },
  'GET /api/organizations/:id/invitations/:invitationId': {
    rule: allowOwner(200),
    request: createInvitationRequest,
  },
  'POST /api/organizations/:id/invitations/:invitationId/resend': {
    rule: allowOwnerWithProfile(200),
    request: createInvitationRequest,
  },
  'DELETE /api/organizations/:id/invitations/:invitationId': {
    rule: allowOwner(200),
    request: createInvitationRequest,
  },
  'GET /api/invitations': { rule: allowAnyUser(200) },
  'POST /api/invitations/accept': { rule: allowOwnerWithProfile(200), request: createInvitationAnswer },
  'POST /api/invitations/decline': { rule: allowOwner(200), request: createInvitationAnswer },
  'GET /api/saved-views': { rule: allowAnyUser(200) },
  'POST /api/saved-views': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: { name: 'Dogs', query: { kind: 'PET' } } }),
  },
  'GET /api/saved-views/:id': { rule: allowOwner(200), request: createSavedViewRequest },
  'PATCH /api/saved-views/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createSavedViewRequest(cell)), body: { name: 'Pets' } }),
  },
  'DELETE /api/saved-views/:id': { rule: allowOwner(200), request: createSavedViewRequest },
  'POST /api/saved-views/:id/restore': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.deletedSavedView(cell)] }),
  },
  'GET /api/folders': { rule: allowAnyUser(200) },
  'POST /api/folders': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: { name: `Dogs ${generateId()}`, color: 'BLUE' } }),
  },
  'GET /api/folders/:id': { rule: allowOwner(200), request: createFolderRequest },
  'PATCH /api/folders/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createFolderRequest(cell)), body: { color: 'RED' } }),
  },
  'DELETE /api/folders/:id': { rule: allowOwner(200), request: createFolderRequest },
  'POST /api/folders/:id/restore': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.deletedFolder(cell)] }),
  },
  'POST /api/qrcodes/:id/restore': {
    rule: allowOwnerWithProfile(200),
    request: async (cell) => ({ ids: [await cell.things.deletedCode(cell)] }),
  },
  'POST /api/qrcodes/:id/lost': { rule: allowOwnerWithProfile(200), request: createChangeRequest({}) },
  'POST /api/qrcodes/:id/found': { rule: allowOwnerWithProfile(200), request: createCodeRequest },
  'DELETE /api/qrcodes/:id/found': { rule: allowOwnerWithProfile(200), request: createCodeRequest },
  'POST /api/qrcodes/:id/test': { rule: allowOwnerWithProfile(201), request: createCodeRequest },
  'GET /api/qrcodes/:id/preview': { rule: allowOwner(200), request: createCodeRequest },
  'GET /api/qrcodes/:id/pictures': { rule: allowOwner(200), request: createCodeRequest },
  'POST /api/qrcodes/:id/pictures': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({
      ...(await createCodeRequest(cell)),
      ...createPictureForm(ONE_PIXEL_PNG),
    }),
  },
  'GET /api/qrcodes/:id/pictures/:pictureId': { rule: allowOwner(200), request: createCodePictureRequest },
  'PUT /api/qrcodes/:id/pictures/:pictureId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createCodePictureRequest(cell)), body: { caption: 'Rex' } }),
  },
  'PATCH /api/qrcodes/:id/pictures/:pictureId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createCodePictureRequest(cell)), body: { position: 1 } }),
  },
  'POST /api/qrcodes/:id/pictures/:pictureId/restore': {
    rule: allowOwnerWithProfile(200),
    request: createDeletedCodePictureRequest,
  },
  'DELETE /api/qrcodes/:id/pictures/:pictureId': {
    rule: allowOwner(200),
    request: createCodePictureRequest,
  },
  'GET /api/qrcodes/:id/image': { rule: allowOwner(200), request: createCodeRequest },
  // It is not lost.
  'GET /api/qrcodes/:id/poster': { rule: allowOwner(409), request: createCodeRequest },
  'POST /api/qrcodes/:id/reports': {
    rule: allowAnyone(202),
    request: async (cell) => ({ ...(await createCodeRequest(cell)), body: { category: 'FRAUD' } }),
  },
  'GET /api/qrcodes/:id/takedown': { rule: allowOwner(200), request: createTakenDownCodeRequest },
  'POST /api/qrcodes/:id/appeals': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({
      ...(await createTakenDownCodeRequest(cell)),
      body: { message: 'It was a mistake.' },
    }),
  },
  'GET /api/qrcodes/:id/history': { rule: allowOwner(200), request: createCodeRequest },
  'GET /api/qrcodes/:id/stats': { rule: allowOwner(200), request: createCodeRequest },

  'POST /api/scans/public': { rule: allowAnyone(201), request: scanBody },
  'POST /api/scans/geocoded': {
    rule: allowAnyone(201),
    request: async (cell) => ({ body: { ...(await scanBody(cell)).body, latitude: 1, longitude: 1 } }),
  },
  'POST /api/scans': { rule: allowUsersWithProfile(201), request: scanBody },
  'POST /api/scans/public/:id/unlock': {
    // Without the scan token: a guest without it, or a user who does not own the scan.
    rule: allowExcept(allowAnyone(404), { anonymous: 403, ended: 403, unverified: 403 }),
    request: async (cell) => ({ ...(await createScanRequest(cell)), body: { pin: '1234' } }),
  },
  'POST /api/scans/public/:id/location': {
    rule: allowExcept(allowAnyone(404), { anonymous: 403, ended: 403, unverified: 403 }),
    request: async (cell) => ({ ...(await createScanRequest(cell)), body: { latitude: 1, longitude: 1 } }),
  },
  'GET /api/scans': { rule: allowAnyUser(200) },
  'GET /api/scans/stats': { rule: allowAnyUser(200) },
  'GET /api/scans/export': { rule: allowOwner(200), request: createCodeScansRequest },
  'GET /api/scans/report': { rule: allowOwner(200), request: createCodeScansRequest },
  'GET /api/scans/report/:token': { rule: allowAnyone(404), request: () => ({ ids: ['none'] }) },
  'GET /api/scans/report-schedule': { rule: allowAnyUser(200), request: createReportScheduleRequest },
  'PUT /api/scans/report-schedule': {
    rule: allowAnyUser(200),
    request: () => ({ body: { frequency: 'WEEKLY' } }),
  },
  'DELETE /api/scans/report-schedule': { rule: allowAnyUser(200), request: createReportScheduleRequest },
  'GET /api/scans/:id': { rule: allowAnyone(200), request: createScanRequest },
  'GET /api/scans/public/:id': { rule: allowAnyone(200), request: createScanRequest },
  'GET /app': { rule: allowExcept(allowAnyone(303), { suspended: 403 }) },
  'GET /app/components': { rule: allowAnyone(200) },
  'GET /app/sign-in': { rule: allowSignedOut(200) },
  'POST /app/sign-in': { rule: allowAnyone(401), request: () => createFormRequest(SIGN_IN) },
  'GET /app/sign-in/second-factor': { rule: allowAnyone(303) },
  'POST /app/sign-in/second-factor': {
    rule: allowAnyone(401),
    request: () => createFormRequest({ code: '1' }),
  },
  'GET /app/sign-in/provider': { rule: allowSignedOut(404) },
  'GET /app/sign-in/provider/done': { rule: allowAnyone(401) },
  'POST /app/sign-out': { rule: allowAnyone(303), request: () => createFormRequest({}) },
  'GET /app/sign-up': { rule: allowAnyone(200) },
  'POST /app/sign-up': { rule: allowAnyone(400), request: () => createFormRequest({}) },
  'GET /app/sign-up/code': { rule: allowAnyone(303) },
  'POST /app/sign-up/code': { rule: allowAnyone(303), request: () => createFormRequest({ code: '123456' }) },
  'POST /app/sign-up/resend': { rule: allowAnyone(303), request: () => createFormRequest({}) },
  'GET /app/forgot-password': { rule: allowAnyone(200) },
  'POST /app/forgot-password': {
    rule: allowAnyone(200),
    request: () => createFormRequest({ email: 'nobody@example.org' }),
  },
  'GET /app/reset-password': { rule: allowAnyone(200) },
  'GET /app/unsubscribe/:token': { rule: allowAnyone(404), request: () => ({ ids: ['none'] }) },
  'POST /app/unsubscribe/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['none'], ...createFormRequest({}) }),
  },
  'POST /app/reset-password': {
    rule: allowAnyone(400),
    request: () => createFormRequest({ link: 'x', password: TEST_PASSWORD }),
  },
  'GET /app/:accountId': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/welcome': { rule: allowOnOwnPage(303), request: createUserRequest },
  'POST /app/:accountId/welcome': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({
      ...createUserRequest(cell),
      ...createFormRequest({ firstName: 'Ada', lastName: 'Lovelace' }),
    }),
  },
  'GET /app/:accountId/settings': {
    rule: allowExcept(allowOnOwnPage(200), { incomplete: 303 }),
    request: createUserRequest,
  },
  'POST /app/:accountId/settings/profile': {
    rule: allowExcept(allowFormOnOwnPage(412), { incomplete: 303 }),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/move-codes': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/move-codes': {
    rule: allowExcept(allowFormOnOwnPage(400), { incomplete: 303 }),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/organizations': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/organizations': {
    rule: allowExcept(allowFormOnOwnPage(400), { incomplete: 303 }),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/organizations/:organizationId': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId': {
    rule: allowFormOnOwnPage(400),
    request: createOrganizationFormRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/activity': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/activity/verify': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/security': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/security': {
    rule: allowFormOnOwnPage(412),
    request: createOrganizationFormRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/members': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/members/:userId': {
    rule: allowOnOwnPage(200),
    request: createMemberPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/members/:userId': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createMemberFormRequest(cell, { role: 'VIEWER' }),
  },
  'POST /app/:accountId/settings/organizations/:organizationId/members/:userId/folders': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createMemberFormRequest(cell, { limit: 'folders' }),
  },
  'POST /app/:accountId/settings/organizations/:organizationId/members/:userId/transfer-ownership': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createMemberFormRequest(cell, {}),
  },
  'GET /app/:accountId/settings/organizations/:organizationId/members/:userId/remove': {
    rule: allowOnOwnPage(200),
    request: createMemberPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/members/:userId/remove': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createMemberFormRequest(cell, {}),
  },
  'POST /app/:accountId/settings/organizations/:organizationId/delete': {
    rule: allowFormOnOwnPage(412),
    request: createOrganizationFormRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/restore': {
    rule: allowFormOnOwnPage(412),
    request: createOrganizationFormRequest,
  },
  'GET /app/:accountId/settings/organizations/:organizationId/invitations': {
    rule: allowOnOwnPage(200),
    request: createOrganizationPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/invitations': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({
      ...(await createOrganizationPageRequest(cell)),
      ...createFormRequest({ email: 'editor@example.org', role: 'EDITOR' }),
    }),
  },
  'POST /app/:accountId/settings/organizations/:organizationId/invitations/:invitationId/resend': {
    rule: allowFormOnCodePage(303),
    request: createInvitationPageRequest,
  },
  'POST /app/:accountId/settings/organizations/:organizationId/invitations/:invitationId/revoke': {
    rule: allowFormOnOwnPage(303),
    request: createInvitationPageRequest,
  },
  'POST /app/:accountId/settings/organizations/invitations/:invitationId/accept': {
    rule: allowFormOnCodePage(303),
    request: createReceivedInvitationRequest,
  },
  'POST /app/:accountId/settings/organizations/invitations/:invitationId/decline': {
    rule: allowFormOnOwnPage(303),
    request: createReceivedInvitationRequest,
  },
  // Before the sign-in it is the same for every link.
  'GET /app/invitations/:token': {
    rule: (context) =>
      UNAUTHENTICATED_CALLERS.includes(context)
        ? 200
        : allowExcept(allowOwner(200), { incomplete: 303, suspended: 404 })(context),
    request: createInvitationLinkRequest,
  },
  'POST /app/invitations/:token/accept': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({ ...(await createInvitationLinkRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/invitations/:token/decline': {
    rule: allowFormOnOwnPage(303),
    request: async (cell) => ({ ...(await createInvitationLinkRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/data': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/data/exports': {
    rule: allowFormOnOwnPage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/data/exports/:exportId': {
    rule: allowOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()] }),
  },
  'GET /app/:accountId/settings/data/accesses': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/settings/data/erase': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/data/erase': {
    rule: allowFormOnOwnPage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/notifications': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/notifications': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({ version: '0' }) }),
  },
  'POST /app/:accountId/settings/notifications/devices/:deviceId/remove': {
    rule: allowFormOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/notifications/devices/:deviceId/test': {
    rule: allowFormOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/notifications/web-push': {
    rule: allowFormOnOwnPage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/security': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/settings/security/password': {
    rule: allowFormOnOwnPage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/security/own-phones/:phoneId/remove': {
    rule: allowFormOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/security/sessions/:sessionId/end': {
    rule: allowFormOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()], ...createFormRequest({}) }),
  },
  // No provider is configured.
  'GET /app/:accountId/settings/security/identities/link': {
    rule: allowOnOwnPage(404),
    request: createUserRequest,
  },
  // Nothing was begun.
  'GET /app/link-identity': { rule: allowExcept(allowAnyone(303), { suspended: 403 }) },
  'POST /app/:accountId/settings/security/identities/:identityId/unlink': {
    rule: allowFormOnOwnPage(404),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, generateId()], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/security/second-factor': {
    rule: allowOnOwnPage(200),
    request: createUserRequest,
  },
  'POST /app/:accountId/settings/security/second-factor': {
    rule: allowFormOnOwnPage(401),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/security/second-factor/confirm': {
    rule: allowFormOnOwnPage(401),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/security/second-factor/recovery-codes': {
    rule: allowOnOwnPage(303),
    request: createUserRequest,
  },
  'POST /app/:accountId/settings/security/second-factor/recovery-codes': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/security/second-factor/off': {
    rule: allowOnOwnPage(303),
    request: createUserRequest,
  },
  'POST /app/:accountId/settings/security/second-factor/off': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/developers': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/developers/events': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/developers/keys/new': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/developers/keys': {
    rule: allowFormOnOwnPage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/developers/keys/:keyId': {
    rule: allowOnOwnPage(200),
    request: createApiKeyPageRequest,
  },
  'POST /app/:accountId/developers/keys/:keyId/rotate': {
    rule: allowFormOnOwnPage(200),
    request: createApiKeyFormRequest,
  },
  'POST /app/:accountId/developers/keys/:keyId/take-over': {
    rule: allowFormOnOwnPage(200),
    request: createApiKeyFormRequest,
  },
  'POST /app/:accountId/developers/keys/:keyId/revoke': {
    rule: allowFormOnOwnPage(303),
    request: createApiKeyFormRequest,
  },
  'GET /app/:accountId/developers/webhooks': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/developers/webhooks/new': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/developers/webhooks/receiver': {
    rule: allowOnOwnPage(200),
    request: createUserRequest,
  },
  'POST /app/:accountId/developers/webhooks': {
    rule: allowFormOnCodePage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId': {
    rule: allowOnOwnPage(200),
    request: createWebhookPageRequest(),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/edit': {
    rule: allowOnOwnPage(200),
    request: createWebhookPageRequest(),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/edit': {
    rule: allowFormOnOwnPage(400),
    request: createWebhookPageRequest({}),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/pause': {
    rule: allowFormOnOwnPage(303),
    request: createWebhookPageRequest({}),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/resume': {
    rule: allowFormOnOwnPage(303),
    request: createWebhookPageRequest({}),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/verify': {
    rule: allowFormOnOwnPage(400),
    request: createWebhookPageRequest({}),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/secret': {
    rule: allowOnOwnPage(200),
    request: createWebhookPageRequest(),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/secret': {
    rule: allowFormOnOwnPage(200),
    request: createWebhookPageRequest({}),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/delete': {
    rule: allowOnOwnPage(200),
    request: createWebhookPageRequest(),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/delete': {
    rule: allowFormOnOwnPage(303),
    request: createOwnPageRequest(createWebhookEndpointRequest, {}),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/test': {
    rule: allowFormOnOwnPage(303),
    request: createWebhookPageRequest({}),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/replay': {
    rule: allowOnOwnPage(200),
    request: createWebhookPageRequest(),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/replay': {
    rule: allowFormOnOwnPage(303),
    request: createWebhookPageRequest({}),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/deliveries/:eventId': {
    rule: allowOnOwnPage(200),
    request: createDeliveryPageRequest(),
  },
  'GET /app/:accountId/developers/webhooks/:endpointId/deliveries/:eventId/updates': {
    rule: allowOnOwnPage(200),
    request: createDeliveryPageRequest(),
  },
  'POST /app/:accountId/developers/webhooks/:endpointId/deliveries/:eventId/replay': {
    rule: allowFormOnOwnPage(303),
    request: createDeliveryPageRequest({}),
  },
  'GET /app/:accountId/inbox': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/inbox/updates': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/inbox/:id': { rule: allowOnOwnPage(200), request: createInboxRequest },
  'GET /app/:accountId/inbox/:id/updates': { rule: allowOnOwnPage(200), request: createInboxRequest },
  'POST /app/:accountId/inbox/:id/typing': {
    rule: allowFormOnOwnPage(204),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/reply': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: (cell) => createInboxFormRequest(cell, { message: 'Thank you!' }),
  },
  'POST /app/:accountId/inbox/:id/found': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/still-lost': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/done': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/not-done': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/assign': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell, { assignee: '' }),
  },
  'POST /app/:accountId/inbox/:id/notes': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell, { 'note-text': 'At the gate.' }),
  },
  'POST /app/:accountId/inbox/:id/notes/:noteId': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createNoteFormRequest(cell, true),
  },
  'POST /app/:accountId/inbox/:id/notes/:noteId/delete': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createNoteFormRequest(cell, false),
  },
  'POST /app/:accountId/inbox/:id/end': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/reopen': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/block': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/unblock': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell),
  },
  'POST /app/:accountId/inbox/:id/report': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => createInboxFormRequest(cell, { category: 'SPAM' }),
  },
  'GET /app/notifications/:id': {
    rule: allowOnOwnPage(303),
    request: createNotificationRequest,
  },
  'GET /app/:accountId/notifications': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/notifications/:id': {
    rule: allowOnOwnPage(200),
    request: createNotificationPageRequest,
  },
  'GET /app/:accountId/notifications/:id/invoice': {
    rule: allowOnOwnPage(404),
    request: createNotificationPageRequest,
  },
  'POST /app/:accountId/notifications/:id/read': {
    rule: allowFormOnOwnPage(303),
    request: async (cell) => ({ ...(await createNotificationPageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/notifications/read-all': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/staff': { rule: allowOnStaffPage(['SUPPORT', 'AUDITOR', 'ADMIN'], 303) },
  'GET /app/staff/reports': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'GET /app/staff/reports/:id': {
    rule: allowOnStaffPage(['ADMIN'], 200),
    request: createTakenDownCodeRequest,
  },
  // Before it is decided.
  'GET /app/staff/codes/:id/page': {
    rule: allowOnStaffPage(['ADMIN'], 200),
    request: createTakenDownCodeRequest,
  },
  'POST /app/staff/reports/:id/takedown': {
    rule: allowFormOnStaffPage(['ADMIN'], 400),
    request: async (cell) => ({ ...(await createTakenDownCodeRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/staff/reports/:id/dismiss': {
    rule: allowFormOnStaffPage(['ADMIN'], 409),
    request: async (cell) => ({ ...(await createTakenDownCodeRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/staff/reports/:id/reinstate': {
    rule: allowFormOnStaffPage(['ADMIN'], 303),
    request: async (cell) => ({ ...(await createTakenDownCodeRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/staff/codes/:id/pictures/:pictureId': {
    rule: allowOnStaffPage(['ADMIN'], 404),
    request: async (cell) => ({ ids: [...(await createTakenDownCodeRequest(cell)).ids, generateId()] }),
  },
  'GET /app/staff/appeals': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'GET /app/staff/appeals/:id': {
    rule: allowOnStaffPage(['ADMIN'], 200),
    request: createAppealRequest,
  },
  'POST /app/staff/appeals/:id/decision': {
    rule: allowFormOnStaffPage(['ADMIN'], 400),
    request: async (cell) => ({ ...(await createAppealRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/staff/conversation-reports': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'GET /app/staff/conversation-reports/:id': {
    rule: allowOnStaffPage(['ADMIN'], 200),
    request: createReportRequest,
  },
  'POST /app/staff/conversation-reports/:id/decision': {
    // Without a decision: the report is decided by the operation of the API.
    rule: allowFormOnStaffPage(['ADMIN'], 400),
    request: async (cell) => ({ ...(await createReportRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/staff/users': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'GET /app/staff/find': { rule: allowOnStaffPage(['SUPPORT'], 200) },
  'GET /app/staff/users/:userId': {
    rule: allowOnStaffPage(['SUPPORT', 'ADMIN'], 200),
    request: createUserRequest,
  },
  'POST /app/staff/users/:userId/status': {
    rule: allowFormOnStaffPage(['ADMIN'], 303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({ status: 'ACTIVE' }) }),
  },
  'POST /app/staff/users/:userId/role': {
    rule: allowFormOnStaffPage(['ADMIN'], 303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({ role: 'USER' }) }),
  },
  'POST /app/staff/users/:userId/enterprise': {
    rule: allowFormOnStaffPage(['ADMIN'], 303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({ on: 'no' }) }),
  },
  'POST /app/staff/users/:userId/sessions': {
    rule: allowFormOnStaffPage(['ADMIN'], 303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/staff/users/:userId/second-factor': {
    rule: allowFormOnStaffPage(['ADMIN'], 409),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/staff/users/:userId/activation': {
    rule: allowFormOnStaffPage(['ADMIN'], 409),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/staff/jobs': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'POST /app/staff/jobs/:id/retry': {
    rule: allowFormOnStaffPage(['ADMIN'], 404),
    request: () => ({ ...createAbsentJobRequest(), ...createFormRequest({}) }),
  },
  'POST /app/staff/jobs/:id/dismiss': {
    rule: allowFormOnStaffPage(['ADMIN'], 404),
    request: () => ({ ...createAbsentJobRequest(), ...createFormRequest({}) }),
  },
  'GET /app/staff/audit': { rule: allowOnStaffPage(['AUDITOR', 'ADMIN'], 200) },
  'GET /app/staff/audit/export': { rule: allowOnStaffPage(['AUDITOR', 'ADMIN'], 200) },
  'GET /app/staff/audit/sealed': { rule: allowOnStaffPage(['AUDITOR', 'ADMIN'], 200) },
  'GET /app/staff/audit/verify': { rule: allowOnStaffPage(['AUDITOR', 'ADMIN'], 200) },
  'GET /app/staff/break-glass': { rule: allowOnStaffPage(['AUDITOR', 'ADMIN'], 200) },
  'POST /app/staff/break-glass': {
    rule: allowFormOnStaffPage(['ADMIN'], 404),
    request: () =>
      createFormRequest({ resourceType: 'QRCODE', resourceId: generateId(), reason: 'an emergency' }),
  },
  'POST /app/staff/break-glass/:id/end': {
    rule: allowFormOnStaffPage(['ADMIN'], 404),
    request: () => ({ ids: [generateId()], ...createFormRequest({}) }),
  },
  'GET /app/staff/break-glass/codes/:id': {
    rule: allowOnStaffPage(['ADMIN'], 404),
    request: createCodeRequest,
  },
  'GET /app/staff/break-glass/scans/:id': {
    rule: allowOnStaffPage(['ADMIN'], 404),
    request: createScanRequest,
  },
  'GET /app/staff/packages': { rule: allowOnStaffPage(['ADMIN'], 200) },
  'GET /app/staff/packages/:id': {
    rule: allowOnStaffPage(['ADMIN'], 200),
    request: createPackageRequest,
  },
  'POST /app/staff/packages/:id': {
    rule: allowFormOnStaffPage(['ADMIN'], 400),
    request: () => ({ ...createPackageRequest(), ...createFormRequest({}) }),
  },
  'GET /app/reports': { rule: allowExcept(allowAnyone(303), { suspended: 403 }) },
  'GET /app/:accountId/reports': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/reports/scans': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/reports/scans.csv': { rule: allowOnOwnPage(200), request: createUserRequest },
  'GET /app/:accountId/codes': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/codes/export': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/palette': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/lost': { rule: allowOnCodePage(200), request: createUserRequest },
  // It leads to the inbox, which has none of a code of somebody else.
  'GET /app/:accountId/codes/:id/messages': { rule: allowOnOwnPage(303), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/settings': {
    rule: allowOnCodePage(200),
    request: createCodePageRequest,
  },
  'POST /app/:accountId/codes/:id/settings': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest({ notifyOn: 'NEVER' }),
  },
  'GET /app/:accountId/codes/:id': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/pictures/:pictureId': {
    rule: allowOnCodePage(200),
    request: async (cell) => ({
      ids: [cell.accounts.owner.id, ...(await createCodePictureRequest(cell)).ids],
      query: 'w=320',
    }),
  },
  'GET /app/claim/:id': {
    rule: (context) =>
      UNAUTHENTICATED_CALLERS.includes(context)
        ? 303
        : allowExcept(allowAnyone(200), { incomplete: 303 })(context),
    request: async (cell) => ({ ids: [await cell.things.unclaimedTag(cell)] }),
  },
  'POST /app/claim/:id': {
    rule: allowExcept(allowAnyUser(303), { incomplete: 303 }),
    request: async (cell) => ({
      ids: [await cell.things.unclaimedTag(cell)],
      ...createFormRequest({ name: 'Backpack' }),
    }),
  },
  'POST /app/claim/:id/undo': {
    rule: allowExcept(allowAnyUser(404), { incomplete: 303 }),
    request: async (cell) => ({ ids: [await cell.things.unclaimedTag(cell)], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/batches': { rule: allowOnOwnPage(200), request: createUserRequest },
  'POST /app/:accountId/batches': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: async (cell) => {
      await endBatches(cell);
      const form = createFormRequest({ kind: 'LUGGAGE', prefix: 'Suitcase', count: '1', claim: 'OPEN' });
      return { ids: [cell.accounts.owner.id], ...form };
    },
  },
  'GET /app/:accountId/batches/:id': { rule: allowOnOwnPage(200), request: createBatchPageRequest },
  'GET /app/:accountId/batches/:id/updates': {
    rule: allowOnOwnPage(200),
    request: createBatchPageRequest,
  },
  'GET /app/:accountId/batches/:id/export': {
    rule: allowOnOwnPage(200),
    request: createBatchPageRequest,
  },
  'GET /app/:accountId/batches/:id/images': {
    rule: allowOnOwnPage(200),
    request: createBatchPageRequest,
  },
  'POST /app/:accountId/batches/:id/cancel': {
    rule: allowFormOnOwnPage(303),
    request: async (cell) => ({ ...(await createBatchPageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/batches/:id/tags': {
    rule: allowFormOnOwnPage(303),
    request: async (cell) => ({
      ...(await createBatchPageRequest(cell)),
      ...createFormRequest({ from: '1', to: '1' }),
    }),
  },
  'POST /app/:accountId/batches/:id/delete': {
    rule: allowFormOnOwnPage(303),
    request: async (cell) => ({ ...(await createBatchPageRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/matching': { rule: allowOnCodePage(200), request: createUserRequest },
  // The page counted other codes, or none.
  'POST /app/:accountId/codes/matching/change': {
    rule: allowFormOnCodePage(409),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id],
      ...createFormRequest({ change: 'notifications', notifyOn: 'NEVER' }),
    }),
  },
  'POST /app/:accountId/codes/matching/pause': {
    rule: allowFormOnCodePage(409),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/matching/resume': {
    rule: allowFormOnCodePage(409),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/matching/delete': {
    rule: allowFormOnCodePage(409),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/:id/page': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'POST /app/:accountId/codes/:id/page': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({
      ...(await createCodePageRequest(cell)),
      ...createFormRequest({ reset: '1' }),
    }),
  },
  'POST /app/:accountId/codes/:id/page/preview': {
    rule: allowFormOnCodePage(200),
    request: async (cell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/page/pictures': {
    rule: allowFormOnCodePage(400),
    request: async (cell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/print': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/print/calibration': { rule: allowOnCodePage(200), request: createUserRequest },
  'POST /app/:accountId/print': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({
      ...createUserRequest(cell),
      ...createFormRequest({ ids: await cell.things.code(cell) }),
    }),
  },
  'GET /app/:accountId/print/:id': { rule: allowOnCodePage(200), request: createPrintSheetPageRequest },
  'GET /app/:accountId/print/:id/updates': {
    rule: allowOnCodePage(200),
    request: createPrintSheetPageRequest,
  },
  // It has failed.
  'GET /app/:accountId/print/:id/content': {
    rule: allowOnCodePage(409),
    request: createPrintSheetPageRequest,
  },
  'POST /app/:accountId/print/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({ ...(await createPrintSheetPageRequest(cell)), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/:id/print': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/phone': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/phone/updates': {
    rule: allowOnCodePage(200),
    request: createCodePageRequest,
  },
  'POST /app/:accountId/codes/:id/phone': {
    rule: allowFormOnCodePage(200),
    request: createCodeFormRequest(),
  },
  'POST /app/:accountId/first-steps/hide': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/:id/practice': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/practice/page': {
    rule: allowOnCodePage(200),
    request: createCodePageRequest,
  },
  'POST /app/:accountId/codes/:id/practice': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  'GET /app/:accountId/codes/:id/image/:format': {
    rule: allowOnCodePage(200),
    request: async (cell) => ({ ids: [...(await createCodePageRequest(cell)).ids, 'svg'] }),
  },
  'GET /app/:accountId/codes/:id/scans': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/scans/updates': {
    rule: allowOnCodePage(200),
    request: createCodePageRequest,
  },
  'GET /app/:accountId/codes/:id/scans/:scanId': {
    rule: allowOnCodePage(200),
    request: createScanPageRequest,
  },
  'GET /app/:accountId/codes/:id/poster': { rule: allowOnCodePage(409), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/history': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'GET /app/:accountId/codes/:id/lost': { rule: allowOnCodePage(200), request: createCodePageRequest },
  'POST /app/:accountId/codes/:id/lost': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest({ reward: '5 EUR' }),
  },
  'GET /app/:accountId/codes/:id/takedown': {
    rule: allowOnCodePage(200),
    request: createTakedownPageRequest,
  },
  // Without a text.
  'POST /app/:accountId/codes/:id/takedown': {
    rule: allowFormOnCodePage(400),
    request: async (cell) => ({ ...(await createTakedownPageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/found': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  'POST /app/:accountId/codes/:id/undo-found': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  'POST /app/:accountId/codes/:id/pause': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  'POST /app/:accountId/codes/:id/resume': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  'POST /app/:accountId/codes/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: createCodeFormRequest(),
  },
  // Without a document.
  'GET /app/:accountId/codes/:id/documents': {
    rule: allowOnCodePage(200),
    request: createDocumentCodePageRequest,
  },
  'POST /app/:accountId/codes/:id/documents': {
    rule: allowFormOnCodePage(404),
    request: createOwnPageRequest(createCodeRequest, {}),
  },
  'POST /app/:accountId/codes/:id/restore': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({
      ids: [cell.accounts.owner.id, await cell.things.deletedCode(cell)],
      ...createFormRequest({}),
    }),
  },
  'GET /app/start': { rule: allowSignedOut(200) },
  'GET /app/start/:kind': { rule: allowAnyone(200), request: () => ({ ids: ['pet'] }) },
  'POST /app/start/:kind': {
    rule: allowAnyone(303),
    request: () => ({ ids: ['text'], ...createFormRequest({ 'data.text': 'Water me' }) }),
  },
  'GET /app/start/photo': { rule: allowAnyone(404) },
  // Without a draft of this kind.
  'GET /app/start/:kind/photo': { rule: allowAnyone(303), request: () => ({ ids: ['pet'] }) },
  'POST /app/start/:kind/photo': {
    rule: allowAnyone(303),
    request: () => ({ ids: ['pet'], ...createFormRequest({}) }),
  },
  'GET /app/start/:kind/preview': { rule: allowAnyone(200), request: () => ({ ids: ['pet'] }) },
  'POST /app/start/:kind/preview': {
    rule: allowAnyone(200),
    request: () => ({ ids: ['text'], ...createFormRequest({ 'data.text': 'Water me' }) }),
  },
  'GET /app/:accountId/start': {
    rule: allowExcept(allowOnOwnPage(303), { incomplete: 303 }),
    request: createUserRequest,
  },
  'POST /app/:accountId/start': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/imports': { rule: allowOnOwnPage(200), request: createUserRequest },
  // No file.
  'POST /app/:accountId/imports': {
    rule: allowExcept(allowFormOnOwnPage(400), { incomplete: 303 }),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/imports/:id': { rule: allowOnOwnPage(200), request: createImportPageRequest },
  'GET /app/:accountId/imports/:id/updates': { rule: allowOnOwnPage(200), request: createImportPageRequest },
  // It has ended, and rejected no row.
  'POST /app/:accountId/imports/:id/cancel': {
    rule: allowFormOnOwnPage(303),
    request: createImportFormRequest,
  },
  'POST /app/:accountId/imports/:id/corrections': {
    rule: allowExcept(allowFormOnOwnPage(404), { incomplete: 303 }),
    request: createImportFormRequest,
  },
  'GET /app/:accountId/imports/:id/rejected-rows': {
    rule: allowOnOwnPage(404),
    request: createImportPageRequest,
  },
  // It is no draft.
  'GET /app/:accountId/imports/:id/columns': { rule: allowOnOwnPage(404), request: createImportPageRequest },
  'POST /app/:accountId/imports/:id/mapping': {
    rule: allowExcept(allowFormOnOwnPage(404), { incomplete: 303 }),
    request: createImportFormRequest,
  },
  'GET /app/:accountId/imports/:id/check': { rule: allowOnOwnPage(404), request: createImportPageRequest },
  'POST /app/:accountId/imports/:id/start': {
    rule: allowExcept(allowFormOnOwnPage(404), { incomplete: 303 }),
    request: createImportFormRequest,
  },
  'POST /app/:accountId/imports/:id/discard': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: createImportFormRequest,
  },
  'GET /app/:accountId/codes/folders': { rule: allowOnCodePage(200), request: createUserRequest },
  'POST /app/:accountId/codes/folders': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id],
      ...createFormRequest({ name: `Dogs ${generateId()}`, color: 'BLUE' }),
    }),
  },
  'GET /app/:accountId/codes/folders/:id': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createFolderRequest),
  },
  'POST /app/:accountId/codes/folders/:id/change': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => ({
      ...(await createOwnPageRequest(createFolderRequest)(cell)),
      ...createFormRequest({ name: `Pets ${generateId()}`, color: 'RED' }),
    }),
  },
  'POST /app/:accountId/codes/folders/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createFolderRequest, {}),
  },
  'POST /app/:accountId/codes/folders/:id/restore': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(async (cell) => ({ ids: [await cell.things.deletedFolder(cell)] }), {}),
  },
  'POST /app/:accountId/codes/views': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id],
      ...createFormRequest({ name: 'Dogs', kind: 'PET' }),
    }),
  },
  'POST /app/:accountId/codes/views/:id/rename': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createSavedViewRequest, { name: 'Pets' }),
  },
  'POST /app/:accountId/codes/views/:id/move': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createSavedViewRequest, { direction: 'up' }),
  },
  'POST /app/:accountId/codes/views/:id/filters': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createSavedViewRequest, { kind: 'PET' }),
  },
  'POST /app/:accountId/codes/views/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createSavedViewRequest, {}),
  },
  'POST /app/:accountId/codes/views/:id/restore': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(async (cell) => ({ ids: [await cell.things.deletedSavedView(cell)] }), {}),
  },
  'POST /app/:accountId/codes/selected/pause': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/selected/resume': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/selected/delete': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/selected/restore': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/deleted': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/codes/selected': {
    rule: allowOnCodePage(200),
    request: async (cell) => {
      const [accountId = '', id] = (await createCodePageRequest(cell)).ids;
      return { ids: [accountId], query: `ids=${id}` };
    },
  },
  'POST /app/:accountId/codes/selected/edit': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/selected/change': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id],
      ...createFormRequest({ change: 'notifications', notifyOn: 'NEVER' }),
    }),
  },
  'POST /app/:accountId/codes/selected/move': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/selected/print': {
    rule: allowFormOnCodePage(303),
    request: ({ accounts }) => ({ ids: [accounts.owner.id], ...createFormRequest({}) }),
  },
  'GET /app/:accountId/codes/new': {
    rule: allowExcept(allowOnOwnPage(200), { incomplete: 303 }),
    request: createUserRequest,
  },
  'GET /app/:accountId/codes/new/:kind': {
    rule: allowExcept(allowOnOwnPage(200), { incomplete: 303 }),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, 'pet'] }),
  },
  'POST /app/:accountId/codes/new/:kind': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id, 'text'],
      ...createFormRequest({ 'data.text': 'Water me' }),
    }),
  },
  'GET /app/:accountId/codes/new/:kind/preview': {
    rule: allowExcept(allowOnOwnPage(200), { incomplete: 303 }),
    request: ({ accounts }) => ({ ids: [accounts.owner.id, 'pet'] }),
  },
  'POST /app/:accountId/codes/new/:kind/preview': {
    rule: allowExcept(allowFormOnOwnPage(200), { incomplete: 303 }),
    request: ({ accounts }) => ({
      ids: [accounts.owner.id, 'text'],
      ...createFormRequest({ 'data.text': 'Water me' }),
    }),
  },
  'GET /app/:accountId/codes/:id/content': {
    rule: allowExcept(allowOnOwnPage(200), { incomplete: 303 }),
    request: createCodePageRequest,
  },
  'POST /app/:accountId/codes/:id/content': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: async (cell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/preview': {
    rule: allowExcept(allowFormOnOwnPage(200), { incomplete: 303 }),
    request: async (cell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/pin': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: async (cell) => ({
      ...(await createCodePageRequest(cell)),
      ...createFormRequest({ pin: '2468' }),
    }),
  },
  'POST /app/:accountId/codes/:id/pictures': {
    rule: allowExcept(allowFormOnOwnPage(400), { incomplete: 303 }),
    request: async (cell) => ({ ...(await createCodePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/pictures/:pictureId': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: async (cell) => ({ ...(await createCodePicturePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/pictures/:pictureId/delete': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: async (cell) => ({ ...(await createCodePicturePageRequest(cell)), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/codes/:id/pictures/:pictureId/restore': {
    rule: allowExcept(allowFormOnOwnPage(303), { incomplete: 303 }),
    request: createOwnPageRequest(createDeletedCodePictureRequest, {}),
  },
  'GET /app/:accountId/documents': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/documents/new': { rule: allowOnCodePage(200), request: createUserRequest },
  'POST /app/:accountId/documents': {
    rule: allowFormOnCodePage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/documents/received': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/documents/received/:grantId/content': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createReceivedDocumentRequest),
  },
  'POST /app/:accountId/documents/received/:grantId/decline': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createReceivedDocumentRequest, {}),
  },
  'GET /app/:accountId/documents/:id': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'GET /app/:accountId/documents/:id/content': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'GET /app/:accountId/documents/:id/versions': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'GET /app/:accountId/documents/:id/versions/new': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'POST /app/:accountId/documents/:id/versions': {
    rule: allowFormOnCodePage(400),
    request: createOwnPageRequest(createDocumentRequest, {}),
  },
  'POST /app/:accountId/documents/:id/versions/:number/restore': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => {
      const { ids, ...form } = await createOwnPageRequest(createDocumentRequest, {})(cell);
      return { ids: [...ids, '1'], ...form };
    },
  },
  'POST /app/:accountId/documents/:id/versions/:number/delete': {
    rule: allowFormOnCodePage(303),
    request: async (cell) => {
      const { ids, ...form } = await createOwnPageRequest(createDocumentRequest, {})(cell);
      return { ids: [...ids, '1'], ...form };
    },
  },
  'GET /app/:accountId/documents/:id/accesses': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'GET /app/:accountId/documents/:id/details': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest),
  },
  'POST /app/:accountId/documents/:id/details': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDocumentRequest, { title: 'Lease' }),
  },
  'GET /app/:accountId/documents/deleted': { rule: allowOnCodePage(200), request: createUserRequest },
  'POST /app/:accountId/documents/:id/restore': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(
      async (cell: AccessCell) => ({ ids: [await cell.things.deletedDocument(cell)] }),
      {},
    ),
  },
  'POST /app/:accountId/documents/:id/purge': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDocumentRequest, {}),
  },
  'POST /app/:accountId/documents/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDocumentRequest, {}),
  },
  'POST /app/:accountId/documents/:id/shares': {
    rule: allowFormOnCodePage(200),
    request: createOwnPageRequest(createDocumentRequest, {}),
  },
  'POST /app/:accountId/documents/:id/shares/:shareId/end': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createShareRequest, {}),
  },
  'POST /app/:accountId/documents/:id/grants': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDocumentRequest, { email: 'reader@example.org' }),
  },
  'POST /app/:accountId/documents/:id/grants/:grantId/revoke': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createGrantRequest, {}),
  },
  'GET /app/subscription/checkout/done': { rule: allowSignedOut(200) },
  'GET /app/subscription/checkout/back': { rule: allowSignedOut(200) },
  'GET /app/subscription/portal/back': { rule: allowSignedOut(200) },
  'GET /app/:accountId/settings/plan': { rule: allowOnCodePage(200), request: createUserRequest },
  // Without a choice.
  'POST /app/:accountId/settings/plan/checkout': {
    rule: allowFormOnCodePage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/settings/plan/change': { rule: allowOnCodePage(400), request: createUserRequest },
  'POST /app/:accountId/settings/plan/change': {
    rule: allowFormOnCodePage(400),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  // Nothing was bought, and the subscription has ended.
  'POST /app/:accountId/settings/plan/portal': {
    rule: allowFormOnCodePage(409),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/settings/plan/:subscriptionId/cancel': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createSubscriptionRequest, {}),
  },
  'POST /app/:accountId/settings/plan/:subscriptionId/keep': {
    rule: allowFormOnCodePage(409),
    request: createOwnPageRequest(createSubscriptionRequest, {}),
  },
  'GET /app/:accountId/settings/plan/invoices/:invoiceId': {
    rule: allowOnCodePage(303),
    request: createOwnPageRequest(createInvoiceRequest),
  },
  'POST /app/:accountId/settings/security/sessions/end-others': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'POST /app/:accountId/reports/schedule': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({
      ...createUserRequest(cell),
      ...createFormRequest({ frequency: 'WEEKLY', hour: '8' }),
    }),
  },
  'POST /app/:accountId/reports/schedule/end': {
    rule: allowFormOnOwnPage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({}) }),
  },
  'GET /app/:accountId/memorials': { rule: allowOnCodePage(200), request: createUserRequest },
  'GET /app/:accountId/memorials/new': { rule: allowOnCodePage(200), request: createUserRequest },
  'POST /app/:accountId/memorials': {
    rule: allowFormOnCodePage(303),
    request: (cell) => ({ ...createUserRequest(cell), ...createFormRequest({ name: 'Ada' }) }),
  },
  'GET /app/:accountId/memorials/:id': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createMemoryTagRequest),
  },
  'POST /app/:accountId/memorials/:id': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, { name: 'Ada' }),
  },
  'POST /app/:accountId/memorials/:id/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, {}),
  },
  'GET /app/:accountId/memorials/:id/places': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createMemoryTagRequest),
  },
  'POST /app/:accountId/memorials/:id/places': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, { label: 'London' }),
  },
  'POST /app/:accountId/memorials/:id/places/order': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, { index: '0', action: 'remove' }),
  },
  // Its owner is no caretaker.
  'POST /app/:accountId/memorials/:id/leave': {
    rule: allowFormOnCodePage(404),
    request: createOwnPageRequest(createMemoryTagRequest, {}),
  },
  'GET /app/:accountId/memorials/:id/guest-book': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createMemoryTagRequest),
  },
  'POST /app/:accountId/memorials/:id/guest-book': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, { state: 'APPROVED' }),
  },
  'POST /app/:accountId/memorials/:id/guest-book/:entryId/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createGuestBookEntryRequest, {}),
  },
  'POST /app/:accountId/memorials/:id/guest-book/:entryId/restore': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDeletedEntryRequest, {}),
  },
  'GET /app/:accountId/memorials/:id/caretakers': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createMemoryTagRequest),
  },
  'POST /app/:accountId/memorials/:id/caretakers': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createMemoryTagRequest, { email: 'caretaker@example.org' }),
  },
  'POST /app/:accountId/memorials/:id/caretakers/:caretakerId/remove': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createCaretakerRequest, {}),
  },
  'GET /app/:accountId/memorials/:id/pictures': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createMemoryTagRequest),
  },
  'GET /app/:accountId/memorials/:id/pictures/:pictureId': {
    rule: allowOnCodePage(200),
    request: createOwnPageRequest(createPictureRequest),
  },
  'POST /app/:accountId/memorials/:id/pictures': {
    rule: allowFormOnCodePage(400),
    request: createOwnPageRequest(createMemoryTagRequest, {}),
  },
  'POST /app/:accountId/memorials/:id/pictures/:pictureId': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createPictureRequest, {}),
  },
  'POST /app/:accountId/memorials/:id/pictures/:pictureId/restore': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createDeletedPictureRequest, {}),
  },
  'POST /app/:accountId/memorials/:id/pictures/:pictureId/delete': {
    rule: allowFormOnCodePage(303),
    request: createOwnPageRequest(createPictureRequest, {}),
  },
  [`GET /app/${PAGE_SCRIPT_PATH}`]: { rule: allowAnyone(200) },
  'POST /app/read-photo': { rule: allowAnyone(400) },
  'GET /app/service-worker.js': { rule: allowAnyone(200) },
  'GET /app/*': { rule: allowAnyone(404), request: () => ({ ids: ['no/page'] }) },
  'GET /s/:id': { rule: allowAnyone(200), request: createCodeRequest },
  'GET /s/:id/pin': { rule: allowAnyone(302), request: createCodeRequest },
  'POST /s/:id/pin': { rule: allowAnyone(403), request: createCodeRequest },
  'GET /s/:id/report': { rule: allowAnyone(200), request: createCodeRequest },
  'POST /s/:id/report': { rule: allowAnyone(403), request: createCodeRequest },
  'GET /s/:id/message': { rule: allowAnyone(302), request: createCodeRequest },
  'POST /s/:id/message': { rule: allowAnyone(403), request: createCodeRequest },
  'GET /s/:id/location': { rule: allowAnyone(302), request: createCodeRequest },
  'POST /s/:id/location': { rule: allowAnyone(403), request: createCodeRequest },
  'GET /s/:id/guest-book': { rule: allowAnyone(302), request: createCodeRequest },
  'POST /s/:id/guest-book': { rule: allowAnyone(403), request: createCodeRequest },
  'GET /s/:id/story': { rule: allowAnyone(404), request: () => ({ ids: [generateId()] }) },
  'POST /s/:id/story': { rule: allowAnyone(404), request: () => ({ ids: [generateId()] }) },
  'GET /s/:id/entries': { rule: allowAnyone(404), request: () => ({ ids: [generateId()] }) },
  'POST /s/:id/entries': { rule: allowAnyone(404), request: () => ({ ids: [generateId()] }) },
  'GET /s/:id/entries/:entry': { rule: allowAnyone(404), request: createEntryPageRequest },
  'POST /s/:id/entries/:entry/withdraw': { rule: allowAnyone(404), request: createEntryPageRequest },
  'GET /s/position.js': { rule: allowAnyone(200) },
  'GET /s/conversation.js': { rule: allowAnyone(200) },
  'GET /s/copy.js': { rule: allowAnyone(200) },
  'GET /s/:id/pictures': { rule: allowAnyone(404), request: createCodeRequest },
  'GET /s/:id/pictures/:pictureId': {
    rule: allowAnyone(404),
    request: async (cell) => ({ ids: [await cell.things.code(cell), generateId()] }),
  },
  'GET /s/:id/contact.vcf': { rule: allowAnyone(404), request: createCodeRequest },
  'POST /s/:id/contact.vcf': { rule: allowAnyone(404), request: createCodeRequest },
  'GET /s/:id/event.ics': { rule: allowAnyone(404), request: createCodeRequest },
  'POST /s/:id/event.ics': { rule: allowAnyone(404), request: createCodeRequest },
  'GET /s/:id/c/:conversation': { rule: allowAnyone(404), request: createConversationPageRequest },
  'GET /s/:id/c/:conversation/updates': { rule: allowAnyone(404), request: createConversationPageRequest },
  'POST /s/:id/c/:conversation': { rule: allowAnyone(404), request: createConversationPageRequest },
  'POST /s/:id/c/:conversation/end': { rule: allowAnyone(404), request: createConversationPageRequest },
  'POST /s/:id/c/:conversation/forget-email': {
    rule: allowAnyone(404),
    request: createConversationPageRequest,
  },
  'POST /s/:id/c/:conversation/block': { rule: allowAnyone(404), request: createConversationPageRequest },
  'POST /s/:id/c/:conversation/report': { rule: allowAnyone(404), request: createConversationPageRequest },
  'GET /s/d': { rule: allowAnyone(200) },
  'POST /s/d': {
    rule: allowAnyone(404),
    request: () => createFormRequest({ link: generateRandomAlphanumeric(43) }),
  },
  'GET /s/d/token.js': { rule: allowAnyone(200) },
  // Without the cookie of its link.
  'GET /s/d/:share': { rule: allowAnyone(404), request: createSharePageRequest },
  'POST /s/d/:share/open': {
    rule: allowAnyone(404),
    request: async (cell) => ({ ...(await createSharePageRequest(cell)), ...createFormRequest({}) }),
  },
  // A form without a visit starts a new one.
  'POST /s/:id/documents/:share': {
    rule: allowAnyone(303),
    request: async (cell) => ({
      ids: [await cell.things.code(cell), ...(await createSharePageRequest(cell)).ids],
      ...createFormRequest({}),
    }),
  },
  'GET /s/o/:link': { rule: allowAnyone(404), request: () => ({ ids: [generateId()] }) },
  'POST /s/o/:link/found': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'POST /s/o/:link/undo-found': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'POST /s/o/:link/pause': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'POST /s/o/:link/resume': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'POST /s/o/:link/approve': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'POST /s/o/:link/hide': { rule: allowAnyone(404), request: createOwnerLinkRequest },
  'GET /s/test/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: [generateRandomAlphanumeric(43)] }),
  },
  'POST /s/test/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: [generateRandomAlphanumeric(43)], ...createFormRequest({}) }),
  },

  'POST /api/conversations/public': {
    rule: allowAnyone(403),
    request: async (cell) => ({ body: { scanId: await cell.things.scan(cell), message: 'Found.' } }),
  },
  'POST /api/conversations/public/check': {
    rule: allowAnyone(200),
    request: () => ({ body: { message: 'x' } }),
  },
  'GET /api/conversations/public/:id/messages': {
    rule: allowAnyone(403),
    request: createConversationRequest,
  },
  'POST /api/conversations/public/:id/messages': {
    rule: allowAnyone(403),
    request: async (cell) => ({ ...(await createConversationRequest(cell)), body: { message: 'Found.' } }),
  },
  'DELETE /api/conversations/public/:id/email': {
    rule: allowAnyone(403),
    request: createConversationRequest,
  },
  'POST /api/conversations/public/:id/read': { rule: allowAnyone(403), request: createConversationRequest },
  'POST /api/conversations/public/:id/end': { rule: allowAnyone(403), request: createConversationRequest },
  // Without an upgrade there is no socket. Authentication happens on the socket.
  'GET /api/realtime': { rule: allowAnyone(400) },
  'POST /api/conversations/public/:id/report': {
    rule: allowAnyone(403),
    request: async (cell) => ({ ...(await createConversationRequest(cell)), body: { category: 'SPAM' } }),
  },
  'POST /api/conversations/:id/report': {
    rule: allowOwner(201),
    request: async (cell) => ({ ...(await createConversationRequest(cell)), body: { category: 'SPAM' } }),
  },
  'GET /api/conversations': { rule: allowAnyUser(200) },
  'GET /api/conversations/assignees': { rule: allowAnyUser(200) },
  'GET /api/conversations/:id': { rule: allowOwner(200), request: createConversationRequest },
  'PATCH /api/conversations/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createConversationRequest(cell)), body: { done: true } }),
  },
  'GET /api/conversations/:id/messages': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/messages': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({
      ...(await createConversationRequest(cell)),
      body: { message: 'Thank you.' },
    }),
  },
  'GET /api/conversations/:id/notes': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/notes': {
    rule: allowOwner(201),
    request: async (cell) => ({ ...(await createConversationRequest(cell)), body: { text: 'At the gate.' } }),
  },
  'PATCH /api/conversations/:id/notes/:noteId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createNoteRequest(cell)), body: { text: 'At the gate.' } }),
  },
  'DELETE /api/conversations/:id/notes/:noteId': { rule: allowOwner(200), request: createNoteRequest },
  'POST /api/conversations/:id/read': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/end': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/block': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/reopen': { rule: allowOwner(200), request: createConversationRequest },
  'POST /api/conversations/:id/unblock': { rule: allowOwner(200), request: createConversationRequest },
  'GET /api/notifications': { rule: allowAnyUser(200) },
  'GET /api/notifications/unread-count': { rule: allowAnyUser(200) },
  'GET /api/notifications/:id': { rule: allowOwner(200), request: createNotificationRequest },
  'PATCH /api/notifications/:id/read': { rule: allowOwner(200), request: createNotificationRequest },
  'POST /api/notifications/read-all': { rule: allowAnyUser(200) },
  'DELETE /api/notifications/:id': { rule: allowOwner(200), request: createNotificationRequest },
  'GET /api/notifications/preferences': { rule: allowAnyUser(200) },
  'PUT /api/notifications/preferences': {
    rule: allowAnyUser(200),
    request: () => ({ body: { digest: 'NEVER' } }),
  },
  'PATCH /api/notifications/preferences': {
    rule: allowAnyUser(200),
    request: () => ({ body: { digest: 'NEVER' } }),
  },
  'GET /api/notifications/unsubscribe/:token': { rule: allowAnyone(404), request: () => ({ ids: ['none'] }) },
  'POST /api/notifications/unsubscribe/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['none'], body: { 'List-Unsubscribe': 'One-Click' } }),
  },
  'GET /api/mails/suppress/:token': { rule: allowAnyone(404), request: () => ({ ids: ['none'] }) },
  'POST /api/mails/suppress/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['none'], body: { 'List-Unsubscribe': 'One-Click' } }),
  },
  'GET /api/conversations/confirm-email/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['none'] }),
  },
  'POST /api/conversations/confirm-email/:token': {
    rule: allowAnyone(404),
    request: () => ({ ids: ['none'] }),
  },
  'GET /api/notifications/devices': { rule: allowAnyUser(200) },
  'POST /api/notifications/devices': {
    rule: allowAnyUser(201),
    request: () => ({ body: { token: generateRandomAlphanumeric(32), platform: 'ANDROID' } }),
  },
  'POST /api/notifications/devices/:id/test': { rule: allowOwner(200), request: createDeviceRequest },
  'GET /api/notifications/web-push-key': { rule: allowAnyUser(200) },
  'POST /api/notifications/web-push-subscriptions': {
    rule: allowAnyUser(201),
    request: ({ test }) => {
      const { subscription } = createTestBrowser(`https://fcm.googleapis.com/fcm/send/${generateId()}`);
      const { endpoint, ...keys } = subscription;
      const applicationServerKey = test.services.webPush.publicKey;
      return { body: { endpoint, expirationTime: null, keys, applicationServerKey } };
    },
  },
  'DELETE /api/notifications/devices/:id': { rule: allowOwner(200), request: createDeviceRequest },
  'GET /api/own-phones': { rule: allowAnyUser(200) },
  'DELETE /api/own-phones/:id': { rule: allowOwner(200), request: createOwnerPhoneRequest },
  'GET /api/dashboard/cards': { rule: allowAnyUser(200) },

  'GET /api/events': { rule: allowAnyUser(200) },
  'GET /api/webhook-endpoints': { rule: allowAnyUser(200) },
  'POST /api/webhook-endpoints': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: WEBHOOK_ENDPOINT }),
  },
  'GET /api/webhook-endpoints/:id': { rule: allowOwner(200), request: createWebhookEndpointRequest },
  'PATCH /api/webhook-endpoints/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({
      ...(await createWebhookEndpointRequest(cell)),
      body: { eventTypes: ['scan.*', 'code.lost'] },
    }),
  },
  'DELETE /api/webhook-endpoints/:id': { rule: allowOwner(200), request: createWebhookEndpointRequest },
  'POST /api/webhook-endpoints/:id/rotate-secret': {
    rule: allowOwner(200),
    request: async (cell) => ({
      ...(await createWebhookEndpointRequest(cell)),
      body: { overlapSeconds: 86_400 },
    }),
  },
  'POST /api/webhook-endpoints/:id/verify': {
    rule: allowOwner(400),
    request: async (cell) => ({ ...(await createWebhookEndpointRequest(cell)), body: { challenge: 'x' } }),
  },
  'POST /api/webhook-endpoints/:id/test': { rule: allowOwner(202), request: createWebhookEndpointRequest },
  'POST /api/webhook-endpoints/:id/replay': {
    rule: allowOwner(202),
    request: async (cell) => ({
      ...(await createWebhookEndpointRequest(cell)),
      body: { from: '2026-11-01T00:00:00Z' },
    }),
  },
  'GET /api/webhook-endpoints/:id/deliveries': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: (await createWebhookDeliveryRequest(cell)).ids.slice(0, 1) }),
  },
  'GET /api/webhook-endpoints/:id/deliveries/:eventId': {
    rule: allowOwner(200),
    request: createWebhookDeliveryRequest,
  },
  'POST /api/webhook-endpoints/:id/deliveries/:eventId/replay': {
    rule: allowOwner(202),
    request: createWebhookDeliveryRequest,
  },

  'GET /api/memory-tags': { rule: allowAnyUser(200) },
  'POST /api/memory-tags': { rule: allowUsersWithProfile(201), request: () => ({ body: { name: 'Laika' } }) },
  'GET /api/memory-tags/:id': { rule: allowOwner(200), request: createMemoryTagRequest },
  'PUT /api/memory-tags/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createMemoryTagRequest(cell)), body: { name: 'Laika' } }),
  },
  'PATCH /api/memory-tags/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createMemoryTagRequest(cell)), body: { name: 'Laika' } }),
  },
  'DELETE /api/memory-tags/:id': { rule: allowOwner(200), request: createMemoryTagRequest },
  'GET /api/memory-tags/:id/pictures': { rule: allowOwner(200), request: createMemoryTagRequest },
  'POST /api/memory-tags/:id/pictures': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({
      ...(await createMemoryTagRequest(cell)),
      ...createPictureForm(ONE_PIXEL_PNG),
    }),
  },
  'GET /api/memory-tags/:id/pictures/:pictureId': { rule: allowOwner(200), request: createPictureRequest },
  'PUT /api/memory-tags/:id/pictures/:pictureId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createPictureRequest(cell)), body: { caption: 'Laika' } }),
  },
  'PATCH /api/memory-tags/:id/pictures/:pictureId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createPictureRequest(cell)), body: { position: 1 } }),
  },
  'POST /api/memory-tags/:id/pictures/:pictureId/restore': {
    rule: allowOwnerWithProfile(200),
    request: createDeletedPictureRequest,
  },
  'DELETE /api/memory-tags/:id/pictures/:pictureId': { rule: allowOwner(200), request: createPictureRequest },

  'GET /api/documents': { rule: allowAnyUser(200) },
  'POST /api/documents': { rule: allowUsersWithProfile(201), request: createFileForm },
  'GET /api/documents/:id': { rule: allowOwner(200), request: createDocumentRequest },
  'PUT /api/documents/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createDocumentRequest(cell)), body: { title: 'Lease' } }),
  },
  'PATCH /api/documents/:id': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createDocumentRequest(cell)), body: { title: 'Lease' } }),
  },
  'DELETE /api/documents/:id': { rule: allowOwner(200), request: createDocumentRequest },
  'POST /api/documents/:id/restore': {
    rule: allowOwnerWithProfile(200),
    request: async (cell) => ({ ids: [await cell.things.deletedDocument(cell)] }),
  },
  'GET /api/documents/:id/content': { rule: allowOwner(200), request: createDocumentRequest },
  'GET /api/documents/:id/versions': { rule: allowOwner(200), request: createDocumentRequest },
  'POST /api/documents/:id/versions': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({ ...(await createDocumentRequest(cell)), ...createFileForm() }),
  },
  'POST /api/documents/:id/versions/:number/restore': {
    rule: allowOwnerWithProfile(200),
    request: async (cell) => ({ ids: [await cell.things.document(cell), '1'] }),
  },
  'DELETE /api/documents/:id/versions/:number': {
    rule: allowOwner(200),
    request: async (cell) => ({ ids: [await cell.things.document(cell), '1'] }),
  },
  'GET /api/memory-tags/:id/export': { rule: allowOwner(200), request: createMemoryTagRequest },
  'GET /api/memory-tags/caring': { rule: allowAnyUser(200) },
  // The owner is not a caretaker.
  'DELETE /api/memory-tags/caring/:id': { rule: allowAnyUser(404), request: createMemoryTagRequest },
  'GET /api/memory-tags/:id/caretakers': { rule: allowOwner(200), request: createMemoryTagRequest },
  'POST /api/memory-tags/:id/caretakers': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({ ...(await createMemoryTagRequest(cell)), ...createAbsentUserBody() }),
  },
  'DELETE /api/memory-tags/:id/caretakers/:caretakerId': {
    rule: allowOwner(200),
    request: createCaretakerRequest,
  },
  'GET /api/memory-tags/:id/guest-book': { rule: allowOwner(200), request: createMemoryTagRequest },
  'PATCH /api/memory-tags/:id/guest-book/:entryId': {
    rule: allowOwner(200),
    request: async (cell) => ({ ...(await createGuestBookEntryRequest(cell)), body: { status: 'APPROVED' } }),
  },
  'DELETE /api/memory-tags/:id/guest-book/:entryId': {
    rule: allowOwner(200),
    request: createGuestBookEntryRequest,
  },
  'POST /api/memory-tags/:id/guest-book/:entryId/restore': {
    rule: allowOwner(200),
    request: createDeletedEntryRequest,
  },
  'DELETE /api/memory-tags/guest-book/:token': { rule: allowAnyone(404), request: createEntryTokenRequest },

  'GET /api/documents/:id/shares': { rule: allowOwner(200), request: createDocumentRequest },
  'POST /api/documents/:id/shares': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({ ...(await createDocumentRequest(cell)), body: {} }),
  },
  'GET /api/documents/:id/shares/:shareId': { rule: allowOwner(200), request: createShareRequest },
  'DELETE /api/documents/:id/shares/:shareId': { rule: allowOwner(200), request: createShareRequest },
  'GET /api/documents/:id/accesses': { rule: allowOwner(200), request: createDocumentRequest },
  'GET /api/documents/shared/:token': { rule: allowAnyone(200), request: createShareTokenRequest },
  'POST /api/documents/shared/:token/open': { rule: allowAnyone(200), request: createShareTokenRequest },
  'GET /api/documents/tickets/:ticket/content': {
    rule: allowAnyone(404),
    request: () => ({ ids: [`${generateId()}.${generateRandomAlphanumeric(43)}`] }),
  },
  'GET /api/documents/:id/grants': { rule: allowOwner(200), request: createDocumentRequest },
  'POST /api/documents/:id/grants': {
    rule: allowOwnerWithProfile(201),
    request: async (cell) => ({ ...(await createDocumentRequest(cell)), ...createAbsentUserBody() }),
  },
  'GET /api/documents/:id/grants/:grantId': {
    rule: allowOwner(200),
    request: createGrantRequest,
  },
  'DELETE /api/documents/:id/grants/:grantId': {
    rule: allowOwner(200),
    request: createGrantRequest,
  },
  'GET /api/documents/received': { rule: allowAnyUser(200) },
  'GET /api/documents/received/:grantId/content': {
    rule: allowOwner(200),
    request: createReceivedDocumentRequest,
  },
  'DELETE /api/documents/received/:grantId': {
    rule: allowOwner(200),
    request: createReceivedDocumentRequest,
  },

  // No provider is configured, so no name is valid.
  'POST /api/webhooks/:provider': { rule: allowAnyone(404), request: () => ({ ids: ['stripe'] }) },
  'GET /api/subscription/all': { rule: allowAnyUser(200) },
  'GET /api/subscription/status': { rule: allowAnyUser(200) },
  'POST /api/subscription/checkout-session': {
    rule: allowUsersWithProfile(201),
    request: () => ({ body: createCheckoutBody() }),
  },
  'GET /api/subscription/checkout-session/:id': {
    rule: allowOwner(200),
    request: createCheckoutStateRequest,
  },
  'GET /api/subscription/checkout/done': { rule: allowAnyone(200) },
  'GET /api/subscription/checkout/back': { rule: allowAnyone(200) },
  'GET /api/subscription/portal/back': { rule: allowAnyone(200) },
  'DELETE /api/subscription/cancel/:subscriptionId': {
    rule: allowOwner(200),
    request: createSubscriptionRequest,
  },
  'POST /api/subscription/:subscriptionId/keep': {
    rule: allowOwner(409),
    request: createSubscriptionRequest,
  },
  // Each has a customer: allowed callers have started a checkout before.
  'POST /api/subscription/portal-session': { rule: allowUsersWithProfile(201) },
  // No subscription is active.
  'POST /api/subscription/change/preview': {
    rule: allowUsersWithProfile(409),
    request: () => ({ body: createCheckoutBody() }),
  },
  'POST /api/subscription/change': {
    rule: allowUsersWithProfile(409),
    request: () => ({ body: { ...createCheckoutBody(), previewedAt: new Date().toISOString() } }),
  },
  'GET /api/subscription/invoices': { rule: allowAnyUser(200) },
  'GET /api/subscription/invoices/:id/page': { rule: allowOwner(200), request: createInvoiceRequest },

  'GET /api/admin/users': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/qrcodes': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/analytics': { rule: allowStaff(['ADMIN'], 200) },
  'PATCH /api/admin/users/:id': {
    rule: allowStaff(['ADMIN'], 200),
    request: (cell) => ({ ...createUserRequest(cell), body: { role: 'USER' } }),
  },
  'DELETE /api/admin/users/:id/sessions': { rule: allowStaff(['ADMIN'], 200), request: createUserRequest },
  'DELETE /api/admin/users/:id/second-factor': {
    rule: allowStaff(['ADMIN'], 409),
    request: createUserRequest,
  },
  'POST /api/admin/users/:id/resend-activation': {
    rule: allowStaff(['ADMIN'], 409),
    request: createUserRequest,
  },
  'GET /api/admin/conversation-reports': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/conversation-reports/:id': {
    rule: allowStaff(['ADMIN'], 200),
    request: createReportRequest,
  },
  'POST /api/admin/conversation-reports/:id/decision': {
    rule: allowStaff(['ADMIN'], 200),
    request: async (cell) => ({ ...(await createReportRequest(cell)), body: { decision: 'DISMISSED' } }),
  },
  'GET /api/admin/qrcodes/:id/takedown': {
    rule: allowStaff(['ADMIN'], 200),
    request: createTakenDownCodeRequest,
  },
  'POST /api/admin/qrcodes/:id/takedown': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()], body: { category: 'FRAUD', reason: 'It asks for bank data.' } }),
  },
  'POST /api/admin/qrcodes/:id/reinstate': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()], body: {} }),
  },
  'GET /api/admin/qrcode-reports': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/qrcodes/:id/reports': { rule: allowStaff(['ADMIN'], 200), request: createCodeRequest },
  'POST /api/admin/qrcodes/:id/reports/dismiss': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()] }),
  },
  'GET /api/admin/qrcode-appeals': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/qrcode-appeals/:id': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()] }),
  },
  'POST /api/admin/qrcode-appeals/:id/decision': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()], body: { decision: 'REJECTED' } }),
  },
  'GET /api/admin/jobs': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/jobs/failed': { rule: allowStaff(['ADMIN'], 200) },
  'POST /api/admin/jobs/failed/:id/retry': {
    rule: allowStaff(['ADMIN'], 404),
    request: createAbsentJobRequest,
  },
  'DELETE /api/admin/jobs/failed/:id': { rule: allowStaff(['ADMIN'], 404), request: createAbsentJobRequest },
  'GET /api/admin/packages': { rule: allowStaff(['ADMIN'], 200) },
  'GET /api/admin/packages/:id/versions': { rule: allowStaff(['ADMIN'], 200), request: createPackageRequest },
  'PUT /api/admin/packages/:id': {
    rule: allowStaff(['ADMIN'], 200),
    request: () => ({ ...createPackageRequest(), body: SAMPLE_PACKAGE_UPDATE }),
  },
  'POST /api/admin/break-glass': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ body: { resourceType: 'QRCODE', resourceId: generateId(), reason: 'an emergency' } }),
  },
  'GET /api/admin/break-glass': { rule: allowStaff(['AUDITOR', 'ADMIN'], 200) },
  'DELETE /api/admin/break-glass/:id': {
    rule: allowStaff(['ADMIN'], 404),
    request: () => ({ ids: [generateId()] }),
  },
  'GET /api/admin/audit-logs': { rule: allowStaff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/export': { rule: allowStaff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/verify': { rule: allowStaff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/admin/audit-logs/sealed': { rule: allowStaff(['AUDITOR', 'ADMIN'], 200) },
  'GET /api/audit/mine': { rule: allowAnyUser(200) },
  'GET /api/support/users': { rule: allowStaff(['SUPPORT'], 200), request: () => ({ query: 'search=ada' }) },
  'GET /api/support/users/:id/mail-status': {
    rule: allowStaff(['SUPPORT', 'ADMIN'], 200),
    request: createUserRequest,
  },
  'GET /api/support/qrcodes': {
    rule: allowStaff(['SUPPORT'], 200),
    request: () => ({ query: 'search=rex' }),
  },
};
