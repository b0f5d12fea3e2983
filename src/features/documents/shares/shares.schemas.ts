import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { CursorParam, createCursorPageSchema } from '../../../shared/pagination.ts';
import { MIN_PASSCODE_CHARACTERS, SHARE_STATES } from './share.rules.ts';

const PasscodeInput = Type.String({
  minLength: MIN_PASSCODE_CHARACTERS,
  maxLength: 64,
  description: 'Asked for before it opens. Blanks around it do not count.',
});

export const ShareRequest = Type.Object({
  expiresInSeconds: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 60,
        maximum: LIFETIMES_SECONDS.maxShareLink,
        description: 'From now on; without it, and without `expiresAt`, the link works until it is ended.',
      }),
    ),
  ),
  expiresAt: Type.Optional(
    nullable(
      Type.String({
        format: 'date-time',
        description: `The same by the clock, in place of it; within ${LIFETIMES_SECONDS.maxShareLink / 86_400} days.`,
      }),
    ),
  ),
  maxViews: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 10_000, description: 'How often it can be opened.' })),
  ),
  passcode: Type.Optional(nullable(PasscodeInput)),
  oneTime: Type.Optional(Type.Boolean({ description: 'The same as `maxViews: 1`.' })),
  qrCodeId: Type.Optional(
    nullable(
      Type.String({
        ...Id,
        description: 'An own code of kind DOCUMENT, whose page offers the document as well.',
      }),
    ),
  ),
});

const shareProperties = {
  id: Id,
  documentId: Id,
  qrCodeId: nullable(Id),
  state: stringEnum(SHARE_STATES, {
    description:
      'NOT_ALLOWED: it opens nothing, since enterprise mode asks for a passcode and an end of a link to a health document.',
  }),
  passcodeRequired: Type.Boolean(),
  maxViews: nullable(Type.Integer()),
  views: Type.Integer({ description: 'How often it was opened.' }),
  viewsLeft: nullable(Type.Integer()),
  lastOpenedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

/** A share in a list. */
export const DocumentShare = Type.Object(shareProperties, { $id: 'DocumentShare' });

export const CreatedShareResponse = Type.Object(
  {
    ...shareProperties,
    token: Type.String({ description: 'Shown this once: it is stored hashed.' }),
    url: Type.String({
      format: 'uri',
      description:
        'What to send. Of a health document the token is behind a #, so that browsers send it in no request line.',
    }),
  },
  { $id: 'NewDocumentShare' },
);

/** What a share tells before it is opened. */
export const SharedDocumentPreview = Type.Object(
  {
    title: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Null while a passcode is asked for.',
    }),
    contentType: Type.String({ description: 'A media type.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    passcodeRequired: Type.Boolean(),
    expiresAt: nullable(Timestamp),
    viewsLeft: nullable(Type.Integer({ description: 'Null is without limit.' })),
  },
  { $id: 'SharedDocumentLook' },
);

export const ShareAccessRequest = Type.Object({
  passcode: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
});

export const ShareAccessResponse = Type.Object(
  {
    contentUrl: Type.String({
      format: 'uri',
      description:
        'The content, also in ranges, for as long as `expiresIn` says. Dead at once when the share is ended.',
    }),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
  },
  { $id: 'OpenedDocument' },
);

export const DocumentAccess = Type.Object(
  {
    id: Id,
    readAt: Timestamp,
    version: Type.Integer({ description: 'The number of the version that was read.' }),
    shareId: nullable({ ...Id, description: 'By which share; null for a person that it was given to.' }),
    reader: Type.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
      required: ['name'],
      description: 'Whom it was given to by name; null for a share, and for one who has no account any more.',
    }),
    device: nullable(Type.String()),
    os: nullable(Type.String()),
    browser: nullable(Type.String()),
  },
  { $id: 'DocumentReading' },
);

export const DocumentAccessQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows a page.' }),
  cursor: CursorParam,
});

export const DocumentAccessList = createCursorPageSchema(DocumentAccess, 'DocumentReadingList');
