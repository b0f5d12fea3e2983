import type { CodeMoveRecord } from './code-move.repository.ts';
import type { CodeMoveView } from './code-moves.schemas.ts';

export function toCodeMoveView(row: CodeMoveRecord): CodeMoveView {
  return {
    id: row.id,
    fromAccountId: row.accountId,
    toAccountId: row.toAccountId,
    status: row.status as CodeMoveView['status'],
    codes: row.codes,
    moved: row.moved,
    leftOut: row.leftOut as CodeMoveView['leftOut'],
    failure: row.failure,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}
