import { type TSchema, Type } from 'typebox';
import { createDateOrDateTimeSchema, Id, schemaRef, Timestamp } from './common.schemas.ts';
import { formatLifetime } from './lifetimes.ts';
import { Pagination } from './pagination.ts';

export const UpdatedSince = Type.Optional(
  createDateOrDateTimeSchema(
    `Changed and deleted records from this time on, oldest change first, without other filters. The last page says \`nextUpdatedSince\`. At most ${formatLifetime('deletedRecord')} ago.`,
  ),
);

export const DeletedRecord = Type.Object({ id: Id, deletedAt: Timestamp }, { $id: 'DeletedRecord' });

/** A page of a list or of its changes. */
export function createChangesPageSchema<S extends TSchema & { $id?: string }>(item: S) {
  return Type.Object({
    data: Type.Array(schemaRef(item)),
    deleted: Type.Optional(Type.Array(schemaRef(DeletedRecord), { description: 'With `updatedSince`.' })),
    pagination: schemaRef(Pagination),
  });
}
