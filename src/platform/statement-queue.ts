import { type AccountBinding, isAccountBinding, isReadOnlyBinding } from './account-binding.ts';
import type { TransactionStatus } from './unknown-outcome.ts';

/** What to do with a statement. */
export type StatementStep =
  /** Answer it now: it is sent with the next one, or is not needed. */
  | { kind: 'ANSWER' }
  /** Send it, after `prefix` in the same round trip. `status` is that of the connection once `prefix` has run. */
  | { kind: 'SEND'; prefix: readonly string[]; status: TransactionStatus }
  /** Send it, and answer now: nothing depends on its answer. */
  | { kind: 'SEND_AND_ANSWER' };

const BEGIN = 'BEGIN';
const ISOLATION_PATTERN = /^SET TRANSACTION ISOLATION LEVEL [A-Z ]+$/;
/** With options, which the caller binds itself. */
const OTHER_BEGIN_PATTERN = /^BEGIN\b/;
const END_PATTERN = /^(?:COMMIT|ROLLBACK)$/;

/**
 * Delays `BEGIN`, and what binds a transaction to an account, until its first statement: binding costs no round trip,
 * and neither does beginning.
 */
export class StatementQueue {
  /** Of a connection of a bound pool: binds each transaction, and each statement outside one. */
  binding: AccountBinding | null = null;
  private waiting: string[] = [];
  private isReadOnly = false;
  /** Its end was sent, and not answered. */
  private isEnding = false;

  /** Note that the end of the transaction is sent after what is under way. */
  noteEndSent(): void {
    this.isEnding = true;
  }

  /** Note the answer to the end that was sent. */
  noteEnd(): void {
    this.isEnding = false;
  }

  getNextStep(text: string, knownStatus: TransactionStatus): StatementStep {
    const sentStatus = this.isEnding ? 'I' : knownStatus;
    const isBegun = this.waiting[0] === BEGIN;
    if (text === BEGIN && sentStatus === 'I' && !isBegun) {
      this.waiting = this.binding === null ? [BEGIN] : [BEGIN, this.binding];
      this.isReadOnly = false;
      return { kind: 'ANSWER' };
    }
    const isInTransaction = isBegun || sentStatus === 'T';
    if (isInTransaction && isAccountBinding(text)) {
      this.waiting.push(text);
      this.isReadOnly = isReadOnlyBinding(text);
      return { kind: 'ANSWER' };
    }
    if (isBegun && ISOLATION_PATTERN.test(text)) {
      this.waiting.push(text);
      return { kind: 'ANSWER' };
    }
    if (END_PATTERN.test(text)) return this.getLastStep(isBegun, sentStatus);
    const prefix = this.waiting;
    this.waiting = [];
    if (isInTransaction) return { kind: 'SEND', prefix, status: isBegun ? 'T' : sentStatus };
    const isLone = sentStatus === 'I' && !OTHER_BEGIN_PATTERN.test(text);
    return {
      kind: 'SEND',
      prefix: isLone && this.binding !== null ? [this.binding] : [],
      status: sentStatus,
    };
  }

  private getLastStep(isBegun: boolean, sentStatus: TransactionStatus): StatementStep {
    this.waiting = [];
    if (isBegun) return { kind: 'ANSWER' };
    if (this.isReadOnly && sentStatus === 'T') {
      this.isEnding = true;
      this.isReadOnly = false;
      return { kind: 'SEND_AND_ANSWER' };
    }
    return { kind: 'SEND', prefix: [], status: sentStatus };
  }
}
