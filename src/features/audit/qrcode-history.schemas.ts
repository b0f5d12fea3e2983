import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { createNamedPageSchema } from '../../shared/pagination.ts';

export const QR_CODE_HISTORY_ACTIONS = [
  'CREATED',
  'UPDATED',
  'VISIBILITY_CHANGED',
  'PIN_SET',
  'PIN_REMOVED',
  'PICTURE_ADDED',
  'PICTURE_UPDATED',
  'PICTURE_DELETED',
  'PAUSED',
  'RESUMED',
  'LOST',
  'LOST_NOTICE_CHANGED',
  'FOUND',
  'DELETED',
  'RESTORED',
  'TEST_LINK_CREATED',
  'TEST_LINK_USED',
  'TAKEN_DOWN',
  'APPEALED',
  'APPEAL_REJECTED',
  'REINSTATED',
  'READ_BY_STAFF',
] as const;

export const QR_CODE_HISTORY_ACTORS = ['OWNER', 'API_KEY', 'STAFF', 'SOMEBODY', 'SERVICE'] as const;

export const QrCodeHistoryEntry = Type.Object(
  {
    id: Id,
    createdAt: Timestamp,
    action: stringEnum(QR_CODE_HISTORY_ACTIONS),
    changes: Type.Array(Type.String(), {
      description:
        'Of UPDATED and VISIBILITY_CHANGED: names of changed fields, as of PATCH /api/qrcodes/{id}; never values.',
    }),
    who: stringEnum(QR_CODE_HISTORY_ACTORS, {
      description: 'The owner, an API key of theirs, staff, another user or visitor, or the service itself.',
    }),
    apiKey: nullable(
      Type.Object(
        { id: Id, name: nullable(Type.String({ description: 'Null once the key is no longer stored.' })) },
        { description: 'The API key that was used; null for none.' },
      ),
    ),
  },
  { $id: 'QrCodeHistoryEntry', description: 'Something that happened to a code.' },
);

export const QrCodeHistory = createNamedPageSchema(QrCodeHistoryEntry, 'QrCodeHistory');
