import { defineAuditAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';

export const transfersCatalogue = defineCatalogue({
  errors: {
    TOO_MANY_CODE_MOVES: defineError(
      409,
      'Too many moves are in progress.',
      'A user has up to three at a time. GET /api/code-moves shows them; wait for one.',
    ),
  },
  auditActions: {
    CODE_MOVE_REQUESTED: defineAuditAction(
      'HIGH',
      'USER',
      'A user requested to move codes of an account to another one.',
    ),
  },
});
