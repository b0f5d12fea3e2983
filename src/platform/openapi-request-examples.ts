const EMAIL = 'ada@example.org';
const PASSWORD = 'a lighthouse for lost dogs';
const TOTP_CODE = '048213';
const QR_CODE_ID = '6b08f1c1c791da33f45c4cbd';
const SCAN_ID = '6b08f1c4a15931b6c0d187aa';
/** The PERSONAL package of a new database. */
const PACKAGE = { packageId: '673f0000a1b2c3d4e5f60002', interval: 'month' };
const POSITION = { latitude: 52.5163, longitude: 13.3777 };
const PROFILE = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
const PROFILE_CHANGE = { phone: '+49 30 1234567', language: 'de', timeZone: 'Europe/Berlin' };
const QR_CODE_CHANGE = { title: 'Rex, our dog', notifyOn: 'FIRST_OF_DAY' };
const PICTURE_CHANGE = { caption: 'Rex in the garden', position: 1 };
const DOCUMENT_CHANGE = { title: 'Passport', kind: 'PASSPORT', expiresOn: '2031-05-31' };
const MEMORY_TAG_CHANGE = { epitaph: 'She knew every star.', guestBookOpen: true };
const PREFERENCES = {
  preferences: { 'scan.created': { EMAIL: true, PUSH: false } },
  quietHours: { from: '22:00', to: '07:00' },
  digest: 'DAILY',
};
const CONVERSATION_REPORT = { category: 'SPAM', note: 'The message is an advertisement.' };

