import { Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  schemaRef,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../shared/common.schemas.ts';

export const MAX_MEMORY_TAG_PICTURES = 100;

const Caption = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Description of the picture, also for screen readers.',
});

const Position = Type.Integer({
  minimum: 1,
  maximum: MAX_MEMORY_TAG_PICTURES,
  description: 'Position in the gallery, starting at 1. Other pictures are shifted.',
});

export const NewMemoryTagPicture = Type.Object({ caption: Type.Optional(Caption) });

export const MemoryTagPictureChange = Type.Object({
  caption: Type.Optional(nullable(Caption)),
  position: Type.Optional(Position),
});

export const MemoryTagPicture = Type.Object(
  {
    id: Id,
    memoryTagId: Id,
    caption: nullable(Type.String()),
    position: Type.Integer({ description: 'Starts at 1, without gaps.' }),
    width: Type.Integer({ description: 'Width of the stored image, up to 4,096 pixels on the longer edge.' }),
    height: Type.Integer(),
    size: Type.Integer({ description: 'Bytes that count towards the storage quota.' }),
    url: Type.String({
      description: 'Path of the picture; `?w=` selects the width.',
    }),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'MemoryTagPicture', ...VERSIONED_SCHEMA },
);

export const MemoryTagPictureList = Type.Object({ data: Type.Array(schemaRef(MemoryTagPicture)) });
