import { insertApiKey } from '../../src/features/identity/api-keys/api-key.repository.ts';
import {
  hashInvitationToken,
  hashInvitedEmail,
  INVITATION_EMAIL,
} from '../../src/features/identity/organizations/invitations/invitation-secrets.ts';
import { GUEST_BOOK_ENTRY } from '../../src/features/memory-tags/guest-book-content.ts';
import { encryptModerationText } from '../../src/features/moderation/encrypted-moderation-fields.ts';
import { WEBHOOK_SECRETS, WEBHOOK_URL } from '../../src/features/webhooks/encrypted-endpoint.ts';
import { generateWebhookSecret } from '../../src/features/webhooks/webhook-signature.rules.ts';
import { hashApiKeyToken } from '../../src/platform/request-credential.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../src/shared/api-key-token.ts';
import { generateId, generateRandomAlphanumeric } from '../../src/shared/ids.ts';
import { createTestPdf, sendMultipartForm, uploadDocument } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import type { TestApp } from '../helper.ts';
import { type CallerAccount, type CallerName, createSessionToken } from './callers.ts';

/** The request of one cell. */
export interface CellRequest {
  /** Path parameters in order. */
  ids?: readonly string[];
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface AccessCell {
  test: TestApp;
  caller: CallerName;
  accounts: Record<CallerName, CallerAccount>;
  things: TestResources;
}

/** Resources of the owner. They are created anew for callers who may change them; the others share lasting ones. */
export interface TestResources {
  code(cell: AccessCell): Promise<string>;
  documentCode(cell: AccessCell): Promise<string>;
  deletedCode(cell: AccessCell): Promise<string>;
  scan(cell: AccessCell): Promise<string>;
  conversation(cell: AccessCell): Promise<string>;
  report(cell: AccessCell): Promise<string>;
  takenDownCode(cell: AccessCell): Promise<string>;
  notification(cell: AccessCell): Promise<string>;
  device(cell: AccessCell): Promise<string>;
  ownerPhone(cell: AccessCell): Promise<string>;
  webhookEndpoint(cell: AccessCell): Promise<string>;
  /** Path: endpoint, `/deliveries/`, event. */
  webhookDelivery(cell: AccessCell): Promise<string>;
  memoryTag(cell: AccessCell): Promise<string>;
  document(cell: AccessCell): Promise<string>;
  deletedDocument(cell: AccessCell): Promise<string>;
  /** Path: memory tag, `/pictures/`, picture. */
  picture(cell: AccessCell): Promise<string>;
  /** Path: code, `/pictures/`, picture. */
  codePicture(cell: AccessCell): Promise<string>;
  caretaker(cell: AccessCell): Promise<string>;
  entry(cell: AccessCell): Promise<string>;
  share(cell: AccessCell): Promise<string>;
  grant(cell: AccessCell): Promise<string>;
  /** A document granted to the owner by another user. */
  receivedDocument(cell: AccessCell): Promise<string>;
  session(cell: AccessCell): Promise<string>;
  identity(cell: AccessCell): Promise<string>;
  apiKey(cell: AccessCell): Promise<string>;
  dataExport(cell: AccessCell): Promise<string>;
  /** One that has ended, since few can be open. */
  import(cell: AccessCell): Promise<string>;
  /** One that has ended, since few can wait. */
  printSheet(cell: AccessCell): Promise<string>;
  /** One that has ended. */
  batch(cell: AccessCell): Promise<string>;
  codeMove(cell: AccessCell): Promise<string>;
  /** The code of a tag that anybody can claim. */
  unclaimedTag(cell: AccessCell): Promise<string>;
  organization(cell: AccessCell): Promise<string>;
  deletedOrganization(cell: AccessCell): Promise<string>;
  /** Path: organization, `/members/`, user. */
  organizationMember(cell: AccessCell): Promise<string>;
  /** Path: organization, `/invitations/`, invitation; to the address of the owner. */
  invitation(cell: AccessCell): Promise<string>;
  folder(cell: AccessCell): Promise<string>;
  deletedFolder(cell: AccessCell): Promise<string>;
  savedView(cell: AccessCell): Promise<string>;
  deletedSavedView(cell: AccessCell): Promise<string>;
  checkout(cell: AccessCell): Promise<string>;
  subscription(cell: AccessCell): Promise<string>;
  invoice(cell: AccessCell): Promise<string>;
}

const PERSONAL_PACKAGE_ID = '673f0000a1b2c3d4e5f60002';

const SECRET_TEXT = 'canary in the content';

const SAMPLE_CODE = {
  kind: 'PET',
  title: 'Rex',
  data: { name: SECRET_TEXT },
  visibility: { name: 'PRIVATE' },
};

/** Contents of the resources. */
export interface ResourceContents {
  code: object;
  memoryTag: object;
  conversation: object;
  documentTitle: string;
  /** Names and captions. */
  line: string;
  /** Notes and entries of guest books. */
  text: string;
}

const SAMPLE_CONTENTS: ResourceContents = {
  code: SAMPLE_CODE,
  memoryTag: { name: SECRET_TEXT },
  conversation: { message: SECRET_TEXT },
  documentTitle: 'Passport',
  line: SECRET_TEXT,
  text: SECRET_TEXT,
};

/** Create the owner's resources, by API where content is encrypted. */
export function createTestResources(
  test: TestApp,
  owner: CallerAccount,
  contents: Partial<ResourceContents> = {},
): TestResources {
  const { documentTitle, line, text, ...bodies } = { ...SAMPLE_CONTENTS, ...contents };
  const make = async (url: string, body: object): Promise<string> => {
    const { token } = await createSessionToken(test, owner);
    const answer = await test.call('POST', url, { token, body });
    if (answer.status !== 201) throw new Error(`${url}: ${answer.text}`);
    return answer.body.id ?? answer.body.scan.id;
  };
  const code = () => make('/api/qrcodes', bodies.code);
  let talkedOf: Promise<string> | undefined;
  let finders = 0;
  const talk = async (opening: object): Promise<string> => {
    // All of one code because of the quota, each by another finder.
    talkedOf ??= code();
    finders += 1;
    const [body, remoteAddress] = [{ qrCodeId: await talkedOf }, `198.51.${finders}.7`];
    const scanned = (await test.call('POST', '/api/scans/public', { body, remoteAddress })).body;
    const opened = await test.call('POST', '/api/conversations/public', {
      body: { scanId: scanned.scan.id, ...opening },
      headers: { 'x-scan-token': scanned.scanToken },
      remoteAddress,
    });
    if (opened.status !== 201) throw new Error(opened.text);
    return opened.body.id;
  };
  const addPicture = async (path: string, id: string): Promise<string> => {
    const { token } = await createSessionToken(test, owner);
    const form = createPictureForm(ONE_PIXEL_PNG, { caption: line });
    const made = await test.call('POST', `${path}/${id}/pictures`, { token, ...form });
    if (made.status !== 201) throw new Error(made.text);
    return `${id}/pictures/${made.body.id}`;
  };
  // More than an account can have.
  const insertWebhookEndpoint = async (): Promise<string> => {
    const { fieldCipher } = test.services;
    const key = { id: generateId(), accountId: owner.id };
    const url = WEBHOOK_URL.encrypt(fieldCipher, key, 'https://hooks.example.org/qr');
    const secrets = WEBHOOK_SECRETS.encrypt(fieldCipher, key, [
      { secret: generateWebhookSecret(), endsAt: null },
    ]);
    const data = { ...key, url, secrets, eventTypes: ['scan.*'], description: line };
    await test.database.client.webhookEndpoint.create({ data });
    return key.id;
  };
  // More than a user can own.
  const insertOrganization = async (deleteAfter: Date | null = null): Promise<string> => {
    const id = generateId();
    const memberships = { create: { userId: owner.id, role: 'OWNER' } };
    const data = { id, type: 'ORGANIZATION', name: SECRET_TEXT, deleteAfter, memberships };
    await test.database.client.account.create({ data });
    return id;
  };
  const insertInvitation = async (): Promise<string> => {
    const key = { accountId: await insertOrganization(), id: generateId() };
    const { fieldCipher } = test.services;
    await test.database.client.invitation.create({
      data: {
        ...key,
        email: INVITATION_EMAIL.encrypt(fieldCipher, key, owner.email),
        emailHash: hashInvitedEmail(fieldCipher, owner.email),
        role: 'EDITOR',
        tokenHash: hashInvitationToken(key.id),
        invitedBy: owner.id,
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
    return `${key.accountId}/invitations/${key.id}`;
  };
  // More than an account can have.
  const insertSavedView = async (deletedAt: Date | null = null): Promise<string> => {
    const key = { accountId: owner.id, id: generateId() };
    const data = { ...key, name: SECRET_TEXT, query: { search: SECRET_TEXT }, position: 1, deletedAt };
    await test.database.client.savedView.create({ data });
    return key.id;
  };
  const insertFolder = async (deletedAt: Date | null = null): Promise<string> => {
    const key = { accountId: owner.id, id: generateId() };
    const data = { ...key, name: `${SECRET_TEXT} ${key.id}`, deletedAt };
    await test.database.client.folder.create({ data });
    return key.id;
  };
  const makers: { [Name in keyof TestResources]: () => Promise<string> } = {
    code,
    // A code that others do not read as one of another kind.
    async documentCode() {
      const id = await code();
      await test.database.client.qrCode.update({ where: { id }, data: { kind: 'DOCUMENT' } });
      return id;
    },
    async deletedCode() {
      const id = await code();
      const { token } = await createSessionToken(test, owner);
      await test.call('DELETE', `/api/qrcodes/${id}`, { token });
      return id;
    },
    scan: async () =>
      make('/api/scans/public', { qrCodeId: await code(), latitude: 48.85837, longitude: 2.294481 }),
    conversation: () => talk(bodies.conversation),
    // For administrators to read.
    report: async () =>
      make(`/api/conversations/${await talk({ message: 'Buy this.' })}/report`, { category: 'SPAM' }),
    async takenDownCode() {
      const qrCodeId = await code();
      const row = { id: generateId(), accountId: owner.id };
      const reason = encryptModerationText(
        test.services.fieldCipher,
        'takedownReason',
        row,
        'It asks for bank data.',
      );
      await test.database.client.qrCodeTakedown.create({
        data: { ...row, qrCodeId, category: 'FRAUD', reason },
      });
      return qrCodeId;
    },
    async notification() {
      const id = generateId();
      const row = {
        id,
        key: id,
        userId: owner.id,
        accountId: owner.id,
        type: 'DEFAULT',
        event: 'scan.created',
        data: { code: line },
      };
      await test.database.client.notification.create({ data: row });
      return id;
    },
    webhookEndpoint: insertWebhookEndpoint,
    async webhookDelivery() {
      const endpointId = await insertWebhookEndpoint();
      const [eventId, qrCodeId] = [generateId(), generateId()];
      const event = { eventId, eventType: 'code.created', eventData: { id: qrCodeId }, eventAt: new Date() };
      const data = { accountId: owner.id, endpointId, ...event };
      await test.database.client.webhookDelivery.create({ data });
      return `${endpointId}/deliveries/${eventId}`;
    },
    async device() {
      const { token } = await createSessionToken(test, owner);
      const body = { token: generateRandomAlphanumeric(32), platform: 'IOS', name: line };
      return (await test.call('POST', '/api/notifications/devices', { token, body })).body.id;
    },
    async memoryTag() {
      // The owner gets more of them than a small package allows.
      await test.database.pool.query(
        `UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}' WHERE limits ->> 'memoryTags' = '5'`,
      );
      return make('/api/memory-tags', bodies.memoryTag);
    },
    async deletedDocument() {
      const id = await makers.document();
      const { token } = await createSessionToken(test, owner);
      await test.call('DELETE', `/api/documents/${id}`, { token });
      return id;
    },
    async document() {
      await test.database.pool.query(
        `UPDATE subscription_packages SET limits = limits || '{"documents": null}' WHERE limits ->> 'documents' = '5'`,
      );
      const { token } = await createSessionToken(test, owner);
      const made = await uploadDocument(test, token, createTestPdf(SECRET_TEXT), {
        title: documentTitle,
        note: text,
      });
      if (made.status !== 201) throw new Error(made.text);
      const again = { name: 'file', fileName: `${line}.pdf`, value: createTestPdf(line) };
      await sendMultipartForm(test, `/api/documents/${made.body.id}/versions`, token, [again]);
      return made.body.id;
    },
    picture: async () => addPicture('/api/memory-tags', await makers.memoryTag()),
    codePicture: async () => addPicture('/api/qrcodes', await code()),
    async caretaker() {
      const id = await makers.memoryTag();
      return make(`/api/memory-tags/${id}/caretakers`, {
        email: `${generateRandomAlphanumeric(12)}@example.org`,
      });
    },
    async entry() {
      const memoryTagId = await makers.memoryTag();
      const id = generateId();
      const row = { id, accountId: owner.id };
      const content = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, row, {
        name: null,
        message: text,
      });
      await test.database.client.guestBookEntry.create({ data: { ...row, memoryTagId, content } });
      return id;
    },
    async share() {
      const id = await makers.document();
      const { token } = await createSessionToken(test, owner);
      const made = await test.call('POST', `/api/documents/${id}/shares`, { token, body: {} });
      return `${id} ${made.body.id} ${made.body.token}`;
    },
    async grant() {
      const id = await makers.document();
      const email = `${generateRandomAlphanumeric(12)}@example.org`;
      return `${id} ${await make(`/api/documents/${id}/grants`, { email })}`;
    },
    async receivedDocument() {
      const giver = await test.createUser();
      const { body } = await uploadDocument(test, giver.accessToken, createTestPdf(SECRET_TEXT), {
        title: line,
      });
      const options = { token: giver.accessToken, body: { email: owner.email } };
      return (await test.call('POST', `/api/documents/${body.id}/grants`, options)).body.id;
    },
    session: async () => (await createSessionToken(test, owner)).sessionId,
    async identity() {
      const id = generateId();
      const data = {
        id,
        userId: owner.id,
        issuer: `https://${id}.example.org`,
        subject: id,
        email: owner.email,
      };
      await test.database.client.userIdentity.create({ data });
      return id;
    },
    async apiKey() {
      const { database, services } = test;
      const [id, token] = [generateId(), generateApiKeyToken(services.fieldCipher.hash)];
      await database.transaction((tx) =>
        insertApiKey(tx, {
          id,
          accountId: owner.id,
          createdBy: owner.id,
          role: 'OWNER',
          name: line,
          tokenPrefix: getShownApiKeyPrefix(token),
          tokenHash: hashApiKeyToken(services.fieldCipher, token),
          scopes: ['qr-codes:read'],
          allowedNetworks: [],
          expiresAt: null,
        }),
      );
      return id;
    },
    async dataExport() {
      const id = generateId();
      const data = { id, userId: owner.id, status: 'FAILED', expiresAt: new Date(Date.now() + 3_600_000) };
      await test.database.client.dataExport.create({ data });
      return id;
    },
    async import() {
      const [id, at] = [generateId(), new Date()];
      const ended = { status: 'COMPLETED', finishedAt: at, expiresAt: new Date(at.getTime() + 3_600_000) };
      const data = { id, accountId: owner.id, format: 'csv', size: 1n, requestId: id, ...ended };
      await test.database.client.import.create({ data });
      return id;
    },
    async ownerPhone() {
      const [id, expiresAt] = [generateId(), new Date(Date.now() + 3_600_000)];
      const { accessEpoch } = await test.database.client.user.findUniqueOrThrow({ where: { id: owner.id } });
      const data = { id, accountId: owner.id, name: SECRET_TEXT, accessEpoch, expiresAt };
      await test.database.client.ownerPhone.create({ data });
      return id;
    },
    async printSheet() {
      const [id, at] = [generateId(), new Date()];
      const ended = { status: 'FAILED', finishedAt: at, expiresAt: new Date(at.getTime() + 3_600_000) };
      const data = { id, accountId: owner.id, options: {}, codeIds: [], codes: 1, requestId: id, ...ended };
      await test.database.client.printSheet.create({ data });
      return id;
    },
    async batch() {
      const id = generateId();
      const tags = { kind: 'LUGGAGE', prefix: SECRET_TEXT, claim: 'OPEN', size: 2, design: {} };
      const ended = { status: 'CANCELED', finishedAt: new Date() };
      await test.database.client.batch.create({
        data: { id, accountId: owner.id, requestId: id, ...tags, ...ended },
      });
      return id;
    },
    async codeMove() {
      const [id, at] = [generateId(), new Date()];
      const ended = { status: 'FAILED', finishedAt: at, expiresAt: new Date(at.getTime() + 3_600_000) };
      const toAccountId = await insertOrganization();
      const data = {
        id,
        accountId: owner.id,
        toAccountId,
        requestedBy: owner.id,
        codeIds: [],
        codes: 1,
        requestId: id,
      };
      await test.database.client.codeMove.create({ data: { ...data, ...ended } });
      return id;
    },
    async unclaimedTag() {
      const [accountId, batchId, qrCodeId] = [owner.id, generateId(), await code()];
      const tags = {
        kind: 'PET',
        prefix: SECRET_TEXT,
        claim: 'OPEN',
        size: 1,
        created: 1,
        requestId: batchId,
      };
      const ended = { status: 'COMPLETED', finishedAt: new Date() };
      const { client } = test.database;
      const design = { design: {}, adjusted: [] };
      await client.batch.create({ data: { id: batchId, accountId, ...tags, ...ended, design } });
      await client.qrCode.updateMany({ where: { accountId, id: qrCodeId }, data: { status: 'UNCLAIMED' } });
      const { number } = await client.shortNumber.findFirstOrThrow({ where: { qrCodeId } });
      const tag = { position: 1, qrCodeId, shortNumber: number, title: SECRET_TEXT };
      await client.batchTag.create({ data: { accountId, batchId, ...tag } });
      return qrCodeId;
    },
    organization: () => insertOrganization(),
    deletedOrganization: () => insertOrganization(new Date(Date.now() + 3_600_000)),
    async organizationMember() {
      const [accountId, id] = [await insertOrganization(), generateId()];
      const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
      const data = { id, email: `${id}@example.org`, status: 'ACTIVE', ...names };
      await test.database.client.user.create({ data });
      await test.database.client.membership.create({ data: { accountId, userId: id, role: 'EDITOR' } });
      return `${accountId}/members/${id}`;
    },
    invitation: insertInvitation,
    folder: () => insertFolder(),
    deletedFolder: () => insertFolder(new Date()),
    savedView: () => insertSavedView(),
    deletedSavedView: () => insertSavedView(new Date()),
    async checkout() {
      const data = { ...bought(), expiresAt: new Date(), state: 'EXPIRED' };
      return (await test.database.client.checkoutSession.create({ data })).id;
    },
    async subscription() {
      const [at, data] = [new Date(), bought()];
      const ended = { providerId: data.id, state: 'CANCELED', startedAt: at, endedAt: at };
      return (await test.database.client.subscription.create({ data: { ...data, ...ended } })).id;
    },
    async invoice() {
      const { id, accountId, provider, currency } = bought();
      const paid = { state: 'PAID', number: line, total: 300, amountPaid: 300, issuedAt: new Date() };
      const data = { id, accountId, provider, providerId: id, currency, ...paid };
      return (await test.database.client.paymentInvoice.create({ data })).id;
    },
  };
  const bought = () => ({
    ...{
      id: generateId(),
      accountId: owner.id,
      provider: 'fake',
      packageId: PERSONAL_PACKAGE_ID,
      packageVersion: 1,
    },
    ...{ interval: 'month', currency: 'EUR' },
  });
  const lasting = new Map<string, Promise<string>>();
  const thing = (name: keyof TestResources) => (cell: AccessCell) => {
    if (cell.caller === 'owner') return makers[name]();
    const resource = lasting.get(name) ?? makers[name]();
    lasting.set(name, resource);
    return resource;
  };
  return {
    code: thing('code'),
    documentCode: thing('documentCode'),
    deletedCode: thing('deletedCode'),
    scan: thing('scan'),
    conversation: thing('conversation'),
    report: thing('report'),
    takenDownCode: thing('takenDownCode'),
    notification: thing('notification'),
    device: thing('device'),
    ownerPhone: thing('ownerPhone'),
    webhookEndpoint: thing('webhookEndpoint'),
    webhookDelivery: thing('webhookDelivery'),
    memoryTag: thing('memoryTag'),
    document: thing('document'),
    deletedDocument: thing('deletedDocument'),
    picture: thing('picture'),
    codePicture: thing('codePicture'),
    caretaker: thing('caretaker'),
    entry: thing('entry'),
    share: thing('share'),
    grant: thing('grant'),
    receivedDocument: thing('receivedDocument'),
    session: thing('session'),
    identity: thing('identity'),
    apiKey: thing('apiKey'),
    dataExport: thing('dataExport'),
    import: thing('import'),
    printSheet: thing('printSheet'),
    batch: thing('batch'),
    codeMove: thing('codeMove'),
    // Whoever claims it has it.
    unclaimedTag: () => makers.unclaimedTag(),
    organization: thing('organization'),
    deletedOrganization: thing('deletedOrganization'),
    organizationMember: thing('organizationMember'),
    invitation: thing('invitation'),
    folder: thing('folder'),
    deletedFolder: thing('deletedFolder'),
    savedView: thing('savedView'),
    deletedSavedView: thing('deletedSavedView'),
    checkout: thing('checkout'),
    subscription: thing('subscription'),
    invoice: thing('invoice'),
  };
}

/** Texts that only the owner may ever read. */
export const PRIVATE_WORDS = [SECRET_TEXT, '48.85837', '2.294481'];
