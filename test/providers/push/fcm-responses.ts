/** Null: no response. */
export type FcmReply = { status: number; headers?: Record<string, string>; body: string } | null;

/** All documented FCM responses, and some of proxies. */
export const FCM_RESPONSES = {
  accepted: () => createReply(200, { name: 'projects/the-service/messages/0:1500415314455276' }),
  unregistered: () =>
    createFailure(404, 'NOT_FOUND', 'Requested entity was not found.', createFcmError('UNREGISTERED')),
  quota: (retryAfter?: string) =>
    createFailure(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', createFcmError('QUOTA_EXCEEDED'), retryAfter),
  internal: () => createFailure(500, 'INTERNAL', 'Internal error.', createFcmError('INTERNAL')),
  unavailable: (retryAfter?: string) =>
    createFailure(503, 'UNAVAILABLE', 'Try again.', createFcmError('UNAVAILABLE'), retryAfter),
  unauthenticated: () => createFailure(401, 'UNAUTHENTICATED', 'Invalid authentication credentials.'),
  appleKey: () =>
    createFailure(401, 'UNAUTHENTICATED', 'Auth error from APNS.', createFcmError('THIRD_PARTY_AUTH_ERROR')),
  appleKeyWithoutCode: () =>
    createFailure(401, 'UNAUTHENTICATED', 'Auth error from APNS or Web Push Service'),
  appleError: () =>
    createFailure(401, 'UNAUTHENTICATED', 'Request is missing required authentication credential.', {
      '@type': 'type.googleapis.com/google.firebase.fcm.v1.ApnsError',
      statusCode: 403,
      reason: 'InvalidProviderToken',
    }),
  forbidden: () => createFailure(403, 'PERMISSION_DENIED', 'Permission denied on the project.'),
  otherSender: () =>
    createFailure(403, 'PERMISSION_DENIED', 'SenderId mismatch', createFcmError('SENDER_ID_MISMATCH')),
  noProject: () => createFailure(404, 'NOT_FOUND', 'Requested entity was not found.'),
  invalidToken: () =>
    createFailure(
      400,
      'INVALID_ARGUMENT',
      'The registration token is not a valid FCM registration token',
      createFcmError('INVALID_ARGUMENT'),
    ),
  invalidMessage: () =>
    createFailure(
      400,
      'INVALID_ARGUMENT',
      'Invalid value at message.data',
      createFcmError('INVALID_ARGUMENT'),
      undefined,
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.data', description: 'Invalid value' }],
      },
    ),
  garbage: () => ({ status: 200, body: '<html>not what was asked for' }),
  redirect: () => ({ status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }),
  silence: () => null,
} satisfies Record<string, (retryAfter?: string) => FcmReply>;

function createFailure(
  code: number,
  status: string,
  message: string,
  detail?: object,
  retryAfter?: string,
  more?: object,
): FcmReply {
  const details = [detail, more].filter((one) => one !== undefined);
  const error = { code, message, status, ...(details.length > 0 ? { details } : {}) };
  return createReply(code, { error }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

function createReply(status: number, body: object, headers: Record<string, string> = {}): FcmReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

const createFcmError = (errorCode: string) => ({
  '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
  errorCode,
});
