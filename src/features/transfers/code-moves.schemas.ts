import { type Static, Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';

export const MAX_MOVED_CODES = 5_000;

export const CODE_MOVE_STATUSES = ['WAITING', 'COMPLETED', 'FAILED'] as const;

export const NewCodeMove = Type.Object({
  fromAccountId: Type.Optional(
    Type.String({ ...Id, description: 'An account that you own. Default your personal one.' }),
  ),
  toAccountId: Type.String({
    ...Id,
    description: 'An organization in which you may create codes, or your personal account.',
  }),
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: MAX_MOVED_CODES,
      uniqueItems: true,
      description: 'Default all codes that are not deleted.',
    }),
  ),
});

export type NewCodeMoveInput = Static<typeof NewCodeMove>;

export const CodeMoveSchema = Type.Object(
  {
    id: Id,
    fromAccountId: Id,
    toAccountId: Id,
    status: stringEnum(CODE_MOVE_STATUSES, {
      description:
        'WAITING: for a worker, or while it moves. FAILED: the rest of the codes stayed; see `failure`.',
    }),
    codes: Type.Integer({ description: 'How many codes were requested.' }),
    moved: Type.Integer({ description: 'How many of them have been moved.' }),
    leftOut: Type.Array(
      Type.Object({ id: Id, code: Type.String({ description: 'Of the error, such as EXTERNAL_ID_TAKEN.' }) }),
      { description: 'Codes that stayed, a hundred at most.' },
    ),
    failure: nullable(
      Type.String({ description: 'The error of a FAILED move, such as PLAN_LIMIT_REACHED or FORBIDDEN.' }),
    ),
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
  },
  { $id: 'CodeMove', description: 'Codes that go to another account of yours.' },
);

export type CodeMoveView = Static<typeof CodeMoveSchema>;
