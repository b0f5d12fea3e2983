import { definePersonalData, defineTableDeletedOnErasure } from '../../platform/personal-data.ts';
import { eraseCodeMoves } from './code-move.repository.ts';

export const transfersPersonalData = definePersonalData({
  tables: {
    code_moves: defineTableDeletedOnErasure(
      { not: 'ids of codes and accounts, kept for a week; the codes are in qrCodes' },
      {
        how: 'Every row from the account, to it, and requested by its user.',
        async erase(tx, { userId }) {
          await eraseCodeMoves(tx, userId);
          return true;
        },
      },
    ),
  },
  lists: {},
});
