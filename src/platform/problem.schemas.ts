import { Type } from 'typebox';
import { ERRORS } from '../catalogue.ts';
import { FieldProblem, Id, schemaRef, stringEnum, VisiblePicture } from '../shared/common.schemas.ts';

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'URL of the page about this code.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: stringEnum(Object.keys(ERRORS)),
    requestId: Type.String({ description: 'Report this id to the operator.' }),
    errors: Type.Optional(
      Type.Array(schemaRef(FieldProblem), { description: 'Every field that failed validation.' }),
    ),
    attemptsLeft: Type.Optional(
      Type.Integer({ description: 'With PIN_INCORRECT and PASSCODE_INCORRECT: remaining attempts.' }),
    ),
    profile: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'With PIN_INCORRECT, and RATE_LIMITED when no PIN attempts are left: the content of the code that needs no PIN.',
      }),
    ),
    pictures: Type.Optional(
      Type.Array(schemaRef(VisiblePicture), { description: 'With profile: the pictures that need no PIN.' }),
    ),
    pinRequired: Type.Optional(
      Type.Boolean({ description: 'With profile: whether more content requires a PIN.' }),
    ),
    contactable: Type.Optional(
      Type.Boolean({
        description: 'With profile, CODE_PAUSED and CODE_EXPIRED: whether the owner accepts messages.',
      }),
    ),
    limit: Type.Optional(Type.String({ description: 'With PLAN_LIMIT_REACHED: name of the limit.' })),
    used: Type.Optional(Type.Integer({ description: 'With PLAN_LIMIT_REACHED: current usage.' })),
    allowed: Type.Optional(Type.Integer({ description: 'With PLAN_LIMIT_REACHED: limit of the package.' })),
    largerPackage: Type.Optional(
      Type.Unsafe<{ id: string; code: string } | null>({
        ...Type.Object({ id: Id, code: Type.String() }),
        type: ['object', 'null'],
        description:
          'With PLAN_LIMIT_REACHED: the smallest available package with a higher limit; null if there is none.',
      }),
    ),
    accepted: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With FILE_TYPE_UNSUPPORTED: the supported media types.',
      }),
    ),
  },
  { $id: 'Problem', description: 'A problem document (RFC 9457).' },
);
