import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { CursorQuery, createNamedPageSchema } from '../../../shared/pagination.ts';
import { MIN_PASSCODE_CHARACTERS, SHARE_STATES } from './share.rules.ts';

const PasscodeInput = Type.String({
  minLength: MIN_PASSCODE_CHARACTERS,
  maxLength: 64,
  description: 'Required to open the link. Surrounding whitespace is ignored.',
});

export const DocumentShareRequest = Type.Object({
  expiresInSeconds: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 60,
        maximum: LIFETIMES_SECONDS.maxShareLink,
        description:
          'Lifetime in seconds. Without it and without `expiresAt`, the link works until it is ended.',
      }),
    ),
  ),
  expiresAt: Type.Optional(
    nullable(
      Type.String({
        format: 'date-time',
        description: `Expiry as a date and time instead of expiresInSeconds; at most ${LIFETIMES_SECONDS.maxShareLink / DAY_SECONDS} days from now.`,
      }),
    ),
  ),
  maxViews: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of views.' })),
  ),
  passcode: Type.Optional(nullable(PasscodeInput)),
  oneTime: Type.Optional(Type.Boolean({ description: 'The same as `maxViews: 1`.' })),
  qrCodeId: Type.Optional(
    nullable(
      Type.String({
        ...Id,
        description: 'Own code of kind DOCUMENT. Its page offers the document, too.',
      }),
    ),
  ),
});

const shareProperties = {
  id: Id,
  documentId: Id,
  qrCodeId: nullable(Id),
  status: stringEnum(SHARE_STATES, {
    description:
      'NOT_ALLOWED: cannot be opened, because enterprise mode requires a passcode and an expiry for health documents.',
  }),
  passcodeRequired: Type.Boolean(),
  maxViews: nullable(Type.Integer()),
  views: Type.Integer({ description: 'Number of views.' }),
  viewsLeft: nullable(Type.Integer()),
  lastOpenedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const DocumentShare = Type.Object(shareProperties, { $id: 'DocumentShare' });

export const CreatedShareResponse = Type.Object(
  {
    ...shareProperties,
    token: Type.String({ description: 'Returned only once; the service stores a hash.' }),
    url: Type.String({
      format: 'uri',
      description:
        'The link to send. For a health document the token is in the fragment, which browsers do not send to the server.',
    }),
  },
  { $id: 'NewDocumentShare' },
);

export const SharedDocumentPreview = Type.Object(
  {
    title: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Null if a passcode is required.',
    }),
    contentType: Type.String({ description: 'Media type.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    passcodeRequired: Type.Boolean(),
    expiresAt: nullable(Timestamp),
    viewsLeft: nullable(Type.Integer({ description: 'Null means unlimited.' })),
  },
  { $id: 'SharedDocumentPreview' },
);

export const ShareAccessRequest = Type.Object({
  passcode: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
});

export const ShareAccessResponse = Type.Object(
  {
    contentUrl: Type.String({
      format: 'uri',
      description:
        'Download URL; supports range requests. It is valid for `expiresIn` seconds, or until the share is ended.',
    }),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
  },
  { $id: 'OpenedDocument' },
);

export const DocumentAccess = Type.Object(
  {
    id: Id,
    readAt: Timestamp,
    version: Type.Integer({ description: 'Number of the version that was read.' }),
    shareId: nullable({ ...Id, description: 'Share that was used; null for a grant.' }),
    reader: Type.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
      required: ['name'],
      description: 'Recipient of the grant; null for a share, and for a deleted account.',
    }),
    device: nullable(Type.String()),
    os: nullable(Type.String()),
    browser: nullable(Type.String()),
  },
  { $id: 'DocumentAccess' },
);

export const DocumentAccessQuery = CursorQuery;

export const DocumentAccessList = createNamedPageSchema(DocumentAccess, 'DocumentAccessList');
