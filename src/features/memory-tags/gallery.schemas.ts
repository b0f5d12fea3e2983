import { Type } from 'typebox';
import { Id, NON_BLANK_LINE_PATTERN, nullable, schemaRef, Timestamp } from '../../shared/common.schemas.ts';

/** Pictures of a memory tag. */
export const MAX_PICTURES = 100;

const Caption = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'What is to be seen, also for those who hear the page read out.',
});

const Position = Type.Integer({
  minimum: 1,
  maximum: MAX_PICTURES,
  description: 'The place among the pictures of the memory tag, from 1; the others make room.',
});

export const NewPicture = Type.Object({ caption: Type.Optional(Caption) });

export const PictureChange = Type.Object({
  caption: Type.Optional(nullable(Caption)),
  position: Type.Optional(Position),
});

export const MemoryTagPicture = Type.Object(
  {
    id: Id,
    memoryTagId: Id,
    caption: nullable(Type.String()),
    position: Type.Integer({ description: 'From 1, without a gap.' }),
    width: Type.Integer({ description: 'Of what is kept: 4,096 pixels on the longer edge at most.' }),
    height: Type.Integer(),
    size: Type.Integer({ description: 'Its bytes, as they count for the storage of the package.' }),
    url: Type.String({
      description: 'Where the picture is, below the address of the service; `?w=` says how wide.',
    }),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'MemoryTagPicture' },
);

export const MemoryTagPictureList = Type.Object({ data: Type.Array(schemaRef(MemoryTagPicture)) });