/** Examples of JSON bodies by operation; those of `qrcodes.create` are the examples of the kinds. */
export const OPENAPI_REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  'accounts.register': { email: EMAIL, password: PASSWORD },
  'accounts.verifyOtp': { email: EMAIL, otp: TOTP_CODE },
  'accounts.resendOtp': { email: EMAIL },
  'accounts.logIn': { email: EMAIL, password: PASSWORD },
  'accounts.refresh': { refreshToken: 'LP9bk0OqKedXP_xYocmLpa1_mFnUi4zMCjq2Xbmt4RI' },
  'accounts.forgotPassword': { email: EMAIL },
  'accounts.resetPassword': {
    token: 'GggCZ1EeXlrVNTL2QFLMGN61FU3wZHK2KWmFvlnbyLg',
    password: 'a lighthouse for found dogs',
  },
  'accounts.changePassword': { currentPassword: PASSWORD, newPassword: 'a lighthouse for found dogs' },
  'accounts.createProfile': PROFILE,
  'accounts.updateProfile': PROFILE_CHANGE,
  'accounts.patchProfile': PROFILE_CHANGE,
  'accounts.exchangeSignInCode': { code: 'Q0eQWrJ3xkYiHycZl9sAS-TFH46402Ah3dsOkmtc3XY' },
  'accounts.signInByToken': { idToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ij…' },
  'accounts.linkIdentity': { idToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ij…' },
  'apiKeys.create': {
    name: 'ERP',
    scopes: ['qr-codes:read', 'qr-codes:write'],
    allowedNetworks: ['203.0.113.0/24'],
  },
  'apiKeys.rotate': { overlapSeconds: 3_600 },
  'apiKeys.takeOver': { overlapSeconds: 3_600 },
  'mfa.enroll': { password: PASSWORD },
  'mfa.confirm': { code: TOTP_CODE },
  'mfa.renewRecoveryCodes': { code: TOTP_CODE },
  'mfa.verify': { mfaToken: 'LP9bk0OqKedXP_xYocmLpa1_mFnUi4zMCjq2Xbmt4RI', code: TOTP_CODE },
  'mfa.disable': { password: PASSWORD, code: TOTP_CODE },
  'personalData.requestExport': { password: PASSWORD },
  'personalData.erase': { password: PASSWORD },
  'qrcodes.update': QR_CODE_CHANGE,
  'qrcodes.patch': QR_CODE_CHANGE,
  'qrcodes.upsertByExternalId': {
    kind: 'PET',
    title: 'Rex',
    data: { name: 'Rex', species: 'Dog' },
    metadata: { order: '2026-118' },
  },
  'qrcodes.upsertBulk': {
    items: [
      { kind: 'LUGGAGE', title: 'Tag 1', data: { name: 'Tag 1' }, externalId: 'tag-1' },
      { kind: 'LUGGAGE', title: 'Tag 2', data: { name: 'Tag 2' }, externalId: 'tag-2' },
    ],
  },
  'qrcodes.patchBulk': { items: [{ externalId: 'tag-1', status: 'PAUSED' }] },
  'qrcodes.deleteBulk': { items: [{ externalId: 'tag-1' }, { id: QR_CODE_ID }] },
  'qrcodes.reportLost': {
    message: 'He ran off during the fireworks.',
    reward: '100 EUR',
    lastSeen: 'Viktoriapark, Berlin',
  },
  'printSheets.create': {
    filter: { kind: ['LUGGAGE'], metadata: ['order:2026-118'], sort: 'title' },
    template: 'avery-l7160',
    texts: ['TITLE', 'FOUND'],
  },
  'batches.create': { kind: 'LUGGAGE', prefix: 'Suitcase', count: 500, claim: 'BY_CODE' },
  'batches.patchTags': { from: 1, to: 100, handedOut: true },
  'codeMoves.create': { toAccountId: '6b0d9fb0a7c3f41e58b2d604', ids: [QR_CODE_ID] },
  'claims.create': { number: '7K3M-9QXR-2F4T', name: 'Green backpack', claimCode: 'M4TD-81VQ' },
  'organizations.create': { name: 'Animal Shelter Lisbon', language: 'pt', timeZone: 'Europe/Lisbon' },
  'organizations.transferOwnership': { userId: '6b0d9fb04c1a8e2276b53d0f' },
  'organizations.patchMember': { role: 'EDITOR' },
  'organizations.updateMemberFolders': { folderIds: ['6b0e03fa7430de4ff7ba41da'] },
  'organizations.patch': { name: 'Animal Shelter of Lisbon' },
  'organizations.patchPolicies': { secondFactorRequired: true, maxSessionHours: 24 },
  'organizations.createInvitation': { email: 'grace@example.org', role: 'EDITOR' },
  'invitations.accept': { token: 'u3kq7G2ePAfT0bJ1sRzYw5mVxNcLhD8oK4iE6tBvQ9s' },
  'invitations.decline': { invitationId: '6b0d9fb01e2f7a5cb3d90418' },
  'savedViews.create': {
    name: 'Bags of class 3b',
    query: { kind: 'LUGGAGE', metadata: 'class:3b', sort: 'title' },
  },
  'folders.create': { name: 'Class 3b', color: 'BLUE' },
  'folders.patch': { name: 'Class 4b' },
  'savedViews.patch': { name: 'Bags of class 4b', query: { kind: 'LUGGAGE', metadata: 'class:4b' } },
  'qrcodes.render': { kind: 'URL', data: { url: 'https://example.org/' }, format: 'svg' },
  'qrcodes.previewDraft': {
    kind: 'LUGGAGE',
    data: { name: 'Blue suitcase', brand: 'Rimowa' },
    visibility: { brand: 'PRIVATE' },
  },
  'qrcodes.updatePicture': PICTURE_CHANGE,
  'qrcodes.patchPicture': PICTURE_CHANGE,
  'qrcodes.createAppeal': { message: 'The page now names the shelter that gets the money.' },
  'qrcodes.createReport': { category: 'FRAUD', note: 'The page asks for bank data.' },
  'scans.createPublic': { qrCodeId: QR_CODE_ID },
  'scans.createGeocoded': { qrCodeId: QR_CODE_ID, ...POSITION },
  'scans.create': { qrCodeId: QR_CODE_ID, ...POSITION },
  'scans.unlock': { pin: '4711' },
  'scans.addLocation': { ...POSITION, accuracy: 20 },
  'scans.updateReportSchedule': { frequency: 'WEEKLY', hour: 8 },
  'conversations.open': { scanId: SCAN_ID, preset: 'ANIMAL_FOUND', message: 'He is well.', name: 'Lin' },
  'conversations.checkMessage': { message: 'Your dog is with us.', name: 'Lin' },
  'conversations.sendMessageAsFinder': { message: 'We are at home until six.' },
  'conversations.patch': { done: true },
  'conversations.createNote': { text: 'He waits at the gate until five.' },
  'conversations.patchNote': { text: 'He waits at the gate until six.' },
  'conversations.sendMessage': { message: 'Thank you! I come at five.' },
  'conversations.markRead': { upTo: '6b0956d3fd98ee9e1937dbf1' },
  'conversations.markReadAsFinder': { upTo: '6b0956d3fd98ee9e1937dbf1' },
  'conversations.report': CONVERSATION_REPORT,
  'conversations.reportAsFinder': CONVERSATION_REPORT,
  'documents.openShared': { passcode: 'swift river' },
  'documents.createShare': { expiresInSeconds: 86_400, maxViews: 3, passcode: 'swift river' },
  'documents.createGrant': { email: 'grace@example.org' },
  'documents.update': DOCUMENT_CHANGE,
  'documents.patch': DOCUMENT_CHANGE,
  'webhookEndpoints.create': {
    url: 'https://hooks.example.org/qr',
    eventTypes: ['scan.*', 'code.lost', 'message.created'],
    include: 'object',
  },
  'webhookEndpoints.patch': { eventTypes: ['*'], enabled: true },
  'webhookEndpoints.verify': { challenge: 'WWnTOn0FrLGf6hY5vdWLRHEuHBMHGv3KMYEoCzjFOBU' },
  'webhookEndpoints.rotateSecret': { overlapSeconds: 3600 },
  'webhookEndpoints.replay': { from: '2026-11-26T00:00:00Z', to: '2026-11-27T00:00:00Z' },
  'memoryTags.create': { name: 'Grandmother', subject: 'PERSON', bornOn: '1931', diedOn: '2019-03-08' },
  'memoryTags.update': MEMORY_TAG_CHANGE,
  'memoryTags.patch': MEMORY_TAG_CHANGE,
  'memoryTags.updatePicture': PICTURE_CHANGE,
  'memoryTags.patchPicture': PICTURE_CHANGE,
  'memoryTags.addCaretaker': { email: 'grace@example.org' },
  'memoryTags.patchEntry': { status: 'APPROVED' },
  'notifications.updatePreferences': PREFERENCES,
  'notifications.patchPreferences': PREFERENCES,
  'notifications.registerDevice': {
    token: 'fMEP0vJqS0uXxYbT9kq3Zr:APA91bHun4MxP5egoKMwt2KZFBaFUH',
    platform: 'ANDROID',
    name: 'My phone',
  },
  'notifications.registerWebPushSubscription': {
    endpoint: 'https://fcm.googleapis.com/fcm/send/dQw4w9WgXcQ:APA91bHun4MxP5egoKMwt2KZFBaFUH',
    expirationTime: null,
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    applicationServerKey:
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    name: 'My laptop',
  },
  'subscription.createCheckoutSession': PACKAGE,
  'subscription.previewChange': PACKAGE,
  'subscription.change': { ...PACKAGE, previewedAt: '2026-11-27T02:58:29.000Z' },
  'admin.patchUser': { role: 'SUPPORT' },
  'admin.decideConversationReport': { decision: 'CONVERSATION_CLOSED', note: 'An advertisement.' },
  'admin.takeDownCode': { category: 'FRAUD', reason: 'The page asks for bank data.' },
  'admin.reinstateCode': { answer: 'The page is in order now.' },
  'admin.decideAppeal': { decision: 'REINSTATED', answer: 'The page is in order now.' },
  'admin.updatePackage': {
    names: { en: 'Personal', de: 'Persönlich' },
    prices: [{ interval: 'month', currency: 'EUR', amount: 300 }],
    limits: {
      qrCodes: 250,
      memoryTags: 25,
      documents: 50,
      members: 5,
      storageBytes: 2_147_483_648,
      scansKeptDays: 1095,
    },
    features: ['EMAIL_NOTIFICATIONS'],
    onOffer: true,
  },
  'admin.requestBreakGlass': {
    resourceType: 'QRCODE',
    resourceId: QR_CODE_ID,
    reason: 'Paramedics ask for allergies.',
  },
};
